"""Store the encrypted passwords of documents that wait to be read."""

from sqlalchemy import Connection, delete, select

from pincite.store.schema import document_passwords
from pincite.store.upsert import upsert


def put(connection: Connection, document: str, encrypted: str) -> None:
    """Store the password of a document, in place of an earlier one."""
    upsert(connection, document_passwords, {"document": document, "encrypted": encrypted}, ["document"])


def find(connection: Connection, document: str) -> str | None:
    """Return the encrypted password of a document, or None if none is stored."""
    query = select(document_passwords.c.encrypted).where(document_passwords.c.document == document)
    found: str | None = connection.scalar(query)
    return found


def remove(connection: Connection, document: str) -> None:
    """Remove the password of a document."""
    connection.execute(delete(document_passwords).where(document_passwords.c.document == document))
