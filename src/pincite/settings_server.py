"""Define the settings of the sections `server` and `websocket`: addresses, proxies, and limits of connections."""

from typing import Annotated

from pydantic import BeforeValidator, Field, StringConstraints

from pincite.settings_section import SettingsSection
from pincite.settings_sources import split_list


class ServerSettings(SettingsSection):
    host: Annotated[str, Field(description="Address the server listens on.")] = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65535, description="Port the server listens on.")] = 8000
    hosts: Annotated[
        tuple[str, ...],
        BeforeValidator(split_list),
        Field(description='Other names browsers may reach the server under, as behind a proxy; "*" is any.'),
    ] = ()
    origins: Annotated[
        tuple[Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9+.-]*://[^/?#@*\s]+$")], ...],
        BeforeValidator(split_list),
        Field(
            description="Origins of other sites (`https://tool.example.org`) whose pages may use the API, with tokens; "
            "their cookies do not count."
        ),
    ] = ()
    proxies: Annotated[
        tuple[str, ...],
        BeforeValidator(split_list),
        Field(description="Addresses and networks of proxies whose `X-Forwarded-For` and `-Proto` are believed."),
    ] = ("127.0.0.1", "::1")
    worker: Annotated[
        bool, Field(description="Whether the server itself reads added documents; otherwise run `pincite worker`.")
    ] = True
    drain_seconds: Annotated[
        float,
        Field(
            ge=0,
            description="On SIGTERM, how long the server is not ready and goes on answering, so that a proxy takes it "
            "out and answers end; 0 stops at once.",
        ),
    ] = 0
    page: Annotated[str, Field(description="Folder of a built page, for development; empty is the built-in one.")] = ""


class WebSocketSettings(SettingsSection):
    connections: Annotated[int, Field(ge=1, description="Most connections to `/ws` at once; others are refused.")] = 200
    message_mb: Annotated[
        int, Field(ge=1, description="Largest message of a client; a larger one ends its connection.")
    ] = 16
    messages_per_second: Annotated[
        int, Field(ge=1, description="Most messages of a client in a second; twice as many may arrive at once.")
    ] = 50
    identify_seconds: Annotated[float, Field(gt=0, description="Time for a new connection to identify itself.")] = 10
    heartbeat_seconds: Annotated[
        float, Field(gt=0, description="Time between two pings; a client that is silent for three ends its connection.")
    ] = 20
