"""Connect to a SQLite file: its settings, its transactions, and its permissions."""

import os
import sqlite3
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event

from pincite.store import sql_folding
from pincite.text.folding import fold_in_place

LOCK_SECONDS = 30  # to wait for SQLite's lock


def make_sqlite_engine(address: URL) -> Engine:
    """Return an engine for a SQLite file, or for a database in memory."""
    options = {"pool_size": 8, "max_overflow": 56} if address.database not in (None, "", ":memory:") else {}
    # Neither a log nor the words of an error repeat values: people type passwords into the wrong field.
    engine = create_engine(address, hide_parameters=True, **options)
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def make_private(file: Path) -> None:
    """Create a database file accessible only to its owner; SQLite gives its other files the same permissions."""
    with suppress(OSError):  # the file exists, or SQLite itself reports why it cannot be created
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def find_sqlite_features() -> tuple[str, bool]:
    """Return SQLite's version, and whether it supports full-text search."""
    connection = sqlite3.connect(":memory:")
    try:
        connection.execute("CREATE VIRTUAL TABLE trial USING fts5(words)")
        return sqlite3.sqlite_version, True
    except sqlite3.OperationalError:
        return sqlite3.sqlite_version, False
    finally:
        connection.close()


def _prepare_sqlite(connection: Any, _record: object) -> None:
    # Switch off the driver's own transactions; `_begin_sqlite` sends BEGIN.
    connection.isolation_level = None
    connection.create_function(sql_folding.FUNCTION, 1, fold_in_place, deterministic=True)
    connection.execute(f"PRAGMA busy_timeout = {LOCK_SECONDS * 1000}").close()
    _enable_write_ahead(connection)
    for pragma in (
        "synchronous = NORMAL",
        "secure_delete = ON",  # a removed row is overwritten, so that deleted documents are not in the file
        "foreign_keys = ON",
        "cache_size = -65536",
        "mmap_size = 1073741824",
        "temp_store = MEMORY",
    ):
        connection.execute(f"PRAGMA {pragma}").close()


def _enable_write_ahead(connection: Any) -> None:
    """Switch to the write-ahead log, and retry while another process does the same, for which SQLite does not wait."""
    ends = time.monotonic() + LOCK_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL").close()
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > ends:
                raise
        time.sleep(0.02)


def _begin_sqlite(connection: Connection) -> None:
    immediate = connection.get_execution_options().get("pincite_immediate")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")
