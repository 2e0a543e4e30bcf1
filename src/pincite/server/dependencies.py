"""Dependencies that routes share: services, conversations, the caller, and types that clean the text of a request."""

from typing import TYPE_CHECKING, Annotated, cast

from fastapi import Depends, Request
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict

from pincite.accounts.audit import Caller
from pincite.conversations import Conversations
from pincite.library import Library
from pincite.server.callers import get_caller
from pincite.text.storable import clean_text

if TYPE_CHECKING:
    from pincite.answer.services import Services


def get_services(request: Request) -> "Services":
    """Return the services that all requests share."""
    return cast("Services", request.app.state.services)


# Asynchronous, though nothing is awaited: FastAPI runs a plain function in a thread, which costs time on each request.
async def _get_library(request: Request) -> Library:
    return get_services(request).library


async def _get_conversations(request: Request) -> Conversations:
    return cast(Conversations, request.app.state.conversations)


async def _get_caller(request: Request) -> Caller:
    return get_caller(request.scope)


async def _get_owner(request: Request) -> str:
    return get_caller(request.scope).principal.user


def clean_value(given: object) -> object:
    """Return a value with invalid characters replaced, if it is a text."""
    return clean_text(given) if isinstance(given, str) else given


TheLibrary = Annotated[Library, Depends(_get_library)]
TheConversations = Annotated[Conversations, Depends(_get_conversations)]
TheCaller = Annotated[Caller, Depends(_get_caller)]
# The id of the person who makes the request.
Owner = Annotated[str, Depends(_get_owner)]
# Some clients send lone surrogates and NUL characters; each becomes a replacement character or a space.
Words = Annotated[str, BeforeValidator(clean_value)]
Id = Annotated[str, AfterValidator(clean_text)]


class Body(BaseModel):
    """The base of request bodies. Unknown fields are refused, so that a misspelt field is noticed."""

    model_config = ConfigDict(extra="forbid")
