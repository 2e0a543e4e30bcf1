"""The bodies of the account routes: people, sessions and tokens as clients see them, and what clients send."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from pincite.accounts.principal import AccessScope
from pincite.server.dependencies import Body, Words
from pincite.store.access_tokens import StoredToken
from pincite.store.people import Role, StoredPerson
from pincite.store.sessions import StoredSession

_Name = Annotated[Words, Field(min_length=1, max_length=300)]
_Password = Annotated[str, Field(min_length=1, max_length=4000)]
_LinkSecret = Annotated[Words, Field(min_length=1, max_length=200, description="What stands after # in the link.")]


class Person(BaseModel):
    """A person with an account. Times are seconds since 1970."""

    id: str
    name: str
    email: str
    role: Role
    disabled: bool
    created: float


class AccountInfo(BaseModel):
    """How people sign in to this server, and who is signed in."""

    mode: Annotated[Literal["local", "team"], Field(description="In `local` mode nobody signs in.")]
    guests: Annotated[bool, Field(description="Whether people without an account may ask a few questions.")]
    issuer: Annotated[bool, Field(description="Whether people can sign in with OpenID Connect.")]
    password_length: Annotated[int, Field(description="Fewest characters of a password.")]
    person: Annotated[Person | None, Field(description="The person who makes the request; null if none is signed in.")]
    scopes: Annotated[list[AccessScope], Field(description="What the request may do.")]
    session: Annotated[str, Field(description="The id of the session; empty without one, and for a token.")]


class SignIn(Body):
    """A name or an e-mail address, and the password."""

    name: _Name
    password: _Password


class LinkSecret(Body):
    """The secret of an invitation."""

    secret: _LinkSecret


class InvitationInfo(BaseModel):
    """An invitation that can be accepted."""

    email: Annotated[str, Field(description="The e-mail address that the account gets; may be empty.")]
    role: Role
    expires: float


class Join(Body):
    """The account that somebody makes with an invitation."""

    secret: _LinkSecret
    name: _Name
    password: _Password
    email: Annotated[
        Words, Field(max_length=300, description="The address of the invitation, or empty: an owner gives the address.")
    ] = ""
    referral: Annotated[Words, Field(max_length=100, description="The referral code of another person.")] = ""


class NewPassword(Body):
    """A new password for the person of a reset link."""

    secret: _LinkSecret
    password: _Password


class PasswordChange(Body):
    """The old password and the new one."""

    old: _Password
    new: _Password


class SessionInfo(BaseModel):
    """A browser in which the person is signed in."""

    id: str
    created: float
    used: Annotated[float, Field(description="When it was last used, to the minute.")]
    address: Annotated[str, Field(description="The network address from which it began.")]
    agent: Annotated[str, Field(description="How the browser described itself.")]
    current: Annotated[bool, Field(description="Whether this request uses it.")]


class SessionList(BaseModel):
    """The sessions of a person, last used first."""

    sessions: list[SessionInfo]


class EndedSessions(BaseModel):
    """How many sessions were ended."""

    ended: int


class TokenInfo(BaseModel):
    """A token of a program, without its secret."""

    id: str
    name: str
    start: Annotated[str, Field(description="The first characters of the secret, by which to know it.")]
    scopes: list[AccessScope]
    created: float
    expires: Annotated[float | None, Field(description="Null is never.")]
    used: Annotated[float | None, Field(description="When it was last used, to the minute; null is never.")]


class TokenList(BaseModel):
    """The tokens of a person, the latest first."""

    tokens: list[TokenInfo]


class TokenRequest(Body):
    """The token to make."""

    name: _Name
    scopes: Annotated[list[AccessScope], Field(min_length=1, max_length=20)]
    days: Annotated[float | None, Field(gt=0, le=3650, description="How long it is valid; null is for ever.")] = None


class MadeToken(BaseModel):
    """A new token. The secret is shown here and never again."""

    secret: str
    token: TokenInfo


def describe_person(person: StoredPerson) -> Person:
    """Return a person as clients see them."""
    return Person(
        id=person.id,
        name=person.name,
        email=person.email,
        role=person.role,
        disabled=person.disabled,
        created=person.created,
    )


def describe_session(session: StoredSession, current: str) -> SessionInfo:
    """Return a session as clients see it; `current` is the id of the caller's own."""
    return SessionInfo(
        id=session.id,
        created=session.created,
        used=session.used,
        address=session.address,
        agent=session.agent,
        current=session.id == current,
    )


def describe_token(token: StoredToken) -> TokenInfo:
    """Return a token as clients see it."""
    return TokenInfo.model_validate(
        {
            "id": token.id,
            "name": token.name,
            "start": token.start,
            "scopes": token.scopes,
            "created": token.created,
            "expires": token.expires,
            "used": token.used,
        }
    )
