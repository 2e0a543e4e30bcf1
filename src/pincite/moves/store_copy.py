"""Copy the rows, words and vectors of a store into another database, and copy again what changed meanwhile.

The target records how far the copy is, in the transaction that writes it: a copy that is interrupted goes on there.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from pincite.index import index_copy
from pincite.index.postgres_index import PostgresIndex
from pincite.moves.move_progress import Progress
from pincite.store import change_capture, move_records, move_target, stored_passages
from pincite.store.change_capture import TITLE, VECTORS, Change
from pincite.store.database import Database
from pincite.store.row_copy import (
    CopiedTable,
    Key,
    Row,
    RowConflict,
    list_copied,
    replace_impossible,
    replace_in_key,
    weigh_row,
)

if TYPE_CHECKING:
    from pincite.store.database import Connection

FEW_CHANGES = 200  # changes that are copied while the source is held
ROUNDS = 20
_BATCH_BYTES = 4_000_000
_LEAST_ROWS, _MOST_ROWS = 20, 5_000
_CHANGES_AT_ONCE = 2_000
_SHRINKING = 0.7  # a round that leaves more than this share of the one before does not pay
_GENERATIONS_AT_ONCE = 50


class StoreCopy:
    """The copy of one move, whose number is `move`. `done` says how far it is, and is stored in the target.

    `touched` are the keys of changed rows that were copied again, by table, and `changes` is their number. `replaced`
    counts the values of each table in which PostgreSQL could not hold a character.
    """

    def __init__(self, source: Database, target: Database, move: str, done: dict[str, Any], progress: Progress) -> None:
        self._source, self._target = source, target
        self._move = move
        self._done = done
        self._progress = progress
        self._from = list_copied(source.engine.dialect.name)
        self._to = {table.name: table for table in list_copied(target.engine.dialect.name)}
        self._must_replace = source.sqlite and not target.sqlite
        self.replaced: Counter[str] = Counter()
        self.touched: dict[str, set[Key]] = defaultdict(set)
        self.changes = 0

    def copy_tables(self) -> None:
        """Copy the rows of all tables."""
        with self._source.reading(long=True) as connection:
            totals = {table.name: table.count(connection) for table in self._from}
        total, done = sum(totals.values()), 0
        for table in self._from:
            for copied in self._copy_table(table):
                done += copied
                self._progress("Copying rows", min(done, total), total)

    def _copy_table(self, table: CopiedTable) -> Iterator[int]:
        state = self._done["tables"].get(table.name)
        if state is True:
            return
        key: Key | None = tuple(state) if state else None
        limit = 200
        while True:
            with self._source.reading(long=True) as connection:
                rows = table.read_after(connection, key, limit)
            last = table.get_key(rows[-1]) if rows else None
            try:
                with self._target.writing(long=True) as connection:
                    self._to[table.name].write(connection, self._replace(table.name, rows))
                    self._done["tables"][table.name] = list(last) if last else True
                    move_records.save_progress(connection, self._move, self._done)
            except RowConflict:
                # A row has a unique value that another row had when it was copied. The change of that row is noted.
                self._done["tables"][table.name] = list(key) if key else None
                if not self._apply_all_changes():
                    raise
                continue
            if last is None:
                return
            key = last
            yield len(rows)
            weight = max(sum(map(weigh_row, rows)) // len(rows), 1)
            limit = min(max(_BATCH_BYTES // weight, _LEAST_ROWS), _MOST_ROWS)

    def _replace(self, name: str, rows: Iterable[Row]) -> list[Row]:
        if not self._must_replace:
            return list(rows)
        found, changed = replace_impossible(rows)
        if changed:
            self.replaced[name] += changed
        return found

    def copy_words(self) -> None:
        """Copy the words of all passages."""
        self._copy_by_id("passages", "words", self._copy_words_of)

    def _copy_words_of(self, source: "Connection", ids: list[int]) -> Callable[["Connection"], None]:
        words = index_copy.read_words(source, ids)
        return lambda target: index_copy.write_words(target, words, is_new=True)

    def copy_vectors(self) -> None:
        """Copy the vectors of all generations."""
        self._copy_by_id("generations", "vectors", self._copy_vectors_of)

    def _copy_vectors_of(self, source: "Connection", ids: list[int]) -> Callable[["Connection"], None]:
        found = index_copy.read_vectors(source, ids)
        return lambda target: self._write_vectors(target, found)

    def _write_vectors(self, target: "Connection", found: dict[int, list[index_copy.StoredVectors]]) -> None:
        # A generation that is not in the target yet is copied later, with its vectors.
        here = self._to["generations"].read(target, [(id,) for id in found])
        for generation, stored in found.items():
            if (generation,) in here:
                index_copy.write_vectors(target, generation, stored)

    def _copy_by_id(
        self,
        name: str,
        what: str,
        copy: Callable[["Connection", list[int]], Callable[["Connection"], None]],
    ) -> None:
        """Copy a part of the index that belongs to the rows of a table, in the order of their ids."""
        if self._done.get(what) is True:
            return
        table = next(each for each in self._from if each.name == name)
        after: int = self._done.get(what) or 0
        with self._source.reading(long=True) as connection:
            total, done = table.count(connection), 0
            limit = _GENERATIONS_AT_ONCE if what == "vectors" else index_copy.choose_batch(connection)
        while True:
            with self._source.reading(long=True) as connection:
                ids = [row[0] for row in table.read_after(connection, (after,), limit)]
                write = copy(connection, ids)
            with self._target.writing(long=True) as connection:
                if ids:
                    write(connection)
                self._done[what] = after = ids[-1] if ids else after
                if not ids:
                    self._done[what] = True
                move_records.save_progress(connection, self._move, self._done)
            if not ids:
                return
            done += len(ids)
            self._progress(f"Copying {what}", min(done, total), total)

    def tidy_index(self) -> None:
        """Bring the copied index into the form in which a search is fast."""
        is_more = True
        while is_more:
            with self._target.writing(long=True) as connection:
                is_more = index_copy.tidy_words(connection)
        with self._target.writing(long=True) as connection:
            move_target.gather_statistics(connection)
        if not self._target.sqlite:
            self._progress("Building the graphs of vectors", 0, 1)
            PostgresIndex().build_graphs(self._target)

    def catch_up(self) -> None:
        """Copy noted changes until few are left, or about as many come as are copied."""
        before = 0
        for _ in range(ROUNDS):
            with self._source.reading(long=True) as connection:
                waiting = change_capture.count_changes(connection)
            if waiting <= FEW_CHANGES or (before and waiting > before * _SHRINKING):
                return
            before = waiting
            done = 0
            while done < waiting and (applied := self._apply_changes(_CHANGES_AT_ONCE)):
                done += applied
                self._progress("Copying changes", min(done, waiting), waiting)

    def _apply_all_changes(self) -> int:
        return self._apply_changes(None)

    def _apply_changes(self, limit: int | None) -> int:
        """Copy the rows of the oldest noted changes as they are now, and forget the notes; return their number."""
        with self._source.reading(long=True) as connection:
            changes = change_capture.read_changes(connection, limit)
            write = self.read_changed(connection, changes)
        if not changes:
            return 0
        try:
            with self._target.writing(long=True) as connection:
                write(connection)
        except RowConflict:
            if limit is None:
                raise
            return self._apply_changes(None)
        with self._source.writing(long=True) as connection:
            change_capture.remove_changes(connection, changes)
        self.changes += len(changes)
        return len(changes)

    def read_changed(self, source: "Connection", changes: Collection[Change]) -> Callable[["Connection"], None]:
        """Read everything that changed, in one state of the source; return a function that writes it to the target."""
        keys: dict[str, dict[Key, None]] = defaultdict(dict)
        for change in changes:
            keys[change.changed][change.key] = None
            self.touched[change.changed].add(change.key)
        rows = {table.name: table.read(source, keys[table.name]) for table in self._from if keys.get(table.name)}
        renamed = [id for key in keys.get(TITLE, ()) for id in stored_passages.list_ids(source, key[0])]
        passages = {key[0] for key in keys.get("passages", ())} | set(renamed)
        self.touched["passages"].update((id,) for id in renamed)
        if (copied := self._done.get("words")) is not True:  # the words of other passages are copied later
            passages = {id for id in passages if id <= (copied or 0)}
        words = index_copy.read_words(source, passages) if passages else {}
        generations = [key[0] for key in keys.get(VECTORS, ())]
        found = index_copy.read_vectors(source, generations) if generations else {}
        vectors = {id: found.get(id, []) for id in generations}

        def write(target: "Connection") -> None:
            for name, read in reversed(rows.items()):
                gone = [key for key in keys[name] if key not in read]
                self._to[name].remove(target, list(map(replace_in_key, gone)) if self._must_replace else gone)
            for name, read in rows.items():
                self._to[name].write(target, self._replace(name, read.values()))
            index_copy.remove_words(target, passages - words.keys())
            index_copy.write_words(target, words)
            self._write_vectors(target, vectors)

        return write

    def count_rows(self, source: "Connection", target: "Connection") -> dict[str, tuple[int, int]]:
        """Return the number of rows of each table in the source and in the target."""
        return {table.name: (table.count(source), self._to[table.name].count(target)) for table in self._from}
