"""Put the rows of a backup into a database, and make sure that nobody else uses the database meanwhile."""

import base64
import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Table, delete, func, insert, select, text

from pincite.errors import Damaged, Misuse
from pincite.store.account_schema import one_time_links, openid_requests, sessions
from pincite.store.database import Database
from pincite.store.database_snapshot import BYTES, list_all_tables, reflect_tables
from pincite.store.id_counters import read_counters, set_counters
from pincite.store.row_copy import iterate_rows, list_copied, replace_impossible
from pincite.store.table_revisions import upgrade_tables

Rows = Iterator[dict[str, Any]]
_AT_ONCE = 200


def parse_rows(lines: Iterable[bytes]) -> Rows:
    """Yield the rows of JSON lines; raise `Damaged` for a line that is none."""
    for line in lines:
        try:
            row = json.loads(line)
            if not isinstance(row, dict):
                raise ValueError("it is no object")
            yield {name: _decode_value(value) for name, value in row.items()}
        except ValueError as error:
            raise Damaged("A row of the backup cannot be read.", "Nothing was changed. Use another backup.") from error


def restore_rows(
    database: Database,
    revision: str,
    counts: Mapping[str, int],
    read: Callable[[str], Rows],
    fill_index: Callable[[Connection], None] | None,
    before_commit: Callable[[], None] = lambda: None,
) -> None:
    """Replace all tables by those of a revision with these rows, and upgrade them, in one transaction.

    `read` returns the rows of a table, of which there must be as many as counted. A backup without an index has no
    `fill_index`.
    """
    with database.writing(long=True) as connection:
        _drop_tables(connection)
        upgrade_tables(connection, revision)
        tables = reflect_tables(connection)
        # An earlier version also wrote tables that are no tables of the schema: they are made anew, or were dropped.
        if not {table.name for table in tables} <= counts.keys():
            raise _make_incomplete_error()
        for table in tables:
            if _insert_rows(connection, table, read(table.name)) != counts[table.name]:
                raise _make_incomplete_error()
        upgrade_tables(connection)
        set_counters(connection, read_counters(connection))
        end_sign_ins(connection)
        if fill_index:
            fill_index(connection)
        elif counts.get("documents"):
            # The backup has no index: `reindex` reads documents again whose words were made by no known analysis.
            connection.execute(text("UPDATE documents SET analysis = 0"))
        before_commit()


def restore_store(
    database: Database,
    source: Connection,
    fill_index: Callable[[Connection], None],
    before_commit: Callable[[], None] = lambda: None,
) -> None:
    """Replace all tables of a PostgreSQL database by those of another one that has this program's, in a transaction."""
    must_replace = source.dialect.name == "sqlite"
    with database.writing(long=True) as connection:
        _drop_tables(connection)
        upgrade_tables(connection)
        others = {table.name: table for table in list_copied(connection.dialect.name)}
        # New rows of removed people are refused: their ids come last.
        for table in sorted(list_copied(source.dialect.name), key=lambda table: table.name == "removed_people"):
            for rows in iterate_rows(source, table, _AT_ONCE):
                storable = replace_impossible(rows)[0] if must_replace else rows
                others[table.name].write(connection, storable, is_new=True)
        set_counters(connection, read_counters(source))
        end_sign_ins(connection)
        fill_index(connection)
        before_commit()


def end_sign_ins(connection: Connection) -> None:
    """Remove all sessions, links and unfinished sign-ins: some were ended or used after the backup was made."""
    for table in (sessions, one_time_links, openid_requests):
        connection.execute(delete(table))


def has_rows(database: Database) -> bool:
    """Whether any table has a row."""
    with database.reading() as connection:
        return any(
            connection.scalar(select(func.count()).select_from(select(table).limit(1).subquery()))
            for table in reflect_tables(connection)
        )


def check_unused(database: Database) -> None:
    """Raise `Misuse` if somebody else is connected to a PostgreSQL database."""
    with database.reading() as connection:
        others = connection.scalar(
            text(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
                "AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
            )
        )
    if others:
        raise _make_used_error()


@contextmanager
def hold_sqlite(file: Path) -> Iterator[None]:
    """Keep everybody else out of a SQLite file until the block ends; raise `Misuse` if somebody has it open."""
    if not file.exists():
        yield
        return
    connection = sqlite3.connect(file, timeout=0, isolation_level=None)
    try:
        try:
            # To leave the write-ahead log, SQLite needs the file for itself alone: every open connection prevents it.
            mode = connection.execute("PRAGMA journal_mode = DELETE").fetchone()
            connection.execute("BEGIN EXCLUSIVE")
            if mode != ("delete",):
                raise _make_used_error()
        except sqlite3.DatabaseError as error:
            if "locked" in str(error) or "busy" in str(error):
                raise _make_used_error() from error
            # The file is damaged: a backup is what its owner needs now.
        yield
    finally:
        connection.close()


def _insert_rows(connection: Connection, table: Table, rows: Rows) -> int:
    columns = set(table.c.keys())
    batch: list[dict[str, Any]] = []
    count = 0
    for row in rows:
        if row.keys() != columns:
            raise _make_incomplete_error()
        batch.append(row)
        count += 1
        if len(batch) == _AT_ONCE:
            connection.execute(insert(table), batch)
            batch = []
    if batch:
        connection.execute(insert(table), batch)
    return count


def _drop_tables(connection: Connection) -> None:
    """Remove all tables of a PostgreSQL database, and the functions of their triggers."""
    if connection.dialect.name == "sqlite":
        return  # a new file
    functions = connection.scalars(
        text(
            "SELECT DISTINCT p.oid::regprocedure::text FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid "
            "JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace "
            "WHERE NOT t.tgisinternal AND n.nspname = current_schema()"
        )
    ).all()
    for name in list_all_tables(connection):
        connection.execute(text(f'DROP TABLE IF EXISTS "{name}" CASCADE'))
    for function in functions:
        connection.execute(text(f"DROP FUNCTION IF EXISTS {function}"))


def _decode_value(value: Any) -> Any:
    if isinstance(value, dict) and value.keys() == {BYTES}:
        return base64.b64decode(value[BYTES], validate=True)
    return value


def _make_used_error() -> Misuse:
    return Misuse(
        "A server, a worker or a command uses this data folder.",
        "Stop it first, then restore again.",
        "in_use",
    )


def _make_incomplete_error() -> Damaged:
    return Damaged("The rows of the backup are not those of its manifest.", "Nothing was changed. Use another backup.")
