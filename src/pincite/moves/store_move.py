"""Move a whole store to another database while servers and workers go on: copy, catch up, compare, switch.

Triggers note every row that changes while the others are copied. The noted rows are copied again until few are left.
Then everything is compared. At last the source is held for a moment: the rest is copied and compared, and the source is
closed for changes in the same transaction. A move that is interrupted anywhere goes on where it stopped.
"""

import time
import uuid
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pincite.errors import Misuse, Moved, RowsLocked, StorageError
from pincite.index import index_copy
from pincite.moves.move_progress import Progress
from pincite.moves.store_comparison import compare_keys, compare_stores, list_differences
from pincite.moves.store_copy import FEW_CHANGES, ROUNDS, StoreCopy
from pincite.store import audit_log, change_capture, move_records, move_target
from pincite.store.audit_log import AuditEntry
from pincite.store.change_capture import TablesBusy
from pincite.store.database import Database
from pincite.store.id_counters import read_counters, set_counters
from pincite.store.move_records import MoveRecord, hold_move, show_address
from pincite.store.table_revisions import HEAD

if TYPE_CHECKING:
    from pincite.store.database import Connection

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
                copy = StoreCopy(self._source, self._target, self._id, self._done, self._progress)
                copy.copy_tables()
                copy.copy_words()
                copy.copy_vectors()
                copy.tidy_index()
                copy.catch_up()
                self._compare(copy)
                self._settle(copy)
                self._switch(copy)
                self.report.changes = copy.changes
                self.report.replaced = dict(copy.replaced)
            self._finish()
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

    def _compare(self, copy: StoreCopy) -> None:
        """Compare everything while others write. Rows that differ are noted, copied again, and compared at the end."""
        copy.touched.clear()
        for name, keys in compare_stores(self._source, self._target, self._progress):
            with self._source.writing(long=True) as connection:
                change_capture.note_changes(connection, name, keys)

    def _settle(self, copy: StoreCopy) -> None:
        """Compare rows that changed since the comparison, until few are left to compare while the source is held."""
        for _ in range(ROUNDS):
            copy.catch_up()
            touched, copy.touched = copy.touched, defaultdict(set)
            count = sum(map(len, touched.values()))
            if count <= FEW_CHANGES:
                copy.touched = touched
                return
            self._progress("Comparing changes", 0, count)
            with self._source.reading(long=True) as source, self._target.reading(long=True) as target:
                differing = compare_keys(source, target, touched)
            with self._source.writing(long=True) as connection:
                for name, keys in differing.items():
                    change_capture.note_changes(connection, name, keys)
            self._progress("Comparing changes", count, count)

    def _switch(self, copy: StoreCopy) -> None:
        """Hold the source, copy and compare the remaining changes, and close the source for changes."""
        with _hold_source(self._source) as source:
            began = time.monotonic()
            if self._source.revision() != HEAD:
                raise _make_upgraded_error()
            address = show_address(self._target)
            changes = change_capture.read_changes(source, None)
            write = copy.read_changed(source, changes)
            with self._target.writing(long=True) as target:
                write(target)
                self._refuse_differences(copy, source, target)
                set_counters(target, read_counters(source))
            copy.changes += len(changes)
            change_capture.refuse_changes(source, address)
            move_records.end(source, self._id, "moved", time.time())
        self.report.held_seconds = time.monotonic() - began

    def _refuse_differences(self, copy: StoreCopy, source: "Connection", target: "Connection") -> None:
        differing = compare_keys(source, target, copy.touched)
        counts = copy.count_rows(source, target)
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
