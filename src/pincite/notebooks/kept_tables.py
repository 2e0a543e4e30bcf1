"""Write kept rows of tables as Markdown tables with their heads, which may stand far above the rows."""

import re
from collections.abc import Sequence

from pincite.conversations.export.note_positions import NotePlaces
from pincite.events import TableRow
from pincite.types import Table

_SIGNS = re.compile(r"[\\`*_\[\]<>|]")
_BETWEEN = re.compile(r"[|\t]")
_TABLE = re.compile(r"\|.*\|\n\|(?: --- \|)+\n")


def write_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table in Markdown, with empty cells where a row is too short."""
    width = max(map(len, (heads, *rows)))
    return "\n".join(_write_row(row, width) for row in (heads, ["---"] * width, *rows))


def write_cited_rows(rows: Sequence[TableRow], quote: str) -> str:
    """Return the rows of a citation in Markdown; an empty text if its quote has other words."""
    if not rows or not _has_only_cells(quote) or len(quote.splitlines()) > len(rows):
        return ""
    return write_table(rows[0].heads, [row.cells for row in rows])


def write_document_rows(tables: Sequence[Table], quote: str) -> str:
    """Return the rows of a document's table in Markdown; an empty text if the quote has other words."""
    if len(tables) != 1 or not _has_only_cells(quote):
        return ""
    (table,) = tables
    heads = table.written_heads or [table.label_head, *(cell.head for cell in table.rows[0].cells)]
    return write_table(heads, [[row.label, *(cell.text for cell in row.cells)] for row in table.rows])


def is_table(text: str) -> bool:
    """Return whether the words of a kept passage are a table."""
    return _TABLE.match(text) is not None


def add_mark(table: str) -> str:
    """Return a table with the mark of its citation in the last cell."""
    return f"{table.removesuffix(' |')} [1] |"


def find_head(answer: str, start: int) -> str:
    """Return the head of the table in whose rows a position is, with the line below it; empty outside of tables."""
    lines = NotePlaces(answer).lines
    at = max((number for number, line in enumerate(lines) if line.start <= start), default=0)
    is_row = lines[at].kind == "row"
    while at > 0 and lines[at].kind == "row":
        at -= 1
    if not is_row or lines[at].kind != "code" or at == 0 or lines[at - 1].kind != "row":
        return ""
    return answer[lines[at - 1].start : lines[at].end]


def _has_only_cells(quote: str) -> bool:
    lines = (line for line in quote.splitlines() if line.strip())
    return all(sum(map(bool, map(str.strip, _BETWEEN.split(line)))) > 1 for line in lines)


def _write_row(cells: Sequence[str], width: int) -> str:
    written = [_SIGNS.sub(r"\\\g<0>", " ".join(cell.split())) for cell in cells]
    return f"| {' | '.join([*written, *[''] * (width - len(cells))])} |"
