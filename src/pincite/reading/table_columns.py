"""Align the cells of a table's lines to columns by position; empty cells are kept, so that an index names a column.

The order of the characters stays; only the separators between words of a line change. A head spans the following
columns that have nothing at all between their tabs; a space marks a column that it does not span, and ends its line.
Rows have spaces before them if they are indented below a label without figures.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pincite.reading.head_columns import Column, Span, place_heads
from pincite.reading.indents import STEP, TOTAL
from pincite.reading.packed_boxes import Boxes
from pincite.reading.page_layout import SPACE, TAB, Indices, LayoutLine

_CURRENCY = re.compile(r"(?:(?:US|CA|AU|C|A)?\$|€|£|¥|₹|\()")
_SUFFIX = re.compile(r"[)%‰\]]+")
_FIGURE = re.compile(r"[(<>~≈±+\-−–]{0,2}(?:\$|€|£)?\(?\d[\d,.'’\u00a0]*[)%‰x*]{0,3}(?:\(\w\))?|[—–\-−]{1,2}")
_NOTE = re.compile(r"\(\d{1,2}\)")  # a footnote's mark, or a small loss
_DATED = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_HEAD_GAP = 0.6  # line heights between two heads side by side
_WIDE = 2.5  # times the usual width; a wider cell spans several columns
_MOST_COLUMNS = 100  # a table with more is not aligned
_STEP = 0.3  # line heights that a label is further to the right than the one it belongs to
_CONFLICTS = 0.05  # of the cells that may share a column with another figure


@dataclass(frozen=True, slots=True)
class _GridWord:
    """Characters between two spaces of a line, and their position; `gap` is the space before them."""

    order: Indices
    text: str
    x0: float
    x1: float
    gap: float
    tab: bool


@dataclass(frozen=True, slots=True)
class _GridCell:
    words: tuple[_GridWord, ...]

    @property
    def x0(self) -> float:
        return self.words[0].x0

    @property
    def x1(self) -> float:
        return self.words[-1].x1

    @property
    def text(self) -> str:
        return " ".join(word.text for word in self.words)

    @property
    def core(self) -> tuple[float, float]:
        """The position of the figure itself, without a currency sign before it."""
        words = [word for word in self.words if not _CURRENCY.fullmatch(word.text)] or list(self.words)
        return words[0].x0, words[-1].x1

    @property
    def is_figure(self) -> bool:
        return bool(_FIGURE.fullmatch(self.text.replace(" ", "")))


def align_cells(lines: Sequence[LayoutLine], codes: NDArray[np.uint32], boxes: Boxes) -> list[LayoutLine]:
    """Return the lines of a table with a tab for each column; unchanged if its figures are not in columns."""
    rows = [list(_split_words(line, codes, boxes)) for line in lines]
    cells = [_split_cells(words, line) for words, line in zip(rows, lines, strict=True)]
    columns = _find_columns(cells)
    if not 0 < len(columns) <= _MOST_COLUMNS:
        return list(lines)
    data = [any(cell.is_figure and not _DATED.fullmatch(cell.text) for cell in row[1:]) for row in cells]
    placed = [_place_cells(row, columns) if is_data else [] for row, is_data in zip(cells, data, strict=True)]
    wide = _widen_columns(columns, cells, placed)
    labels = [row[0].x0 for row, at in zip(cells, placed, strict=True) if at and at[0] == (0, 0)]
    left = min(labels, default=wide[0][0])
    _place_heads(cells, placed, wide, left)
    figures = sum(cell.is_figure for row in cells for cell in row)
    clashes = sum(_count_clashes(row, at) for row, at in zip(cells, placed, strict=True))
    if clashes > _CONFLICTS * figures:
        return list(lines)
    depths = _find_depths(cells, placed, _STEP * float(np.median([line.y1 - line.y0 for line in lines])))
    return [
        _write_line(line, row, at, 0 if is_data else len(columns), depth)
        for line, row, at, is_data, depth in zip(lines, cells, placed, data, depths, strict=True)
    ]


def _split_words(line: LayoutLine, codes: NDArray[np.uint32], boxes: Boxes) -> Iterator[_GridWord]:
    marks = np.flatnonzero(line.order < 0).tolist()
    edge, start, tab = None, 0, False
    for end in [*marks, len(line.order)]:
        order = line.order[start:end]
        if len(order):
            x0, x1 = float(boxes[order, 0].min()), float(boxes[order, 2].max())
            yield _GridWord(order, codes[order].tobytes().decode("utf-32-le"), x0, x1, x0 - edge if edge else 0.0, tab)
            edge, tab = x1, False
        tab = tab or (end < len(line.order) and int(line.order[end]) == TAB)
        start = end + 1


def _split_cells(words: Sequence[_GridWord], line: LayoutLine) -> list[_GridCell]:
    """Split a line at its tabs and before a currency sign, a line of heads at narrower gaps too."""
    heads = list(_cut_cells(words, _HEAD_GAP * (line.y1 - line.y0), signs=False))
    is_data = any(cell.is_figure and not _DATED.fullmatch(cell.text) for cell in heads[1:])
    return list(_cut_cells(words, float("inf"))) if is_data else heads


def _cut_cells(words: Sequence[_GridWord], widest: float, signs: bool = True) -> Iterator[_GridCell]:
    """Split words at tabs and at gaps wider than `widest`; with `signs`, also before the sign of another figure."""
    cell: list[_GridWord] = []
    for word in words:
        sign = bool(cell) and all(_CURRENCY.fullmatch(each.text) for each in cell)
        closes = bool(cell) and bool(_SUFFIX.fullmatch(word.text)) and any(map(str.isdigit, cell[-1].text))
        after_figure = bool(cell) and bool(_FIGURE.fullmatch(cell[-1].text)) and len(cell) <= 2
        opens = signs and after_figure and bool(_CURRENCY.fullmatch(word.text) or _FIGURE.fullmatch(word.text))
        if cell and (word.tab or opens or word.gap > widest) and not sign and not closes:
            yield _GridCell(tuple(cell))
            cell = []
        cell.append(word)
    if cell:
        yield _GridCell(tuple(cell))


def _find_columns(cells: Sequence[Sequence[_GridCell]]) -> list[Column]:
    """Return the columns in which figures of several lines are above each other, from left to right."""
    figures = [cell for row in cells for cell in _list_figures(row)]
    # Years are heads more often than figures, and a head is in the middle of its column.
    found = [cell.core for cell in figures if not _DATED.fullmatch(cell.text)] or [cell.core for cell in figures]
    lines = sum(any(cell.is_figure for cell in row[1:]) for row in cells)
    if not found or (lines < 2 and len(found) < 2):
        return []
    usual = float(np.median([b - a for a, b in found]))
    merged: list[list[float]] = []
    for a, b in sorted(place for place in found if place[1] - place[0] <= _WIDE * max(usual, 1.0)):
        if merged and a < merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], b)
        else:
            merged.append([a, b])
    return [(a, b) for a, b in merged]


def _list_figures(row: Sequence[_GridCell]) -> Iterator[_GridCell]:
    """Yield the figures of a line, without the marks of footnotes: after a label, or close to a figure."""
    has_figure = False
    for cell in row[1:]:
        if cell.is_figure and (not _NOTE.fullmatch(cell.text) or (has_figure and cell.words[0].tab)):
            has_figure = True
            yield cell


def _place_cells(row: Sequence[_GridCell], columns: Sequence[Column]) -> list[Span]:
    """Return the first and last column of each cell of a line with figures, from 1; 0 is the label before them."""
    found = []
    for number, cell in enumerate(row):
        if number == 0 and not (cell.is_figure and _is_overlapping(cell.core, columns[0])):
            found.append((0, 0))
            continue
        column = _find_nearest(cell.core, columns)
        is_label = not cell.is_figure and cell.x1 < columns[0][0]
        found.append((0, 0) if is_label else (column + 1, column + 1))
    return found


def _widen_columns(
    columns: Sequence[Column], cells: Sequence[Sequence[_GridCell]], placed: Sequence[Sequence[Span]]
) -> list[Column]:
    """Return the columns with the currency signs before their figures, over which heads are centred."""
    wide = list(columns)
    for row, at in zip(cells, placed, strict=False):
        for cell, (column, _) in zip(row, at, strict=False):
            if column and cell.is_figure:
                low, high = wide[column - 1]
                wide[column - 1] = min(low, cell.x0), max(high, cell.x1)
    return wide


def _place_heads(
    cells: Sequence[Sequence[_GridCell]], placed: list[list[Span]], columns: Sequence[Column], left: float
) -> None:
    """Place the cells of the lines that have no figures, from the last line up, over the columns of the rows below."""
    used: set[int] = set()
    end = len(cells)
    while end:
        start = end - 1
        if placed[start]:
            used |= {column for column, _ in placed[start] if column}
        else:
            while start and not placed[start - 1]:
                start -= 1
            placed[start:end] = place_heads(cells[start:end], columns, used, left)
            if any(sum(first > 0 for first, _ in spans) > 1 for spans in placed[start:end]):
                used = set()
        end = start


def _is_overlapping(one: Column, other: Column) -> bool:
    return min(one[1], other[1]) > max(one[0], other[0])


def _find_nearest(place: Column, columns: Sequence[Column]) -> int:
    """Return the column that a cell overlaps most, or the nearest; right edges of figures are aligned."""

    def distance(k: int) -> tuple[float, float]:
        shared = min(place[1], columns[k][1]) - max(place[0], columns[k][0])
        return -shared, abs(place[1] - columns[k][1])

    return min(range(len(columns)), key=distance)


def _count_clashes(row: Sequence[_GridCell], placed: Sequence[Span]) -> int:
    taken = [at for cell, (at, _) in zip(row, placed, strict=True) if cell.is_figure]
    backwards = sum(b[0] < a[0] for a, b in pairwise(placed))
    return len(taken) - len(set(taken)) + backwards


def _find_depths(cells: Sequence[Sequence[_GridCell]], placed: Sequence[Sequence[Span]], step: float) -> list[int]:
    """Return below how many labels without figures each line is indented; those above all heads are titles.

    A group ends with its total.
    """
    above: list[float] = []
    depths: list[int] = []
    has_columns = False
    for row, at in zip(cells, placed, strict=True):
        has_columns = has_columns or at[-1][0] > 0
        is_label = at[0] == (0, 0)
        while is_label and above and row[0].x0 < above[-1] + step:
            above.pop()
        depths.append(len(above) if is_label else 0)
        if has_columns and is_label and len(row) == 1:
            above.append(row[0].x0)
        elif above and TOTAL.match(row[0].text):
            above.pop()
    return depths


def _write_line(
    line: LayoutLine, row: Sequence[_GridCell], placed: Sequence[Span], columns: int, depth: int
) -> LayoutLine:
    """Return the line with its cells in their columns, and its label indented by so many steps.

    `columns` are those of a line of heads, or 0.
    """
    parts: list[Indices] = [np.full(len(STEP) * depth, SPACE, dtype=np.intp)]
    at = end = 0  # the current column, and the last one that its cell spans
    for number, (cell, (first, last)) in enumerate(zip(row, placed, strict=True)):
        first = max(first, at)
        if number and first <= end:
            parts.append(np.array([SPACE], dtype=np.intp))
        else:
            parts.append(_make_tabs(at, first, end, not columns))
        for place, word in enumerate(cell.words):
            if place:
                parts.append(np.array([SPACE], dtype=np.intp))
            parts.append(word.order)
        at, end = first, max(last, first)
    if end > at:
        parts.append(np.full(end - at, TAB, dtype=np.intp))
    if 0 < end < columns:
        parts.append(np.array([TAB, SPACE], dtype=np.intp))
    order = np.concatenate([part for part in parts if len(part)])
    return replace(line, order=order, cells=max(line.cells, 1 + sum(first > 0 for first, _ in placed)))


def _make_tabs(at: int, first: int, end: int, is_data: bool) -> Indices:
    """Return tabs from one column to another; in a line of heads, a space in each column that no head spans."""
    marks: list[int] = []
    for column in range(at + 1, first + 1):
        marks.append(TAB)
        if not is_data and end < column < first:
            marks.append(SPACE)
    return np.array(marks, dtype=np.intp)
