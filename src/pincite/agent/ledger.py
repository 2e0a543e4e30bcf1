"""The evidence of one turn, numbered as its tools find it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pincite.evidence.sentences import sentences
from pincite.types import Block, Evidence, Hit, Span, Table

_LINES = 12  # of code that one mark covers at most
_LINE = re.compile(r"[^\n]*\n|[^\n]+")

Stretch = tuple[int, int]


@dataclass(frozen=True, slots=True)
class About:
    """A passage's document in the store: its address, file name and day, and the structure of the passage.

    `code`, `tables`, `figures` (labels of drawings) and `blocks` are those that stand in the passage, at places of the
    document's text.
    """

    url: str | None = None
    name: str = ""
    date: str = ""
    tables: tuple[Table, ...] = ()
    code: tuple[Stretch, ...] = ()
    figures: tuple[Stretch, ...] = ()
    blocks: tuple[Block, ...] = ()


class Ledger:
    """Gives each source its number, once: the same span found again keeps the one it has."""

    def __init__(self) -> None:
        self._numbers: dict[Span, int] = {}
        self._listed: list[Evidence] = []

    def __len__(self) -> int:
        return len(self._listed)

    @property
    def listed(self) -> tuple[Evidence, ...]:
        """All evidence in the order of its numbers, from 1."""
        return tuple(self._listed)

    def get(self, number: int) -> Evidence | None:
        """The evidence with this number, if there is one."""
        return self._listed[number - 1] if 0 < number <= len(self._listed) else None

    def knows(self, span: Span) -> bool:
        """Whether a passage has a number already."""
        return span in self._numbers

    def add(self, hit: Hit, about: About | None = None) -> tuple[Evidence, bool]:
        """The evidence that a hit is, and whether it is new to the turn."""
        known = self._numbers.get(hit.span)
        if known is not None:
            return self._listed[known - 1], False
        number = self._numbers[hit.span] = len(self._listed) + 1
        about = about or About()
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
        )
        self._listed.append(evidence)
        return evidence, True


def cut_passage(
    text: str,
    start: int,
    tables: Sequence[Table] = (),
    code: Sequence[Stretch] = (),
    figures: Sequence[Stretch] = (),
) -> Iterator[Stretch]:
    """The pieces of a passage that can be cited, as places in the document: sentences, table rows, pieces of code.

    `start` is the place of the passage's first character. Labels of figures are no sentences.
    """
    rows = [((row.start, row.end), "row") for table in tables for row in table.rows]
    apart = sorted([*rows, *((stretch, "code") for stretch in code), *((stretch, "figure") for stretch in figures)])
    at = 0
    for (first, last), kind in apart:
        first, last = max(first - start, at), min(last - start, len(text))
        if first >= last:
            continue
        yield from ((start + a, start + b) for a, b in sentences(text, at, first))
        pieces = cut_code(text, first, last) if kind == "code" else _without_space(text, first, last)
        if kind != "figure":
            yield from ((start + a, start + b) for a, b in pieces)
        at = last
    yield from ((start + a, start + b) for a, b in sentences(text, at))


def cut_code(text: str, start: int, end: int) -> Iterator[Stretch]:
    """A stretch of code in pieces of a few whole lines, with their indentation, cut at blank lines first."""
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


def _without_space(text: str, start: int, end: int) -> Iterator[Stretch]:
    """A stretch without the white space around it; none when it is nothing else."""
    piece = text[start:end]
    if piece.strip():
        yield start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())
