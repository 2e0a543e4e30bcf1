"""A move that ended before its time goes on where it was, or is given up."""

import os
import random
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from sqlalchemy import event, text

from pincite.errors import DiskFull, Misuse
from pincite.library import Library
from pincite.moves.store_comparison import check_stores
from pincite.moves.store_move import StoreMove, undo_move
from pincite.store import conversations, move_records
from pincite.store.database import Database, open_database
from pincite.store.move_records import hold_move
from tests.backups.conftest import address_of, settings_for
from tests.moves.stores import begin_move, move_store, opened_target, read_tables
from tests.thorough import mark_slow

LOCAL = "local"


def test_a_move_that_stopped_goes_on_and_can_be_given_up(full: Library, empty_postgres: str, tmp_path: Path) -> None:
    def stop(step: str, done: int, total: int) -> None:
        if step == "Copying words":
            raise KeyboardInterrupt

    with opened_target(empty_postgres) as target, pytest.raises(KeyboardInterrupt):
        StoreMove(full.database, target, stop).run()
    with pytest.raises(Misuse) as refused:
        move_store(full.database, f"sqlite:///{tmp_path / 'third.db'}")
    assert refused.value.reason == "moving"
    undo_move(full.database)
    with full.database.writing() as connection:
        conversations.create(connection, LOCAL, "As before")
        assert connection.scalar(text("SELECT count(*) FROM move_changes")) == 0
    with pytest.raises(Misuse) as refused:  # its rows are of a move that does not exist any more
        move_store(full.database, empty_postgres)
    assert refused.value.reason == "has_data"
    move_store(full.database, f"sqlite:///{tmp_path / 'third.db'}")


@pytest.mark.parametrize("direction", ["to postgresql", mark_slow("to sqlite")])
def test_a_move_that_is_killed_again_and_again_loses_nothing(
    direction: str, full: Library, empty_postgres: str, tmp_path: Path
) -> None:
    expected = read_tables(full.database)
    if direction == "to postgresql":
        source, target = address_of(full.database), empty_postgres
    else:
        move_store(full.database, empty_postgres)
        source, target = empty_postgres, f"sqlite:///{tmp_path / 'back.db'}"
    chance = random.Random(20)
    times = 8 if direction == "to postgresql" else 4
    statuses = [_move_and_die(source, target, after=chance.randint(1, 160)) for _ in range(times)]
    # The two moments between which the stores are switched.
    statuses += [_move_and_die(source, target, at=state) for state in ("moved", "complete")]
    assert statuses.count(-signal.SIGKILL) >= times + 1  # one may have come to its end
    given = Database(source)
    with opened_target(target) as database:
        assert StoreMove(given, database).run().resumed
        assert check_stores(given, database).is_equal
        found = read_tables(database)
    given.close()
    assert found | {"audit_log": []} == expected | {"audit_log": []}
    assert len(found["audit_log"]) > len(expected["audit_log"])


def _move_and_die(source: str, target: str, after: int = 0, at: str = "") -> int:
    """Move in another process, which is killed after so many statements, or when it notes a state."""
    child = os.fork()
    if child == 0:
        try:
            _die_on_the_way(source, target, after, at)
        finally:
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _die_on_the_way(source: str, target: str, after: int, at: str) -> None:
    done = [0]

    def count(*_: object) -> None:
        done[0] += 1
        if done[0] == after:
            os.kill(os.getpid(), signal.SIGKILL)

    note = move_records.end

    def end(connection: object, id: str, state: str, now: float) -> None:
        if state == at:
            os.kill(os.getpid(), signal.SIGKILL)
        note(connection, id, state, now)  # type: ignore[arg-type]

    move_records.end = end
    given = Database(source)
    with opened_target(target) as database:
        for engine in (given.engine, database.engine):
            event.listen(engine, "after_cursor_execute", count)
            event.listen(engine, "commit", count)
        StoreMove(given, database).run()


def test_a_full_disk_of_the_target_stops_the_move_which_then_goes_on(
    full: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = f"sqlite:///{tmp_path / 'there.db'}"
    with opened_target(there) as target:
        event.listen(target.engine, "connect", lambda connection, _: connection.execute("PRAGMA max_page_count = 200"))
        with pytest.raises(DiskFull):
            StoreMove(full.database, target).run()
    with opened_target(there) as target:
        assert StoreMove(full.database, target).run().resumed
        assert read_tables(target) == read_tables(full.database)


def test_a_move_does_not_go_on_after_the_tables_were_upgraded(tmp_path: Path) -> None:
    """The triggers know the tables of their version only."""
    source = open_database(settings_for(tmp_path / "here"))
    there = f"sqlite:///{tmp_path / 'there.db'}"

    def stop(step: str, done: int, total: int) -> None:
        raise KeyboardInterrupt

    with opened_target(there) as target, pytest.raises(KeyboardInterrupt):
        StoreMove(source, target, stop).run()
    with source.writing() as connection:
        connection.execute(text("""UPDATE moves SET progress = '{"revision": "0001"}'"""))
    with pytest.raises(Misuse) as refused:
        move_store(source, there)
    assert refused.value.reason == "upgraded"
    source.close()


@pytest.mark.parametrize("engine", ["sqlite", "postgresql"])
def test_giving_up_a_move_leaves_one_alone_that_begins_meanwhile(
    engine: str, tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: Database | None = request.getfixturevalue("postgres") if engine == "postgresql" else None
    source = open_database(settings_for(tmp_path / "here", address_of(given) if given else ""))
    others: list[str] = []

    @contextmanager
    def hold(database: Database) -> Iterator[None]:
        with hold_move(database):
            yield
        if others:  # the moment in which another process may have its turn
            monkeypatch.undo()
            with suppress(Misuse):
                undo_move(source)
            begin_move(source, others.pop())

    begin_move(source, f"sqlite:///{tmp_path / 'first.db'}")
    others.append(f"sqlite:///{tmp_path / 'second.db'}")
    monkeypatch.setattr("pincite.moves.store_move.hold_move", hold)
    undo_move(source)
    assert not others
    with source.writing() as connection:
        conversations.create(connection, LOCAL, "To be copied")
        noted = connection.scalar(text("SELECT count(*) FROM move_changes WHERE changed = 'conversations'"))
    source.close()
    assert noted == 1
