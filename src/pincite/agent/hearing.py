"""What can be heard of a turn while it is worked on: words, thoughts taken back, and events."""

from dataclasses import dataclass
from typing import Any

from pincite import events
from pincite.events.markup import shortened, tool_call

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


Heard = Spoken | Folded | Paused | Noted | events.Data


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
