"""Read the pages, the structure or the length of a stored document, each without the rest."""

import hashlib

from sqlalchemy import Connection, func, select

from pincite.store import generations
from pincite.store.content_slices import unpack_blocks
from pincite.store.schema import contents, pages, texts
from pincite.types import Block, Page


def list_pages(connection: Connection, document: str) -> list[Page]:
    """Return a document's pages in order, with their sizes but without their boxes, which are large."""
    columns = (pages.c.number, pages.c.start, pages.c.end, pages.c.width, pages.c.height, pages.c.label)
    query = select(*columns).where(pages.c.generation == generations.select_visible(document)).order_by(pages.c.number)
    return [Page(*row[:5], label=row.label) for row in connection.execute(query)]


def load_blocks(connection: Connection, document: str) -> tuple[Block, ...]:
    """Return a document's blocks, in the order of its text."""
    query = select(contents.c.blocks).where(contents.c.generation == generations.select_visible(document))
    parts = connection.scalars(query.order_by(contents.c.part))
    return tuple(block for packed in parts for block in unpack_blocks(packed))


def count_characters(connection: Connection, document: str) -> int:
    """Return the number of characters in a document's text."""
    last = (
        select(func.max(texts.c.start))
        .where(texts.c.generation == generations.select_visible(document))
        .scalar_subquery()
    )
    query = select(texts.c.start, texts.c.text).where(
        texts.c.generation == generations.select_visible(document), texts.c.start == last
    )
    row = connection.execute(query).one_or_none()
    return row.start + len(row.text) if row else 0


def compute_text_hash(connection: Connection, document: str) -> str:
    """Return the SHA-256 of a document's text, read slice by slice."""
    query = (
        select(texts.c.text).where(texts.c.generation == generations.select_visible(document)).order_by(texts.c.start)
    )
    found = hashlib.sha256()
    for piece in connection.execution_options(yield_per=16).scalars(query):
        found.update(piece.encode("utf-8", "replace"))
    return found.hexdigest()


def load_text(connection: Connection, document: str) -> str:
    """Return a document's whole text."""
    query = (
        select(texts.c.text).where(texts.c.generation == generations.select_visible(document)).order_by(texts.c.start)
    )
    return "".join(connection.scalars(query))
