"""Insert rows, or replace or keep those with the same key, on SQLite and PostgreSQL."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Table


def upsert(connection: Connection, table: Table, values: Mapping[str, Any], key: Sequence[str]) -> None:
    """Insert a row, or update the one with the same key; of two concurrent writers, the later wins."""
    if connection.dialect.name == "sqlite":
        from sqlalchemy.dialects.sqlite import insert

        row = insert(table).values(values)
        connection.execute(row.on_conflict_do_update(index_elements=list(key), set_=dict(values)))
    else:
        from sqlalchemy.dialects import postgresql  # slow to import, and most databases are SQLite

        other = postgresql.insert(table).values(values)
        connection.execute(other.on_conflict_do_update(index_elements=list(key), set_=dict(values)))


def insert_if_absent(connection: Connection, table: Table, values: Mapping[str, Any]) -> bool:
    """Insert a row unless one with the same key exists; return whether it was inserted."""
    # The count of an INSERT is dropped unless it is asked for.
    options = {"preserve_rowcount": True}
    if connection.dialect.name == "sqlite":
        from sqlalchemy.dialects.sqlite import insert

        row = insert(table).values(values).on_conflict_do_nothing()
        return connection.execute(row, execution_options=options).rowcount > 0
    from sqlalchemy.dialects import postgresql  # slow to import, and most databases are SQLite

    other = postgresql.insert(table).values(values).on_conflict_do_nothing()
    return connection.execute(other, execution_options=options).rowcount > 0
