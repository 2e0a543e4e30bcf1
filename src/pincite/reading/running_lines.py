"""Part running heads and page numbers from the paragraphs to which they stand close, in a PDF."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from pincite.reading.packed_boxes import pack_boxes, pack_places, unpack_boxes, unpack_places
from pincite.reading.pdf_lines import PageBlock, PageText, TextLine

_DIGITS = re.compile(r"\d+")
_MARGIN = 0.1  # of the page's height
_REPEATS = 3  # how often the same words at a page's edge make a running line


def part_running_lines(pages: Sequence[PageText]) -> list[PageText]:
    """Return the pages with each repeated line in their margins as a block of its own."""
    edges = {page.number: list(_list_edge_lines(page)) for page in pages}
    times = Counter(key for found in edges.values() for key, _, _ in found)
    beside: dict[tuple[bool, str], set[str]] = defaultdict(set)
    for found in edges.values():
        for key, _, neighbour in found:
            beside[key].add(neighbour)
    parted = []
    for page in pages:
        for key, number, _ in sorted(edges[page.number], key=lambda each: -each[1]):
            # Pages that are alike have no running lines: those stand beside text that differs.
            if times[key] >= _REPEATS and 2 * len(beside[key]) > times[key]:
                page = _part_block(page, number, is_top=key[0])
        parted.append(page)
    return parted


def _list_edge_lines(page: PageText) -> Iterator[tuple[tuple[bool, str], int, str]]:
    """Yield the highest and the lowest line of a page if they are in its margins.

    Each with whether it is at the top, its words, the number of its block, and the words of the line beside it.
    """
    if not page.blocks:
        return
    for is_top in (True, False):
        numbers = range(len(page.blocks))
        place = min(numbers, key=lambda i: page.blocks[i].lines[0].y0 if is_top else -page.blocks[i].lines[-1].y1)
        lines = page.blocks[place].lines if is_top else page.blocks[place].lines[::-1]
        line = lines[0]
        if line.y1 < _MARGIN * page.height if is_top else line.y0 > (1 - _MARGIN) * page.height:
            neighbour = lines[1].text if len(lines) > 1 else f"page {page.number}"
            yield (is_top, _DIGITS.sub("#", line.text.casefold()).strip()), place, _DIGITS.sub("#", neighbour)


def _part_block(page: PageText, number: int, is_top: bool) -> PageText:
    """Return the page with the first or last line of a block as a block of its own, after a blank line."""
    block = page.blocks[number]
    if len(block.lines) < 2 or block.kind == "table":
        return page
    cut = 1 if is_top else len(block.lines) - 1
    at = block.lines[cut].start
    blocks: list[PageBlock] = []
    for i, each in enumerate(page.blocks):
        lines = tuple(_shift_line(line) if line.start >= at else line for line in each.lines)
        if i == number:
            first: tuple[TextLine, ...] = lines[:cut]
            blocks += [_make_block(block, first, is_top), _make_block(block, lines[cut:], not is_top)]
        else:
            blocks.append(replace(each, lines=lines))
    boxes, drawn = unpack_boxes(page.boxes), unpack_places(page.drawn)
    return replace(
        page,
        text=f"{page.text[:at]}\n{page.text[at:]}",
        boxes=pack_boxes(np.insert(boxes, at, np.float32(np.nan), axis=0)) if len(boxes) >= at else page.boxes,
        drawn=pack_places(np.insert(drawn, at, np.int32(-1))) if len(drawn) >= at and len(drawn) else page.drawn,
        blocks=tuple(blocks),
    )


def _make_block(block: PageBlock, lines: tuple[TextLine, ...], is_running: bool) -> PageBlock:
    return PageBlock("paragraph" if is_running else block.kind, lines)


def _shift_line(line: TextLine) -> TextLine:
    return replace(line, start=line.start + 1, end=line.end + 1)
