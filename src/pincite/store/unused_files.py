"""Remove the bytes of documents that are gone, while other processes add documents with the same bytes.

A process that adds a row or removes bytes holds the lock of the hash until its transaction ends. An adder looks under
the lock whether its bytes are still there, so a row never lacks its bytes.
"""

from sqlalchemy import text

from pincite.store import documents
from pincite.store.database import Connection
from pincite.store.files import FileStore
from pincite.store.notices import send_notice


def lock_file(connection: Connection, sha256: str) -> None:
    """Wait until no other transaction adds or removes these bytes, and keep others waiting until this one ends."""
    # On SQLite, a transaction that writes is alone.
    if connection.dialect.name == "postgresql":
        key = int.from_bytes(bytes.fromhex(sha256[:16]), "big", signed=True)
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": key})


def remove_unused_file(connection: Connection, files: FileStore, sha256: str) -> bool:
    """Remove bytes that no document has, in a transaction that writes; return whether they were removed."""
    lock_file(connection, sha256)
    if documents.is_hash_in_use(connection, sha256):
        return False
    files.remove(sha256)
    send_notice(connection, "files", sha256)  # other machines may have copies
    return True
