"""Let one process at a time do a kind of work, among all servers and workers on one PostgreSQL.

The lock belongs to a connection: it is free again when the process that had it dies. On SQLite there is one server on a
machine, and its work waits for the write lock.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

from sqlalchemy import text

from pincite.store import lock_keys
from pincite.store.database import Database
from pincite.store.database_errors import explain_errors

_KEYS = {"cleanup": lock_keys.CLEANUP, "deletions": lock_keys.DELETIONS}


@contextmanager
def work_alone(database: Database, work: Literal["cleanup", "deletions"]) -> Iterator[bool]:
    """Yield whether no other process does this work now; until the block ends, none begins."""
    if database.sqlite:
        yield True
        return
    with explain_errors():
        connection = database.direct.connect().execution_options(isolation_level="AUTOCOMMIT")
    with connection:
        with explain_errors():
            is_alone = bool(connection.scalar(text("SELECT pg_try_advisory_lock(:key)"), {"key": _KEYS[work]}))
        try:
            yield is_alone
        finally:
            connection.invalidate()  # closing it ends the lock, also where the connection is broken
