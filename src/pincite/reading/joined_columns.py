"""Join paragraphs that continue in the next column or on the next page, so that each is one range of the text.

Text between the two halves (headers, footnotes, figures) is written before the first or after the second.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pincite.reading.block_structure import BULLET
from pincite.reading.packed_boxes import pack_boxes, pack_places, unpack_boxes, unpack_places
from pincite.reading.pdf_lines import PageBlock, PageText, TextLine
from pincite.types import NON_CONTENT_KINDS, Block

_FINISHED = (".", "!", "?", "…", ":", ";")
_CLOSING = "'\")]»”’"
_SENTENCE_INSIDE = re.compile(r"[^\W\d_]{3}[.!?…]['\")\]»”’]*\s+\S")
_HYPHENS = ("-", "\u2010", "\x02", "\u00ad")
_SMALL = 0.93  # of the body's font size: footnotes, captions and labels are smaller
_ALIKE = 0.07  # the largest difference in size between two halves of a paragraph
_LOOKED_AT = 24  # the most blocks between two halves
_MANY = 100  # columns of a page; one with more has scattered words
_CAPTION = 3  # lines
_ENOUGH = 40  # characters in a half
_FULL = 0.08  # of its block's width that the last line of a half may lack


@dataclass(frozen=True, slots=True)
class WrittenPage:
    """A page's text for the document, with blocks at its own offsets; `goes_on` if its last paragraph continues."""

    text: str
    boxes: bytes
    drawn: bytes
    blocks: tuple[Block, ...]
    goes_on: bool = False


@dataclass(frozen=True, slots=True)
class _Column:
    """Blocks of one page, one below the other, by their numbers."""

    page: int
    members: tuple[int, ...]


def join_columns(pages: Sequence[PageText], labelled: Sequence[Sequence[Block]]) -> list[WrittenPage]:
    """Write the pages with the halves of each paragraph together; the blocks are those of `labelled`, moved."""
    body = _find_body_size(pages, labelled)
    orders = [list(range(len(page.blocks))) for page in pages]
    joined: set[tuple[int, int]] = set()  # (page, block) that the next one in order continues
    continued: set[tuple[int, int]] = set()  # (page, block) that continues the previous one
    columns = list(_list_columns(pages, labelled))
    counts = Counter(column.page for column in columns)
    whole = [counts[number] <= _MANY and _is_whole(page) for number, page in enumerate(pages)]
    for first, second in pairwise(columns):
        if not (whole[first.page] and whole[second.page]):
            continue
        found = _find_halves(pages, labelled, first, second, body)
        if found is None:
            continue
        tail, head = found
        if (first.page, tail) in continued and orders[first.page][-1] != tail and len(first.members) > 1:
            continue  # the only paragraph between headers and footers, for which there is no other position
        _move_block(orders[first.page], first.members, tail, to_end=True)
        _move_block(orders[second.page], second.members, head, to_end=False)
        joined.add((first.page, tail))
        continued.add((second.page, head))
    return [_write_page(page, labelled[i], orders[i], i, joined) for i, page in enumerate(pages)]


def _list_columns(pages: Sequence[PageText], labelled: Sequence[Sequence[Block]]) -> Iterator[_Column]:
    """Yield columns in reading order; one without prose belongs to the previous one."""
    for number, page in enumerate(pages):
        runs: list[list[int]] = []
        for i, block in enumerate(page.blocks):
            above = page.blocks[i - 1].lines[-1] if i else None
            if (above and block.lines[0].y0 >= above.y0 - above.size) or (
                runs and not any(labelled[number][k].kind in ("paragraph", "list") for k in runs[-1])
            ):
                runs[-1].append(i)
            else:
                runs.append([i])
        while len(runs) > 1 and not any(labelled[number][k].kind in ("paragraph", "list") for k in runs[-1]):
            runs[-2:] = [runs[-2] + runs[-1]]
        yield from (_Column(number, tuple(run)) for run in runs)


def _find_body_size(pages: Sequence[PageText], labelled: Sequence[Sequence[Block]]) -> float:
    sizes: Counter[float] = Counter()
    for page, kinds in zip(pages, labelled, strict=True):
        for block, label in zip(page.blocks, kinds, strict=True):
            if label.kind in ("paragraph", "list"):
                for line in block.lines:
                    sizes[round(line.size * 2) / 2] += len(line.text)
    return max(sizes, key=lambda size: (sizes[size], size), default=0.0)


def _find_halves(
    pages: Sequence[PageText], labelled: Sequence[Sequence[Block]], first: _Column, second: _Column, body: float
) -> tuple[int, int] | None:
    """Return the last paragraph of a column and the first of the next, if the one continues in the other."""
    tail = _find_half(pages[first.page], labelled[first.page], first.members[::-1], body)
    if tail is None or _is_ended(pages[first.page].blocks[tail]):
        return None
    block, after = pages[first.page].blocks[tail], first.members[first.members.index(tail) + 1 :]
    skipped = any(labelled[first.page][k].kind not in NON_CONTENT_KINDS for k in after)
    for place, head in enumerate(second.members[:_LOOKED_AT]):
        kind, other = labelled[second.page][head].kind, pages[second.page].blocks[head]
        if kind == "heading":
            return None
        if kind != "paragraph" or other.lines[0].size < _SMALL * body:
            continue
        direct = not skipped and all(labelled[second.page][k].kind in NON_CONTENT_KINDS for k in second.members[:place])
        if _is_continued(block, other, direct):
            return tail, head
        if len(other.lines) > _CAPTION:
            return None
    return None


def _find_half(page: PageText, labels: Sequence[Block], members: Sequence[int], body: float) -> int | None:
    """Return the first of these blocks that is a paragraph in the body's font; None after a heading."""
    for i in members[:_LOOKED_AT]:
        if labels[i].kind == "heading":
            return None
        if labels[i].kind in ("paragraph", "list") and page.blocks[i].lines[-1].size >= _SMALL * body:
            return i
    return None


def _is_ended(block: PageBlock) -> bool:
    last = block.lines[-1]
    return last.cells > 1 or last.text.rstrip().rstrip(_CLOSING).endswith(_FINISHED)


def _is_continued(block: PageBlock, other: PageBlock, direct: bool) -> bool:
    """Return whether an unfinished paragraph continues in another block.

    `direct` if only headers and footers are between.
    """
    last, first = block.lines[-1], other.lines[0]
    before, after = last.text.rstrip(), first.text.lstrip()
    if abs(last.size - first.size) > _ALIKE * max(last.size, first.size) or first.cells > 1:
        return False
    if not before or not after or BULLET.match(after) or len(block.text) < _ENOUGH:
        return False
    if before.endswith(_HYPHENS):
        return before[-2:-1].isalpha() and after[0].isalnum()
    if not direct and not (_is_long(other) and _is_full(block, after)):
        return False
    if after.lstrip("'\"([«“‘").lstrip()[:1].islower():
        return True
    if not direct or last.bold != first.bold:
        return False
    if _is_open(block) and (_is_long(other) or _is_ended(other)):
        return True
    return _is_long(other) and _is_full(block, after) and _is_flush(other.lines)


def _is_open(block: PageBlock) -> bool:
    """Return whether a paragraph of several sentences stops in the middle of one."""
    words = block.text.rstrip()
    return len(block.lines) > 1 and bool(_SENTENCE_INSIDE.search(words)) and (words[-1].isalpha() or words[-1] == ",")


def _is_long(block: PageBlock) -> bool:
    return len(block.lines) > 1 and len(block.text) >= _ENOUGH


def _is_full(block: PageBlock, after: str) -> bool:
    """Return whether the last line of a paragraph is full, so that the next word did not fit into it."""
    if len(block.lines) < 2:
        return False
    left, right = min(line.x0 for line in block.lines), max(line.x1 for line in block.lines)
    last = block.lines[-1]
    words = last.text.rstrip()
    letter = (last.x1 - last.x0) / max(len(words), 1)
    room = max(_FULL * (right - left), letter * (len(after.split()[0]) + 1))
    return right - last.x1 <= room and (words[-1].isalnum() or words[-1] == ",")


def _is_flush(lines: Sequence[TextLine]) -> bool:
    """Return whether the first line begins where the others do; a new paragraph is often indented."""
    return abs(lines[0].x0 - min(line.x0 for line in lines[1:])) < 0.5 * lines[0].size


def _is_whole(page: PageText) -> bool:
    """Return whether the blocks contain every character of the page but white space."""
    at = 0
    for block in page.blocks:
        if page.text[at : block.start].strip():
            return False
        at = block.end
    return not page.text[at:].strip()


def _move_block(order: list[int], column: Sequence[int], chosen: int, to_end: bool) -> None:
    """Move a block to the end or to the beginning of its column."""
    inside = frozenset(column)
    members = [i for i in order if i in inside]
    at = order.index(members[0])
    members.remove(chosen)
    members = [*members, chosen] if to_end else [chosen, *members]
    order[at : at + len(members)] = members


def _write_page(
    page: PageText, labels: Sequence[Block], order: list[int], number: int, joined: set[tuple[int, int]]
) -> WrittenPage:
    goes_on = bool(order) and (number, order[-1]) in joined
    inside = [i for i in order[:-1] if (number, i) in joined]
    if order == list(range(len(order))) and not inside:
        return WrittenPage(page.text, page.boxes, page.drawn, tuple(labels), goes_on)
    sources: list[NDArray[np.intp]] = []
    blocks: list[Block] = []
    length = 0
    for place, i in enumerate(order):
        label = labels[i]
        follows = place > 0 and (number, order[place - 1]) in joined
        if place:
            sources.append(np.full(1 if follows else 2, -1, dtype=np.intp))
            length += len(sources[-1])
        sources.append(np.arange(label.start, label.end))
        end = length + label.end - label.start
        if follows:
            blocks[-1] = replace(blocks[-1], end=end)
        else:
            blocks.append(replace(label, start=length, end=end))
        length = end
    source = np.concatenate(sources)
    return WrittenPage(
        "".join("\n" if i < 0 else page.text[i] for i in source.tolist()),
        _reorder_boxes(page.boxes, source),
        _reorder_places(page.drawn, source),
        tuple(blocks),
        goes_on,
    )


def _reorder_boxes(packed: bytes, source: NDArray[np.intp]) -> bytes:
    boxes = unpack_boxes(packed)
    if not len(boxes):
        return packed
    known = (source >= 0) & (source < len(boxes))
    return pack_boxes(np.where(known[:, None], boxes[np.where(known, source, 0)], np.float32(np.nan)))


def _reorder_places(packed: bytes, source: NDArray[np.intp]) -> bytes:
    places = unpack_places(packed)
    if not len(places):
        return packed
    known = (source >= 0) & (source < len(places))
    return pack_places(np.where(known, places[np.where(known, source, 0)], -1).astype(np.int32))
