"""Insert or replace rows by key, on SQLite and PostgreSQL."""

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
