"""Write a document's text block by block, with exact offsets."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from pincite.reading.limits import DEFAULTS, DocumentLimits, describe_block_limit, describe_character_limit, find_cut
from pincite.reading.merged_labels import MERGED
from pincite.types import Block, BlockKind, Document, Kind, Page

ROWS = 40  # rows of a table in one block; a longer table continues in the next


class Draft:
    """Collect blocks, separated by blank lines, for formats without a layout.

    It accepts no more characters and blocks than the limits allow, and reports that in the document's problems.
    """

    def __init__(self, limits: DocumentLimits = DEFAULTS) -> None:
        self._limits = limits
        self._reached = ""
        self._parts: list[str] = []
        self._length = 0
        self._blocks: list[Block] = []
        self._page_starts: list[int] = []
        self._problems: list[str] = []

    def add(self, text: str, kind: BlockKind = "paragraph", level: int = 0, gap: str = "\n\n") -> None:
        """Add a block after a gap; text with only white space is left out."""
        text = self._within(text.strip("\n\r"), 1)
        if not text or text.isspace():
            return
        if self._parts:
            self._append(gap)
        start = self._length
        self._append(text)
        self._blocks.append(Block(kind, start, self._length, level))

    def append(self, text: str, blocks: Iterable[Block]) -> None:
        """Add a text with its own blocks, whose offsets are relative to it."""
        blocks = list(blocks)
        text = self._within(text, len(blocks))
        if not text or text.isspace():
            return
        if self._parts:
            self._append("\n\n")
        start = self._length
        self._append(text)
        blocks = [replace(each, end=min(each.end, len(text))) for each in blocks if each.start < len(text)]
        self._blocks += [Block(each.kind, start + each.start, start + each.end, each.level) for each in blocks]

    def table(self, rows: Iterable[Sequence[str]]) -> None:
        """Add a table: a line per row, tabs between cells, no empty rows, a block for every forty rows.

        Spaces before a row's first cell are the indentation of its label and stay. So does the mark of a cell that one
        above is merged over.
        """
        filled = (line for row in rows if (line := _format_row(row)).strip())
        gap = "\n\n"
        while not self.is_full and (lines := list(islice(filled, ROWS))):
            self.add("\n".join(lines), "table", gap=gap)
            gap = "\n"

    def page(self) -> None:
        """Begin the next page; everything added from here on is on it."""
        self._page_starts.append(self._length)

    def __len__(self) -> int:
        return self._length

    @property
    def is_full(self) -> bool:
        """Whether a limit was reached, so that further text is left out."""
        return bool(self._reached)

    @property
    def count(self) -> int:
        """The number of blocks."""
        return len(self._blocks)

    @property
    def text(self) -> str:
        """The text written so far."""
        return "".join(self._parts)

    def problem(self, message: str) -> None:
        self._problems.append(message)

    def document(self, kind: Kind, title: str = "", metadata: Mapping[str, str] | None = None) -> Document:
        text = self.text
        starts = self._page_starts
        if starts:
            starts[0] = 0
        ends = [*starts[1:], len(text)]
        return Document(
            kind=kind,
            text=text,
            title=title,
            pages=tuple(Page(i, a, b) for i, (a, b) in enumerate(zip(starts, ends, strict=False), 1)),
            blocks=tuple(self._blocks),
            metadata=dict(metadata or {}),
            problems=(*self._problems, *filter(None, [self._reached])),
        )

    def _within(self, text: str, blocks: int) -> str:
        """Return the text, or the part of it within the limits."""
        if self._reached:
            return ""
        if len(self._blocks) + blocks > self._limits.blocks:
            self._reached = describe_block_limit(self._limits.blocks)
            return ""
        room = self._limits.characters - self._length
        if len(text) > room:
            self._reached = describe_character_limit(self._limits.characters)
            return text[: find_cut(text, room)] if room > 0 else ""
        return text

    def _append(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)


def add_hidden(document: Document, hidden: Iterable[str]) -> Document:
    """Return the document with hidden words after its text, where there are no pages and passages."""
    parts, blocks, length = [document.text], list(document.blocks), len(document.text)
    for words in filter(str.strip, hidden):
        gap = "\n\n" if length else ""
        parts += [gap, words]
        blocks.append(Block("hidden", length + len(gap), length + len(gap) + len(words)))
        length = blocks[-1].end
    return replace(document, text="".join(parts), blocks=tuple(blocks))


def _format_row(row: Sequence[str]) -> str:
    line = "\t".join(cell if cell == MERGED else " ".join(cell.split()) for cell in row).rstrip("\t")
    indent = len(row[0]) - len(row[0].lstrip(" ")) if row and row[0].strip() else 0
    return " " * indent + line
