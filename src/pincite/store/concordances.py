"""Store concordances as bytes, with the version of the program that made them."""

from sqlalchemy import Connection, delete, select

from pincite.store import generations
from pincite.store.schema import concordances, documents

FROM_ROWS = 0  # the version of a concordance made later, from stored rows


def write(connection: Connection, document: str, data: bytes, version: int = FROM_ROWS) -> None:
    """Store a document's concordance in place of the old one; do nothing for a document without content."""
    shown = connection.scalar(select(generations.select_visible(document)))
    if shown is None:
        return
    connection.execute(delete(concordances).where(concordances.c.generation == shown))
    generations.add_concordance(connection, shown, 0, data, version)


def read(connection: Connection, document: str) -> bytes | None:
    """Return a document's concordance, or None."""
    query = select(concordances.c.data).where(concordances.c.generation == generations.select_visible(document))
    parts = connection.scalars(query.order_by(concordances.c.part)).all()
    return b"".join(parts) if parts else None


def list_lacking(connection: Connection, owner: str | None, version: int) -> frozenset[str]:
    """Return an owner's documents, or all, that lack a concordance of this version, made while they were read."""
    made = (
        select(documents.c.id)
        .join(concordances, concordances.c.generation == documents.c.generation)
        .where(concordances.c.version == version)
    )
    query = select(documents.c.id).where(documents.c.id.not_in(made))
    if owner is not None:
        query = query.where(documents.c.owner == owner)
    return frozenset(connection.scalars(query))
