"""Read workbooks: a heading per sheet, its values as tables; formulas appear as their results."""

import io
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from typing import Any

from pincite.reading import zip_container
from pincite.reading.document_draft import Draft
from pincite.reading.indents import indent_labels
from pincite.reading.merged_labels import MERGED, MergedCells, read_merged_ranges
from pincite.reading.number_formats import format_scaled
from pincite.reading.properties import read_core_properties
from pincite.reading.sheet_formulas import count_uncalculated, describe_uncalculated
from pincite.reading.source import Source
from pincite.types import Document

_TYPED = 3  # spaces for one step of indentation
_FEW_LINES = 5  # rows of one cell that form a title or a note; more form a column
GROWTH = 5  # times the size of all parts that a workbook's text may have
ALLOWANCE = 100_000  # characters that any workbook may have
MAX_COLUMNS = 1000  # of one table
MAX_CELLS = 5_000_000  # examined in one workbook, empty or not


def read(source: Source) -> Document:
    """Read a workbook; cells beyond the first millions are left out and reported."""
    from openpyxl import load_workbook

    with zip_container.open_zip(source.path, source.name) as package:
        if zip_container.is_open_document(package):
            from pincite.reading import open_sheets

            return open_sheets.read(source)
        about = read_core_properties(package)
        # The file stores words shared by many cells once, so the text has its own limit.
        room = GROWTH * sum(member.file_size for member in package.infolist()) + ALLOWANCE
    # With a path, the library would judge the file by its name.
    workbook = load_workbook(io.BytesIO(source.path.read_bytes()), read_only=True, data_only=True, keep_links=False)
    try:
        draft = Draft(source.limits)
        left, uncalculated = MAX_CELLS, 0
        sheets = workbook.worksheets
        for number, sheet in enumerate(sheets, 1):
            source.progress(number, len(sheets))
            hidden = "" if sheet.sheet_state == "visible" else " (hidden)"
            draft.add(f"{sheet.title}{hidden}", "heading", 1)
            # The declared size of a sheet is often wrong, and would be filled with empty cells.
            sheet.reset_dimensions()
            uncalculated += _count_uncalculated(sheet)
            left = _write_sheet(sheet.iter_rows(), _find_merged(sheet), draft, left, room)
            if len(draft) > room:
                draft.problem(f"The same words fill many cells: read up to character {len(draft):,}, in {sheet.title}.")
                break
            if left <= 0:
                draft.problem(f"Only the first {MAX_CELLS:,} cells are read; sheet {sheet.title} continues after them.")
                break
    finally:
        workbook.close()
    if uncalculated:
        draft.problem(describe_uncalculated(uncalculated))
    return draft.document("xlsx", about.pop("title", ""), about)


def _find_merged(sheet: Any) -> MergedCells:
    """Return the merged cells of a sheet, which the library leaves out when it reads row by row."""
    with sheet._get_source() as part:
        return MergedCells(read_merged_ranges(part))


def _count_uncalculated(sheet: Any) -> int:
    """Return the number of formulas without a result, which the library reads as empty cells."""
    with sheet._get_source() as part:
        return count_uncalculated(part)


def _write_sheet(rows: Iterable[tuple[Any, ...]], merged: MergedCells, draft: Draft, left: int, room: int) -> int:
    """Write a sheet's rows, a table for each group without empty rows, and return how many cells may still be read."""
    table: list[dict[int, str]] = []
    indents: list[int] = []
    written = len(draft)
    for number, row in enumerate(rows, 1):
        cells = {place: text for place, cell in enumerate(row) if (text := format_value(cell.value, cell))}
        left -= len(row) + 1
        written += sum(map(len, cells.values()))
        if cells:
            covered = merged.find_columns(number)
            left -= len(covered)
            table.append(dict.fromkeys(covered, MERGED) | cells)
            indents.append(_measure_indent(row[min(cells)]))
        elif table:
            write_rows(table, indents, draft)
            table, indents = [], []
        if left <= 0 or draft.is_full or written > room:
            break
    write_rows(table, indents, draft)
    return left


def write_rows(table: Sequence[Mapping[int, str]], indents: Sequence[float], draft: Draft) -> None:
    """Write a group of rows: a table, or lines of text if it has few rows of one cell each."""
    texts = [[text for text in row.values() if text != MERGED] for row in table]
    if len(table) <= _FEW_LINES and all(len(row) == 1 for row in texts):
        draft.add("\n".join(text for row in texts for text in row))
        return
    # A column that a cell above the table covers whole, such as a banner beside it, is none of the table's.
    filled = {place for row in table for place, text in row.items() if text != MERGED}
    first, last = min(filled), max(filled)
    places = range(first, min(last, first + MAX_COLUMNS - 1) + 1)
    if last > places[-1]:
        draft.problem(f"A table has {last - first + 1:,} columns: the first {MAX_COLUMNS:,} are read.")
    draft.table(indent_labels([[row.get(place, "") for place in places] for row in table], indents))


def _measure_indent(cell: Any) -> int:
    """Return the indentation of a cell: the steps of its alignment, and leading spaces."""
    if not isinstance(cell.value, str):
        return 0
    typed = len(cell.value) - len(cell.value.lstrip(" \u00a0"))
    try:
        steps = int(cell.alignment.indent or 0) if getattr(cell, "has_style", False) and cell.alignment else 0
    except (IndexError, KeyError):  # a style that the workbook does not have
        steps = 0
    return _TYPED * steps + typed


def format_value(value: object, cell: Any = None) -> str:
    """Format a cell's value as a person would write it: ISO days, whole numbers without a point, percentages.

    A number whose format divides it by thousands is written as the sheet shows it: heads and units fit no other.
    """
    match value:
        case None:
            return ""
        case bool():
            return "TRUE" if value else "FALSE"
        case int() | float() if shown := format_scaled(value, _read_format(cell)):
            return shown
        case int():
            return str(value)
        case float():
            return f"{value * 100:.12g}%" if "%" in _read_format(cell) else _format_number(value)
        case datetime():
            return value.date().isoformat() if value.time() == time() else value.isoformat(" ", "seconds")
        case date() | time():
            return value.isoformat()
        case timedelta():
            return str(value)
        case _:
            return " ".join(str(value).split())


def _read_format(cell: Any) -> str:
    """Return the number format of a cell; "" if it names a style that the workbook does not have."""
    try:
        return "" if cell is None else str(cell.number_format)
    except (IndexError, KeyError):
        return ""


def _format_number(value: float) -> str:
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else f"{value:.15g}"
