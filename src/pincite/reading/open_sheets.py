"""Read OpenDocument spreadsheets (.ods): a heading per sheet, and its cells as tables, as in other workbooks."""

from collections.abc import Iterator
from typing import Any

from pincite.reading.open_text import OpenDocumentWriter, count_repeats, open_body, read_repeats
from pincite.reading.sheet_formulas import describe_uncalculated
from pincite.reading.sheets import write_rows
from pincite.reading.source import Source
from pincite.reading.word_styles import find_child, read_attribute, read_local_name
from pincite.types import Document

MAX_CELLS = 2_000_000  # examined in one workbook
_GROUPS = frozenset({"table-row-group", "table-header-rows", "table-rows"})
_CELLS = frozenset({"table-cell", "covered-table-cell"})


def read(source: Source) -> Document:
    """Read a spreadsheet; a row or cell that the file repeats is written only a limited number of times."""
    body, writer, about = open_body(source, "spreadsheet")
    sheets = [each for each in body if read_local_name(each) == "table"]
    left = MAX_CELLS
    for number, sheet in enumerate(sheets, 1):
        source.progress(number, len(sheets))
        hidden = " (hidden)" if _is_hidden(sheet, writer) else ""
        writer.draft.add(f"{read_attribute(sheet, 'name')}{hidden}", "heading", 1)
        left = _write_sheet(sheet, writer, left)
        if left <= 0:
            writer.draft.problem(
                f"Only the first {MAX_CELLS:,} cells are read; {read_attribute(sheet, 'name')} continues."
            )
            break
    if uncalculated := sum(map(_is_uncalculated, body.iter("{*}table-cell"))):
        writer.draft.problem(describe_uncalculated(uncalculated))
    writer.notes()
    return writer.draft.document("xlsx", about.pop("title", ""), about)


def _write_sheet(sheet: Any, writer: OpenDocumentWriter, left: int) -> int:
    """Write a sheet's rows, a table for each group without empty rows, and return how many cells may still be read."""
    table: list[dict[int, str]] = []
    indents: list[float] = []
    for row in _list_rows(sheet):
        cells = [each for each in row if read_local_name(each) in _CELLS]
        left -= len(cells) + 1
        texts = _read_row(cells, writer)
        if texts:
            indent = next((writer.measure_indent(cell) for cell in cells if len(cell)), 0.0)
            times = count_repeats(row, "number-rows-repeated", sum(map(len, texts.values())))
            table += [texts] * times
            indents += [indent] * times
        elif table:
            write_rows(table, indents, writer.draft)
            table, indents = [], []
        if left <= 0 or writer.draft.is_full:
            break
    if table:
        write_rows(table, indents, writer.draft)
    return left


def _read_row(cells: list[Any], writer: OpenDocumentWriter) -> dict[int, str]:
    """Return the texts of a row by column; an empty cell may stand for thousands."""
    texts: dict[int, str] = {}
    column = 0
    for cell, shown in zip(cells, writer.read_row(cells), strict=True):
        if shown[0]:
            texts |= {column + place: text for place, text in enumerate(shown)}
        column += read_repeats(cell)
    return texts if any(map(str.strip, texts.values())) else {}


def _list_rows(sheet: Any) -> Iterator[Any]:
    """Yield the rows of a sheet, including those in groups."""
    waiting = [iter(sheet)]
    while waiting:
        each = next(waiting[-1], None)
        if each is None:
            waiting.pop()
        elif read_local_name(each) == "table-row":
            yield each
        elif read_local_name(each) in _GROUPS:
            waiting.append(iter(each))


def _is_uncalculated(cell: Any) -> bool:
    """Return whether a cell has a formula, and neither a result nor words."""
    return bool(read_attribute(cell, "formula")) and not read_attribute(cell, "value-type") and not len(cell)


def _is_hidden(sheet: Any, writer: OpenDocumentWriter) -> bool:
    style = writer.find_style(read_attribute(sheet, "style-name"))
    return read_attribute(find_child(style, "table-properties"), "display") == "false"
