"""Let one process at a time do a kind of work, among all servers and workers on one PostgreSQL.

The lock belongs to a connection: it is free again when the process that had it dies. On SQLite there is one server on a
machine, and its work waits for the write lock.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Literal

from sqlalchemy import Connection, text
from sqlalchemy.exc import SQLAlchemyError

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
    with hold_lock(database, _KEYS[work]) as is_alone:
        yield is_alone


@contextmanager
def hold_lock(database: Database, key: int) -> Iterator[bool]:
    """Yield whether this process got a lock of PostgreSQL; it keeps the lock until the block ends."""
    with explain_errors():
        connection = database.direct.connect().execution_options(isolation_level="AUTOCOMMIT")
    with connection:
        try:
            with lock_connection(connection, key) as is_held:
                yield is_held
        finally:
            connection.invalidate()  # closing it ends the lock, also where the connection is broken


@contextmanager
def lock_connection(connection: Connection, key: int) -> Iterator[bool]:
    """Yield whether a connection that commits each statement got a lock; it keeps the lock until the block ends."""
    with explain_errors():
        is_held = bool(connection.scalar(text("SELECT pg_try_advisory_lock(:key)"), {"key": key}))
    try:
        yield is_held
    finally:
        if is_held:
            # PostgreSQL notices a moment later that a connection was closed, and would refuse the next process.
            with suppress(SQLAlchemyError):
                connection.execute(text("SELECT pg_advisory_unlock(:key)"), {"key": key})
