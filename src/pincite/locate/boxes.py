"""Turn spans of a document's text into rectangles on its pages. No other module makes rectangles.

A rectangle covers one line, tight around its characters. It may not cover other characters of the page (a drop cap, a
superscript, cells of a row that are not meant, text at an angle). Such a rectangle is first shrunk, as far as the
middle of each of its characters stays inside. If that is not enough, the line is divided into as few rectangles as
possible.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pincite.reading.packed_boxes import Boxes, unpack_boxes
from pincite.types import NON_CONTENT_KINDS, Block, Document, Page, PageBoxes

Stretch = tuple[int, int]  # of the document's text, end exclusive
Rect = tuple[float, float, float, float]
_Floats = NDArray[np.float64]
_Places = NDArray[np.intp]

# Distance (in x, in y) from a rectangle at which the middle of a character still counts as covered, in points.
SLACK = np.array([0.5, 1.0])
_BEYOND = 0.02  # points: more than rounding moves an edge
_ROOM = 0.1  # share of a character's box that is empty above the letter
_KEPT_PAGES = 8
_WINDOW = 16  # characters of a line that are looked at first
_LONGEST_LINE = 1000  # characters: a longer line is divided first
_LOOK_BACK = 8  # rectangles of a line that one more piece may be joined to


@dataclass(frozen=True, slots=True)
class _Sheet:
    """The unpacked boxes of a page: which characters have one, their middles, and the characters from top to bottom."""

    boxes: Boxes
    placed: NDArray[np.bool_]
    middles: _Floats
    downward: _Places
    heights: _Floats


def find_boxes(document: Document, spans: Iterable[Stretch]) -> list[PageBoxes]:
    """Return a rectangle for each line of the spans, on each page that has boxes.

    Spans may overlap and come in any order. Only the boxes of the pages they touch are read (`list_touched_pages`).
    """
    wanted = _merge_spans(spans)
    found = (
        find_page_boxes(page, document.text[page.start : page.end], wanted)
        for page in list_touched_pages(document.pages, wanted)
    )
    return [each for each in found if each]


def list_touched_pages(pages: Sequence[Page], spans: Iterable[Stretch]) -> list[Page]:
    """Return the pages that spans stand on, in order: those whose boxes must be loaded."""
    found: dict[int, Page] = {}
    for start, end in _merge_spans(spans):
        at = max(bisect_right(pages, start, key=lambda page: page.start) - 1, 0)
        while at < len(pages) and pages[at].start < end:
            if pages[at].end > max(start, pages[at].start):
                found[at] = pages[at]
            at += 1
    return list(found.values())


def cut_out_furniture(start: int, end: int, blocks: Iterable[Block]) -> list[Stretch]:
    """Return a stretch in parts, without the headers, footers and page numbers that it goes on over."""
    parts: list[Stretch] = []
    for block in blocks:
        is_furniture = block.kind in NON_CONTENT_KINDS and block.kind != "contents"
        if is_furniture and start < block.start and block.end <= end:
            parts.append((start, block.start))
            start = block.end
    return [*parts, (start, end)]


def find_page_boxes(page: Page, text: str, spans: Iterable[Stretch]) -> PageBoxes | None:
    """Return the rectangles of spans (of the document's text) on one page with its boxes, from that page's own text."""
    sheet = _unpack_sheet(page.boxes)
    count = min(len(sheet.boxes), len(text))
    meant = np.zeros(len(sheet.boxes), np.bool_)
    for start, end in spans:
        meant[min(max(start - page.start, 0), count) : min(max(end - page.start, 0), count)] = True
    meant &= sheet.placed
    members = np.flatnonzero(meant)
    if not len(members):
        return None
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    line = np.cumsum(codes == ord("\n"))[members]
    starts = np.concatenate([[0], np.flatnonzero(np.diff(line)) + 1])
    own = sheet.boxes[members].astype(np.float64)
    reach = np.concatenate([np.minimum.reduceat(own[:, :2], starts), np.maximum.reduceat(own[:, 2:], starts)], axis=1)
    low = np.searchsorted(sheet.heights, reach[:, 1] - SLACK[1], "left").tolist()
    high = np.searchsorted(sheet.heights, reach[:, 3] + SLACK[1], "right").tolist()
    rects: list[list[float]] = []
    for i, (start, end) in enumerate(pairwise([*starts.tolist(), len(members)])):
        others = sheet.downward[low[i] : high[i]]
        others = others[~meant[others]]
        x = sheet.middles[others, 0]
        others = others[(x >= reach[i, 0] - SLACK[0]) & (x <= reach[i, 2] + SLACK[0])]
        pieces = _divide_line(sheet, members[start:end], others, text) if len(others) else reach[i : i + 1]
        rects += np.round(_trim_rects(pieces, own[start:end], sheet.middles[members[start:end]]), 2).tolist()
    return PageBoxes(page.number, page.width, page.height, tuple(_separate_rects(rects))) if rects else None


def _trim_rects(rects: _Floats, characters: _Floats, middles: _Floats) -> _Floats:
    """Cut the space that fonts leave above their letters off the rectangles of a line, and half as much below."""
    across, down = np.ptp(middles, axis=0)
    ordered = np.sort(characters[:, 3] - characters[:, 1])
    # The median; numpy's own function would import all of its masked arrays.
    height = float(ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2
    if down > across or height <= 0:
        return rects
    rects = rects.copy()
    whole = rects[:, 3] - rects[:, 1] >= height / 2
    rects[whole, 1] += _ROOM * height
    rects[whole, 3] -= _ROOM / 2 * height
    return rects


@lru_cache(_KEPT_PAGES)
def _unpack_sheet(packed: bytes) -> _Sheet:
    found = unpack_boxes(packed)
    placed = ~np.isnan(found[:, 0])
    middles = (found[:, :2].astype(np.float64) + found[:, 2:]) / 2
    downward = np.flatnonzero(placed)
    downward = downward[np.argsort(middles[downward, 1], kind="stable")]
    return _Sheet(found, placed, middles, downward, middles[downward, 1])


def _merge_spans(spans: Iterable[Stretch]) -> list[Stretch]:
    """Return the spans in order, without empty ones, and joined where they overlap or touch."""
    merged: list[Stretch] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        elif start < end:
            merged.append((start, end))
    return merged


def _divide_line(sheet: _Sheet, members: _Places, others: _Places, text: str) -> _Floats:
    """Return as few rectangles as hold the middles of a line's characters and of no others.

    Where a character of the line and another one stand at the same place (text drawn twice), they cannot be
    separated. But a mark of the line at the place of another letter (an accent, set as a line of its own) is left
    out.
    """
    if len(members) > _LONGEST_LINE:
        parts = np.array_split(members, len(members) // _LONGEST_LINE + 1)
        return np.concatenate([_divide_line(sheet, part, others, text) for part in parts])
    own, points = sheet.boxes[members].astype(np.float64), sheet.middles[others]
    cores, same = _find_cores(own, points)
    if same.any():
        kept = _find_letters(text, members) | ~same[:, _find_letters(text, others)].any(axis=1)
        own, cores, same = own[kept], cores[kept], same[kept]
    points = points[~same.any(axis=0)]
    groups: list[tuple[_Floats, _Floats]] = []
    for start, end in _find_runs(cores, points):
        core, reach = _enclose_rects(cores[start:end]), _enclose_rects(own[start:end])
        for i in range(len(groups) - 1, max(len(groups) - 1 - _LOOK_BACK, -1), -1):
            joined = _enclose_rects(np.concatenate([groups[i][0], core]))
            if not _find_covered_points(joined, points).any():
                groups[i] = joined, _enclose_rects(np.concatenate([groups[i][1], reach]))
                break
        else:
            groups.append((core, reach))
    return np.concatenate([_shrink_rect(core, reach, points) for core, reach in groups]) if groups else own


def _find_cores(own: _Floats, others: _Floats) -> tuple[_Floats, NDArray[np.bool_]]:
    """Return the core of each box: its middle half, or its middle point where other characters are too near.

    The second value says which of the others (columns) are nearer to a box (rows) than its core can avoid.
    """
    middles = (own[:, :2] + own[:, 2:]) / 2
    quarter = (own[:, 2:] - own[:, :2]) / 4
    cores = np.concatenate([middles - quarter, middles + quarter], axis=1)
    near = _find_covered_points(cores, others)
    crowded = near.any(axis=1)
    cores[crowded] = np.tile(middles[crowded], 2)
    near[crowded] = _find_covered_points(cores[crowded], others)
    return cores, near


def _find_letters(text: str, places: _Places) -> NDArray[np.bool_]:
    return np.array([text[at].isalnum() for at in places.tolist()], np.bool_)


def _find_runs(cores: _Floats, others: _Floats) -> Iterator[Stretch]:
    """Yield the runs of consecutive boxes that one rectangle may hold, each as long as possible."""
    start, window = 0, _WINDOW
    while start < len(cores):
        piece = cores[start : start + window]
        near = others[_find_covered_points(_enclose_rects(piece), others)[0]]
        spread = np.concatenate([np.minimum.accumulate(piece[:, :2]), np.maximum.accumulate(piece[:, 2:])], axis=1)
        stops = np.flatnonzero(_find_covered_points(spread, near).any(axis=1))
        if not len(stops) and start + window < len(cores):
            window *= 2
            continue
        end = start + (int(stops[0]) if len(stops) else len(piece))
        yield start, end
        start, window = end, _WINDOW


def _shrink_rect(core: _Floats, reach: _Floats, others: _Floats) -> _Floats:
    """Shrink a rectangle towards its core until it covers no other point, by moving the edge that costs least."""
    rect = reach.copy()
    while len(others := others[_find_covered_points(rect, others)[0]]):
        point = others[0]
        edges = np.concatenate([point + SLACK + _BEYOND, point - SLACK - _BEYOND])
        free = np.concatenate([point < core[0, :2] - SLACK, point > core[0, 2:] + SLACK])
        lost = np.abs(edges - rect[0]) / np.tile(np.maximum(rect[0, 2:] - rect[0, :2], _BEYOND), 2)
        side = int(np.where(free, lost, np.inf).argmin())
        rect[0, side] = edges[side]
    return np.concatenate([np.minimum(rect[:, :2], rect[:, 2:]), np.maximum(rect[:, :2], rect[:, 2:])], axis=1)


def _separate_rects(rects: list[list[float]]) -> Iterator[Rect]:
    """Separate neighbouring rectangles that overlap a little; together they cover the same area.

    Many fonts have boxes higher than their lines. Drawn over each other, such boxes would leave dark bands.
    """
    for pair in pairwise(rects):
        for low, high, left, right in ((1, 3, 0, 2), (0, 2, 1, 3)):
            first, second = sorted(pair, key=lambda rect: rect[low])
            overlap = first[high] - second[low]
            if 0 < overlap < min(first[high] - first[low], second[high] - second[low]) / 2:
                if first[left] <= second[left] and second[right] <= first[right]:
                    second[low] = first[high]
                elif second[left] <= first[left] and first[right] <= second[right]:
                    first[high] = second[low]
    return ((x0, y0, x1, y1) for x0, y0, x1, y1 in rects)


def _enclose_rects(rects: _Floats) -> _Floats:
    return np.concatenate([rects[:, :2].min(axis=0), rects[:, 2:].max(axis=0)])[None]


def _find_covered_points(rects: _Floats, points: _Floats) -> NDArray[np.bool_]:
    """Return a row for each rectangle: which of the points it covers."""
    x0, y0, x1, y1 = rects.T[:, :, None]
    x, y = points.T
    covered: NDArray[np.bool_] = (x >= x0 - SLACK[0]) & (x <= x1 + SLACK[0])
    covered &= (y >= y0 - SLACK[1]) & (y <= y1 + SLACK[1])
    return covered
