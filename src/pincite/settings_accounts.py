"""Define the settings of the section `accounts`: the mode of a server, sessions, and signing in through an issuer."""

from typing import Annotated, Literal, Self

from pydantic import BeforeValidator, Field, SecretStr, model_validator

from pincite.settings_section import SettingsSection
from pincite.settings_sources import split_list


class AccountSettings(SettingsSection):
    mode: Annotated[
        Literal["local", "team"],
        Field(description="`local`: one person, no sign-in, loopback only; `team`: every request needs an account."),
    ] = "local"
    guests: Annotated[bool, Field(description="In team mode, let people without an account ask a few questions.")] = (
        False
    )
    password_length: Annotated[int, Field(ge=8, le=128, description="Fewest characters of a password.")] = 12
    idle_days: Annotated[float, Field(gt=0, description="A session that was not used for so long ends.")] = 14
    absolute_days: Annotated[float, Field(gt=0, description="A session ends so long after signing in.")] = 90
    invitation_days: Annotated[float, Field(gt=0, description="How long an invitation can be accepted.")] = 7
    reset_hours: Annotated[float, Field(gt=0, description="How long a link to a new password works.")] = 24
    url: Annotated[
        str,
        Field(
            pattern=r"^(https?://[^\s/?#@]+(/[^\s?#]*)?)?$",
            description="Address at which people reach this server, for links and for the issuer.",
        ),
    ] = ""
    issuer: Annotated[
        str,
        Field(
            pattern=r"^(https://[^\s?#@]+|http://(localhost|127\.0\.0\.1|\[::1\])(:\d+)?(/[^\s?#]*)?)?$",
            description="Address of an OpenID Connect issuer that signs people in; empty is none.",
        ),
    ] = ""
    client_id: Annotated[str, Field(description="The id of this server at the issuer.")] = ""
    client_secret: Annotated[SecretStr, Field(description="Its secret; empty for a public client.")] = SecretStr("")
    join: Annotated[
        bool, Field(description="Make an account for a person whom the issuer knows and this server does not.")
    ] = False
    domains: Annotated[
        tuple[str, ...],
        BeforeValidator(split_list),
        Field(description="Accounts are made for e-mail addresses of these domains alone; empty is any."),
    ] = ()

    @model_validator(mode="after")
    def _issuer_knows_this_server(self) -> Self:
        if self.issuer and not self.client_id:
            raise ValueError("accounts.issuer needs accounts.client_id, the id that the issuer gave this server")
        return self
