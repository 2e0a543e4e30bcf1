"""Concordances as rows: bytes in and out, with which version of the program made them while reading."""

from sqlalchemy import Connection, delete, insert, select

from pincite.store.tables import concordances, documents

FROM_ROWS = 0  # the version of one made later, from what is stored


def write(connection: Connection, document: str, data: bytes, version: int = FROM_ROWS) -> None:
    """Store a document's concordance in place of the one that was there."""
    connection.execute(delete(concordances).where(concordances.c.document == document))
    connection.execute(insert(concordances).values(document=document, version=version, data=data))


def read(connection: Connection, document: str) -> bytes | None:
    """A document's concordance, None when it has none."""
    return connection.scalar(select(concordances.c.data).where(concordances.c.document == document))


def lacking(connection: Connection, owner: str, version: int) -> frozenset[str]:
    """The owner's documents without a concordance that this version made while they were read."""
    made = select(concordances.c.document).where(concordances.c.version == version)
    query = select(documents.c.id).where(documents.c.owner == owner, documents.c.id.not_in(made))
    return frozenset(connection.scalars(query))
