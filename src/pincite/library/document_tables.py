"""Load the tables of a stored document around a span."""

from pincite.proof.tables import read_tables
from pincite.store import document_layout, document_text
from pincite.store.database import Database
from pincite.types import Span, Table


def load_tables(database: Database, span: Span) -> tuple[Table, ...]:
    """Return the table rows inside a span with their heads, which may come before it. The whole text is not read."""
    with database.reading() as connection:
        blocks = document_layout.load_blocks(connection, span.document)
        if not any(block.start < span.end and block.end > span.start for block in blocks):
            return ()
        return read_tables(
            lambda start, end: document_text.read_text(connection, span.document, start, end),
            blocks,
            span.start,
            span.end,
        )
