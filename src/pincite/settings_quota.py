"""Define the settings of the section `quota`: allowances, prices, referrals and limits per minute."""

from typing import Annotated

from pydantic import Field, field_validator

from pincite.settings_section import SettingsSection

_Credits = Annotated[float, Field(ge=0, le=1e9, allow_inf_nan=False)]
_Url = r"^(https?://[^\s]+)?$"


class PriceSettings(SettingsSection):
    input: Annotated[_Credits, Field(description="Credits for a million tokens that are sent.")] = 0
    output: Annotated[_Credits, Field(description="Credits for a million tokens that are received.")] = 0
    request: Annotated[_Credits, Field(description="Credits for each request.")] = 0


class QuotaSettings(SettingsSection):
    person_credits: Annotated[
        _Credits | None, Field(description="Credits of a member in a month; unset is no limit.")
    ] = None
    owner_credits: Annotated[
        _Credits | None, Field(description="Credits of an owner of the server in a month; unset is no limit.")
    ] = None
    guest_credits: Annotated[
        _Credits, Field(description="Credits of a guest in a month, counted by network address.")
    ] = 100
    server_credits: Annotated[
        _Credits | None, Field(description="Credits of all people together in a month; unset is no limit.")
    ] = None
    answer_credits: Annotated[
        _Credits | None,
        Field(description="Most credits that one answer may spend; unset is the price of all the tokens it may use."),
    ] = None
    prices: Annotated[
        dict[str, PriceSettings],
        Field(
            description="Prices of models, one table each, under `provider:model` or a pattern such as `openai:*`; "
            "a model without one costs a credit for 1000 tokens.",
        ),
    ] = Field(default_factory=dict)
    web_request_credits: Annotated[_Credits, Field(description="Credits for each request to the web.")] = 0
    request_tokens: Annotated[
        int,
        Field(
            ge=1,
            description="Tokens of one request to a model. An answer begins if there are credits for two requests: "
            "the last one is finished, even if it passes the limit.",
        ),
    ] = 8000
    lease_seconds: Annotated[
        float,
        Field(gt=0, description="Time after which the reserved credits of a silent process are given back."),
    ] = 120
    pricing_url: Annotated[
        str, Field(pattern=_Url, description="Page about more credits, shown to people who reach their limit.")
    ] = ""
    support_email: Annotated[str, Field(description="Address for questions, shown with errors about credits.")] = ""
    referral_credits: Annotated[
        _Credits,
        Field(description="Credits that each side of a referral gets in every month."),
    ] = 50
    referral_days: Annotated[
        float, Field(ge=0, description="A code can be redeemed so many days after an account was made.")
    ] = 30
    referral_url: Annotated[
        str,
        Field(
            pattern=_Url,
            description="Page on which a code is redeemed; `{code}` stands for the code. Empty shows no link.",
        ),
    ] = ""
    questions_per_minute: Annotated[
        int, Field(ge=0, description="Most questions of one person in a minute; 0 is no limit.")
    ] = 30
    uploads_per_minute: Annotated[
        int, Field(ge=0, description="Most documents that one person adds in a minute; 0 is no limit.")
    ] = 300
    sign_ins_per_minute: Annotated[
        int, Field(ge=0, description="Most attempts to sign in under one name in a minute; 0 is no limit.")
    ] = 10
    address_factor: Annotated[
        int,
        Field(ge=1, description="The limits per minute of one network address are so many times those of a person."),
    ] = 5

    @field_validator("person_credits", "owner_credits", "server_credits", "answer_credits", mode="before")
    @classmethod
    def _empty_is_unset(cls, given: object) -> object:
        return None if given == "" else given

    @field_validator("referral_url")
    @classmethod
    def _code_has_a_place(cls, given: str) -> str:
        if given and "{code}" not in given:
            raise ValueError("it needs {code} where the code belongs, as in https://pincite.example/join?code={code}")
        return given
