"""Move a whole store to another database while servers and workers go on: copy, catch up, compare, switch.

Triggers note every row that changes while the others are copied. The noted rows are copied again until few are left.
Then everything is compared. At last the source is held for a moment: the rest is copied and compared, and the source is
closed for changes in the same transaction. A move that is interrupted anywhere goes on where it stopped.
"""

import time
import uuid
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pincite.errors import Misuse, Moved, RowsLocked, StorageError
from pincite.index import index_copy
from pincite.index.postgres_index import PostgresIndex
from pincite.moves.store_comparison import compare_keys, compare_stores, list_differences
from pincite.store import audit_log, change_capture, move_records, move_target, stored_passages
from pincite.store.audit_log import AuditEntry
from pincite.store.change_capture import TITLE, VECTORS, Change, TablesBusy
from pincite.store.database import HEAD, Database
from pincite.store.id_counters import read_counters, set_counters
from pincite.store.move_records import MoveRecord, hold_move, show_address
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

Progress = Callable[[str, int, int], None]  # the step, the number of items that are done, and of all items

_BATCH_BYTES = 4_000_000
_LEAST_ROWS, _MOST_ROWS = 20, 5_000
_CHANGES_AT_ONCE = 2_000
_FEW_CHANGES = 200  # changes that are copied while the source is held
_ROUNDS = 20
_SHRINKING = 0.7  # a round that leaves more than this share of the one before does not pay
_GENERATIONS_AT_ONCE = 50
_HOLD_SECONDS = 120.0


@dataclass(slots=True)
class MoveReport:
    """The result of a move: rows of each table at the end, rows that were copied again, seconds that writers waited.

    `replaced` counts the values of each table in which PostgreSQL could not hold a character.
    """

    rows: dict[str, int] = field(default_factory=dict)
    changes: int = 0
    replaced: dict[str, int] = field(default_factory=dict)
    held_seconds: float = 0.0
    seconds: float = 0.0
    resumed: bool = False


class StoreMove:
    """One run of a move. `target` must come from `move_target.open_target`."""

    def __init__(self, source: Database, target: Database, progress: Progress = lambda step, done, total: None) -> None:
        self._source, self._target = source, target
        self._progress = progress
        self._from = list_copied(source.engine.dialect.name)
        self._to = {table.name: table for table in list_copied(target.engine.dialect.name)}
        self._must_replace = source.sqlite and not target.sqlite
        self._replaced: Counter[str] = Counter()
        self._touched: dict[str, set[Key]] = defaultdict(set)
        self._id = ""
        self._done: dict[str, Any] = {}
        self.report = MoveReport()

    def run(self) -> MoveReport:
        """Move the store, or go on with a move that was interrupted; raise `Misuse` if the target has other data."""
        began = time.monotonic()
        if show_address(self._source) == show_address(self._target):
            raise Misuse("The store is in this database already.", "Give the address of another one.")
        with hold_move(self._source), hold_move(self._target):
            self._target.migrate()
            if self._begin():
                self._copy_tables()
                self._copy_words()
                self._copy_vectors()
                self._tidy_index()
                self._catch_up()
                self._compare()
                self._settle()
                self._switch()
            self._finish()
        self.report.replaced = dict(self._replaced)
        self.report.seconds = time.monotonic() - began
        return self.report

    def _begin(self) -> bool:
        """Record the move in both databases, or find its records; return whether something is left to copy."""
        with self._source.reading(long=True) as connection:
            here = move_records.find(connection, "source")
            move_target.refuse_orphans(connection)
        with self._target.reading(long=True) as connection:
            there = move_records.find(connection, "target")
            has_data = move_target.has_data(connection)
        is_mine = here is not None and there is not None and here.id == there.id
        self._refuse_others(here, there, is_mine, has_data)
        if here and here.state == "copying" and here.progress["revision"] != HEAD:
            raise _make_upgraded_error()
        self.report.resumed = here is not None
        self._id = here.id if here else uuid.uuid4().hex
        if here is None:
            with _hold_source(self._source) as connection:
                change_capture.begin_capture(connection)
                now, address = time.time(), show_address(self._target)
                move_records.begin(connection, self._id, "source", address, {"revision": HEAD}, now)
                audit_log.append(connection, AuditEntry(now, "", audit_log.MOVE, target=address, address="terminal"))
        if is_mine and there is not None:
            self._done = there.progress
        else:
            with self._target.writing(long=True) as connection:
                self._done = {"tables": {}, "rules": move_target.suspend_rules(connection)}
                other = show_address(self._source)
                move_records.begin(connection, self._id, "target", other, self._done, time.time())
        return here is None or here.state == "copying"

    def _refuse_others(self, here: MoveRecord | None, there: MoveRecord | None, is_mine: bool, has_data: bool) -> None:
        if here and here.state == "moved" and not (is_mine and there and there.state == "copying"):
            raise Moved(here.other)
        if is_mine:
            return
        if there and there.state == "copying":
            raise Misuse(
                f"Another store is being moved into this database, from {there.other}.",
                "Give an empty database.",
                "has_data",
            )
        if has_data:
            raise Misuse("The database has data already.", "Give an empty one.", "has_data")
        if here and here.other != show_address(self._target):
            raise Misuse(
                f"This store is being moved to {here.other}.",
                "Go on with that one, or give it up with `pincite move --undo`.",
                "moving",
            )

    def _copy_tables(self) -> None:
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
                    move_records.save_progress(connection, self._id, self._done)
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
            self._replaced[name] += changed
        return found

    def _copy_words(self) -> None:
        self._copy_by_id("passages", "words", self._copy_words_of)

    def _copy_words_of(self, source: "Connection", ids: list[int]) -> Callable[["Connection"], None]:
        words = index_copy.read_words(source, ids)
        return lambda target: index_copy.write_words(target, words, is_new=True)

    def _copy_vectors(self) -> None:
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
                move_records.save_progress(connection, self._id, self._done)
            if not ids:
                return
            done += len(ids)
            self._progress(f"Copying {what}", min(done, total), total)

    def _tidy_index(self) -> None:
        is_more = True
        while is_more:
            with self._target.writing(long=True) as connection:
                is_more = index_copy.tidy_words(connection)
        with self._target.writing(long=True) as connection:
            move_target.gather_statistics(connection)
        if not self._target.sqlite:
            self._progress("Building the graphs of vectors", 0, 1)
            PostgresIndex().build_graphs(self._target)

    def _catch_up(self) -> None:
        """Copy noted changes until few are left, or about as many come as are copied."""
        before = 0
        for _ in range(_ROUNDS):
            with self._source.reading(long=True) as connection:
                waiting = change_capture.count_changes(connection)
            if waiting <= _FEW_CHANGES or (before and waiting > before * _SHRINKING):
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
            write = self._read_changed(connection, changes)
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
        self.report.changes += len(changes)
        return len(changes)

    def _read_changed(self, source: "Connection", changes: Collection[Change]) -> Callable[["Connection"], None]:
        """Read everything that changed, in one state of the source; return a function that writes it to the target."""
        keys: dict[str, dict[Key, None]] = defaultdict(dict)
        for change in changes:
            keys[change.changed][change.key] = None
            self._touched[change.changed].add(change.key)
        rows = {table.name: table.read(source, keys[table.name]) for table in self._from if keys.get(table.name)}
        renamed = [id for key in keys.get(TITLE, ()) for id in stored_passages.list_ids(source, key[0])]
        passages = {key[0] for key in keys.get("passages", ())} | set(renamed)
        self._touched["passages"].update((id,) for id in renamed)
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

    def _compare(self) -> None:
        """Compare everything while others write. Rows that differ are noted, copied again, and compared at the end."""
        self._touched.clear()
        for name, keys in compare_stores(self._source, self._target, self._progress):
            with self._source.writing(long=True) as connection:
                change_capture.note_changes(connection, name, keys)

    def _settle(self) -> None:
        """Compare rows that changed since the comparison, until few are left to compare while the source is held."""
        for _ in range(_ROUNDS):
            self._catch_up()
            touched, self._touched = self._touched, defaultdict(set)
            count = sum(map(len, touched.values()))
            if count <= _FEW_CHANGES:
                self._touched = touched
                return
            self._progress("Comparing changes", 0, count)
            with self._source.reading(long=True) as source, self._target.reading(long=True) as target:
                differing = compare_keys(source, target, touched)
            with self._source.writing(long=True) as connection:
                for name, keys in differing.items():
                    change_capture.note_changes(connection, name, keys)
            self._progress("Comparing changes", count, count)

    def _switch(self) -> None:
        """Hold the source, copy and compare the remaining changes, and close the source for changes."""
        with _hold_source(self._source) as source:
            began = time.monotonic()
            if self._source.revision() != HEAD:
                raise _make_upgraded_error()
            address = show_address(self._target)
            changes = change_capture.read_changes(source, None)
            write = self._read_changed(source, changes)
            with self._target.writing(long=True) as target:
                write(target)
                self._refuse_differences(source, target)
                set_counters(target, read_counters(source))
            self.report.changes += len(changes)
            change_capture.refuse_changes(source, address)
            move_records.end(source, self._id, "moved", time.time())
        self.report.held_seconds = time.monotonic() - began

    def _refuse_differences(self, source: "Connection", target: "Connection") -> None:
        differing = compare_keys(source, target, self._touched)
        counts = {table.name: (table.count(source), self._to[table.name].count(target)) for table in self._from}
        self.report.rows = {name: count for name, (count, _) in counts.items()}
        wrong = {name: len(keys) for name, keys in differing.items()} | {
            name: abs(first - second) for name, (first, second) in counts.items() if first != second
        }
        if wrong:
            raise StorageError(
                f"The copy differs from the store: {list_differences(wrong)}.",
                "The store was not switched. Run the same command again to copy what differs.",
                "differs",
            )

    def _finish(self) -> None:
        """Put the rules of the target back, and open it for everybody."""
        with self._target.writing(long=True) as connection:
            move_target.restore_rules(connection, self._done["rules"])
            index_copy.announce_changes(connection)
            move_records.end(connection, self._id, "complete", time.time())
        # After the source was held: a trigger is removed when nobody reads its table, and readers may wait to write.
        # Triggers that stay because somebody still reads there note nothing: all changes are refused.
        with suppress(RowsLocked, TablesBusy), self._source.writing(long=True) as connection:
            change_capture.hold_tables(connection, also_from_readers=True)
            change_capture.end_capture(connection)


@contextmanager
def _hold_source(source: Database, *, also_from_readers: bool = False) -> Iterator["Connection"]:
    """Open a transaction on the source in which nobody else writes, or reads if asked; wait for other transactions."""
    ends = time.monotonic() + _HOLD_SECONDS
    with ExitStack() as stack:
        while True:
            attempt = stack.enter_context(ExitStack())
            try:
                connection = attempt.enter_context(source.writing(long=True))
                change_capture.hold_tables(connection, also_from_readers=also_from_readers)
                break
            except TablesBusy:
                attempt.close()
                if time.monotonic() > ends:
                    raise StorageError(
                        "Other work kept the tables busy for too long.", "Run the same command again.", "busy"
                    ) from None
                time.sleep(0.2)
        yield connection


def _make_upgraded_error() -> Misuse:
    return Misuse(
        "The tables were upgraded by another version of Pincite since this move began.",
        "Give it up with `pincite move --undo`, and move to a new database with that version.",
        "upgraded",
    )


def undo_move(source: Database) -> MoveRecord:
    """Give up a move, or open a store again that was moved away; return its record. The target stays as it is."""
    # The lock keeps other moves from beginning or ending between the reading of the record and the removal of triggers.
    with hold_move(source):
        with source.reading(long=True) as connection:
            record = move_records.find(connection, "source")
        if record is None:
            raise Misuse("This store was not moved.", "There is nothing to undo.", "not_moved")
        # A trigger is removed when nobody reads its table.
        with _hold_source(source, also_from_readers=True) as connection:
            change_capture.allow_changes(connection)
            change_capture.end_capture(connection)
            move_records.forget(connection, record.id)
    return record
