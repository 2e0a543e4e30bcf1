"""CSV and its cousins: a line a row with tabs between cells, in table blocks of some forty rows."""

import csv
import io
from collections.abc import Iterator, Sequence

from pincite.reading.draft import Draft
from pincite.reading.encoding import read_text
from pincite.reading.source import Source
from pincite.types import Document

DELIMITERS = ",;\t|"
MAX_LINES_IN_CELL = 200
_MOST_COLUMNS = 200  # whose names are told


def read(source: Source) -> Document:
    """A delimited file's document; its first row, when it names columns, is told in the metadata."""
    text = read_text(source.path, source.limits.characters).removeprefix("\ufeff")
    if text.lower().startswith("sep=") and "\n" in text:
        text = text.split("\n", 1)[1]  # a line for Excel, no row
    rows = list(_rows(text, _delimiter(text)))
    draft = Draft(source.limits)
    draft.table(rows)
    header = rows[0] if rows else []
    named = len(header) > 1 and all(cell.strip() and not _is_number(cell) for cell in header)
    named = named and len(header) <= _MOST_COLUMNS
    metadata = {"columns": ", ".join(" ".join(cell.split()) for cell in header), "rows": str(len(rows) - 1)}
    return draft.document("csv", metadata=metadata if named else {})


def _rows(text: str, delimiter: str) -> Iterator[Sequence[str]]:
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
    except csv.Error:
        rows = []
    # A quote that never closes swallows the rest of the file: then quotes are only characters.
    if not rows or any(cell.count("\n") > MAX_LINES_IN_CELL for row in rows for cell in row):
        rows = [line.split(delimiter) for line in text.split("\n")]
    yield from (row for row in rows if any(cell.strip() for cell in row))


def _delimiter(text: str) -> str:
    """The sign that parts the first lines into the same number of cells, the more the better."""
    sample = "\n".join(text[:50_000].split("\n")[:50])
    best, most = ",", 0.0
    for delimiter in DELIMITERS:
        try:
            widths = [len(row) for row in csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter) if row]
        except csv.Error:
            continue
        common = max(set(widths), key=widths.count, default=1)
        score = (common > 1) * widths.count(common) / max(len(widths), 1) + min(common, 50) / 1000
        if score > most and common > 1:
            best, most = delimiter, score
    return best


def _is_number(cell: str) -> bool:
    try:
        float(cell.strip().replace(",", ".").replace(" ", "").rstrip("%€$"))
    except ValueError:
        return False
    return True
