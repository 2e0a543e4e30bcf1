"""Copy rows from one database to another by their keys, the same on SQLite and PostgreSQL.

A row is a tuple of values as they are stored: JSON stays the text that it is, and is neither parsed nor written anew.
All tables of the schema are copied; a table that is added later needs no code here.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache
from itertools import islice
from typing import Any, TypeVar

from sqlalchemy import JSON, Column, Connection, MetaData, Table, Text, cast, func, literal, select, tuple_
from sqlalchemy.exc import IntegrityError
from sqlalchemy.types import TypeEngine, UserDefinedType

from pincite.store.content_slices import replace_unstorable
from pincite.store.schema import metadata, move_changes, moves

Key = tuple[Any, ...]
Row = tuple[Any, ...]
_Item = TypeVar("_Item")

# They describe the move of one database, and stay with it.
NOT_COPIED = frozenset({moves.name, move_changes.name})
_KEYS_AT_ONCE = 500
_ROWS_AT_ONCE = 500


class RowConflict(Exception):
    """A row has a value that must be unique and that another row still has, which changed meanwhile."""


class _StoredJson(UserDefinedType[str]):
    """A JSON column of PostgreSQL, read and written as the text that is stored."""

    cache_ok = True

    def get_col_spec(self, **_options: Any) -> str:
        return "JSON"

    def bind_expression(self, bindvalue: Any) -> Any:
        return cast(cast(bindvalue, Text), JSON)

    def column_expression(self, column: Any) -> Any:
        return cast(column, Text)


class CopiedTable:
    """A table whose rows are read and written by key. `key` has the names of the key's columns."""

    def __init__(self, table: Table, dialect: str) -> None:
        self.name = table.name
        self.key = tuple(column.name for column in table.primary_key)
        self.columns = tuple(column.name for column in table.c)
        self._sqlite = dialect == "sqlite"
        copied = (
            Column(column.name, self._choose_type(column.type), primary_key=column.primary_key, autoincrement=False)
            for column in table.c
        )
        self._table = Table(table.name, MetaData(), *copied)
        self._places = [self.columns.index(name) for name in self.key]
        self._key_columns = [self._table.c[name] for name in self.key]

    def get_key(self, row: Row) -> Key:
        return tuple(row[place] for place in self._places)

    def count(self, connection: Connection) -> int:
        return connection.scalar(select(func.count()).select_from(self._table)) or 0

    def has_rows(self, connection: Connection) -> bool:
        return connection.execute(select(literal(1)).select_from(self._table).limit(1)).first() is not None

    def read_after(self, connection: Connection, key: Key | None, limit: int) -> list[Row]:
        """Return the next rows in the order of their keys, which is that of this database."""
        query = select(self._table).order_by(*self._key_columns).limit(limit)
        if key is not None:
            values = [literal(value, column.type) for value, column in zip(key, self._key_columns, strict=True)]
            one = len(values) == 1
            query = query.where(
                self._key_columns[0] > values[0] if one else tuple_(*self._key_columns) > tuple_(*values)
            )
        return [tuple(row) for row in connection.execute(query)]

    def read(self, connection: Connection, keys: Collection[Key]) -> dict[Key, Row]:
        """Return those of the rows that are there, by key."""
        found: dict[Key, Row] = {}
        for some in split_batches(keys, _KEYS_AT_ONCE):
            rows = connection.execute(select(self._table).where(self._is_one_of(some)))
            found.update((self.get_key(row), row) for row in map(tuple, rows))
        return found

    def write(self, connection: Connection, rows: Sequence[Row], is_new: bool = False) -> None:
        """Insert rows, or replace those with the same key; raise `RowConflict` if another row is in the way.

        New rows are in a table that has none of them. A trigger that refuses changes lets them pass.
        """
        if not rows:
            return
        statement = self._table.insert() if is_new else self._make_upsert()
        try:
            for some in split_batches(rows, _ROWS_AT_ONCE):
                connection.execute(statement, [dict(zip(self.columns, row, strict=True)) for row in some])
        except IntegrityError as error:
            raise RowConflict(f"A row of {self.name} does not fit: {error.orig}") from error

    def remove(self, connection: Connection, keys: Collection[Key]) -> None:
        for some in split_batches(keys, _KEYS_AT_ONCE):
            connection.execute(self._table.delete().where(self._is_one_of(some)))

    def _is_one_of(self, keys: Iterable[Key]) -> Any:
        if len(self.key) == 1:
            return self._key_columns[0].in_([key[0] for key in keys])
        return tuple_(*self._key_columns).in_(list(keys))

    def _make_upsert(self) -> Any:
        if self._sqlite:
            from sqlalchemy.dialects.sqlite import insert
        else:
            from sqlalchemy.dialects.postgresql import insert  # type: ignore[assignment]
        row = insert(self._table)
        others = {name: row.excluded[name] for name in self.columns if name not in self.key}
        if not others:
            return row.on_conflict_do_nothing(index_elements=list(self.key))
        return row.on_conflict_do_update(index_elements=list(self.key), set_=others)

    def _choose_type(self, given: TypeEngine[Any]) -> TypeEngine[Any]:
        if isinstance(given, JSON):
            return Text() if self._sqlite else _StoredJson()
        return given


@cache
def list_copied(dialect: str) -> tuple[CopiedTable, ...]:
    """Return all tables of the schema for an engine; a table comes after those that it refers to."""
    return tuple(CopiedTable(table, dialect) for table in metadata.sorted_tables if table.name not in NOT_COPIED)


def replace_impossible(rows: Iterable[Row]) -> tuple[list[Row], int]:
    """Return rows that PostgreSQL can hold, and how many values had to change: it has no U+0000 in a text."""
    found: list[Row] = []
    changed = 0
    for row in rows:
        if any(isinstance(value, str) and "\0" in value for value in row):
            changed += sum(isinstance(value, str) and "\0" in value for value in row)
            row = tuple(replace_unstorable(value) if isinstance(value, str) else value for value in row)
        found.append(row)
    return found, changed


def replace_in_key(key: Key) -> Key:
    """Return the key that a row has after `replace_impossible`."""
    return tuple(replace_unstorable(value) if isinstance(value, str) else value for value in key)


def weigh_row(row: Row) -> int:
    """Estimate the bytes of a row."""
    return sum(len(value) if isinstance(value, (str, bytes)) else 8 for value in row)


def iterate_rows(connection: Connection, table: CopiedTable, limit: int) -> Iterator[list[Row]]:
    """Yield all rows of a table, some at a time."""
    key: Key | None = None
    while rows := table.read_after(connection, key, limit):
        yield rows
        key = table.get_key(rows[-1])


def split_batches(items: Iterable[_Item], size: int) -> Iterator[list[_Item]]:
    """Yield the items in lists of at most so many."""
    rest = iter(items)
    while some := list(islice(rest, size)):
        yield some
