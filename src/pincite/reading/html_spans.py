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

    `continued` are the numbers of the rows whose first place is covered by a cell above.
    """

    rows: tuple[tuple[PlacedCell, ...], ...]
    is_cut: bool
    continued: frozenset[int] = frozenset()


def place_cells(table: Any) -> PlacedRows:
    """Return the rows of a table, every cell in the column in which a browser shows it."""
    rows: list[tuple[PlacedCell, ...]] = []
    held: dict[int, float] = {}  # by column, the first row that a cell above no longer covers
    group, room, is_cut = None, _ROOM, False
    continued: set[int] = set()
    for number, row in enumerate(table.iter("tr")):
        if row.getparent() is not group:  # no cell reaches out of its group of rows
            group = row.getparent()
            held.clear()
        if held.get(0, 0) > number:
            continued.add(number)
        cells = list(row.iterchildren("td", "th"))
        placed = tuple(_place_row(cells, number, held))
        room += _ROOM_FOR_CELL * len(cells) - (placed[-1].column + 1 - len(cells) if placed else 0)
        if room < 0:
            held.clear()
            room, is_cut = 0, True
        rows.append(placed)
    return PlacedRows(tuple(rows), is_cut, frozenset(continued))


def _place_row(cells: list[Any], number: int, held: dict[int, float]) -> Iterator[PlacedCell]:
    """Yield the cells of a row, and note in `held` which columns they cover in the rows below."""
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
        column += width


def _read_span(cell: Any, name: str) -> int:
    """Return how many columns or rows a cell claims; as in browsers, 1 if it does not say so in digits."""
    span = (cell.get(name) or "").strip()
    return int(span) if span.isdecimal() and len(span) < 10 else 1
