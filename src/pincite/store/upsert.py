"""Write a row in place of the one with the same key, on SQLite and on PostgreSQL."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Table


def upsert(connection: Connection, table: Table, values: Mapping[str, Any], key: Sequence[str]) -> None:
    """Insert a row, or update the one that has the same key: of two writers at once, the later wins."""
    if connection.dialect.name == "sqlite":
        from sqlalchemy.dialects.sqlite import insert

        row = insert(table).values(values)
        connection.execute(row.on_conflict_do_update(index_elements=list(key), set_=dict(values)))
    else:
        from sqlalchemy.dialects import postgresql  # takes a while to import, and most databases are SQLite

        other = postgresql.insert(table).values(values)
        connection.execute(other.on_conflict_do_update(index_elements=list(key), set_=dict(values)))
