"""What an answer says while it is made, and what it is in the end. These cross the wire: names and shapes stay."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from pincite.types import Basis, Focus, Kind, Support

Rect = tuple[float, float, float, float]
Importance = Literal["high", "medium", "low"]


class _Wire(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class Boxes(_Wire):
    """Where a quote stands on one page: a rectangle for each line, in points from the top left of the page."""

    page: int
    width: float
    height: float
    rects: list[Rect]


class TableRow(_Wire):
    """A cited row of a table with the heads above it; `note` is the table's words on unit and scale."""

    heads: list[str]
    cells: list[str]
    note: str = ""


class Citation(_Wire):
    """One pin: exactly which characters of which document support the sentences that cite it."""

    n: int
    evidence: Annotated[int, Field(description="The number of the evidence in the turn.")]
    document: str
    title: str
    kind: Kind
    url: str | None
    page: Annotated[int | None, Field(description="Where the quote begins, from 1; null where there are no pages.")]
    quote: str
    start: int
    end: int
    score: float
    boxes: Annotated[list[Boxes], Field(description="Where the quote stands, or what is lit of it.")]
    lit: Annotated[
        list[tuple[int, int]],
        Field(
            description="Of a passage that is shown as an answer: the parts that answer best, in the document's text."
        ),
    ] = []
    heads: Annotated[list[Boxes], Field(description="Of rows of a table: where their column heads stand.")] = []
    rows: Annotated[list[TableRow], Field(description="Of rows of a table: their cells under their heads.")] = []
    name: Annotated[str, Field(description="The document's file name.")] = ""
    label: Annotated[
        str, Field(description='The printed number of `page`, or "slide 2"; empty where it is `page`.')
    ] = ""


class Sentence(_Wire):
    """One sentence of the answer, which citations it has, and whether they support it.

    `support` is null where nothing is claimed: a heading, a question, a lead-in, code, or a sentence that says the
    sources are silent. `start` and `end` are characters of the answer, without the marks that follow it.
    """

    text: str
    citations: list[int]
    support: Support | None
    basis: Annotated[Basis | None, Field(description="Of a verified sentence: what the verdict rests on.")] = None
    reasons: Annotated[list[str], Field(description="Why the verdict is not better, for a person to read.")] = []
    start: int = 0
    end: int = 0
    checking: Annotated[bool, Field(description="A judge is at work: the same sentence comes again, settled.")] = False
    unsupported: Annotated[list[str], Field(description="Its words that the source does not support.")] = []
    source: Annotated[str, Field(description="What the source says instead, in its own words.")] = ""
    computed: Annotated[str, Field(description="The calculation that gives a derived figure.")] = ""
    judge: Annotated[str, Field(description="The model that judged it.")] = ""
    suggested: Annotated[list[int], Field(description="Citations that were not made but may support it.")] = []
    silent: Annotated[bool, Field(description="It says that the sources do not answer.")] = False


class Nearest(_Wire):
    """A passage that was found but does not answer."""

    document: str
    title: str
    page: int | None
    start: int
    end: int
    text: str
    name: Annotated[str, Field(description="The document's file name.")] = ""
    label: Annotated[
        str, Field(description='The printed number of `page`, or "slide 2"; empty where it is `page`.')
    ] = ""


class Usage(_Wire):
    """What a turn cost, added up over all its requests."""

    input_tokens: int = 0
    output_tokens: int = 0
    requests: int = 0
    tool_calls: int = 0


class Medium(_Wire):
    """A picture or a video that was found; `url` is the page it stands on. It is shown and never cited."""

    n: Annotated[int, Field(description="Its number in the turn, from 1.")]
    kind: Literal["image", "video"]
    url: str
    title: str
    image: Annotated[str | None, Field(description="Where the picture itself is.")] = None
    thumbnail: Annotated[str | None, Field(description="Where a small picture is; shown through the server.")] = None
    length: Annotated[str | None, Field(description="Of a video, as 1:02:03.")] = None
    source: Annotated[str, Field(description="The engines that found it.")] = ""


class Section(_Wire):
    """A part of a report: its heading, and the question it answers."""

    heading: str
    question: str


class Execution(_Wire):
    """One subagent's run: what it was to do, how it ended, how long it took, and how many sources it added."""

    id: str
    name: str
    task: str
    status: Literal["running", "success", "error"] = "running"
    seconds: float = 0.0
    found: int = 0


class Judge(_Wire):
    """The model that judged an answer's sentences, and how it did on the calibration set, where that is known."""

    model: str
    sentences: Annotated[int, Field(description="How many sentences of this answer it judged.")] = 0
    agreed: Annotated[int | None, Field(description="Of the calibration set: where it agreed with readers.")] = None
    passed: Annotated[int | None, Field(description="Of the calibration set: false sentences it let pass.")] = None
    total: Annotated[int | None, Field(description="Sentences of the calibration set.")] = None


class Repair(_Wire):
    """A sentence that its source did not support, and the corrected one; `after` is empty where it was withdrawn."""

    before: str
    after: str = ""
    support: Annotated[Support, Field(description="The verdict on the sentence before.")]
    source: Annotated[str, Field(description="What the source says.")] = ""


class Correction(_Wire):
    """A word of the question that no document has, and the nearest word of the documents that was looked for."""

    written: str
    read: str


class ShownPassage(_Wire):
    """A passage that is shown as an answer: whole sentences of one document, the part that answers best lit.

    `start` and `end` are offsets in the document's text, like those of a citation; `lit` are offsets in `text`.
    """

    n: Annotated[int, Field(description="The number of its citation.")]
    document: str
    title: str
    name: Annotated[str, Field(description="The document's file name.")] = ""
    page: int | None = None
    last_page: int | None = None
    label: Annotated[str, Field(description='The printed page number, or "slide 2", where it is not the index.')] = ""
    headings: Annotated[list[str], Field(description="The headings it stands under, the outermost first.")] = []
    start: int
    end: int
    form: Literal["text", "table", "list", "code"] = "text"
    lead: Annotated[str, Field(description="The line that introduces a list, a table or code.")] = ""
    text: Annotated[str, Field(description="Its words as they are shown.")]
    lit: Annotated[list[tuple[int, int]], Field(description="The parts of `text` that answer best.")] = []
    heads: Annotated[list[list[str]], Field(description="Of a table: its head rows.")] = []
    rows: Annotated[
        list[list[str]], Field(description="Of a table: the rows that are shown, each with its label.")
    ] = []
    lit_rows: Annotated[list[int], Field(description="Of a table: which of `rows` answer, from 0.")] = []
    more: Annotated[bool, Field(description="Whether it is shown only on demand.")] = False


Cut = Literal["length", "connection", "repetition", "filter"]


class UnreadPage(_Wire):
    """A page whose address stands in the question and that could not be read."""

    url: str
    reason: Annotated[str, Field(description="Why, for programs: `status`, `timeout`, `private`, `robots`, …")]
    message: Annotated[str, Field(description="The same as a sentence in the question's language.")]


Origin = Literal["user", "search", "link"]


class Sent(_Wire):
    """An address that was opened, or the words of a search: what left this machine for the answer."""

    kind: Literal["page", "video", "search"]
    value: Annotated[str, Field(description="The address, or the words that were searched for.")]
    origin: Annotated[
        Origin | None, Field(description="Of an address: who named it, the user, a search or a page that links to it.")
    ] = None


class Answer(_Wire):
    """The whole answer: what `ask --json` prints and `message_completed` carries."""

    answer: str
    refused: bool
    question: Annotated[str, Field(description="The question as it was understood.")]
    model: str
    sentences: list[Sentence]
    citations: list[Citation]
    usage: Usage
    used_location: bool = False
    used_personalization: bool = False
    unread: Annotated[list[UnreadPage], Field(description="Pages named in the question that could not be read.")] = []
    nearest: Annotated[list[Nearest], Field(description="Of a refusal: what came closest.")] = []
    invented: Annotated[int, Field(description="Citations of evidence that does not exist, taken out.")] = 0
    stopped: Annotated[bool, Field(description="Whether it was stopped before its end.")] = False
    media: Annotated[list[Medium], Field(description="Pictures and videos that were found.")] = []
    subagents: Annotated[list[Execution], Field(description="What ran in parallel for it, in their order.")] = []
    outline: Annotated[list[Section], Field(description="Of a report: its parts.")] = []
    judge: Annotated[Judge | None, Field(description="The judge of its sentences; null where there was none.")] = None
    repairs: Annotated[list[Repair], Field(description="Sentences that were corrected or withdrawn.")] = []
    cut: Annotated[Cut | None, Field(description="Why the model did not finish; its half sentence is not judged.")] = (
        None
    )
    passages: Annotated[list[ShownPassage], Field(description="Without a model: the passages that answer.")] = []
    missing: Annotated[list[str], Field(description="Names, codes and years asked about that no document has.")] = []
    corrected: Annotated[list[Correction], Field(description="Words of the question read as others.")] = []
    sent: Annotated[list[Sent], Field(description="Addresses and searches that left this machine, in order.")] = []


class MessageStarted(_Wire):
    conversationId: str
    questionId: Annotated[str, Field(description="Id of the message that asks; empty where nothing is stored.")] = ""
    question: Annotated[str, Field(description="As it was asked.")]
    model: str
    focus: Focus


class Question(_Wire):
    question: Annotated[str, Field(description="As it is understood: what is looked for.")]
    rewritten: bool = False


class Thought(_Wire):
    """What the model thinks. `retracted` characters at the end of the answer so far were this thought, and go."""

    text: str
    retracted: int = 0


class Text(_Wire):
    delta: str


class ToolCallStarted(_Wire):
    content: Annotated[str, Field(description="A <ToolCall …> element, for pages that show it as it comes.")]
    toolCallId: str
    status: Literal["running", "success"] = "running"
    name: str
    attributes: dict[str, str] = {}


class ToolCallSuccess(_Wire):
    toolCallId: str
    status: Literal["success"] = "success"
    extra: dict[str, str] = {}


class ToolCallError(_Wire):
    toolCallId: str
    status: Literal["error"] = "error"
    error: str


class SubagentStarted(_Wire):
    content: str
    subagentId: str
    name: str
    task: str
    status: Literal["running"] = "running"


class SubagentData(_Wire):
    subagentId: str
    event: dict[str, Any]


class SubagentCompleted(_Wire):
    subagentId: str
    status: Literal["success"] = "success"
    summary: str
    seconds: float = 0.0


class SubagentError(_Wire):
    subagentId: str
    status: Literal["error"] = "error"
    error: str
    seconds: float = 0.0


class Media(_Wire):
    """Pictures or videos joined the turn, for the gallery under the answer."""

    items: list[Medium]


class Outline(_Wire):
    """A report begins: its parts, in the order in which they will stand."""

    sections: list[Section]


class Evidence(_Wire):
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


class Cited(_Wire):
    """A sentence is complete: what it is, and the citations that it has, new ones and those from before.

    It comes again under the same index when a judge has settled its verdict.
    """

    index: int
    sentence: Sentence
    citations: list[Citation]


class Repaired(_Wire):
    """Sentences were corrected or withdrawn: this is the answer so far, in place of the text and marks before."""

    answer: str
    sentences: list[Sentence]
    citations: list[Citation]
    repairs: list[Repair]


class Navigate(_Wire):
    document: str | None
    page: int


class Highlight(_Wire):
    document: str | None
    evidence: int | None = None
    importance: Importance = "high"
    boxes: list[Boxes]


class Fault(_Wire):
    code: str
    message: str
    hint: str = ""


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
    | Evidence
    | Cited
    | ShownPassage
    | Repaired
    | Navigate
    | Highlight
    | Usage
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
    "evidence": Evidence,
    "citation": Cited,
    "passage": ShownPassage,
    "repaired": Repaired,
    "navigate": Navigate,
    "highlight": Highlight,
    "usage": Usage,
    "error": Fault,
    "message_completed": Answer,
}
_TYPES = {data: name for name, data in EVENTS.items()}


class Event(_Wire):
    """One event on the wire. `seq` counts from 1 in a conversation and is given where the event is stored."""

    seq: int
    type: str
    messageId: str
    data: dict[str, Any]


def type_of(data: Data) -> str:
    """The name an event has on the wire."""
    return _TYPES[type(data)]
