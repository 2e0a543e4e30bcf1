"""Workbooks: a heading a sheet, its values as tables; formulas are seen as their results."""

import io
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from typing import Any

from pincite.reading import archive
from pincite.reading.draft import Draft
from pincite.reading.indents import indent_labels
from pincite.reading.properties import core_properties
from pincite.reading.source import Source
from pincite.types import Document

_TYPED = 3  # spaces that one step of indentation is worth
_FEW_LINES = 5  # rows of one cell that are a title or a note; more are a column
GROWTH = 5  # times the size of all parts that a workbook's characters may be
ALLOWANCE = 100_000  # characters that any workbook may have
MAX_COLUMNS = 1000  # of one table
MAX_CELLS = 5_000_000  # looked at in one workbook, empty or not


def read(source: Source) -> Document:
    """A workbook's document; more than its first millions of cells are told and left out."""
    from openpyxl import load_workbook

    with archive.open_zip(source.path, source.name) as package:
        if archive.is_open_document(package):
            from pincite.reading import open_sheets

            return open_sheets.read(source)
        about = core_properties(package)
        # Words that many cells share stand in the file once: what they fill has a limit of its own.
        room = GROWTH * sum(member.file_size for member in package.infolist()) + ALLOWANCE
    # Given a path, it would judge the file by its name.
    workbook = load_workbook(io.BytesIO(source.path.read_bytes()), read_only=True, data_only=True, keep_links=False)
    try:
        draft = Draft(source.limits)
        left = MAX_CELLS
        sheets = workbook.worksheets
        for number, sheet in enumerate(sheets, 1):
            source.progress(number, len(sheets))
            hidden = "" if sheet.sheet_state == "visible" else " (hidden)"
            draft.add(f"{sheet.title}{hidden}", "heading", 1)
            # What a sheet says about its size is often wrong, and would be padded with empty cells.
            sheet.reset_dimensions()
            left = _write(sheet.iter_rows(), draft, left, room)
            if len(draft) > room:
                draft.problem(f"The same words fill many cells: read up to character {len(draft):,}, in {sheet.title}.")
                break
            if left <= 0:
                draft.problem(f"Only the first {MAX_CELLS:,} cells are read; sheet {sheet.title} goes on after them.")
                break
    finally:
        workbook.close()
    return draft.document("xlsx", about.pop("title", ""), about)


def _write(rows: Iterable[tuple[Any, ...]], draft: Draft, left: int, room: int) -> int:
    """Write a sheet's rows, a table for each stretch without empty rows, and say how many cells may still be read."""
    table: list[dict[int, str]] = []
    indents: list[int] = []
    written = len(draft)
    for row in rows:
        cells = {place: text for place, cell in enumerate(row) if (text := shown(cell.value, cell))}
        left -= len(row) + 1
        written += sum(map(len, cells.values()))
        if cells:
            table.append(cells)
            indents.append(_indent(row[min(cells)]))
        elif table:
            write_rows(table, indents, draft)
            table, indents = [], []
        if left <= 0 or draft.is_full or written > room:
            break
    write_rows(table, indents, draft)
    return left


def write_rows(table: Sequence[Mapping[int, str]], indents: Sequence[float], draft: Draft) -> None:
    """Write a stretch of rows: a table, or lines of text where none of a few rows has a second cell."""
    if len(table) <= _FEW_LINES and all(len(row) == 1 for row in table):
        draft.add("\n".join(text for row in table for text in row.values()))
        return
    first, last = min(map(min, table)), max(map(max, table))
    places = range(first, min(last, first + MAX_COLUMNS - 1) + 1)
    if last > places[-1]:
        draft.problem(f"A table has {last - first + 1:,} columns: the first {MAX_COLUMNS:,} are read.")
    draft.table(indent_labels([[row.get(place, "") for place in places] for row in table], indents))


def _indent(cell: Any) -> int:
    """How far a cell's words are indented: the steps of its alignment, and spaces typed in front of them."""
    if not isinstance(cell.value, str):
        return 0
    typed = len(cell.value) - len(cell.value.lstrip(" \u00a0"))
    steps = int(cell.alignment.indent or 0) if getattr(cell, "has_style", False) and cell.alignment else 0
    return _TYPED * steps + typed


def shown(value: object, cell: Any = None) -> str:
    """A cell's value as a person would write it: ISO days, whole numbers without a point, percentages."""
    match value:
        case None:
            return ""
        case bool():
            return "TRUE" if value else "FALSE"
        case int():
            return str(value)
        case float():
            percent = cell is not None and "%" in str(cell.number_format)
            return f"{value * 100:.12g}%" if percent else _number(value)
        case datetime():
            return value.date().isoformat() if value.time() == time() else value.isoformat(" ", "seconds")
        case date() | time():
            return value.isoformat()
        case timedelta():
            return str(value)
        case _:
            return " ".join(str(value).split())


def _number(value: float) -> str:
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else f"{value:.15g}"
