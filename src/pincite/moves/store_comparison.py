"""Compare two databases that should contain the same store: every row, every word, every bit of a vector."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pincite.index import index_copy
from pincite.moves.move_progress import Progress
from pincite.store.change_capture import VECTORS
from pincite.store.database import Database
from pincite.store.row_copy import CopiedTable, Key, Row, iterate_rows, list_copied, replace_impossible, replace_in_key

if TYPE_CHECKING:
    from pincite.store.database import Connection

_AT_ONCE = 500
_GENERATIONS_AT_ONCE = 50


@dataclass(slots=True)
class Comparison:
    """The differences of two stores: for each table its rows on both sides, and the number of unequal rows."""

    counts: dict[str, tuple[int, int]] = field(default_factory=dict)
    differing: Counter[str] = field(default_factory=Counter)

    @property
    def is_equal(self) -> bool:
        return not self.differing and all(first == second for first, second in self.counts.values())


def check_stores(source: Database, target: Database, progress: Progress = lambda step, done, total: None) -> Comparison:
    """Compare two stores as a whole, and change nothing."""
    found = Comparison()
    for name, keys in compare_stores(source, target, progress):
        found.differing[name] += len(keys)
    with source.reading(long=True) as first, target.reading(long=True) as second:
        for table, other in _pair_tables(first, second):
            found.counts[table.name] = table.count(first), other.count(second)
    return found


def compare_stores(source: Database, target: Database, progress: Progress) -> Iterator[tuple[str, list[Key]]]:
    """Yield the differences: the name of a table, or of the vectors, and the keys of unequal rows.

    Each table is compared in one state of each side.
    """
    with source.reading(long=True) as first, target.reading(long=True) as second:
        pairs = _pair_tables(first, second)
        total, done = sum(table.count(first) for table, _ in pairs), 0
    for table, other in pairs:
        with source.reading(long=True) as first, target.reading(long=True) as second:
            for rows in iterate_rows(first, table, _AT_ONCE):
                if keys := _find_differing(table, rows, other, second, source.sqlite and not target.sqlite):
                    yield table.name, keys
                done += len(rows)
                progress("Comparing rows", min(done, total), total)
            if table.count(first) < other.count(second) and (keys := _find_extra(table, first, other, second)):
                yield table.name, keys
    with source.reading(long=True) as first, target.reading(long=True) as second:
        mine, theirs = index_copy.compute_word_sums(first), index_copy.compute_word_sums(second)
        if keys := [(id,) for id in mine.keys() | theirs.keys() if mine.get(id) != theirs.get(id)]:
            yield "passages", keys
    yield from _compare_vectors(source, target, progress)


def compare_keys(
    source: "Connection", target: "Connection", wanted: Mapping[str, Collection[Key]]
) -> dict[str, list[Key]]:
    """Return those of the rows and vectors that are not equal; a passage with other words counts as not equal."""
    must_replace = source.dialect.name == "sqlite" and target.dialect.name != "sqlite"
    found: dict[str, list[Key]] = {}
    for table, other in _pair_tables(source, target):
        if keys := wanted.get(table.name):
            mine = {key: _replace([row], must_replace)[0] for key, row in table.read(source, keys).items()}
            named = {key: replace_in_key(key) if must_replace else key for key in keys}
            theirs = other.read(target, named.values())
            if differing := [key for key in keys if mine.get(key) != theirs.get(named[key])]:
                found[table.name] = differing
    if ids := [key[0] for key in wanted.get("passages", ())]:
        sums, others = index_copy.compute_word_sums(source, ids), index_copy.compute_word_sums(target, ids)
        if differing := [(id,) for id in ids if sums.get(id) != others.get(id)]:
            found["passages"] = [*found.get("passages", ()), *differing]
    if ids := [key[0] for key in wanted.get(VECTORS, ())]:
        first, second = index_copy.read_vectors(source, ids), index_copy.read_vectors(target, ids)
        if differing := [(id,) for id in ids if first.get(id) != second.get(id)]:
            found[VECTORS] = differing
    return found


def list_differences(wrong: Mapping[str, int]) -> str:
    return ", ".join(f"{count:,} in {name}" for name, count in sorted(wrong.items()))


def _compare_vectors(source: Database, target: Database, progress: Progress) -> Iterator[tuple[str, list[Key]]]:
    with source.reading(long=True) as first, target.reading(long=True) as second:
        table = next(table for table, _ in _pair_tables(first, second) if table.name == "generations")
        total, done = table.count(first), 0
        for rows in iterate_rows(first, table, _GENERATIONS_AT_ONCE):
            ids = [row[0] for row in rows]
            mine, theirs = index_copy.read_vectors(first, ids), index_copy.read_vectors(second, ids)
            if keys := [(id,) for id in ids if mine.get(id) != theirs.get(id)]:
                yield VECTORS, keys
            done += len(rows)
            progress("Comparing vectors", min(done, total), total)


def _find_differing(
    table: CopiedTable, rows: list[Row], other: CopiedTable, target: "Connection", must_replace: bool
) -> list[Key]:
    storable = _replace(rows, must_replace)
    theirs = other.read(target, [table.get_key(row) for row in storable])
    return [
        table.get_key(row)
        for row, stored in zip(rows, storable, strict=True)
        if theirs.get(table.get_key(stored)) != stored
    ]


def _find_extra(table: CopiedTable, first: "Connection", other: CopiedTable, second: "Connection") -> list[Key]:
    """Return the keys that only the target has."""
    found: list[Key] = []
    for rows in iterate_rows(second, other, _AT_ONCE):
        keys = [other.get_key(row) for row in rows]
        there = table.read(first, keys)
        found += [key for key in keys if key not in there]
    return found


def _replace(rows: Iterable[Row], must_replace: bool) -> list[Row]:
    return replace_impossible(rows)[0] if must_replace else list(rows)


def _pair_tables(first: "Connection", second: "Connection") -> list[tuple[CopiedTable, CopiedTable]]:
    return list(zip(list_copied(first.dialect.name), list_copied(second.dialect.name), strict=True))
