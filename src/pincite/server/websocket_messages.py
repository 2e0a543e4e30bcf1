"""The messages of `/ws`, version 1: those of a client, with their checks, and those of the server."""

import json
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from pincite.errors import Params, PinciteError
from pincite.events import Event
from pincite.events.stream import ErrorParams, ErrorReason
from pincite.server.chat_routes import LAST
from pincite.server.dependencies import Body, Words
from pincite.server.error_responses import describe_field_errors, describe_trouble
from pincite.telemetry.metrics import ERRORS
from pincite.text.storable import clean_text

VERSION = 1
_TOPICS = 100  # topics of one message
_TYPES = ("identify", "subscribe", "unsubscribe", "action", "ping", "pong")
_HINT = "docs/websocket.md lists the messages and their fields."


def _is_empty(value: str) -> bool:
    return not value


MessageId = Annotated[Words, Field(min_length=1, max_length=100, description="Chosen by the client; the reply has it.")]
Topic = Annotated[Words, Field(max_length=300)]


class MessageError(PinciteError):
    """A message of a client that cannot be handled; the connection stays open."""

    code = "invalid"

    def __init__(self, message: str, hint: str = _HINT, reason: str = "", params: Params | None = None) -> None:
        super().__init__(message, hint, reason, params or {})
        self.id = ""


class NotIdentified(MessageError):
    code = "not_identified"


class UnsupportedVersion(MessageError):
    code = "unsupported_version"


class UnknownAction(MessageError):
    code = "unknown_action"


class _ClientMessage(Body):
    model_config = ConfigDict(extra="forbid", strict=True)


class IdentifyMessage(_ClientMessage):
    """The first message of a connection."""

    type: Literal["identify"]
    version: int
    token: Annotated[Words, Field(max_length=4000)] = ""
    client: Annotated[Words, Field(max_length=200, description="Name of the program, for the server's log.")] = ""


class SubscribeMessage(_ClientMessage):
    """Topics to follow. A topic that is followed already begins again after the given number."""

    type: Literal["subscribe"]
    id: MessageId
    topics: Annotated[list[Topic], Field(min_length=1, max_length=_TOPICS)]
    after: Annotated[
        dict[Topic, Annotated[int, Field(ge=0, le=LAST)]],
        Field(
            default_factory=dict,
            max_length=_TOPICS,
            description="Number of the last event that the client has, by topic; without one, 0.",
        ),
    ]


class UnsubscribeMessage(_ClientMessage):
    """Topics to follow no longer."""

    type: Literal["unsubscribe"]
    id: MessageId
    topics: Annotated[list[Topic], Field(min_length=1, max_length=_TOPICS)]


class ActionMessage(_ClientMessage):
    """An action with its data."""

    type: Literal["action"]
    id: MessageId
    action: Annotated[Words, Field(max_length=100)]
    data: Annotated[dict[str, Any], Field(default_factory=dict)]


class PingMessage(_ClientMessage):
    """A sign of life that asks for one."""

    type: Literal["ping"] = "ping"


class PongMessage(_ClientMessage):
    """The reply to a ping."""

    type: Literal["pong"] = "pong"


ClientMessage = IdentifyMessage | SubscribeMessage | UnsubscribeMessage | ActionMessage | PingMessage | PongMessage
_CLIENT_MESSAGES: TypeAdapter[ClientMessage] = TypeAdapter(Annotated[ClientMessage, Field(discriminator="type")])


class IdentifiedMessage(BaseModel):
    """The reply to `identify`."""

    type: Literal["identified"] = "identified"
    version: int = VERSION
    session: str
    owner: str
    heartbeat: Annotated[float, Field(description="Seconds between two pings of the server.")]


class SubscribedMessage(BaseModel):
    """The reply to `subscribe`."""

    type: Literal["subscribed"] = "subscribed"
    id: str
    topics: list[str]


class UnsubscribedMessage(BaseModel):
    """The reply to `unsubscribe`; no event of these topics follows."""

    type: Literal["unsubscribed"] = "unsubscribed"
    id: str
    topics: list[str]


class EventMessage(BaseModel):
    """An event of a topic."""

    type: Literal["event"] = "event"
    topic: str
    seq: int
    event: Event


class DoneMessage(BaseModel):
    """Everything of a topic has been sent, and no answer is being written. The subscription stays."""

    type: Literal["done"] = "done"
    topic: str


class ResultMessage(BaseModel):
    """The reply to an action."""

    type: Literal["result"] = "result"
    id: str
    action: str
    data: Any


class ErrorMessage(BaseModel):
    """The reply to a message that failed, or the end of a subscription that failed."""

    type: Literal["error"] = "error"
    id: Annotated[str, Field(description="Id of the message; left out if it has none.", exclude_if=_is_empty)] = ""
    topic: Annotated[str, Field(description="The topic whose subscription has ended.", exclude_if=_is_empty)] = ""
    code: str
    message: str
    hint: str
    reason: ErrorReason = ""
    params: ErrorParams = {}


ServerMessage = (
    IdentifiedMessage
    | SubscribedMessage
    | UnsubscribedMessage
    | EventMessage
    | DoneMessage
    | ResultMessage
    | ErrorMessage
    | PingMessage
    | PongMessage
)


def parse_message(text: str) -> ClientMessage:
    """Return a message of a client. Raise `MessageError` with the id of the message if there is something wrong."""
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        raise MessageError("The message is not JSON.", reason="json") from None
    if not isinstance(given, dict):
        raise MessageError("The message is not a JSON object.", reason="json")
    try:
        return _parse_object(given)
    except MessageError as error:
        id = given.get("id")
        error.id = clean_text(id) if isinstance(id, str) and len(id) <= 100 else ""
        raise


def _parse_object(given: Mapping[str, Any]) -> ClientMessage:
    if given.get("type") not in _TYPES:
        raise MessageError(f"The type of a message is one of {', '.join(_TYPES)}.", reason="type")
    try:
        return _CLIENT_MESSAGES.validate_python(given)
    except ValidationError as error:
        raise explain_invalid(error, "") from None


def explain_invalid(error: ValidationError, place: str) -> MessageError:
    """Return the error of a message whose fields are wrong. `place` is the field that holds them."""
    wrong = describe_field_errors(
        {**each, "loc": (place, *each["loc"]) if place else each["loc"][1:]} for each in error.errors()
    )
    return MessageError(f"The message is not right: {wrong}.", reason="fields")


def describe_failure(error: PinciteError, id: str = "", topic: str = "") -> ErrorMessage:
    """Return the message that reports an error."""
    told = describe_trouble(error)
    ERRORS.add(told.code)
    return ErrorMessage(
        id=id,
        topic=topic,
        code=told.code,
        message=clean_text(told.message),
        hint=clean_text(told.hint),
        reason=told.reason,
        params=told.params,
    )
