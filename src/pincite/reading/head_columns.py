"""Place the heads of a table over its columns: by what they overlap, and by what they are in the middle of.

The lines are placed from the lowest to the highest, so that a head stands over the heads below it, not only over
figures.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Protocol

_PERIOD = re.compile(r"(?:(?<!\d)(?:19|20)\d\d\W*|,)$")  # "Year ended June 30, 2022", "Year ended June 30,"
_DATED = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_CENTRED = 0.35  # of the distance between columns that a head may be off the middle of those it spans
_SLACK = 0.25  # of this distance by which a group of columns may have another middle and still fit as well
_FLUSH = 0.15  # of the labels' width that a line of words may be indented and still be one of them
_MOSTLY = 0.5  # of a head's or a column's width

Column = tuple[float, float]
Span = tuple[int, int]  # the first and last column, from 1; 0 is that of the labels


class HeadCell(Protocol):
    """Words of a line above columns, with their left and right edge."""

    @property
    def x0(self) -> float: ...

    @property
    def x1(self) -> float: ...

    @property
    def text(self) -> str: ...


@dataclass(frozen=True, slots=True)
class _Unit:
    """Columns that the heads above take together, and their edges with those of the heads below."""

    first: int
    last: int
    x0: float
    x1: float


def place_heads(
    lines: Sequence[Sequence[HeadCell]], columns: Sequence[Column], used: Collection[int], left: float
) -> list[list[Span]]:
    """Return the columns of each cell of consecutive lines without figures; labels begin at `left`.

    Columns that are not `used` by the rows below have no head, unless one is above them.
    """
    cells = [cell for line in lines for cell in line]
    units = [
        _Unit(at, at, *column)
        for at, column in enumerate(columns, 1)
        if not used or at in used or any(_measure_overlap(cell, column) > 0 for cell in cells)
    ]
    pitch = (columns[-1][1] - columns[0][0]) / len(columns)
    placed: list[list[Span]] = []
    joined = units
    for line in reversed(lines):
        found = _place_line(line, joined, pitch, left)
        if any(a[1] >= b[0] for a, b in pairwise(found) if a[1]):  # what is joined below is apart here
            found, joined = _place_line(line, units, pitch, left), units
        placed.append(found)
        units = _widen_units(units, line, found)
        joined = _widen_units(_join_units(joined, found), line, found)
    return placed[::-1]


def _place_line(line: Sequence[HeadCell], units: Sequence[_Unit], pitch: float, left: float) -> list[Span]:
    labels = sum(_is_label(line, number, units[0], left) for number in range(min(len(line), 2)))
    heads = line[labels:]
    if len(line) == 1 and _is_title(line, units, pitch):
        return [(0, 0)]
    if len(heads) == len(units) and all(map(lambda h, u: abs(_find_middle(h) - _find_middle(u)) < pitch, heads, units)):
        return [(0, 0)] * labels + [(unit.first, unit.last) for unit in units]
    fitting = [_list_fitting(line, number, units, pitch) for number in range(labels, len(line))]
    spans = [max(groups, key=_count_units) for groups in fitting]
    if len(heads) == 1 or not _are_parts(heads, spans, len(units)):
        spans = [
            _choose_span(head, groups, len(heads) == 1, pitch) for head, groups in zip(heads, fitting, strict=True)
        ]
    return [(0, 0)] * labels + [(units[i].first, units[j].last) for i, j in spans]


def _choose_span(head: HeadCell, groups: Sequence[Span], is_alone: bool, pitch: float) -> Span:
    """Return the fewest units that fit, or the most for a period or for wide words that are alone on their line."""
    is_wide = head.x1 - head.x0 > pitch or bool(_PERIOD.search(head.text)) or min(map(_count_units, groups)) > 1
    by_width = max if is_alone and is_wide else min
    return by_width(groups, key=_count_units)


def _are_parts(heads: Sequence[HeadCell], spans: Sequence[Span], count: int) -> bool:
    """Return whether different heads have all columns among them: periods, or heads that have as many each.

    The words of other heads, which are written in several lines, may repeat, and they are as far apart as the columns.
    """
    sizes = set(map(_count_units, spans))
    is_whole = [place for i, j in spans for place in range(i, j + 1)] == list(range(count))
    is_even = len(sizes) == 1 or all(_PERIOD.search(head.text) for head in heads)
    return is_whole and is_even and len({head.text for head in heads}) == len(heads)


def _count_units(group: Span) -> int:
    return group[1] - group[0] + 1


def _is_label(line: Sequence[HeadCell], number: int, first: _Unit, left: float) -> bool:
    """Return whether a cell is above the labels, or the mark of a footnote after a label."""
    cell = line[number]
    if number:
        is_mark = not any(map(str.isalpha, cell.text)) and not _DATED.search(cell.text)
        return is_mark and cell.x1 < first.x0
    flush = cell.x0 - left < _FLUSH * (first.x0 - left)
    return flush or (cell.x1 < first.x1 and cell.x0 - left < first.x0 - cell.x1)


def _is_title(line: Sequence[HeadCell], units: Sequence[_Unit], pitch: float) -> bool:
    """Return whether words alone on a line begin before the columns and are in the middle of none."""
    return line[0].x0 < units[0].x0 and not _list_centred(line, 0, units, pitch)


def _list_fitting(line: Sequence[HeadCell], number: int, units: Sequence[_Unit], pitch: float) -> list[Span]:
    """Return the groups of units that a head may stand over, as their first and last.

    A head is in the middle of them and overlaps no other unit. If there are none, it is over those that it overlaps
    mostly, or else the nearest.
    """
    cell = line[number]
    shared = [_measure_overlap(cell, (unit.x0, unit.x1)) for unit in units]
    touched = [k for k, width in enumerate(shared) if width > 0]
    mostly = [k for k in touched if shared[k] >= _MOSTLY * min(units[k].x1 - units[k].x0, cell.x1 - cell.x0)]
    centred = _list_centred(line, number, units, pitch)
    for inside in (touched, mostly):
        found = [(i, j) for i, j in centred if not inside or i <= inside[0] <= inside[-1] <= j]
        if found:
            return found
    under = mostly or touched
    nearest = min(range(len(units)), key=lambda k: abs(_find_middle(units[k]) - _find_middle(cell)))
    return [(under[0], under[-1])] if under else [(nearest, nearest)]


def _list_centred(line: Sequence[HeadCell], number: int, units: Sequence[_Unit], pitch: float) -> list[Span]:
    """Return the groups of units that a head is in the middle of, none much less than another."""
    cell, middle = line[number], _find_middle(line[number])
    low = (line[number - 1].x1 + cell.x0) / 2 if number else float("-inf")
    high = (cell.x1 + line[number + 1].x0) / 2 if number + 1 < len(line) else float("inf")
    rights = [unit.x1 for unit in units]
    apart = _CENTRED * pitch
    found = {
        (i, j): off
        for i, unit in enumerate(units)
        for j in _find_range(rights, 2 * (middle - apart) - unit.x0, 2 * (middle + apart) - unit.x0)
        if j >= i
        and low < _find_middle(unit)
        and _find_middle(units[j]) < high
        and (off := abs((unit.x0 + units[j].x1) / 2 - middle)) <= apart
    }
    best = min(found.values(), default=0.0)
    return [group for group, off in found.items() if off <= best + _SLACK * pitch]


def _find_range(places: Sequence[float], low: float, high: float) -> range:
    """Return the indices of the ascending places from one to the other, and one more on each side."""
    return range(max(bisect_left(places, low) - 1, 0), min(bisect_right(places, high) + 1, len(places)))


def _join_units(units: Sequence[_Unit], placed: Sequence[Span]) -> list[_Unit]:
    """Return the units with those below one of several heads joined."""
    several = sum(first > 0 for first, _ in placed) > 1
    joined: list[_Unit] = []
    for unit in units:
        if several and joined and any(a <= joined[-1].last and unit.first <= b for a, b in placed if a):
            joined[-1] = replace(joined[-1], last=unit.last, x1=unit.x1)
        else:
            joined.append(unit)
    return joined


def _widen_units(units: Sequence[_Unit], line: Sequence[HeadCell], placed: Sequence[Span]) -> list[_Unit]:
    """Return the units as wide as the heads over them, as far as their neighbours leave space."""
    wide = list(units)
    for at, unit in enumerate(wide):
        for cell, span in zip(line, placed, strict=True):
            if span == (unit.first, unit.last):
                low = wide[at - 1].x1 if at else cell.x0
                high = wide[at + 1].x0 if at + 1 < len(wide) else cell.x1
                wide[at] = replace(unit, x0=min(unit.x0, max(cell.x0, low)), x1=max(unit.x1, min(cell.x1, high)))
    return wide


def _find_middle(place: HeadCell | _Unit) -> float:
    return (place.x0 + place.x1) / 2


def _measure_overlap(cell: HeadCell, column: Column) -> float:
    return min(cell.x1, column[1]) - max(cell.x0, column[0])
