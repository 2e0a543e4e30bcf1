"""Arrange a page's characters, as the file stores them, in lines and columns in reading order.

Characters are joined into segments (pieces of a line), segments are sorted into columns if a gutter runs between two
sides of prose, and each column is read row by row; segments side by side that are not prose form a table's row.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from pincite.reading.packed_boxes import Boxes
from pincite.reading.short_columns import find_short_columns

Indices = NDArray[np.intp]

# Synthetic characters in an order of characters.
SPACE, TAB, NEWLINE = -1, -2, -3

_CELL_GAP = 1.5  # line heights between two cells of a table row
_ALIGNED = 0.5  # line heights of a blank lane through several rows, whose gaps part cells too
_LANE_ROWS = 3  # rows of such a lane at least
_ROW_STEP = 3.0  # line heights from one of these rows to the next at most
_LONGEST_MARK = 8  # characters of a list's mark: "(viii)"
_SEGMENT_GAP = 0.9  # line heights that end a segment
_WORD_GAP = 0.17  # line heights between two words, if the file has no space
_X_BIN = 3.0  # points
_NARROWEST = 80.0  # points; a narrower lane is not a column


@dataclass(frozen=True, slots=True)
class LayoutLine:
    """Characters (indices, or SPACE and TAB between them) on one baseline, with their position."""

    order: Indices
    x0: float
    y0: float
    x1: float
    y1: float
    cells: int


@dataclass(frozen=True, slots=True)
class Region:
    """Lines that are read one after the other: a column, or a page without columns; turned text is separate."""

    lines: tuple[LayoutLine, ...]
    turned: bool = False


def arrange_characters(
    codes: NDArray[np.uint32], boxes: Boxes, visible: NDArray[np.bool_], size: tuple[float, float]
) -> list[Region]:
    """Return regions in reading order from code points, their boxes, and which of them are visible."""
    glyphs = np.flatnonzero(visible)
    if not len(glyphs):
        return []
    found = boxes[glyphs]
    spaced = np.diff(glyphs, prepend=glyphs[0]) > 1
    turns = _find_turns(found, spaced, _find_right_to_left(codes[glyphs]))
    regions: list[Region] = []
    ways, counts = np.unique(turns, return_counts=True)
    for way in ways[np.argsort(-counts, kind="stable")]:
        chosen = turns == way
        upright = _turn_upright(found[chosen], int(way), size)
        gaps = spaced[chosen] | (np.diff(np.flatnonzero(chosen), prepend=0) > 1)
        regions += [
            Region(lines, bool(way)) for lines in _read_lines(glyphs[chosen], codes[glyphs[chosen]], upright, gaps)
        ]
    return regions


def _find_turns(boxes: Boxes, spaced: NDArray[np.bool_], rtl: NDArray[np.bool_]) -> NDArray[np.int8]:
    """Return the direction of each character's word on the page: 0 across, 1 up, 2 down, 3 upside down."""
    centres = (boxes[:, :2] + boxes[:, 2:]) / 2
    extent = np.maximum(boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1])
    # pdfium sets no space where it joins a word divided at a line's end, so a jump begins a word too.
    leaps = np.abs(np.diff(centres, axis=0)).max(axis=1, initial=0.0) > 2.5 * np.maximum(extent[1:], extent[:-1])
    starts = np.flatnonzero(spaced | np.concatenate([[True], leaps]))
    ends = np.append(starts[1:], len(boxes)) - 1
    dx, dy = (centres[ends] - centres[starts]).T
    heights = boxes[starts, 3] - boxes[starts, 1]
    long = ends - starts >= 2
    steep = long & (np.abs(dy) > 3 * np.abs(dx)) & (np.abs(dy) > 0.8 * heights)
    flipped = long & (dx < -3 * np.abs(dy)) & (dx < -heights) & ~rtl[starts]
    way = np.where(steep, np.where(dy < 0, 1, 2), np.where(flipped, 3, 0)).astype(np.int8)
    if way.any():
        # A word too short to determine runs like the previous one, if it is beside it.
        for i in np.flatnonzero(~long[1:]) + 1:
            a, b = centres[ends[i - 1]], centres[starts[i]]
            if way[i - 1] == 3 or (way[i - 1] and abs(a[0] - b[0]) < abs(a[1] - b[1])):
                way[i] = way[i - 1]
    return np.repeat(way, ends - starts + 1)


def _turn_upright(boxes: Boxes, way: int, size: tuple[float, float]) -> Boxes:
    """Rotate boxes so that their text runs across."""
    x0, y0, x1, y1 = boxes.T
    if way == 1:
        return np.stack([size[1] - y1, x0, size[1] - y0, x1], axis=1)
    if way == 2:
        return np.stack([y0, size[0] - x1, y1, size[0] - x0], axis=1)
    if way == 3:
        return np.stack([size[0] - x1, size[1] - y1, size[0] - x0, size[1] - y0], axis=1)
    return boxes


def _find_right_to_left(codes: NDArray[np.uint32]) -> NDArray[np.bool_]:
    return ((codes >= 0x590) & (codes <= 0x8FF)) | ((codes >= 0xFB1D) & (codes <= 0xFEFC))


def _read_lines(
    glyphs: Indices, codes: NDArray[np.uint32], boxes: Boxes, spaced: NDArray[np.bool_]
) -> list[tuple[LayoutLine, ...]]:
    rtl = _find_right_to_left(codes)
    starts = _find_segment_starts(boxes, rtl)
    ends = np.append(starts[1:], len(glyphs))
    spaced = spaced | _find_word_gaps(codes, boxes, starts, ends)
    # Within a segment, a space precedes each character that had one in the file.
    inner = spaced.copy()
    inner[starts] = False
    places = np.arange(len(glyphs)) + np.cumsum(inner)
    order = np.full(int(places[-1]) + 1, SPACE, dtype=np.intp)
    order[places] = glyphs
    low = np.minimum.reduceat(boxes[:, :2], starts)
    high = np.maximum.reduceat(boxes[:, 2:], starts)
    segments = np.concatenate([low, high], axis=1)
    pieces = [order[a:b] for a, b in zip(places[starts], places[ends - 1] + 1, strict=True)]
    leftward = np.add.reduceat(rtl.astype(np.intp), starts) * 2 > ends - starts
    numeric = np.logical_or.reduceat((codes >= ord("0")) & (codes <= ord("9")), starts)
    texts = [codes[a:b].tobytes().decode("utf-32-le") for a, b in zip(starts, ends, strict=True)]
    return [
        tuple(_group_rows(segments, ids, pieces, leftward, numeric))
        for ids in _split_columns(segments, texts, np.arange(len(segments)))
    ]


def _find_segment_starts(boxes: Boxes, rtl: NDArray[np.bool_]) -> Indices:
    """Return where a new piece of a line begins: another baseline, a wide gap, or a jump back."""
    x0, y0, x1, y1 = boxes.T
    heights = np.maximum(y1 - y0, 1e-3)
    shared = np.minimum(y1[1:], y1[:-1]) - np.maximum(y0[1:], y0[:-1])
    lower, higher = np.minimum(heights[1:], heights[:-1]), np.maximum(heights[1:], heights[:-1])
    gap = np.maximum(x0[1:] - x1[:-1], x0[:-1] - x1[1:])
    back = (x0[1:] + x1[1:] < x0[:-1] + x1[:-1] - higher) & ~(rtl[1:] | rtl[:-1])
    new = (shared < 0.4 * lower) | (gap > _SEGMENT_GAP * higher) | back
    return np.concatenate([[0], np.flatnonzero(new) + 1])


def _find_word_gaps(codes: NDArray[np.uint32], boxes: Boxes, starts: Indices, ends: Indices) -> NDArray[np.bool_]:
    """Return the characters before which a gap means a space; none in letter-spaced text or scripts without spaces."""
    gap = np.zeros(len(boxes), dtype=np.float32)
    gap[1:] = boxes[1:, 0] - boxes[:-1, 2]
    wide = (gap > _WORD_GAP * (boxes[:, 3] - boxes[:, 1])) & (codes < 0x2E80)
    often = np.add.reduceat(wide.astype(np.intp), starts) > 0.4 * (ends - starts)
    return wide & ~np.repeat(often, ends - starts)


def _split_columns(segments: Boxes, texts: Sequence[str], ids: Indices, depth: int = 0) -> list[Indices]:
    """Return segment numbers, part by part in reading order."""
    if not len(ids):
        return []
    part = segments[ids]
    gutter = _find_gutter(part) if len(ids) >= 10 else None
    gutter = gutter or find_short_columns(part, [texts[i] for i in ids])
    if gutter is None or depth > 8:
        return [ids]
    x, top, bottom = gutter
    middle = (part[:, 1] + part[:, 3]) / 2
    above, below = middle < top, middle > bottom
    left = (part[:, 0] + part[:, 2]) / 2 < x
    between = ~above & ~below
    return [
        region
        for chosen in (above, between & left, between & ~left, below)
        for region in _split_columns(segments, texts, ids[chosen], depth + 1)
    ]


def _find_gutter(segments: Boxes) -> tuple[float, float, float] | None:
    """Return the gutter with the most prose on both sides: its x, and the y where it begins and ends."""
    line = max(float(np.median(segments[:, 3] - segments[:, 1])), 2.0)
    if _count_neighbours(segments) < 10:
        return None
    left, top = segments[:, 0].min(), segments[:, 1].min()
    unit = max(line / 2, float(segments[:, 3].max() - top) / 400)
    x_bin = max(_X_BIN, float(segments[:, 2].max() - left) / 400)
    columns = np.stack([(segments[:, 0] - left) / x_bin, (segments[:, 2] - left) / x_bin + 1], axis=1).astype(int)
    # The middle half of a line's height, because the loose boxes of neighbouring lines overlap.
    quarter = (segments[:, 3] - segments[:, 1]) / 4
    rows = np.stack(
        [(segments[:, 1] + quarter - top) / unit, (segments[:, 3] - quarter - top) / unit + 1], axis=1
    ).astype(int)
    ink = np.zeros((int(rows[:, 1].max()) + 1, int(columns[:, 1].max()) + 1), dtype=bool)
    for (r0, r1), (c0, c1) in zip(rows.tolist(), columns.tolist(), strict=True):
        ink[r0:r1, c0:c1] = True
    width = ink.shape[1]
    sided = np.logical_or.accumulate(ink, axis=1) & np.logical_or.accumulate(ink[:, ::-1], axis=1)[:, ::-1] & ~ink
    start = np.zeros(width, dtype=int)
    count = np.zeros(width, dtype=int)
    best, best_start, best_end = count.copy(), start.copy(), start.copy()
    for y in range(len(ink)):
        blank = ~ink[y]
        start = np.where(blank, start, y + 1)
        count = np.where(blank, count + sided[y], 0)
        better = count > best
        best = np.where(better, count, best)
        best_start = np.where(better, start, best_start)
        best_end = np.where(better, y, best_end)
    for lane in _find_lanes(best, enough=int(4 * line / unit)):
        middle = (lane[0] + lane[1]) // 2
        stop = int(best_end[middle]) + 1
        while stop < len(ink) and not ink[stop, middle]:
            stop += 1
        rows_here = slice(int(best_start[middle]), stop)
        piece = ink[rows_here]
        x = left + (middle + 0.5) * x_bin
        sides = piece[:, :middle], piece[:, middle + 1 :]
        if all(_is_prose(side, _NARROWEST / x_bin) for side in sides) or (
            len(piece) > 0.8 * len(ink) and _is_independent(segments, x, line)
        ):
            first, last = _find_extent(piece, sided[rows_here, middle], int(2.5 * line / unit))
            y0 = top + (rows_here.start + first) * unit
            y1 = top + (rows_here.start + last + 1) * unit
            return x, y0, y1
    return None


def _count_neighbours(segments: Boxes) -> int:
    """Count the segments that have another one beside them."""
    if len(segments) > 1500:
        return len(segments)
    middle = (segments[:, 1] + segments[:, 3]) / 2
    level = (middle[:, None] > segments[None, :, 1]) & (middle[:, None] < segments[None, :, 3])
    beside = level & (segments[:, None, 0] > segments[None, :, 2])
    return int(beside.any(axis=1).sum() + beside.any(axis=0).sum())


def _find_lanes(best: NDArray[np.intp], enough: int) -> list[tuple[int, int]]:
    """Return runs of bins at least eight points wide that stay blank for long, the longest first."""
    lanes = []
    peak = best.copy()
    for _ in range(3):
        top = int(peak.max(initial=0))
        if top < max(enough, 1):
            break
        at = int(peak.argmax())
        near = peak >= 0.85 * top
        a = b = at
        while a > 0 and near[a - 1]:
            a -= 1
        while b + 1 < len(near) and near[b + 1]:
            b += 1
        peak[a : b + 1] = 0
        if (b - a + 1) >= 2:
            lanes.append((a, b))
    return lanes


def _is_prose(ink: NDArray[np.bool_], narrowest: float) -> bool:
    """Return whether this side of a lane is filled from edge to edge, as lines of prose are and table cells are not."""
    columns = np.flatnonzero(ink.any(axis=0))
    if not len(columns) or columns[-1] - columns[0] + 1 < narrowest:
        return False
    inside = ink[:, columns[0] : columns[-1] + 1]
    filled = inside[inside.any(axis=1)].mean(axis=1)
    return bool(len(filled) and np.median(filled) >= 0.7)


def _is_independent(segments: Boxes, x: float, line: float) -> bool:
    """Return whether the two sides of a lane down the whole page have independent lines, unlike a table's sides."""
    centres = (segments[:, 1] + segments[:, 3]) / 2
    on_left = segments[:, 2] < x
    left, right = np.sort(centres[on_left]), np.sort(centres[~on_left])
    spans = [np.ptp(segments[side][:, [0, 2]]) for side in (on_left, ~on_left) if side.any()]
    if min(len(left), len(right)) < 20 or min(spans) < _NARROWEST:
        return False
    after = np.clip(np.searchsorted(right, left), 1, len(right) - 1)
    nearest = np.minimum(np.abs(right[after] - left), np.abs(right[after - 1] - left))
    return bool(np.mean(nearest < 0.15 * line) < 0.6)


def _find_extent(ink: NDArray[np.bool_], sided: NDArray[np.bool_], blank: int) -> tuple[int, int]:
    """Return the first and last row of the two columns, extended beyond their common rows until a wide blank."""
    both = np.flatnonzero(sided)
    if not len(both):
        return 0, len(ink) - 1
    written: NDArray[np.bool_] = np.logical_or.reduce(ink, axis=1)
    first, last = int(both[0]), int(both[-1])
    for edge, step in ((first, -1), (last, 1)):
        empty, y = 0, edge
        while 0 <= y + step < len(written) and empty < blank:
            y += step
            empty = 0 if written[y] else empty + 1
            if written[y]:
                if step < 0:
                    first = y
                else:
                    last = y
    return first, last


def _group_rows(
    segments: Boxes, ids: Indices, pieces: list[Indices], leftward: NDArray[np.bool_], numeric: NDArray[np.bool_]
) -> list[LayoutLine]:
    """Group the segments of one part into lines, top to bottom, each in reading direction.

    `leftward` marks segments that run from right to left, `numeric` those with a digit.
    """
    part = segments[ids]
    rows: list[list[int]] = []
    top = bottom = 0.0
    for i in np.argsort((part[:, 1] + part[:, 3]) / 2, kind="stable").tolist():
        y0, y1 = float(part[i, 1]), float(part[i, 3])
        if rows and min(bottom, y1) - max(top, y0) > 0.5 * min(bottom - top, y1 - y0):
            rows[-1].append(i)
            if y1 - y0 > bottom - top:
                top, bottom = y0, y1
        else:
            rows.append([i])
            top, bottom = y0, y1
    made = [
        _make_row(part, row, [pieces[ids[i]] for i in row], bool(leftward[ids[row]].mean() > 0.5), numeric[ids[row]])
        for row in rows
    ]
    return [_make_line(row, _find_cuts(made, place)) for place, row in enumerate(made)]


@dataclass(frozen=True, slots=True)
class _Row:
    """Segments on one baseline in reading order, and the edges of the gap after each but the last.

    `lengths` are the characters up to each gap, and `last_number` the place of the last segment with a digit, or -1.
    """

    pieces: tuple[Indices, ...]
    gaps: tuple[tuple[float, float], ...]
    lengths: tuple[int, ...]
    last_number: int
    x0: float
    y0: float
    x1: float
    y1: float
    leftward: bool

    @property
    def height(self) -> float:
        return self.y1 - self.y0


def _make_row(part: Boxes, row: list[int], pieces: list[Indices], leftward: bool, numeric: NDArray[np.bool_]) -> _Row:
    boxes = part[row]
    sequence = np.argsort(-boxes[:, 2] if leftward else boxes[:, 0], kind="stable").tolist()
    main = boxes[int(np.argmax([len(piece) for piece in pieces]))]
    gaps: list[tuple[float, float]] = []
    first = boxes[sequence[0]]
    edge = float(first[0] if leftward else first[2])
    for i in sequence[1:]:
        x0, x1 = float(boxes[i, 0]), float(boxes[i, 2])
        gaps.append((x1, edge) if leftward else (edge, x0))
        edge = min(edge, x0) if leftward else max(edge, x1)
    ordered = tuple(pieces[i] for i in sequence)
    return _Row(
        ordered,
        tuple(gaps),
        tuple(accumulate(map(len, ordered))),
        max((place for place, i in enumerate(sequence) if numeric[i]), default=-1),
        float(boxes[:, 0].min()),
        float(main[1]),
        float(boxes[:, 2].max()),
        float(main[3]),
        leftward,
    )


def _find_cuts(rows: list[_Row], place: int) -> list[bool]:
    """Return for each gap of a row whether it parts two cells: it is wide, or part of a lane through several rows."""
    row = rows[place]
    return [
        high - low > _CELL_GAP * row.height or (not row.leftward and _is_aligned(rows, place, number))
        for number, (low, high) in enumerate(row.gaps)
    ]


def _is_aligned(rows: list[_Row], place: int, number: int) -> bool:
    """Return whether a narrow gap is part of a blank lane through three rows or more, as between columns of a table.

    The rows must have more than one gap, or long labels, and figures after the lane unless they have both: behind the
    marks of a list there is a lane too.
    """
    row = rows[place]
    low, high = row.gaps[number]
    lane = [(row, number)]
    for side in (rows[max(place - 2, 0) : place][::-1], rows[place + 1 : place + 3]):
        last = row
        for other in side:
            is_close = abs(other.y0 - last.y0) < _ROW_STEP * row.height
            at = _find_gap(other, low, high, _ALIGNED * row.height) if is_close else None
            if at is None:
                break
            low, high = max(low, other.gaps[at][0]), min(high, other.gaps[at][1])
            lane.append((other, at))
            last = other
    if len(lane) < _LANE_ROWS:
        return False
    has_columns = sum(len(each.gaps) > 1 for each, _ in lane) > 1
    has_labels = max(each.lengths[at] for each, at in lane) >= _LONGEST_MARK
    has_figures = 2 * sum(each.last_number > at for each, at in lane) >= len(lane)
    return has_columns + has_labels + has_figures >= 2


def _find_gap(row: _Row, low: float, high: float, least: float) -> int | None:
    """Return the first gap of a row, from left to right, that has so much blank in common with another."""
    if row.leftward:
        return None
    for number in range(bisect_left(row.gaps, low + least, key=lambda gap: gap[1]), len(row.gaps)):
        start, end = row.gaps[number]
        if start > high - least:
            return None
        if min(high, end) - max(low, start) >= least:
            return number
    return None


def _make_line(row: _Row, cuts: list[bool]) -> LayoutLine:
    parts: list[Indices] = [row.pieces[0]]
    for piece, is_cut in zip(row.pieces[1:], cuts, strict=True):
        parts += [np.array([TAB if is_cut else SPACE], dtype=np.intp), piece]
    order = np.concatenate(parts) if len(parts) > 1 else parts[0]
    return LayoutLine(order, row.x0, row.y0, row.x1, row.y1, 1 + sum(cuts))
