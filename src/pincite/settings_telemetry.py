"""Define the settings of the section `telemetry`: metrics, traces and logs of servers and workers."""

from typing import Annotated, Literal, Self

from pydantic import Field, SecretStr, model_validator

from pincite.settings_section import SettingsSection


class TelemetrySettings(SettingsSection):
    metrics: Annotated[
        Literal["off", "local", "token"],
        Field(
            description="Who may read `/metrics`: nobody, programs of this machine, or programs that send the token; "
            "in the last two cases also an administrator's token."
        ),
    ] = "local"
    metrics_token: Annotated[
        SecretStr, Field(description="The token with which Prometheus reads `/metrics`, at least 16 characters.")
    ] = SecretStr("")
    traces: Annotated[
        str,
        Field(
            pattern=r"^(https?://[^\s]+)?$",
            description="Address that receives traces by OTLP over HTTP, as `http://localhost:4318`; empty sends none.",
        ),
    ] = ""
    trace_text: Annotated[
        bool, Field(description="Whether traces hold questions, titles and addresses; otherwise only numbers and ids.")
    ] = False
    logs: Annotated[
        Literal["text", "json"], Field(description="How `serve` and `worker` write logs; `json` is an object a line.")
    ] = "text"

    @model_validator(mode="after")
    def _token_is_a_secret(self) -> Self:
        token = self.metrics_token.get_secret_value()
        if self.metrics == "token" and not token:
            raise ValueError('telemetry.metrics "token" needs telemetry.metrics_token')
        if token and len(token) < 16:
            raise ValueError("telemetry.metrics_token needs at least 16 characters")
        return self
