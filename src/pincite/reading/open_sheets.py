"""OpenDocument spreadsheets (.ods): a heading a sheet, and what its cells show as tables, as of other workbooks."""

from collections.abc import Iterator
from typing import Any

from pincite.reading.opendocument import Writer, count_repeats, open_body
from pincite.reading.sheets import write_rows
from pincite.reading.source import Source
from pincite.reading.wordstyles import child, local, value
from pincite.types import Document

MAX_CELLS = 2_000_000  # looked at in one workbook
_GROUPS = frozenset({"table-row-group", "table-header-rows", "table-rows"})
_CELLS = frozenset({"table-cell", "covered-table-cell"})


def read(source: Source) -> Document:
    """A spreadsheet's document; a row or cell that the file repeats is written some times at most."""
    body, writer, about = open_body(source, "spreadsheet")
    sheets = [each for each in body if local(each) == "table"]
    left = MAX_CELLS
    for number, sheet in enumerate(sheets, 1):
        source.progress(number, len(sheets))
        hidden = " (hidden)" if _is_hidden(sheet, writer) else ""
        writer.draft.add(f"{value(sheet, 'name')}{hidden}", "heading", 1)
        left = _write(sheet, writer, left)
        if left <= 0:
            writer.draft.problem(f"Only the first {MAX_CELLS:,} cells are read; {value(sheet, 'name')} goes on.")
            break
    writer.notes()
    return writer.draft.document("xlsx", about.pop("title", ""), about)


def _write(sheet: Any, writer: Writer, left: int) -> int:
    """Write a sheet's rows, a table for each stretch without empty rows, and say how many cells may still be read."""
    table: list[dict[int, str]] = []
    indents: list[float] = []
    for row in _rows(sheet):
        cells = [each for each in row if local(each) in _CELLS]
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


def _read_row(cells: list[Any], writer: Writer) -> dict[int, str]:
    """The texts of a row by their columns; an empty cell may stand for thousands."""
    texts: dict[int, str] = {}
    column = 0
    for cell in cells:
        times = value(cell, "number-columns-repeated")
        shown = writer.read_cell(cell)
        if shown[0]:
            texts |= {column + place: text for place, text in enumerate(shown)}
        column += int(times) if times.isdecimal() and int(times) else 1
    return texts


def _rows(sheet: Any) -> Iterator[Any]:
    """The rows of a sheet, also those in groups."""
    waiting = [iter(sheet)]
    while waiting:
        each = next(waiting[-1], None)
        if each is None:
            waiting.pop()
        elif local(each) == "table-row":
            yield each
        elif local(each) in _GROUPS:
            waiting.append(iter(each))


def _is_hidden(sheet: Any, writer: Writer) -> bool:
    style = writer.find_style(value(sheet, "style-name"))
    return value(child(style, "table-properties"), "display") == "false"
