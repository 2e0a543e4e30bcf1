"""How a stored document is laid out: its pages, its structure and its length, each without the rest."""

from sqlalchemy import Connection, func, select

from pincite.store import documents
from pincite.store.content import unpack_blocks
from pincite.store.tables import contents, pages, texts
from pincite.types import Block, Page


def sheets(connection: Connection, document: str) -> list[Page]:
    """A document's pages in order, with their sizes and without their boxes, which are large."""
    columns = (pages.c.number, pages.c.start, pages.c.end, pages.c.width, pages.c.height, pages.c.label)
    query = select(*columns).where(pages.c.document == document).order_by(pages.c.number)
    return [Page(*row[:5], label=row.label) for row in connection.execute(query)]


def blocks(connection: Connection, document: str) -> tuple[Block, ...]:
    """A document's structure, in the order of its text."""
    packed = connection.scalar(select(contents.c.blocks).where(contents.c.document == document))
    return unpack_blocks(packed) if packed else ()


def length(connection: Connection, document: str) -> int:
    """How many characters a document's text has."""
    last = select(func.max(texts.c.start)).where(texts.c.document == document).scalar_subquery()
    query = select(texts.c.start, texts.c.text).where(texts.c.document == document, texts.c.start == last)
    row = connection.execute(query).one_or_none()
    return row.start + len(row.text) if row else 0


def text(connection: Connection, document: str) -> str:
    """A document's whole text."""
    return documents.text(connection, document, 0, length(connection, document))
