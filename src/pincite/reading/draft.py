"""A document's text as it is written down: blocks in, one string with exact offsets out."""

from collections.abc import Iterable, Mapping, Sequence

from pincite.types import Block, BlockKind, Document, Kind, Page

ROWS = 40  # of a table in one block; a longer table goes on in the next


class Draft:
    """Collects blocks, separated by blank lines, for formats that have no geometry of their own."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self._blocks: list[Block] = []
        self._page_starts: list[int] = []
        self._problems: list[str] = []

    def add(self, text: str, kind: BlockKind = "paragraph", level: int = 0, gap: str = "\n\n") -> None:
        """Add a block after a gap; text of nothing but white space is left out."""
        text = text.strip("\n\r")
        if not text.strip():
            return
        if self._parts:
            self._append(gap)
        start = self._length
        self._append(text)
        self._blocks.append(Block(kind, start, self._length, level))

    def table(self, rows: Iterable[Sequence[str]]) -> None:
        """Add a table: a line a row, cells between tabs, empty rows left out, a block every forty rows."""
        lines = ("\t".join(" ".join(cell.split()) for cell in row).rstrip() for row in rows)
        filled = [line for line in lines if line]
        for first in range(0, len(filled), ROWS):
            self.add("\n".join(filled[first : first + ROWS]), "table", gap="\n" if first else "\n\n")

    def page(self) -> None:
        """What is added from here on stands on the next page."""
        self._page_starts.append(self._length)

    def __len__(self) -> int:
        return self._length

    @property
    def count(self) -> int:
        """How many blocks there are."""
        return len(self._blocks)

    def problem(self, message: str) -> None:
        self._problems.append(message)

    def document(self, kind: Kind, title: str = "", metadata: Mapping[str, str] | None = None) -> Document:
        text = "".join(self._parts)
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
            problems=tuple(self._problems),
        )

    def _append(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)
