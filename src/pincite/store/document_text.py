"""Read the text and the pages of stored documents, whole or in parts."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, bindparam, select, text

from pincite.errors import NotFound
from pincite.store import document_layout, generations
from pincite.store.content_slices import SLICE
from pincite.store.documents import get
from pincite.store.schema import documents, pages, texts
from pincite.types import Document, Page, Span

# Built once, because every search hit runs it.
_SLICES = (
    select(texts.c.text)
    .join(documents, documents.c.generation == texts.c.generation)
    .where(documents.c.id == bindparam("id"))
    .where(texts.c.start >= bindparam("first"), texts.c.start < bindparam("last"))
    .order_by(texts.c.start)
)


# The parts of some spans that are in one slice each, in order. PostgreSQL cuts them, so that no whole slice is sent.
_PIECES = text(
    "SELECT w.place, substr(t.text, greatest(w.first - t.start, 0) + 1, "
    "least(w.last, t.start + :size) - greatest(w.first, t.start)) "
    "FROM unnest(CAST(:ids AS text[]), CAST(:starts AS integer[]), CAST(:ends AS integer[])) "
    "WITH ORDINALITY AS w (id, first, last, place) JOIN documents d ON d.id = w.id "
    "JOIN texts t ON t.generation = d.generation AND t.start > w.first - :size AND t.start < w.last "
    "ORDER BY w.place, t.start"
)


def load_document(connection: Connection, id: str, boxes: bool = False, blocks: bool = True) -> Document:
    """Load a whole document as it was read; include the boxes of its pages only if asked, for they are large."""
    stored = get(connection, id)
    generation = stored.generation
    columns = [column for column in pages.c if boxes or column is not pages.c.boxes]
    found = connection.execute(select(*columns).where(pages.c.generation == generation).order_by(pages.c.number))
    pieces = connection.scalars(select(texts.c.text).where(texts.c.generation == generation).order_by(texts.c.start))
    return Document(
        kind=stored.kind,
        text="".join(pieces),
        title=stored.title,
        language=stored.language,
        pages=tuple(_make_page(row, row.boxes if boxes else b"") for row in found),
        blocks=document_layout.load_blocks(connection, id) if blocks else (),
        metadata=stored.metadata,
        problems=stored.problems,
    )


def read_text(connection: Connection, document: str, start: int, end: int) -> str:
    """Return the characters of a document's text from start to end."""
    first = start - start % SLICE
    found = "".join(connection.scalars(_SLICES, {"id": document, "first": first, "last": end}))
    return found[start - first : max(start, end) - first]


def read_texts(connection: Connection, spans: Sequence[Span]) -> list[str]:
    """Return the characters of each span: by one query on PostgreSQL, where a query is a round trip."""
    if connection.dialect.name == "sqlite" or not spans:
        return [read_text(connection, span.document, span.start, span.end) for span in spans]
    values = {
        "ids": [span.document for span in spans],
        "starts": [span.start for span in spans],
        "ends": [span.end for span in spans],
        "size": SLICE,
    }
    found = [""] * len(spans)
    for place, piece in connection.execute(_PIECES, values):
        found[place - 1] += piece
    return found


def get_page(connection: Connection, document: str, number: int) -> Page:
    """Return one page with its boxes; raise `NotFound` if the document has no such page."""
    query = select(pages).where(pages.c.generation == generations.select_visible(document), pages.c.number == number)
    row = connection.execute(query).one_or_none()
    if row is None:
        raise NotFound(
            f"Document {document} has no page {number}.", "Pages are counted from 1.", "page", {"page": number}
        )
    return _make_page(row, row.boxes)


def list_pages_between(connection: Connection, document: str, start: int, end: int) -> list[Page]:
    """Return the pages that overlap a range of a document's text, with their boxes."""
    query = select(pages).where(
        pages.c.generation == generations.select_visible(document), pages.c.start < end, pages.c.end > start
    )
    return [_make_page(row, row.boxes) for row in connection.execute(query.order_by(pages.c.number))]


def find_page_at(connection: Connection, document: str, start: int) -> Page | None:
    """Return the page, without its boxes, that contains a character; None if the document has no pages."""
    columns = [column for column in pages.c if column is not pages.c.boxes]
    query = select(*columns).where(
        pages.c.generation == generations.select_visible(document), pages.c.start <= start, pages.c.end > start
    )
    row = connection.execute(query.order_by(pages.c.number).limit(1)).one_or_none()
    return _make_page(row, b"") if row else None


def _make_page(row: Row[Any], boxes: bytes) -> Page:
    return Page(row.number, row.start, row.end, row.width, row.height, boxes, label=row.label)
