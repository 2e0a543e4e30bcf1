"""Estimate the size of a move, and how long it takes, before it begins."""

from dataclasses import dataclass

from pincite.index import index_copy
from pincite.store.database import Database
from pincite.store.row_copy import list_copied

# Copied and compared; measured by benchmarks/move_speed.py on two cores that others kept busy. A quiet machine is
# several times as fast.
_ROWS_A_SECOND = 440
_PASSAGES_A_SECOND = 340
_VECTORS_A_SECOND = 270


@dataclass(frozen=True, slots=True)
class MovePlan:
    """The size of a store that is to be moved, and an estimate of the seconds."""

    tables: int
    rows: int
    passages: int
    vectors: int
    bytes: int

    @property
    def seconds(self) -> float:
        return self.rows / _ROWS_A_SECOND + self.passages / _PASSAGES_A_SECOND + self.vectors / _VECTORS_A_SECOND


def plan_move(source: Database) -> MovePlan:
    """Count the rows and vectors of a store, and estimate the time of its move."""
    with source.reading(long=True) as connection:
        counts = {table.name: table.count(connection) for table in list_copied(connection.dialect.name)}
        vectors = index_copy.count_vectors(connection)
    return MovePlan(len(counts), sum(counts.values()), counts["passages"], vectors, source.size())
