"""Write and read many rows of PostgreSQL in its binary format: as text, bytes take twice the room."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from struct import pack
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

_HEADER = b"PGCOPY\n\xff\r\n\0" + bytes(8)  # no flags, nothing added to the header
_END = b"\xff\xff"
_COPIED_AT_ONCE = 8_000_000  # bytes


def pack_columns(*columns: tuple[NDArray[Any], str]) -> bytes:
    """Return rows of numbers, given as columns with their formats. A column of vectors is one of `halfvec`."""
    fields: list[tuple[Any, ...]] = [("fields", ">i2")]
    for place, (values, form) in enumerate(columns):
        fields.append((f"length{place}", ">i4"))
        if values.ndim == 2:  # before its components, a vector has their number and two bytes that are zero
            fields += [(f"components{place}", ">i2"), (f"zero{place}", ">i2")]
        fields.append((f"value{place}", form, values.shape[1:]))
    rows = np.zeros(len(columns[0][0]), np.dtype(fields))
    rows["fields"] = len(columns)
    for place, (values, form) in enumerate(columns):
        rows[f"value{place}"] = values
        rows[f"length{place}"] = np.dtype(form).itemsize
        if values.ndim == 2:
            rows[f"length{place}"] = np.dtype(form).itemsize * values.shape[1] + 4
            rows[f"components{place}"] = values.shape[1]
    return rows.tobytes()


def pack_row(*values: bytes) -> bytes:
    """Return one row of values that are in PostgreSQL's binary form already."""
    parts = [pack(">h", len(values))]
    for value in values:
        parts += (pack(">i", len(value)), value)
    return b"".join(parts)


def copy_rows(connection: Connection, target: str, rows: Iterable[bytes]) -> None:
    """Append packed rows to a table; `target` is its name and columns.

    The rows may come from a query on the same connection, which can do only one thing at a time: they are collected.
    """
    collected: list[bytes] = []
    size = 0
    for row in rows:
        collected.append(row)
        size += len(row)
        if size >= _COPIED_AT_ONCE:
            _copy(connection, target, collected)
            collected, size = [], 0
    if collected:
        _copy(connection, target, collected)


def read_rows(connection: Connection, query: str, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """Return the rows of a query whose parameters are written as `%(name)s`."""
    driver: Any = connection.connection.driver_connection
    with _explain_errors(connection, query), driver.cursor(binary=True) as cursor:
        found: list[tuple[Any, ...]] = cursor.execute(query, values).fetchall()
    return found


def _copy(connection: Connection, target: str, rows: Iterable[bytes]) -> None:
    driver: Any = connection.connection.driver_connection
    statement = f"COPY {target} FROM STDIN (FORMAT BINARY)"
    with _explain_errors(connection, statement), driver.cursor() as cursor, cursor.copy(statement) as copy:
        copy.write(b"".join((_HEADER, *rows, _END)))


@contextmanager
def _explain_errors(connection: Connection, statement: str) -> Iterator[None]:
    """Raise the driver's errors as SQLAlchemy would: the callers know its errors only."""
    base = connection.dialect.loaded_dbapi.Error
    try:
        yield
    except base as error:
        raise DBAPIError.instance(statement, None, error, base, hide_parameters=True) from error
