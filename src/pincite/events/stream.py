"""The events that are sent while an answer is written, from `message_started` to `message_completed`."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from pincite.errors import Moved, PinciteError
from pincite.events.answer import (
    WIRE,
    Answer,
    Boxes,
    Citation,
    ClientCall,
    ClientTool,
    Medium,
    ProposedChanges,
    Repair,
    Section,
    Sent,
    Sentence,
    ShownPassage,
    Usage,
)
from pincite.types import Focus, Kind

Importance = Literal["high", "medium", "low"]


class _EventData(BaseModel):
    model_config = WIRE


def _is_empty(value: object) -> bool:
    """Whether a field has nothing to say, and is left out."""
    return not value


def _drop_default(schema: dict[str, Any]) -> None:
    """Describe a field that is left out where it is empty as optional, not as one with a default."""
    schema.pop("default", None)


ErrorReason = Annotated[
    str,
    Field(
        description="The case of `code`, for programs; left out where it has none.",
        exclude_if=_is_empty,
        json_schema_extra=_drop_default,
    ),
]
ErrorParams = Annotated[
    dict[str, str | int],
    Field(
        description="Values of the case, such as an HTTP status; left out where it has none.",
        exclude_if=_is_empty,
        json_schema_extra=_drop_default,
    ),
]


class Fault(_EventData):
    """An error that ended the answer or a part of it."""

    code: str
    message: str
    hint: str = ""
    reason: ErrorReason = ""
    params: ErrorParams = {}


class MessageStarted(_EventData):
    conversationId: str
    questionId: Annotated[str, Field(description="Id of the message that asks; empty where nothing is stored.")] = ""
    question: Annotated[str, Field(description="As it was asked.")]
    model: str
    focus: Focus


class Question(_EventData):
    question: Annotated[str, Field(description="As it is understood: what is looked for.")]
    rewritten: bool = False


class Thought(_EventData):
    """A thought of the model. `retracted` is the length of the text at the end of the answer that it replaces."""

    text: str
    retracted: int = 0
    error: Annotated[
        Fault | None,
        Field(
            description="What was wrong with a command to the viewer; left out where nothing was.",
            exclude_if=_is_empty,
            json_schema_extra=_drop_default,
        ),
    ] = None


class Text(_EventData):
    delta: str


class ToolCallStarted(_EventData):
    content: Annotated[str, Field(description="A <ToolCall …> element, for pages that show it as it comes.")]
    toolCallId: str
    status: Literal["running", "success"] = "running"
    name: str
    attributes: dict[str, str] = {}


class ToolCallSuccess(_EventData):
    toolCallId: str
    status: Literal["success"] = "success"
    extra: dict[str, str] = {}


class ToolCallError(_EventData):
    toolCallId: str
    status: Literal["error"] = "error"
    error: str


class SubagentStarted(_EventData):
    content: str
    subagentId: str
    name: str
    task: str
    status: Literal["running"] = "running"


class SubagentData(_EventData):
    subagentId: str
    event: dict[str, Any]


class SubagentCompleted(_EventData):
    subagentId: str
    status: Literal["success"] = "success"
    summary: str
    seconds: float = 0.0


class SubagentError(_EventData):
    subagentId: str
    status: Literal["error"] = "error"
    error: str
    seconds: float = 0.0


class Media(_EventData):
    """Pictures or videos joined the turn, for the gallery under the answer."""

    items: list[Medium]


class Outline(_EventData):
    """A report begins: its parts, in the order in which they will stand."""

    sections: list[Section]


class EvidenceFound(_EventData):
    """A source joined the turn, under its number."""

    n: int
    document: str
    title: str
    kind: Kind
    url: str | None
    page: int | None
    start: int
    end: int
    text: Annotated[str, Field(description="The beginning of what it says.")]
    headings: list[str]
    score: float
    lines: Annotated[
        tuple[int, int] | None, Field(description="Of a file of a project: its first and last line, from 1.")
    ] = None
    path: Annotated[str, Field(description="Of a file of a project: its path in the project.")] = ""


class Cited(_EventData):
    """A sentence is complete: what it is, and the citations that it has, new ones and those from before.

    It comes again under the same index when a judge has settled its verdict.
    """

    index: int
    sentence: Sentence
    citations: list[Citation]


class Repaired(_EventData):
    """Sentences were corrected or withdrawn: this is the answer so far, in place of the text and marks before."""

    answer: str
    sentences: list[Sentence]
    citations: list[Citation]
    repairs: list[Repair]


class Navigate(_EventData):
    document: str | None
    page: int


class Highlight(_EventData):
    document: str | None
    evidence: int | None = None
    importance: Importance = "high"
    boxes: list[Boxes]


ResultStatus = Literal["applied", "rejected", "failed", "continue", "stop"]


class ResultImage(_EventData):
    """A picture that a client sent with a result. It is stored once, under the hash of its bytes."""

    sha256: str
    media_type: str
    size: Annotated[int, Field(description="Its bytes.")]


class ClientResult(_EventData):
    """A client answered a call: what it did. The model reads it with the next question."""

    call: Annotated[str, Field(description="The id of the call.")]
    tool: ClientTool
    status: ResultStatus
    message: str = ""
    files: Annotated[list[str], Field(description="The paths that were changed.")] = []
    images: list[ResultImage] = []


class QuotaWarning(_EventData):
    """The answer passed 25, 50 or 75 % of a month's credits. Each warning is given once in a month."""

    scope: Annotated[
        Literal["person", "server"], Field(description="Whose credits: the person's, or those of the whole server.")
    ] = "person"
    percent: Annotated[int, Field(description="The highest of 25, 50 and 75 that is passed.")]
    used: Annotated[float, Field(description="Credits that are spent.")]
    limit: Annotated[float, Field(description="Credits of the month.")]
    resets: Annotated[str, Field(description="The ISO day on which credits are renewed.")]


Data = (
    MessageStarted
    | Question
    | Thought
    | Text
    | ToolCallStarted
    | ToolCallSuccess
    | ToolCallError
    | SubagentStarted
    | SubagentData
    | SubagentCompleted
    | SubagentError
    | Media
    | Outline
    | Sent
    | EvidenceFound
    | Cited
    | ShownPassage
    | Repaired
    | Navigate
    | Highlight
    | ProposedChanges
    | ClientCall
    | ClientResult
    | Usage
    | QuotaWarning
    | Fault
    | Answer
)

EVENTS: dict[str, type[BaseModel]] = {
    "message_started": MessageStarted,
    "question": Question,
    "thought": Thought,
    "text": Text,
    "tool_call_started": ToolCallStarted,
    "tool_call_success": ToolCallSuccess,
    "tool_call_error": ToolCallError,
    "subagent_started": SubagentStarted,
    "subagent_data": SubagentData,
    "subagent_completed": SubagentCompleted,
    "subagent_error": SubagentError,
    "media": Media,
    "outline": Outline,
    "sent": Sent,
    "evidence": EvidenceFound,
    "citation": Cited,
    "passage": ShownPassage,
    "repaired": Repaired,
    "navigate": Navigate,
    "highlight": Highlight,
    "changes": ProposedChanges,
    "client_call": ClientCall,
    "client_result": ClientResult,
    "usage": Usage,
    "quota_warning": QuotaWarning,
    "error": Fault,
    "message_completed": Answer,
}
_TYPES = {data: name for name, data in EVENTS.items()}


class Event(_EventData):
    """One event on the wire. `seq` counts from 1 in a conversation and is given where the event is stored."""

    seq: int
    type: str
    messageId: str
    data: dict[str, Any]


def find_event_type(data: Data) -> str:
    """Return the name of a payload's event on the wire."""
    return _TYPES[type(data)]


def describe_error(error: PinciteError) -> Fault:
    """Return the event that reports an error."""
    if isinstance(error, Moved):
        error = Moved()
    return Fault(
        code=error.code, message=error.message, hint=error.hint, reason=error.reason, params=dict(error.params)
    )
