"""The answer and its parts: sentences, citations, verdicts, passages and what was sent over the network."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from pincite.types import Basis, Kind, Support

WIRE = ConfigDict(frozen=True, extra="forbid", defer_build=True)  # of every model that crosses the wire

Rect = tuple[float, float, float, float]


class _AnswerPart(BaseModel):
    model_config = WIRE


class Boxes(_AnswerPart):
    """Where a quote stands on one page: a rectangle for each line, in points from the top left of the page."""

    page: int
    width: float
    height: float
    rects: list[Rect]


class TableRow(_AnswerPart):
    """A cited row of a table with the heads above it; `note` is the table's words on unit and scale."""

    heads: list[str]
    cells: list[str]
    note: str = ""


class Citation(_AnswerPart):
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
    lines: Annotated[
        tuple[int, int] | None, Field(description="Of a file of a project: its first and last line, from 1.")
    ] = None
    path: Annotated[str, Field(description="Of a file of a project: its path in the project.")] = ""
    heading: Annotated[
        str, Field(description="The nearest heading above it; empty where there is none, or it repeats the title.")
    ] = ""


class Sentence(_AnswerPart):
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


class Nearest(_AnswerPart):
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
    lines: Annotated[
        tuple[int, int] | None, Field(description="Of a file of a project: its first and last line, from 1.")
    ] = None
    path: Annotated[str, Field(description="Of a file of a project: its path in the project.")] = ""


class ModelUsage(_AnswerPart):
    """The requests of an answer to one model. Tokens that a server does not report are estimated."""

    model: str
    input_tokens: int = 0
    output_tokens: int = 0
    requests: int = 0


class Usage(_AnswerPart):
    """The cost of an answer, summed over all its requests."""

    input_tokens: int = 0
    output_tokens: int = 0
    requests: int = 0
    tool_calls: int = 0
    models: Annotated[list[ModelUsage], Field(description="The requests by model.")] = []
    web_requests: Annotated[int, Field(description="Searches of the web, and addresses that were opened.")] = 0


class Medium(_AnswerPart):
    """A picture or a video that was found; `url` is the page it stands on. It is shown and never cited."""

    n: Annotated[int, Field(description="Its number in the turn, from 1.")]
    kind: Literal["image", "video"]
    url: str
    title: str
    image: Annotated[str | None, Field(description="Where the picture itself is.")] = None
    thumbnail: Annotated[str | None, Field(description="Where a small picture is; shown through the server.")] = None
    length: Annotated[str | None, Field(description="Of a video, as 1:02:03.")] = None
    source: Annotated[str, Field(description="The engines that found it.")] = ""


class Section(_AnswerPart):
    """A part of a report: its heading, and the question it answers."""

    heading: str
    question: str


class Execution(_AnswerPart):
    """One subagent's run: what it was to do, how it ended, how long it took, and how many sources it added."""

    id: str
    name: str
    task: str
    status: Literal["running", "success", "error"] = "running"
    seconds: float = 0.0
    found: int = 0


class Judge(_AnswerPart):
    """The model that judged an answer's sentences, and how it did on the calibration set, where that is known."""

    model: str
    sentences: Annotated[int, Field(description="How many sentences of this answer it judged.")] = 0
    agreed: Annotated[int | None, Field(description="Of the calibration set: where it agreed with readers.")] = None
    passed: Annotated[int | None, Field(description="Of the calibration set: false sentences it let pass.")] = None
    total: Annotated[int | None, Field(description="Sentences of the calibration set.")] = None


class Repair(_AnswerPart):
    """A sentence that its source did not support, and the corrected one; `after` is empty where it was withdrawn."""

    before: str
    after: str = ""
    support: Annotated[Support, Field(description="The verdict on the sentence before.")]
    source: Annotated[str, Field(description="What the source says.")] = ""


class Correction(_AnswerPart):
    """A word of the question that no document has, and the nearest word of the documents that was looked for."""

    written: str
    read: str


class ShownPassage(_AnswerPart):
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
    headings: Annotated[
        list[str], Field(description="The headings its best part stands under, the outermost first.")
    ] = []
    start: int
    end: int
    form: Literal["text", "table", "list", "code"] = "text"
    lead: Annotated[str, Field(description="The line that introduces a list, a table or code.")] = ""
    text: Annotated[str, Field(description="Its words as they are shown.")]
    lit: Annotated[list[tuple[int, int]], Field(description="The parts of `text` that answer best.")] = []
    inner_headings: Annotated[list[tuple[int, int]], Field(description="The parts of `text` that are headings.")] = []
    heads: Annotated[list[list[str]], Field(description="Of a table: its head rows.")] = []
    rows: Annotated[
        list[list[str]], Field(description="Of a table: the rows that are shown, each with its label.")
    ] = []
    lit_rows: Annotated[list[int], Field(description="Of a table: which of `rows` answer, from 0.")] = []
    more: Annotated[bool, Field(description="Whether it is shown only on demand.")] = False
    part_of: Annotated[
        int, Field(description="Parts with the same number are one passage, such as a table and its text; 0: unknown.")
    ] = 0
    part: Annotated[
        str, Field(description="Of a question in parts, such as a comparison: the part that it answers.")
    ] = ""
    lines: Annotated[
        tuple[int, int] | None, Field(description="Of a file of a project: its first and last line, from 1.")
    ] = None
    path: Annotated[str, Field(description="Of a file of a project: its path in the project.")] = ""

    @property
    def inner_heading_texts(self) -> list[str]:
        """The headings in its text."""
        return [self.text[start:end] for start, end in self.inner_headings]

    @property
    def last_heading(self) -> str:
        """The heading that its last words stand under."""
        return next(reversed([*self.headings, *self.inner_heading_texts]), "")


Cut = Literal["length", "connection", "repetition", "filter"]


class UnreadPage(_AnswerPart):
    """A page whose address stands in the question and that could not be read."""

    url: str
    reason: Annotated[str, Field(description="Why, for programs: `status`, `timeout`, `private`, `robots`, …")]
    message: Annotated[str, Field(description="The same as a sentence in the question's language.")]


Origin = Literal["user", "search", "link"]


class Sent(_AnswerPart):
    """An address that was opened, or the words of a search: what left this machine for the answer."""

    kind: Literal["page", "video", "search"]
    value: Annotated[str, Field(description="The address, or the words that were searched for.")]
    origin: Annotated[
        Origin | None, Field(description="Of an address: who named it, the user, a search or a page that links to it.")
    ] = None


ChangeAction = Literal["modify", "create", "delete", "rename"]


class ChangedFile(_AnswerPart):
    """A file that proposed changes modify, create, delete or rename."""

    path: Annotated[str, Field(description="Its path in the project; of a renamed file the new one.")]
    action: ChangeAction
    renamed_from: str = ""
    diff: Annotated[str, Field(description="What changes, as a unified diff.")]
    before_sha256: Annotated[str, Field(description="The hash of the file's bytes before; empty of a new file.")] = ""


class NearestLine(_AnswerPart):
    """A line of a file that is near to what a block searched for."""

    number: Annotated[int, Field(description="The line, from 1.")]
    text: str


class RefusedEdit(_AnswerPart):
    """An edit of a reply that cannot be applied, and why."""

    number: Annotated[int, Field(description="The number of the edit in the reply, from 1.")]
    path: str
    reason: Annotated[str, Field(description="Why, for programs: `not_found`, `several`, `path_outside`, …")]
    message: str
    hint: str = ""
    nearest: Annotated[list[NearestLine], Field(description="The lines of the file that come nearest.")] = []
    is_there_already: Annotated[bool, Field(description="The file has the replacement already.")] = False


class ProposedChanges(_AnswerPart):
    """Changes of a project's files that the model proposes. Nothing is written before a client applies them."""

    id: Annotated[str, Field(description="Names them in `POST /api/projects/{id}/apply`; empty if nothing is stored.")]
    project: Annotated[str, Field(description="The project; empty where the client gave the files.")] = ""
    files: list[ChangedFile]
    refused: Annotated[list[RefusedEdit], Field(description="Edits that do not apply. One prevents them all.")] = []
    reply: Annotated[str, Field(description="The edits as the model wrote them, for a client that applies them.")] = ""


ClientTool = Literal["apply_changes", "continue"]


class ClientCall(_AnswerPart):
    """A request to the client at the end of a turn. The client answers with a result when it wants to."""

    id: str
    tool: ClientTool
    arguments: dict[str, Any] = {}


ProgressState = Literal["satisfied", "looping", "stalled", "unfinished"]


class Progress(_AnswerPart):
    """How far a request about a project has come at the end of a turn."""

    state: ProgressState
    reason: Annotated[str, Field(description="Why, for a person to read.")] = ""
    turn: Annotated[int, Field(description="The number of this turn on the request, from 1.")] = 1
    most: Annotated[int, Field(description="How many turns the request may take.")] = 1


class Answer(_AnswerPart):
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
    no_documents: Annotated[
        bool, Field(description="Of a refusal: there was no document to search. Add one, then ask again.")
    ] = False
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
    changes: Annotated[ProposedChanges | None, Field(description="Changes of a project's files, to accept.")] = None
    calls: Annotated[list[ClientCall], Field(description="Requests to the client, which end the turn.")] = []
    progress: Annotated[Progress | None, Field(description="Of a request about a project: how far it has come.")] = None
