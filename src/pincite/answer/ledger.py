"""The ledger of one question: its evidence, numbered as tools find it, and the other lists of the answer."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pincite import events
from pincite.text.sentences import split_sentences
from pincite.types import Block, Evidence, Hit, Span, Table

if TYPE_CHECKING:
    from pincite.answer.tools.calculate import CitedCalculation

_LINES = 12  # of code that one mark covers at most
_LINE = re.compile(r"[^\n]*\n|[^\n]+")

CharacterRange = tuple[int, int]


@dataclass(frozen=True, slots=True)
class PassageFacts:
    """The stored facts of a passage: its document's address, file name and day, and its structure.

    `code`, `tables`, `figures` (labels of drawings) and `blocks` are those inside the passage, at positions in the
    document's text. `path` is that of a project's file, and `line` the line at which the passage begins.
    `is_begun` says that its first sentence begins before it, and `is_unfinished` that its last one ends after it.
    """

    url: str | None = None
    name: str = ""
    date: str = ""
    tables: tuple[Table, ...] = ()
    code: tuple[CharacterRange, ...] = ()
    figures: tuple[CharacterRange, ...] = ()
    blocks: tuple[Block, ...] = ()
    path: str = ""
    line: int = 0
    is_begun: bool = False
    is_unfinished: bool = False


class Ledger:
    """Numbers the sources of a question and its subagents. A span that is found again keeps its number."""

    def __init__(self) -> None:
        self._numbers: dict[Span, int] = {}
        self._listed: list[Evidence] = []
        self.calculations: list[CitedCalculation] = []
        self.searched: list[str] = []  # queries
        self.unread: list[events.UnreadPage] = []  # pages that the question names and that were not read
        self.problems: list[str] = []  # errors of the web: a refusal lists them
        self.media: list[events.Medium] = []
        self.executions: list[events.Execution] = []  # of subagents
        self.outline: list[events.Section] = []  # of a report
        self.changes: events.ProposedChanges | None = None  # of a project's files
        self.calls: list[events.ClientCall] = []  # to the client
        self.progress: events.Progress | None = None

    def __len__(self) -> int:
        return len(self._listed)

    @property
    def listed(self) -> tuple[Evidence, ...]:
        """All evidence in the order of its numbers, from 1."""
        return tuple(self._listed)

    def get(self, number: int) -> Evidence | None:
        """Return the evidence with this number; None when there is none."""
        return self._listed[number - 1] if 0 < number <= len(self._listed) else None

    def knows(self, span: Span) -> bool:
        """Whether a passage has a number already."""
        return span in self._numbers

    def add(self, hit: Hit, about: PassageFacts | None = None) -> tuple[Evidence, bool]:
        """Return the evidence of a hit, and whether it is new to the question."""
        known = self._numbers.get(hit.span)
        if known is not None:
            return self._listed[known - 1], False
        number = self._numbers[hit.span] = len(self._listed) + 1
        about = about or PassageFacts()
        evidence = Evidence(
            number=number,
            span=hit.span,
            title=hit.title,
            kind=hit.kind,
            text=hit.text,
            page=hit.page,
            last_page=hit.last_page,
            headings=hit.headings,
            url=about.url,
            score=hit.score,
            sentences=tuple(cut_passage(hit.text, hit.span.start, about.tables, about.code, about.figures)),
            tables=about.tables,
            name=about.name,
            date=about.date,
            code=about.code,
            label=hit.label,
            blocks=about.blocks,
            dense=hit.dense,
            path=about.path,
            line=about.line,
            is_begun=about.is_begun,
            is_unfinished=about.is_unfinished,
        )
        self._listed.append(evidence)
        return evidence, True


def cut_passage(
    text: str,
    start: int,
    tables: Sequence[Table] = (),
    code: Sequence[CharacterRange] = (),
    figures: Sequence[CharacterRange] = (),
) -> Iterator[CharacterRange]:
    """Yield the citable pieces of a passage, as positions in the document: sentences, table rows, pieces of code.

    `start` is the position of the passage's first character. Labels of figures are not citable.
    """
    rows = [((row.start, row.end), "row") for table in tables for row in table.rows]
    apart = sorted([*rows, *((stretch, "code") for stretch in code), *((stretch, "figure") for stretch in figures)])
    at = 0
    for (first, last), kind in apart:
        first, last = max(first - start, at), min(last - start, len(text))
        if first >= last:
            continue
        yield from ((start + a, start + b) for a, b in split_sentences(text, at, first))
        pieces = cut_code(text, first, last) if kind == "code" else _strip_space(text, first, last)
        if kind != "figure":
            yield from ((start + a, start + b) for a, b in pieces)
        at = last
    yield from ((start + a, start + b) for a, b in split_sentences(text, at))


def cut_code(text: str, start: int, end: int) -> Iterator[CharacterRange]:
    """Yield pieces of code, each a few whole lines with their indentation, cut first at blank lines."""
    begun, last, lines = start, start, 0
    for line in _LINE.finditer(text, start, end):
        is_blank = not line[0].strip()
        if lines and (is_blank or lines == _LINES):
            yield begun, last
            lines = 0
        if not is_blank:
            begun = begun if lines else line.start()
            last = line.start() + len(line[0].rstrip())
            lines += 1
    if lines:
        yield begun, last


def _strip_space(text: str, start: int, end: int) -> Iterator[CharacterRange]:
    """Yield a stretch without the white space around it; nothing when it is only white space."""
    piece = text[start:end]
    if piece.strip():
        yield start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())
