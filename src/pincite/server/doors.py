"""What every route is handed: the house, its conversations, and who asks; and how what they send is made whole."""

from typing import TYPE_CHECKING, Annotated, cast

from fastapi import Depends, Request
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict

from pincite.conversations import Conversations
from pincite.library import Library
from pincite.reading.finish import clean

if TYPE_CHECKING:
    from pincite.agent.house import House
    from pincite.settings import Settings


def house(request: Request) -> "House":
    """What all questions share."""
    return cast("House", request.app.state.house)


# Asynchronous, though nothing is awaited: a plain function would take a hop to a thread and back for each request.
async def _library(request: Request) -> Library:
    return house(request).library


async def _conversations(request: Request) -> Conversations:
    return cast(Conversations, request.app.state.conversations)


async def _owner(request: Request) -> str:
    settings: Settings = house(request).settings
    return settings.owner


def whole(given: object) -> object:
    """What is sent, with a mark for each character that is none."""
    return clean(given) if isinstance(given, str) else given


TheLibrary = Annotated[Library, Depends(_library)]
TheConversations = Annotated[Conversations, Depends(_conversations)]
Owner = Annotated[str, Depends(_owner)]
# Scripts send halves of characters, and zeros: each becomes a mark or a space.
Words = Annotated[str, BeforeValidator(whole)]
Id = Annotated[str, AfterValidator(clean)]


class Body(BaseModel):
    """What is sent to a route: a field that is not known is refused, so that a slip of the finger is noticed."""

    model_config = ConfigDict(extra="forbid")
