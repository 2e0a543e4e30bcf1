"""The data types shared by all packages: frozen, without I/O. Every position is an offset into a document's text."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal[
    "pdf",
    "docx",
    "pptx",
    "xlsx",
    "html",
    "markdown",
    "text",
    "csv",
    "code",
    "json",
    "epub",
    "email",
    "image",
    "notebook",
    "rtf",
    "odt",
]
BlockKind = Literal["heading", "paragraph", "list", "table", "code", "header", "footer", "figure", "contents", "hidden"]
# Blocks that are not part of the running text: at the edges of pages, tables of contents, and hidden text.
NON_CONTENT_KINDS: frozenset[BlockKind] = frozenset(["header", "footer", "contents", "hidden"])
# The end of a problem that is none: nothing is missing, only kept apart.
KEPT_APART = "hidden text is stored separately and is not searched."
Status = Literal["queued", "reading", "searchable", "embedding", "ready", "failed"]
Support = Literal["verified", "partial", "contradicted", "unsupported", "unchecked"]
Basis = Literal["quote", "judge", "computed"]
ReasonCode = Literal[
    "fact_differs",
    "fact_missing",
    "not_cited",
    "not_said",
    "judge_differs",
    "judge_part",
    "judge_none",
    "judge_failed",
    "no_judge",
]
Focus = Literal["all", "documents", "web", "chat", "research"]


@dataclass(frozen=True, slots=True)
class Span:
    """A range of one document's text, end exclusive."""

    document: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Page:
    """A page: a range of the text.

    `boxes` holds a box for each of its characters (see `reading.packed_boxes`), or nothing.

    `drawn` holds each character's position in the order in which the file draws them (see `reading.packed_boxes`):
    locating reads pages in that order too. It is not stored with a document, but its result is (`locate.concordance`).
    `label` is the printed page number ("iv"), if it differs from `number`.
    """

    number: int
    start: int
    end: int
    width: float = 0.0
    height: float = 0.0
    boxes: bytes = b""
    drawn: bytes = b""
    label: str = ""


@dataclass(frozen=True, slots=True)
class PageBoxes:
    """The rectangles of spans on one page: [x0, y0, x1, y1] for each line, in points from its top left."""

    page: int
    width: float
    height: float
    rects: tuple[tuple[float, float, float, float], ...]


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of structure: the kind of the characters from start to end. Headings have a level from 1 (highest)."""

    kind: BlockKind
    start: int
    end: int
    level: int = 0


@dataclass(frozen=True, slots=True)
class Document:
    """The result of reading a file. Blocks are in order and do not overlap; pages, if there are any, cover the text.

    Hidden words of the file are blocks of kind `hidden` at the end of the text, after its pages.
    """

    kind: Kind
    text: str
    title: str = ""
    language: str = ""
    pages: tuple[Page, ...] = ()
    blocks: tuple[Block, ...] = ()
    metadata: Mapping[str, str] = field(default_factory=dict)
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Passage:
    """The unit of retrieval: a span of one document's text, and the headings above it; page 0 means none."""

    start: int
    end: int
    headings: tuple[str, ...] = ()
    first_page: int = 0
    last_page: int = 0


@dataclass(frozen=True, slots=True)
class Indexed:
    """The indexed parts of a passage: its context (title, file name, headings) and its body. Never quoted."""

    context: str
    body: str


@dataclass(frozen=True, slots=True)
class LibraryKey:
    """A library: its owner's id and its name."""

    owner: str
    name: str


@dataclass(frozen=True, slots=True)
class Scope:
    """The documents to search, of those that one person may see; None leaves a filter off.

    `owner` is the id of that person. `library_owner` is the owner of `library` if that is somebody else. A document is
    in one of the `libraries`, which may belong to several people, and has all of the `tags`. `without` names one of the
    person's own libraries, whose documents are left out unless they are in another library too. Dates are ISO days,
    both inclusive.
    """

    owner: str = "local"
    library: str | None = None
    library_owner: str | None = None
    documents: tuple[str, ...] | None = None
    kinds: tuple[Kind, ...] | None = None
    languages: tuple[str, ...] | None = None
    since: str | None = None
    until: str | None = None
    without: str | None = None
    libraries: tuple[LibraryKey, ...] | None = None
    tags: tuple[str, ...] | None = None

    @property
    def is_placed(self) -> bool:
        """Whether the scope names libraries or documents, so that no others are searched."""
        return self.library is not None or self.libraries is not None or self.documents is not None

    @property
    def is_chosen(self) -> bool:
        """Whether the scope names libraries, documents or tags, so that nothing else is meant."""
        return self.is_placed or self.tags is not None

    @property
    def library_key(self) -> LibraryKey | None:
        """The library and its owner; None if the scope covers all libraries."""
        return None if self.library is None else LibraryKey(self.library_owner or self.owner, self.library)


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage found for a question. Scores are comparable within one search only.

    `lexical` is its BM25 score and `dense` its similarity to the question, 0 if it was not found that way. `chosen` is
    whether a reranker put it among its best.
    """

    span: Span
    title: str
    kind: Kind
    text: str
    score: float
    page: int = 0
    last_page: int = 0
    headings: tuple[str, ...] = ()
    lexical: float = 0.0
    dense: float = 0.0
    label: str = ""  # the printed number of `page`, if it differs
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table's row: its position in the document's text, its text, and its column head."""

    start: int
    end: int
    text: str
    head: str = ""

    @property
    def is_continued(self) -> bool:
        """Whether its words stand above the row, in a cell that is merged over this one."""
        return bool(self.text) and self.start == self.end


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table: its position, the label before its figures, and its other cells."""

    start: int
    end: int
    label: str
    cells: tuple[Cell, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of a table inside evidence, with the head rows above them and the note on unit and scale.

    `heads` are ranges of the document's text, which may come before the evidence. `note` is quoted from the table, such
    as "in millions of dollars". `written_heads` are the cells of the one head row, as they are written; empty if there
    are several head rows or none. `label_head` is the caption among them, or the head above the labels.
    """

    rows: tuple[Row, ...]
    heads: tuple[tuple[int, int], ...] = ()
    note: str = ""
    written_heads: tuple[str, ...] = ()
    label_head: str = ""


@dataclass(frozen=True, slots=True)
class Evidence:
    """A numbered source collected for a question: the only thing an answer may cite.

    `sentences` are ranges of the document's text, end exclusive; `[2.3]` is the third of evidence 2. `name` is the
    document's file name and `date` its ISO day, to distinguish two documents with the same title. `code` lists the
    ranges of source code, whose line breaks and indentation matter. `blocks` are the headings, paragraphs, lists and
    tables in it. `score` is the fused score of the search that found it, and `dense` the cosine of its vector with the
    question's; 0 if unknown.
    """

    number: int
    span: Span
    title: str
    kind: Kind
    text: str
    page: int = 0
    last_page: int = 0
    headings: tuple[str, ...] = ()
    url: str | None = None
    score: float = 0.0
    sentences: tuple[tuple[int, int], ...] = ()
    tables: tuple[Table, ...] = ()
    name: str = ""
    date: str = ""
    code: tuple[tuple[int, int], ...] = ()
    label: str = ""  # the printed number of `page`, if it differs
    blocks: tuple[Block, ...] = ()
    dense: float = 0.0
    path: str = ""  # of a project's file: its path in the project
    line: int = 0  # of a project's file: the line at which the evidence begins, from 1
    is_begun: bool = False  # its first sentence begins before it
    is_unfinished: bool = False  # its last sentence ends after it

    def quote(self, start: int, end: int) -> str:
        """Return the characters from start to end of the document's text, as far as this evidence contains them."""
        first = self.span.start
        return self.text[max(start - first, 0) : max(end - first, 0)]

    def find_lines(self, start: int, end: int) -> tuple[int, int] | None:
        """Return the first and last line of a stretch of a project's file, from 1; None for other documents."""
        if not self.line:
            return None
        first = self.line + count_line_ends(self.quote(self.span.start, start))
        return first, first + count_line_ends(drop_line_end(self.quote(start, end)))

    def sentence(self, number: int) -> str:
        """Return the sentence with this number, from 1; "" if there is none."""
        return self.quote(*self.sentences[number - 1]) if 0 < number <= len(self.sentences) else ""


@dataclass(frozen=True, slots=True)
class Reason:
    """The reason for a verdict, as a code: `claimed` quotes the sentence, `found` quotes the source."""

    code: ReasonCode
    claimed: str = ""
    found: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether the cited words support a sentence, the basis of the verdict, and the reasons against it.

    `computed` shows the calculation of a derived figure. `judge` names the model that judged.
    """

    support: Support
    basis: Basis | None = None
    score: float = 0.0
    reasons: tuple[Reason, ...] = ()
    computed: str = ""
    judge: str = ""


@dataclass(frozen=True, slots=True)
class Pin:
    """The span of one evidence that a sentence cites."""

    evidence: int
    span: Span


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture that a client sent: its bytes, and their format such as `image/png`."""

    media_type: str
    data: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Exchange:
    """An earlier question of a conversation, its interpretation, and its answer.

    `reported` tells which changes of files the answer proposed and what clients reported about its calls, with the
    pictures they sent. `cited` are the stretches that the answer cites, with their numbers.
    """

    question: str
    answer: str = ""
    understood: str = ""
    reported: str = ""
    pictures: tuple[Picture, ...] = ()
    cited: tuple[tuple[Span, int], ...] = ()


def count_line_ends(text: str) -> int:
    """Return the number of line ends in a text; a carriage return before a line feed is one with it."""
    return text.count("\n") + text.count("\r") - text.count("\r\n")


def drop_line_end(text: str) -> str:
    """Return a text without the line end at its end, if there is one."""
    return text[: -2 if text.endswith("\r\n") else -1] if text.endswith(("\n", "\r")) else text
