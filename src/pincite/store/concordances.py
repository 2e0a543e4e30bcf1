"""Concordances as rows: bytes in and out, with which version of the program made them while reading."""

from sqlalchemy import Connection, delete, select

from pincite.store import generations
from pincite.store.tables import concordances, documents

FROM_ROWS = 0  # the version of one made later, from what is stored


def write(connection: Connection, document: str, data: bytes, version: int = FROM_ROWS) -> None:
    """Store a document's concordance in place of the one that was there; one that was not read has none."""
    shown = connection.scalar(select(generations.of(document)))
    if shown is None:
        return
    connection.execute(delete(concordances).where(concordances.c.generation == shown))
    generations.add_concordance(connection, shown, 0, data, version)


def read(connection: Connection, document: str) -> bytes | None:
    """A document's concordance, None when it has none."""
    query = select(concordances.c.data).where(concordances.c.generation == generations.of(document))
    parts = connection.scalars(query.order_by(concordances.c.part)).all()
    return b"".join(parts) if parts else None


def lacking(connection: Connection, owner: str, version: int) -> frozenset[str]:
    """The owner's documents without a concordance that this version made while they were read."""
    made = (
        select(documents.c.id)
        .join(concordances, concordances.c.generation == documents.c.generation)
        .where(concordances.c.version == version)
    )
    query = select(documents.c.id).where(documents.c.owner == owner, documents.c.id.not_in(made))
    return frozenset(connection.scalars(query))
