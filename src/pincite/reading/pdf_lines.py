"""Define the lines, blocks and pages of a PDF, with their positions and fonts."""

from dataclasses import dataclass

from pincite.types import BlockKind


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line of a page's text: its offsets in the page, its position, its font size and weight."""

    start: int
    end: int
    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    size: float
    bold: bool
    cells: int


@dataclass(frozen=True, slots=True)
class PageBlock:
    """Lines that belong together, with offsets in their page."""

    kind: BlockKind
    lines: tuple[TextLine, ...]

    @property
    def start(self) -> int:
        return self.lines[0].start

    @property
    def end(self) -> int:
        return self.lines[-1].end

    @property
    def text(self) -> str:
        return " ".join(line.text for line in self.lines)


@dataclass(frozen=True, slots=True)
class PageText:
    """One page as read: its text, its packed boxes, its blocks, and the packed order of drawing.

    `hidden` contains its hidden words.
    """

    number: int
    width: float
    height: float
    text: str
    boxes: bytes
    blocks: tuple[PageBlock, ...]
    drawn: bytes = b""
    hidden: str = ""
