"""A document's structure with its words: a stretch of its text as blocks, and its headings as an outline."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from pincite.reading.text import paragraphs
from pincite.store import documents, layout
from pincite.store.database import Database
from pincite.text.display import put_on_one_line
from pincite.types import Block, Page

LONGEST = 100_000  # characters of one block; what is longer is cut at line ends
_HEADINGS = 2_000
_TITLE = 200  # characters


@dataclass(frozen=True, slots=True)
class Piece:
    """A block and its words."""

    block: Block
    text: str


@dataclass(frozen=True, slots=True)
class Stretch:
    """The blocks that stand in a stretch of a text of so many characters; no block is cut at its ends."""

    start: int
    end: int
    length: int
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Heading:
    """An entry of an outline; page 0 is none."""

    title: str
    level: int
    start: int
    page: int


def stretch(database: Database, document: str, start: int, end: int) -> Stretch:
    """The structure from start to end of a document's text, widened to the ends of the blocks that stand there."""
    with database.reading() as connection:
        length = layout.length(connection, document)
        start, end = min(start, length), min(end, length)
        if start >= end:
            return Stretch(start, start, length, ())
        blocks = layout.blocks(connection, document)
        first = bisect_right(blocks, start, key=lambda block: block.end)
        last = bisect_left(blocks, end, key=lambda block: block.start)
        # From the block before to the block after: what stands between them outside of any is told as paragraphs.
        low = blocks[first - 1].end if first else 0
        high = blocks[last].start if last < len(blocks) else length
        text = documents.text(connection, document, low, high)
    whole = tiles(text, [replace(each, start=each.start - low, end=each.end - low) for each in blocks[first:last]])
    pieces = tuple(
        Piece(replace(each, start=each.start + low, end=each.end + low), text[each.start : each.end])
        for each in whole
        if each.end + low > start and each.start + low < end
    )
    edges = [start, *(piece.block.start for piece in pieces[:1])], [end, *(piece.block.end for piece in pieces[-1:])]
    return Stretch(min(edges[0]), max(edges[1]), length, pieces)


def outline(database: Database, document: str) -> list[Heading]:
    """A document's headings, the first of them, each with the page it stands on."""
    with database.reading() as connection:
        headings = [block for block in layout.blocks(connection, document) if block.kind == "heading"]
        text = layout.text(connection, document) if headings else ""
        sheets = layout.sheets(connection, document) if headings else []
    found = ((block, one_line(text[block.start : block.end])) for block in headings[:_HEADINGS])
    return [Heading(told, block.level, block.start, page_at(sheets, block.start)) for block, told in found if told]


def one_line(heading: str) -> str:
    """A heading's words on one line, cut where they are too many."""
    # What is longer than any title is not looked at: white space aside, these characters are more than enough.
    told = put_on_one_line(heading[: 10 * _TITLE])
    return told if len(told) <= _TITLE else f"{told[: _TITLE - 1].rstrip()}…"


def page_at(pages: Sequence[Page], start: int) -> int:
    """The number of the page that a character stands on, 0 where there are no pages."""
    return pages[max(bisect_right(pages, start, key=lambda page: page.start) - 1, 0)].number if pages else 0


def tiles(text: str, blocks: Sequence[Block]) -> Iterator[Block]:
    """Blocks that hold every letter and digit of a text, in order, none of them too long."""
    at = 0
    for block in [*blocks, Block("paragraph", len(text), len(text))]:
        for start, end in paragraphs(text, at, block.start):
            # Without one, it is a mark of the format: the hashes before a heading, the line under one.
            if any(map(str.isalnum, text[start:end])):
                yield from _cut(text, Block("paragraph", start, end))
        yield from _cut(text, block)
        at = block.end


def _cut(text: str, block: Block) -> Iterator[Block]:
    """A block in pieces that are not too long, each the whole lines that go into it."""
    start = block.start
    while block.end - start > LONGEST:
        line = text.rfind("\n", start, start + LONGEST) + 1
        end = line if line > start else start + LONGEST
        yield replace(block, start=start, end=end)
        start = end
    if start < block.end:
        yield replace(block, start=start, end=block.end)
