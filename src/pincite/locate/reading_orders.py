"""Compute the orders in which a page may be read: as the file draws it, row by row, column by column.

Other programs read tables and columns in their own order. A passage from such a program is contiguous in one of these
orders, though not always in ours. An order is a sequence of runs (first, length) of a page's compared characters.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pincite.reading.packed_boxes import unpack_boxes, unpack_places
from pincite.text.squeeze import Places
from pincite.types import Page

Runs = NDArray[np.int32]  # one row a run: the first character, and how many

_NEWLINE, _TAB = 0x0A, 0x09
_GUTTER = 7.0  # points: the narrowest blank between two columns
_DEEPEST = 12


class _LineCell(NamedTuple):
    """A piece of a line that every order keeps together: its box, as if its text ran across, and its characters."""

    x0: float
    y0: float
    x1: float
    y1: float
    first: int
    last: int


def compute_orders(text: str, page: Page, places: Places) -> tuple[Runs, Runs, Runs] | None:
    """Return the drawn, row and column order of the compared characters of a page; None if the page has no boxes.

    The characters stand at `places`.
    """
    boxes = unpack_boxes(page.boxes)
    if not len(boxes) or not len(places):
        return None
    relative = places - page.start
    cells = list(_list_cells(text, page, boxes, relative))
    drawn = unpack_places(page.drawn)
    return (
        _make_runs(_sort_as_drawn(drawn, relative)) if len(drawn) else _make_whole_run(len(places)),
        _join_cells(_sort_by_rows(cells)),
        _join_cells(list(_sort_by_columns(cells))),
    )


def _make_whole_run(count: int) -> Runs:
    return np.array([[0, count]], np.int32)


def _sort_as_drawn(drawn: Places, relative: Places) -> NDArray[np.intp]:
    """Return the compared characters in the file's order; one that is not drawn follows the one before it."""
    known = np.where(relative < len(drawn), drawn[np.minimum(relative, len(drawn) - 1)], -1)
    last = np.maximum.accumulate(np.where(known >= 0, np.arange(len(known)), -1))
    return np.argsort(np.where(last >= 0, known[np.maximum(last, 0)], -1), kind="stable")


def _make_runs(order: NDArray[np.intp]) -> Runs:
    """Return the consecutive characters of an order as runs."""
    starts = np.concatenate([[0], np.flatnonzero(np.diff(order) != 1) + 1])
    return np.stack([order[starts], np.diff(np.append(starts, len(order)))], axis=1).astype(np.int32)


def _join_cells(cells: list[_LineCell]) -> Runs:
    """Return cells in order as runs; cells that follow each other in the text are one run."""
    runs: list[list[int]] = []
    for cell in cells:
        if runs and runs[-1][0] + runs[-1][1] == cell.first:
            runs[-1][1] += cell.last - cell.first
        else:
            runs.append([cell.first, cell.last - cell.first])
    return np.array(runs, np.int32).reshape(-1, 2)


def _list_cells(text: str, page: Page, boxes: NDArray[np.float32], relative: Places) -> Iterator[_LineCell]:
    """Yield the pieces of a page's lines between tabs; text that runs up, down or upside down is turned upright."""
    codes = np.frombuffer(text[page.start : page.end].encode("utf-32-le", "surrogatepass"), np.uint32)
    line = np.cumsum((codes == _NEWLINE) | (codes == _TAB))[relative]
    starts = np.concatenate([[0], np.flatnonzero(np.diff(line)) + 1])
    own = boxes[np.minimum(relative, len(boxes) - 1)]
    # fmin and fmax pass over NaN, which is a character without a box.
    low, high = np.fmin.reduceat(own[:, :2], starts), np.fmax.reduceat(own[:, 2:], starts)
    ends = np.append(starts[1:], len(relative))
    way = np.nan_to_num(own[ends - 1, :2] - own[starts, :2])
    around = np.nan_to_num(np.concatenate([low, high, way], axis=1)).tolist()
    for first, last, (x0, y0, x1, y1, dx, dy) in zip(starts.tolist(), ends.tolist(), around, strict=True):
        if last - first > 2 and abs(dy) > 3 * abs(dx):
            up = dy < 0
            x0, y0, x1, y1 = (
                (page.height - y1, x0, page.height - y0, x1) if up else (y0, page.width - x1, y1, page.width - x0)
            )
        yield _LineCell(x0, y0, x1, y1, first, last)


def _sort_by_rows(cells: list[_LineCell]) -> list[_LineCell]:
    """Sort cells from top to bottom by their middles, and from left to right within a row."""
    ordered: list[_LineCell] = []
    row: list[_LineCell] = []
    level = 0.0
    for cell in sorted(cells, key=lambda cell: cell.y0 + cell.y1):
        middle = (cell.y0 + cell.y1) / 2
        if row and abs(middle - level) > max(2.5, 0.35 * (cell.y1 - cell.y0)):
            ordered += sorted(row)
            row = []
        level = (level * len(row) + middle) / (len(row) + 1)
        row.append(cell)
    return ordered + sorted(row)


def _sort_by_columns(cells: list[_LineCell], depth: int = 0) -> Iterator[_LineCell]:
    """Sort cells by cutting along the widest gap again and again: left before right, upper before lower."""
    across, x = _find_widest_blank(cells, 0)
    down, y = _find_widest_blank(cells, 1)
    if len(cells) < 2 or depth > _DEEPEST or (across < _GUTTER and down <= 0):
        yield from _sort_by_rows(cells)
        return
    side, at = (0, x) if across >= _GUTTER and (across >= 0.8 * down or down <= 0) else (1, y)
    yield from _sort_by_columns([cell for cell in cells if cell[side] < at], depth + 1)
    yield from _sort_by_columns([cell for cell in cells if cell[side] >= at], depth + 1)


def _find_widest_blank(cells: list[_LineCell], side: int) -> tuple[float, float]:
    """Return the widest blank between cells, across (side 0) or down (1), and where it ends."""
    best, at, reach = 0.0, 0.0, float("inf")
    for cell in sorted(cells, key=lambda cell: cell[side]):
        if cell[side] - reach > best:
            best, at = cell[side] - reach, cell[side]
        reach = cell[side + 2] if reach == float("inf") else max(reach, cell[side + 2])
    return best, at
