"""Prepare a database to be filled by a move, and put its rules back when everything is there.

Rows arrive in any order and change meanwhile. Until the end, the target has no foreign keys and no triggers, and nobody
may open it.
"""

from pathlib import Path
from typing import Any

from sqlalchemy import Connection, event, text

from pincite.errors import Damaged, Misuse
from pincite.settings_postgres import PostgresSettings
from pincite.store.database import Database, make_folder
from pincite.store.postgres_engine import parse_address
from pincite.store.row_copy import list_copied
from pincite.store.sqlite_engine import make_private
from pincite.store.table_revisions import HEAD

Rules = list[dict[str, str]]


def open_target(url: str, postgres: PostgresSettings | None = None) -> Database:
    """Return a database that does not check foreign keys while it is filled; create the file of SQLite's."""
    database = Database(url, postgres)
    if database.sqlite and (name := database.engine.url.database) not in (None, "", ":memory:"):
        make_folder(Path(str(name)).parent)
        make_private(Path(str(name)))
    if database.sqlite:
        event.listen(database.engine, "connect", _ignore_foreign_keys)
    return database


def open_compared(url: str, postgres: PostgresSettings | None = None) -> Database:
    """Return a database that has a store, to be read only; raise `Misuse` if there is none."""
    address = parse_address(url)
    is_file = address.get_backend_name() == "sqlite"
    database = None if is_file and not Path(address.database or "").is_file() else Database(url, postgres)
    if database is None or database.revision() != HEAD:
        if database:
            database.close()
        raise Misuse("There is no store of this version at that address.", "Move one there first, without --check.")
    return database


def suspend_rules(connection: Connection) -> Rules:
    """Remove the foreign keys and triggers of all copied tables, and return them."""
    if connection.dialect.name == "sqlite":
        rows = connection.execute(text("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")).all()
        for row in rows:
            connection.exec_driver_sql(f'DROP TRIGGER "{row.name}"')
        return [{"name": row.name, "sql": row.sql} for row in rows]
    names = [table.name for table in list_copied(connection.dialect.name)]
    query = text(
        "SELECT t.relname AS owner, c.conname AS name, pg_get_constraintdef(c.oid) AS definition "
        "FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid JOIN pg_namespace n ON n.oid = t.relnamespace "
        "WHERE c.contype = 'f' AND n.nspname = current_schema() AND t.relname = ANY(:names) ORDER BY 1, 2"
    )
    found = [dict(row) for row in connection.execute(query, {"names": names}).mappings()]
    for rule in found:
        connection.exec_driver_sql(f'ALTER TABLE "{rule["owner"]}" DROP CONSTRAINT "{rule["name"]}"')
    for name in names:
        connection.exec_driver_sql(f'ALTER TABLE "{name}" DISABLE TRIGGER USER')
    return found


def restore_rules(connection: Connection, rules: Rules) -> None:
    """Create the foreign keys and triggers again; raise `Damaged` if a row refers to one that is not there."""
    if connection.dialect.name == "sqlite":
        for rule in rules:
            connection.exec_driver_sql(rule["sql"])
        orphan = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
        if orphan is not None:
            raise _make_orphan_error(orphan[0])
        return
    for rule in rules:
        connection.exec_driver_sql(
            f'ALTER TABLE "{rule["owner"]}" ADD CONSTRAINT "{rule["name"]}" {rule["definition"]}'
        )
    for table in list_copied(connection.dialect.name):
        connection.exec_driver_sql(f'ALTER TABLE "{table.name}" ENABLE TRIGGER USER')


def refuse_orphans(connection: Connection) -> None:
    """Raise `Damaged` if SQLite has rows that refer to others that are not there: PostgreSQL would refuse them."""
    if connection.dialect.name == "sqlite":
        orphan = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
        if orphan is not None:
            raise _make_orphan_error(orphan[0])


def has_data(connection: Connection) -> bool:
    """Whether any table has a row."""
    return any(table.has_rows(connection) for table in list_copied(connection.dialect.name))


def _ignore_foreign_keys(connection: Any, _record: object) -> None:
    connection.execute("PRAGMA foreign_keys = OFF").close()


def _make_orphan_error(table: str) -> Damaged:
    return Damaged(
        f"A row of the table {table} refers to another one that is not there.",
        "`pincite doctor` checks the file. Restore it from a backup, or remove the row.",
    )


def gather_statistics(connection: Connection) -> None:
    """Let PostgreSQL know how many rows there are, on which its plans depend."""
    if connection.dialect.name != "sqlite":
        connection.exec_driver_sql("ANALYZE")
