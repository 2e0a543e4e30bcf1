"""Define the settings of the section `mail`: the server that sends invitations and resets of passwords."""

from typing import Annotated, Literal, Self

from pydantic import Field, SecretStr, model_validator

from pincite.settings_section import SettingsSection


class MailSettings(SettingsSection):
    host: Annotated[
        str, Field(description="Mail server that sends invitations and resets of passwords; empty sends none.")
    ] = ""
    port: Annotated[int, Field(ge=1, le=65535, description="Its port.")] = 587
    tls: Annotated[
        Literal["starttls", "tls", "none"],
        Field(description="`starttls` encrypts the connection after it begins, `tls` from the beginning."),
    ] = "starttls"
    user: Annotated[str, Field(description="Name to sign in with at the mail server; empty does not sign in.")] = ""
    password: Annotated[SecretStr, Field(description="Its password.")] = SecretStr("")
    sender: Annotated[str, Field(description="Address from which mail is sent, as `pincite@example.org`.")] = ""

    @model_validator(mode="after")
    def _is_complete(self) -> Self:
        if self.host and not self.sender:
            raise ValueError("mail.host needs mail.sender, the address from which mail is sent")
        if self.user and self.tls == "none":
            raise ValueError('mail.user needs mail.tls "starttls" or "tls": a password is not sent without encryption')
        return self
