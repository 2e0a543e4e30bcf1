"""Place the cells of an HTML table in its columns: `colspan` and `rowspan` make a cell cover the places beside it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

_WIDEST = 64  # columns of one cell
_COLUMNS = 1000  # of a table; cells to the right of them cover nothing
_ROOM = 1000  # covered places in front of the cells of any table
_ROOM_FOR_CELL = 16  # more of them for each cell, so that a short table cannot claim a large one
CLAIMED = "The merged cells of a table claim more places than it has cells for: the rows below them are not moved."


@dataclass(frozen=True, slots=True)
class PlacedCell:
    """A cell of a table, and its column."""

    column: int
    element: Any


@dataclass(frozen=True, slots=True)
class PlacedRows:
    """The rows of a table, and whether its merged cells claimed too many places.

    `continued` are the columns of each row in which a cell above begins that covers it.
    """

    rows: tuple[tuple[PlacedCell, ...], ...]
    is_cut: bool
    continued: tuple[tuple[int, ...], ...] = ()


def place_cells(table: Any) -> PlacedRows:
    """Return the rows of a table, every cell in the column in which a browser shows it."""
    rows: list[tuple[PlacedCell, ...]] = []
    held: dict[int, float] = {}  # by column, the first row that a cell above no longer covers
    starts: set[int] = set()  # of the cells that cover columns
    group, room, is_cut = None, _ROOM, False
    continued: list[tuple[int, ...]] = []
    for number, row in enumerate(table.iter("tr")):
        if row.getparent() is not group:  # no cell reaches out of its group of rows
            group = row.getparent()
            held.clear()
        cells = list(row.iterchildren("td", "th"))
        if cells:
            held = {column: last for column, last in held.items() if last > number}
        continued.append(tuple(sorted(starts & held.keys())) if cells else ())
        width = max(held, default=-1) + 1
        placed = tuple(_place_row(cells, number, held, starts))
        room += _ROOM_FOR_CELL * len(cells) - (max(placed[-1].column + 1, width) - len(cells) if placed else 0)
        if room < 0:
            held.clear()
            room, is_cut = 0, True
        rows.append(placed)
    return PlacedRows(tuple(rows), is_cut, tuple(continued))


def _place_row(cells: list[Any], number: int, held: dict[int, float], starts: set[int]) -> Iterator[PlacedCell]:
    """Yield the cells of a row; note in `held` the columns that they cover below, and in `starts` the first of each."""
    column = 0
    for cell in cells:
        while held.get(column, 0) > number:
            column += 1
        yield PlacedCell(column, cell)
        is_far = column >= _COLUMNS
        width = 1 if is_far else min(max(_read_span(cell, "colspan"), 1), _WIDEST)
        height = 1 if is_far else _read_span(cell, "rowspan") or float("inf")  # 0 is "to the end of the group"
        if height > 1:
            held.update(dict.fromkeys(range(column, column + width), number + height))
            starts.difference_update(range(column, column + width))
            starts.add(column)
        column += width


def _read_span(cell: Any, name: str) -> int:
    """Return how many columns or rows a cell claims; as in browsers, 1 if it does not say so in digits."""
    span = (cell.get(name) or "").strip()
    return int(span) if span.isdecimal() and len(span) < 10 else 1
