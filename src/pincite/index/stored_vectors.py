"""Load the vectors of SQLite's rows into memory, and follow additions and removals by any process."""

import threading

from sqlalchemy import Connection

from pincite.index.vector_matrix import Batch, Matrix, View

_LOADED_AT_ONCE = 512

_STATE = """
SELECT coalesce((SELECT max(id) FROM vectors), 0), (SELECT value FROM index_state WHERE name = 'vectors_removed')
"""
# Eight bytes for an id, two for a component: a batch of another dimension is of another model with the same name.
# Only generations that documents refer to: the others are hidden until they are removed.
_OF_MODEL = """
FROM vectors v JOIN documents d ON d.generation = v.generation
WHERE v.model = ? AND length(v.vectors) * 4 = length(v.passages) * ? AND v.id > ?
"""


class Vectors:
    """The vectors of one model, loaded when needed. A check costs one small query; only new rows are read."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._of: tuple[str, int] = ("", 0)
        self._matrix = Matrix(0)
        self._view: View | None = None
        self._last = 0
        self._removals = 0

    def view(self, connection: Connection, model: str, dimension: int) -> View:
        """Return the vectors of a model, at least as new as this connection sees them."""
        last, removals = connection.exec_driver_sql(_STATE).one()
        with self._lock:
            if self._of != (model, dimension):
                self._of = (model, dimension)
                self._matrix, self._view = Matrix(dimension), None
                self._last, self._removals = 0, removals
            # A connection may see an older state than an earlier one did: the matrix never returns to an older state.
            if removals > self._removals:
                ids = connection.exec_driver_sql(f"SELECT v.id {_OF_MODEL}", (model, dimension, 0)).scalars()
                self._matrix.keep(ids)
                self._removals, self._view = removals, None
            if last > self._last:
                self._load(connection)
                self._last, self._view = last, None
            if self._view is None:
                self._view = self._matrix.view()
            return self._view

    def _load(self, connection: Connection) -> None:
        after = (*self._of, self._last)
        count = connection.exec_driver_sql(f"SELECT sum(length(v.passages)) / 8 {_OF_MODEL}", after).scalar_one()
        self._matrix.reserve(count or 0)
        query = f"SELECT v.id, d.id, v.passages, v.vectors {_OF_MODEL} ORDER BY v.id"
        for rows in connection.exec_driver_sql(query, after).partitions(_LOADED_AT_ONCE):
            self._matrix.add([Batch(*row) for row in rows])
