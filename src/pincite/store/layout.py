"""How a stored document is laid out: its pages, its structure and its length, each without the rest."""

import hashlib

from sqlalchemy import Connection, func, select

from pincite.store import generations
from pincite.store.content import unpack_blocks
from pincite.store.tables import contents, pages, texts
from pincite.types import Block, Page


def sheets(connection: Connection, document: str) -> list[Page]:
    """A document's pages in order, with their sizes and without their boxes, which are large."""
    columns = (pages.c.number, pages.c.start, pages.c.end, pages.c.width, pages.c.height, pages.c.label)
    query = select(*columns).where(pages.c.generation == generations.of(document)).order_by(pages.c.number)
    return [Page(*row[:5], label=row.label) for row in connection.execute(query)]


def blocks(connection: Connection, document: str) -> tuple[Block, ...]:
    """A document's structure, in the order of its text."""
    query = select(contents.c.blocks).where(contents.c.generation == generations.of(document))
    parts = connection.scalars(query.order_by(contents.c.part))
    return tuple(block for packed in parts for block in unpack_blocks(packed))


def length(connection: Connection, document: str) -> int:
    """How many characters a document's text has."""
    last = select(func.max(texts.c.start)).where(texts.c.generation == generations.of(document)).scalar_subquery()
    query = select(texts.c.start, texts.c.text).where(
        texts.c.generation == generations.of(document), texts.c.start == last
    )
    row = connection.execute(query).one_or_none()
    return row.start + len(row.text) if row else 0


def text_hash(connection: Connection, document: str) -> str:
    """The SHA-256 of a document's text, read slice by slice."""
    query = select(texts.c.text).where(texts.c.generation == generations.of(document)).order_by(texts.c.start)
    found = hashlib.sha256()
    for piece in connection.execution_options(yield_per=16).scalars(query):
        found.update(piece.encode("utf-8", "replace"))
    return found.hexdigest()


def text(connection: Connection, document: str) -> str:
    """A document's whole text."""
    query = select(texts.c.text).where(texts.c.generation == generations.of(document)).order_by(texts.c.start)
    return "".join(connection.scalars(query))
