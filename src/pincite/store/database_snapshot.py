"""Read one state of the whole database while others write: for a backup.

SQLite writes a copy of its file, with the index in it. PostgreSQL sends the rows of each table as JSON lines, all from
one transaction, on whose connection the caller reads the index.
"""

import base64
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from sqlalchemy import Connection, MetaData, Table, func, select, text

from pincite.errors import StorageError
from pincite.store.database import Database
from pincite.store.row_copy import NOT_COPIED
from pincite.store.schema import conversations, documents, metadata

SQLITE_MEMBER = "database/pincite.db"
ROWS_FOLDER = "database/"
ROWS_SUFFIX = ".jsonl"
BYTES = "$bytes"  # the key of an object that stands for bytes, which JSON does not have
VERSION_TABLE = "alembic_version"
_PIECE = 1 << 20
_ROWS_AT_ONCE = 200
_LOOK = 0.2  # seconds between two reports

Report = Callable[[int], None]  # the bytes that are written so far


class DatabaseSnapshot(Protocol):
    """One state of the database. `read_members` yields the name and the bytes of each file of the copy."""

    engine: str
    revision: str
    connection: Connection

    def list_hashes(self) -> set[str]: ...

    def list_conversations(self) -> set[str]: ...

    def count_rows(self) -> dict[str, int]: ...

    def read_members(self) -> Iterator[tuple[str, Iterator[bytes]]]: ...


@contextmanager
def open_snapshot(database: Database, scratch: Path, report: Report = lambda _: None) -> Iterator[DatabaseSnapshot]:
    """Yield the state of the database at this moment; a copy of it is in the scratch folder until the block ends."""
    if database.sqlite:
        file = scratch / "snapshot.db"
        file.unlink(missing_ok=True)
        _copy_sqlite(database, file, report)
        copy = Database(f"sqlite:///{file}")
        try:
            with copy.reading() as connection:
                yield _SqliteSnapshot(connection, file)
        finally:
            copy.close()
    else:
        with database.reading_repeatably() as connection:
            yield _RowsSnapshot(connection)


class _Snapshot:
    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.revision = str(connection.scalar(text(f"SELECT version_num FROM {VERSION_TABLE}")))
        self._tables = reflect_tables(connection)

    def list_hashes(self) -> set[str]:
        return set(self.connection.scalars(select(documents.c.sha256)))

    def list_conversations(self) -> set[str]:
        return set(self.connection.scalars(select(conversations.c.id)))

    def count_rows(self) -> dict[str, int]:
        return {
            table.name: self.connection.scalar(select(func.count()).select_from(table)) or 0 for table in self._tables
        }


class _SqliteSnapshot(_Snapshot):
    engine = "sqlite"

    def __init__(self, connection: Connection, file: Path) -> None:
        super().__init__(connection)
        self._file = file

    def read_members(self) -> Iterator[tuple[str, Iterator[bytes]]]:
        yield SQLITE_MEMBER, _read_pieces(self._file)


class _RowsSnapshot(_Snapshot):
    engine = "postgresql"

    def read_members(self) -> Iterator[tuple[str, Iterator[bytes]]]:
        for table in self._tables:
            yield f"{ROWS_FOLDER}{table.name}{ROWS_SUFFIX}", read_lines(self.connection, table)


def reflect_tables(connection: Connection) -> list[Table]:
    """Return the tables as the database has them, in an order in which their rows can be inserted."""
    found = MetaData()
    names = [name for name in _list_tables(connection) if name != VERSION_TABLE]
    found.reflect(connection, only=names)
    # New rows of removed people are refused: their ids come last.
    return sorted(found.sorted_tables, key=lambda table: table.name == "removed_people")


def read_lines(connection: Connection, table: Table) -> Iterator[bytes]:
    """Yield the rows of a table as JSON lines, several at once."""
    found = connection.execute(select(table), execution_options={"yield_per": _ROWS_AT_ONCE})
    for rows in found.mappings().partitions():
        yield b"".join(json.dumps(dict(row), default=_encode_value).encode() + b"\n" for row in rows)


def list_all_tables(connection: Connection) -> list[str]:
    """Return the names of all tables of a PostgreSQL database, those of the index too."""
    return list(connection.scalars(text("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()")))


def _list_tables(connection: Connection) -> list[str]:
    # The tables of the index, which are no tables of the schema, are not read as rows. Those of a move are about one
    # database, and not part of a copy.
    is_sqlite = connection.dialect.name == "sqlite"
    query = text("SELECT name FROM sqlite_master WHERE type = 'table'")
    there = set(connection.scalars(query) if is_sqlite else list_all_tables(connection))
    return [name for name in metadata.tables if name in there and name not in NOT_COPIED]


def _encode_value(value: Any) -> Any:
    if isinstance(value, (bytes, memoryview)):
        return {BYTES: base64.b64encode(bytes(value)).decode()}
    raise TypeError(f"{type(value).__name__} cannot be written as JSON")


def _copy_sqlite(database: Database, file: Path, report: Report) -> None:
    """Write a copy of SQLite's file, without what was removed. Other connections read and write meanwhile."""
    with database.using_driver() as driver:
        failures: list[BaseException] = []

        def copy() -> None:
            try:
                driver.execute("VACUUM INTO ?", (str(file),)).close()
            except BaseException as error:  # noqa: BLE001 - it is raised in the thread that waits
                failures.append(error)

        # In a thread: this one can report, and Ctrl-C can end a copy that takes minutes.
        thread = threading.Thread(target=copy, name="database copy")
        thread.start()
        try:
            while thread.is_alive():
                thread.join(_LOOK)
                report(file.stat().st_size if file.exists() else 0)
        except BaseException:
            driver.interrupt()
            thread.join()
            raise
        if failures:
            raise StorageError(
                f"The database cannot be copied: {failures[0]}.", "`pincite doctor` checks the file."
            ) from failures[0]


def _read_pieces(file: Path) -> Iterator[bytes]:
    with file.open("rb") as opened:
        while piece := opened.read(_PIECE):
            yield piece
