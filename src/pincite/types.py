"""The nouns that flow through the house: frozen, without I/O. Every position is an offset into a document's text."""

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
BlockKind = Literal["heading", "paragraph", "list", "table", "code", "header", "footer", "figure", "hidden"]
# Blocks that are no part of the running text: at the edges of pages, and text that a person cannot see.
APART: frozenset[BlockKind] = frozenset(["header", "footer", "hidden"])
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
    """A piece of one document's text, end exclusive."""

    document: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Page:
    """A slice of the text. `boxes` holds a box for each of its first characters (see `reading.boxes`), or none.

    `drawn` holds each character's place in the order the file draws them (see `reading.boxes`): locating reads pages
    in that order too. It is not kept when a document is stored; what is made of it is (`evidence.concordance`).
    `label` is the page number as it is printed ("iv"), where that is not `number`.
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
    """Where spans stand on one page: a rectangle [x0, y0, x1, y1] for each line, in points from its top left."""

    page: int
    width: float
    height: float
    rects: tuple[tuple[float, float, float, float], ...]


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of structure: what the characters from start to end are. Headings have a level from 1 (highest)."""

    kind: BlockKind
    start: int
    end: int
    level: int = 0


@dataclass(frozen=True, slots=True)
class Document:
    """What reading makes of a file. Blocks are in order and do not overlap; pages, where there are any, tile it.

    Words of the file that a person cannot see are blocks of kind `hidden` at the end of the text, behind its pages.
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
    """The unit of retrieval: a span of one document's text, and the headings it stands under; page 0 is none."""

    start: int
    end: int
    headings: tuple[str, ...] = ()
    first_page: int = 0
    last_page: int = 0


@dataclass(frozen=True, slots=True)
class Indexed:
    """What of a passage is indexed: where it stands (title, file name, headings) and what it says. Never quoted."""

    context: str
    body: str


@dataclass(frozen=True, slots=True)
class Scope:
    """Where to look: always one owner's documents; None leaves a filter off. Dates are ISO days, both inclusive.

    `without` names a library whose documents are left out, unless they are in another one too.
    """

    owner: str = "local"
    library: str | None = None
    documents: tuple[str, ...] | None = None
    kinds: tuple[Kind, ...] | None = None
    languages: tuple[str, ...] | None = None
    since: str | None = None
    until: str | None = None
    without: str | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage found for a question. Scores are comparable within one search only.

    `lexical` is its BM25 and `dense` its similarity to the question, 0 where it was not found that way. `chosen` is
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
    label: str = ""  # the printed number of `page`, where it is another
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table's row: its place in the document's text, its words, and the column head above it."""

    start: int
    end: int
    text: str
    head: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table: its place, the label in front of its figures, and its other cells."""

    start: int
    end: int
    label: str
    cells: tuple[Cell, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of a table that stand in an evidence, with the head rows above them and the note on unit and scale.

    `heads` are stretches of the document's text, which may stand before the evidence. `note` is the table's own words,
    such as "in millions of dollars".
    """

    rows: tuple[Row, ...]
    heads: tuple[tuple[int, int], ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Evidence:
    """A source a turn has collected, under its number: the only thing an answer may cite.

    `sentences` are stretches of the document's text, end exclusive; `[2.3]` is the third of evidence 2. `name` is the
    document's file name, `date` its day as ISO, for telling two documents with one title apart. `code` are stretches of
    the document's text that are source code, whose line breaks and indentation matter. `blocks` are the headings,
    paragraphs, lists and tables that stand in it. `score` is the fused score of the search that found it, and `dense`
    the cosine of its vector with the question's; 0 where it is not known.
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
    label: str = ""  # the printed number of `page`, where it is another
    blocks: tuple[Block, ...] = ()
    dense: float = 0.0

    def quote(self, start: int, end: int) -> str:
        """The characters from start to end of the document's text, as far as they are in this evidence."""
        first = self.span.start
        return self.text[max(start - first, 0) : max(end - first, 0)]

    def sentence(self, number: int) -> str:
        """The words of the sentence with this number, from 1; empty when there is none."""
        return self.quote(*self.sentences[number - 1]) if 0 < number <= len(self.sentences) else ""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a verdict is not better, as a code: `claimed` are words of the sentence, `found` are words of the source."""

    code: ReasonCode
    claimed: str = ""
    found: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether the cited words support a sentence, what that rests on, and what speaks against it.

    `computed` shows the calculation that gives a derived figure. `judge` names the model that judged.
    """

    support: Support
    basis: Basis | None = None
    score: float = 0.0
    reasons: tuple[Reason, ...] = ()
    computed: str = ""
    judge: str = ""


@dataclass(frozen=True, slots=True)
class Pin:
    """The stretch of one evidence that a sentence cites."""

    evidence: int
    span: Span


@dataclass(frozen=True, slots=True)
class Exchange:
    """A question that was asked before in a conversation, as it was understood, and what was answered."""

    question: str
    answer: str = ""
    understood: str = ""
