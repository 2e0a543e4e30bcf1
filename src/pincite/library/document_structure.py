"""Load the structure of a document: a range of its text as blocks, and its headings as an outline."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from pincite.library.real_headings import find_real_headings
from pincite.reading.plain_text import find_paragraphs
from pincite.store import document_layout, document_text, documents
from pincite.store.database import Database
from pincite.text.display import put_on_one_line
from pincite.types import Block, Page

LONGEST = 100_000  # characters in one block; a longer one is cut at line ends
_HEADINGS = 2_000
_TITLE = 200  # characters


@dataclass(frozen=True, slots=True)
class BlockText:
    """A block and its text."""

    block: Block
    text: str


@dataclass(frozen=True, slots=True)
class StructuredStretch:
    """The blocks in a range of a text of `length` characters; no block is cut at the ends."""

    start: int
    end: int
    length: int
    pieces: tuple[BlockText, ...]


@dataclass(frozen=True, slots=True)
class OutlineHeading:
    """An entry of an outline; page 0 means none. `label` is the number that is printed on the page, if any."""

    title: str
    level: int
    start: int
    page: int
    label: str = ""


def load_stretch(database: Database, person: str, document: str, start: int, end: int) -> StructuredStretch:
    """Load the structure of a range of a document's text, widened to whole blocks.

    A document that the person may not see has no text.
    """
    with database.reading() as connection:
        is_seen = documents.get_many(connection, person, [document])
        length = document_layout.count_characters(connection, document) if is_seen else 0
        start, end = min(start, length), min(end, length)
        if start >= end:
            return StructuredStretch(start, start, length, ())
        blocks = document_layout.load_blocks(connection, document)
        first = bisect_right(blocks, start, key=lambda block: block.end)
        last = bisect_left(blocks, end, key=lambda block: block.start)
        # From the previous block to the next one: text between blocks is returned as paragraphs.
        low = blocks[first - 1].end if first else 0
        high = blocks[last].start if last < len(blocks) else length
        text = document_text.read_text(connection, document, low, high)
    whole = tile_blocks(
        text, [replace(each, start=each.start - low, end=each.end - low) for each in blocks[first:last]]
    )
    pieces = tuple(
        BlockText(replace(each, start=each.start + low, end=each.end + low), text[each.start : each.end])
        for each in whole
        if each.end + low > start and each.start + low < end
    )
    edges = [start, *(piece.block.start for piece in pieces[:1])], [end, *(piece.block.end for piece in pieces[-1:])]
    return StructuredStretch(min(edges[0]), max(edges[1]), length, pieces)


def load_outline(database: Database, person: str, document: str) -> list[OutlineHeading]:
    """Return the first headings of a document, each with its page; none if the person may not see it."""
    with database.reading() as connection:
        seen = documents.get_many(connection, person, [document])
        blocks = document_layout.load_blocks(connection, document) if seen else ()
        headings = [block for block in blocks if block.kind == "heading"]
        text = document_layout.load_text(connection, document) if headings else ""
        sheets = document_layout.list_pages(connection, document) if headings else []
    headings = headings[:_HEADINGS]
    titles = [shorten_heading(text[block.start : block.end]) for block in headings]
    real = find_real_headings(titles) if any(each.kind == "pdf" for each in seen) else range(len(titles))
    return [
        OutlineHeading(title, block.level, block.start, page.number if page else 0, page.label if page else "")
        for title, block, page in ((titles[at], headings[at], _find_page(sheets, headings[at].start)) for at in real)
        if title
    ]


def shorten_heading(heading: str) -> str:
    """Return a heading on one line, cut if it is too long."""
    # Only the beginning is examined; it is longer than any title, even with white space.
    title = put_on_one_line(heading[: 10 * _TITLE])
    return title if len(title) <= _TITLE else f"{title[: _TITLE - 1].rstrip()}…"


def find_page_number(pages: Sequence[Page], start: int) -> int:
    """Return the number of the page that contains a character, or 0 without pages."""
    page = _find_page(pages, start)
    return page.number if page else 0


def _find_page(pages: Sequence[Page], start: int) -> Page | None:
    return pages[max(bisect_right(pages, start, key=lambda page: page.start) - 1, 0)] if pages else None


def tile_blocks(text: str, blocks: Sequence[Block]) -> Iterator[Block]:
    """Yield blocks that together contain every letter and digit of a text, in order, none of them too long."""
    at = 0
    for block in [*blocks, Block("paragraph", len(text), len(text))]:
        for start, end in find_paragraphs(text, at, block.start):
            # Otherwise it is a mark of the format: the hashes before a heading, the line under one.
            if any(map(str.isalnum, text[start:end])):
                yield from _cut_block(text, Block("paragraph", start, end))
        yield from _cut_block(text, block)
        at = block.end


def _cut_block(text: str, block: Block) -> Iterator[Block]:
    """Split a block into pieces that are not too long, of whole lines if possible."""
    start = block.start
    while block.end - start > LONGEST:
        line = text.rfind("\n", start, start + LONGEST) + 1
        end = line if line > start else start + LONGEST
        yield replace(block, start=start, end=end)
        start = end
    if start < block.end:
        yield replace(block, start=start, end=block.end)
