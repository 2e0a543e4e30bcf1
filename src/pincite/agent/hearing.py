"""What can be heard of a turn while it is worked on: words, thoughts taken back, and events."""

from dataclasses import dataclass
from typing import Any

from pincite import events
from pincite.agent.cards import Card
from pincite.events.markup import shortened, tool_call
from pincite.store.documents import StoredDocument

_ATTRIBUTES = ("query", "url", "document", "page", "words", "evidence", "sentence", "expression")


@dataclass(frozen=True, slots=True)
class Spoken:
    """Words of the answer, as the model says them."""

    text: str


@dataclass(frozen=True, slots=True)
class Folded:
    """What was spoken since the last tool call was no answer, but a thought on the way."""


@dataclass(frozen=True, slots=True)
class Paused:
    """What was spoken until now is whole sentences; more may follow, later."""


@dataclass(frozen=True, slots=True)
class Noted:
    """A sentence of ours about the answer, such as why it only quotes: a paragraph of it, never a claim or judged."""

    text: str


@dataclass(frozen=True, slots=True)
class Quoted:
    """A passage of a source that is shown as an answer: code copied it, so nothing of it is checked again."""

    card: Card


@dataclass(frozen=True, slots=True)
class Listed:
    """A line of ours that names a source, such as a document in a list of documents, and cites where it begins."""

    text: str
    evidence: int


@dataclass(frozen=True, slots=True)
class Refused:
    """A sentence that says the sources do not answer; `missing` are names, codes and years that they do not have."""

    text: str
    missing: tuple[str, ...] = ()


Composed = Noted | Quoted | Listed | Refused  # parts of an answer that is made without a model
Heard = Spoken | Folded | Paused | Composed | events.Data


def started(name: str, id: str, given: dict[str, Any], status: str = "running") -> events.ToolCallStarted:
    """The event of a tool call that begins, with the little of its arguments that is worth showing."""
    attributes = {key: shortened(given[key]) for key in _ATTRIBUTES if given.get(key) not in (None, "")}
    if given.get("limit"):
        attributes["count"] = shortened(given["limit"])
    return events.ToolCallStarted(
        content=tool_call(name, id, status, attributes),
        toolCallId=id,
        status="success" if status == "success" else "running",
        name=name,
        attributes=attributes,
    )


def succeeded(id: str, found: tuple[object, ...]) -> events.ToolCallSuccess:
    """The event of a tool call that gave something: how much, and what the tool tells of itself."""
    # What a tool tells of itself stands as a dictionary among what it found.
    extra = {key: value for each in found if isinstance(each, dict) for key, value in each.items()}
    # A list of documents has them, and the evidence by which each can be cited.
    documents = sum(isinstance(each, StoredDocument) for each in found)
    number = documents or sum(not isinstance(each, dict) for each in found)
    return events.ToolCallSuccess(toolCallId=id, extra={"found": str(number), **extra} if found else {})


def failed(id: str, why: str) -> events.ToolCallError:
    """The event of a tool call that came to nothing."""
    return events.ToolCallError(toolCallId=id, error=shortened(why))
