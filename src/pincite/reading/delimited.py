"""Read CSV and similar files: a line per row with tabs between cells, in table blocks of forty rows."""

import csv
import io
from collections.abc import Iterator, Sequence

from pincite.reading.document_draft import Draft
from pincite.reading.encoding import read_text
from pincite.reading.source import Source
from pincite.types import Document

DELIMITERS = ",;\t|"
MAX_LINES_IN_CELL = 200
_MOST_COLUMNS = 200  # a header with more is not listed


def read(source: Source) -> Document:
    """Read a delimited file; its first row is added to the metadata if it names columns."""
    text = read_text(source.path, source.limits.characters).removeprefix("\ufeff")
    if text.lower().startswith("sep=") and "\n" in text:
        text = text.split("\n", 1)[1]  # a line for Excel, not a row
    rows = list(_split_rows(text, _detect_delimiter(text)))
    draft = Draft(source.limits)
    draft.table(rows)
    header = rows[0] if rows else []
    named = len(header) > 1 and all(cell.strip() and not _is_number(cell) for cell in header)
    named = named and len(header) <= _MOST_COLUMNS
    metadata = {"columns": ", ".join(" ".join(cell.split()) for cell in header), "rows": str(len(rows) - 1)}
    return draft.document("csv", metadata=metadata if named else {})


def _split_rows(text: str, delimiter: str) -> Iterator[Sequence[str]]:
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
    except csv.Error:
        rows = []
    # An unclosed quote would contain the rest of the file: then quotes are ordinary characters.
    if not rows or any(cell.count("\n") > MAX_LINES_IN_CELL for row in rows for cell in row):
        rows = [line.split(delimiter) for line in text.split("\n")]
    yield from (row for row in rows if any(cell.strip() for cell in row))


def _detect_delimiter(text: str) -> str:
    """Return the delimiter that divides the first lines into the same number of cells, preferably many."""
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
