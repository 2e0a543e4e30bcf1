"""The items that stages emit into the outbox besides events: drafted text, retractions, and parts made by code."""

from dataclasses import dataclass
from typing import Any

from pincite import events
from pincite.answer.passage_cards import Card
from pincite.events.tool_markup import make_tool_call, shorten_value
from pincite.store.documents import StoredDocument

_ATTRIBUTES = ("query", "url", "document", "page", "words", "evidence", "sentence", "expression", "paths", "folder")


@dataclass(frozen=True, slots=True)
class TextDelta:
    """A piece of the answer's text, as the model writes it."""

    text: str


@dataclass(frozen=True, slots=True)
class RetractText:
    """The text since the last tool call was a thought, and not a part of the answer."""


@dataclass(frozen=True, slots=True)
class SentenceBreak:
    """The text so far is whole sentences. More may follow."""


@dataclass(frozen=True, slots=True)
class Note:
    """A sentence of ours about the answer, such as the reason why it only quotes. It is a paragraph and no claim."""

    text: str


@dataclass(frozen=True, slots=True)
class QuotedPassage:
    """A passage of a source that is shown as an answer. Code copied it, so it is not checked again.

    `part` is the heading of the part of the question that it answers, "" for a question without parts.
    """

    card: Card
    part: str = ""


@dataclass(frozen=True, slots=True)
class QuotedSentences:
    """Sentences of a source within a text, such as a section of a report. Code copied them: they are not checked."""

    card: Card


@dataclass(frozen=True, slots=True)
class SourceLine:
    """A line of ours that names a source, such as an item in a list of documents, and cites its beginning."""

    text: str
    evidence: int


@dataclass(frozen=True, slots=True)
class RefusalSentence:
    """A sentence that says the sources do not answer. `missing` are names, codes and years that they do not have."""

    text: str
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DraftEnd:
    """The end of the drafted text. No text follows."""


AnswerPart = Note | QuotedPassage | SourceLine | RefusalSentence  # parts of an answer that is made without a model
StreamItem = TextDelta | RetractText | SentenceBreak | DraftEnd | QuotedSentences | AnswerPart | events.Data


def make_call_started(name: str, id: str, given: dict[str, Any], status: str = "running") -> events.ToolCallStarted:
    """Return the event of a tool call that begins, with the arguments that people see."""
    attributes = {key: shorten_value(_join_list(given[key])) for key in _ATTRIBUTES if given.get(key) not in (None, "")}
    if given.get("limit"):
        attributes["count"] = shorten_value(given["limit"])
    return events.ToolCallStarted(
        content=make_tool_call(name, id, status, attributes),
        toolCallId=id,
        status="success" if status == "success" else "running",
        name=name,
        attributes=attributes,
    )


def _join_list(value: object) -> object:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else value


def make_call_succeeded(id: str, found: tuple[object, ...]) -> events.ToolCallSuccess:
    """Return the event of a tool call that succeeded: the number of results, and details from the tool."""
    # A tool puts its details as a dictionary among its results.
    extra = {key: value for each in found if isinstance(each, dict) for key, value in each.items()}
    # A list of documents has the documents, and an evidence for each: count the documents.
    documents = sum(isinstance(each, StoredDocument) for each in found)
    number = documents or sum(not isinstance(each, dict) for each in found)
    return events.ToolCallSuccess(toolCallId=id, extra={"found": str(number), **extra} if found else {})


def make_call_failed(id: str, why: str) -> events.ToolCallError:
    """Return the event of a tool call that failed."""
    return events.ToolCallError(toolCallId=id, error=shorten_value(why))
