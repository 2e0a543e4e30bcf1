"""A store is read and written while it is moved."""

import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import insert, select, text

from pincite.errors import Moved
from pincite.library import Library
from pincite.moves.store_move import StoreMove, undo_move
from pincite.settings_postgres import PostgresSettings
from pincite.store import audit_log, conversations, documents, move_records
from pincite.store.account_schema import people
from pincite.store.database import Database, open_database
from pincite.store.row_copy import list_copied
from tests.backups.conftest import settings_for
from tests.clock import PATIENCE
from tests.moves.stores import begin_move, move_store, opened_target, read_tables
from tests.own_data.people_with_data import NOW
from tests.work import Fake, finish

LOCAL = "local"


def test_nothing_is_lost_while_documents_and_conversations_are_added_changed_and_removed(
    full: Library, opened: Callable[..., Library], empty_postgres: str, tmp_path: Path
) -> None:
    writer = opened(full.settings.data)  # as another process would
    folder = tmp_path / "notes"
    folder.mkdir()
    added: set[str] = set()
    removed: set[str] = set()
    titles: dict[str, str] = {}
    ended: list[BaseException] = []
    rounds = [0]

    def churn() -> None:
        try:
            while True:
                n = rounds[0]
                (folder / f"{n}.md").write_text(f"# Note {n}\n\nNumber {n} was written meanwhile.", encoding="utf-8")
                document = writer.add(LOCAL, folder / f"{n}.md").document
                added.add(document)
                finish(writer, Fake())
                writer.rename(LOCAL, document, f"Renamed {n}")
                titles[document] = f"Renamed {n}"
                with writer.database.writing() as connection:
                    conversation = conversations.create(connection, LOCAL, f"About {n}")
                if n % 3 == 0:
                    writer.remove(LOCAL, document)
                    removed.add(document)
                    with writer.database.writing() as connection:
                        conversations.remove(connection, LOCAL, conversation.id)
                rounds[0] = n + 1
        except BaseException as error:  # noqa: BLE001 - shown by the test
            ended.append(error)

    thread = threading.Thread(target=churn)
    seen: list[int] = []

    def wait(step: str, done: int, total: int) -> None:
        """Let the writer do something in every step."""
        if not seen or seen[-1] != rounds[0]:
            seen.append(rounds[0])
        if step not in steps:
            steps.add(step)
            before = rounds[0]
            while rounds[0] < before + 2 and not ended:
                thread.join(0.01)

    steps: set[str] = set()
    thread.start()
    try:
        with opened_target(empty_postgres) as target:
            report = StoreMove(full.database, target, wait).run()
    finally:
        thread.join(PATIENCE)
    assert isinstance(ended[0], Moved), ended
    assert report.changes > 50
    server = open_database(settings_for(tmp_path / "data", empty_postgres))
    assert read_tables(server) == read_tables(full.database)
    with server.reading() as connection:
        there = {document.id: document.title for document in documents.find(connection, LOCAL)}
    assert added - removed <= there.keys()
    assert not removed & there.keys()
    assert {id: title for id, title in titles.items() if id not in removed}.items() <= there.items()
    server.close()


@pytest.mark.slow
def test_two_people_may_swap_their_names_meanwhile(empty_postgres: str, tmp_path: Path) -> None:
    """A name is unique: the copy of one person has it until the change of that person is copied."""
    source = open_database(settings_for(tmp_path / "here"))
    given = {"email": "", "role": "member", "disabled": False, "password": "", "created": NOW, "updated": NOW}
    with source.writing() as connection:
        for n in range(500):
            connection.execute(insert(people).values(id=f"{n:03}", name=f"{n}", name_key=f"{n}", **given))
    swapped: list[int] = []

    def swap(step: str, done: int, total: int) -> None:
        if not swapped and 0 < done < 400:
            swapped.append(done)
            with source.writing() as connection:
                for id, name in (("000", "aside"), ("499", "0"), ("000", "499")):
                    connection.execute(people.update().where(people.c.id == id).values(name_key=name))

    with opened_target(empty_postgres) as target:
        StoreMove(source, target, swap).run()
        assert swapped
        assert read_tables(target) == read_tables(source)
    source.close()


@pytest.mark.slow
def test_a_move_waits_for_a_busy_table_without_using_up_connections(
    full: Library, empty_postgres: str, tmp_path: Path
) -> None:
    move_store(full.database, empty_postgres)
    source = Database(empty_postgres, PostgresSettings(connections=3, more_connections=0, pool_seconds=1))
    other = Database(empty_postgres)
    with other.writing() as writing:
        audit_log.append(writing, audit_log.AuditEntry(NOW, "", "sign_in"))
        moving = threading.Thread(target=move_store, args=(source, f"sqlite:///{tmp_path / 'back.db'}"))
        moving.start()
        moving.join(5)  # several tries to hold the tables
        assert moving.is_alive()
    moving.join(PATIENCE)
    with source.reading() as connection:
        record = move_records.find(connection, "source")
    assert record is not None
    assert record.state == "moved"
    source.close()
    other.close()


@pytest.mark.slow
def test_a_move_is_not_held_up_by_someone_who_reads(full: Library, empty_postgres: str, tmp_path: Path) -> None:
    move_store(full.database, empty_postgres)
    source = Database(empty_postgres, PostgresSettings(lock_seconds=1))
    with source.reading() as connection:
        connection.execute(select(people)).all()
        moving = threading.Thread(target=move_store, args=(source, f"sqlite:///{tmp_path / 'back.db'}"))
        moving.start()
        moving.join(PATIENCE)
        assert not moving.is_alive()
    with pytest.raises(Moved), source.writing() as connection:
        connection.execute(insert(people).values(id="x"))
    undo_move(source)
    with source.reading() as connection:
        assert not connection.scalar(text("SELECT count(*) FROM pg_proc WHERE proname LIKE 'move%'"))
    source.close()


@pytest.mark.slow
def test_giving_up_a_move_ends_nobody_who_reads(full: Library, empty_postgres: str, tmp_path: Path) -> None:
    move_store(full.database, empty_postgres)
    source = Database(empty_postgres)
    begin_move(source, f"sqlite:///{tmp_path / 'back.db'}")
    undoing = threading.Thread(target=undo_move, args=(source,))
    names = [table.name for table in list_copied("postgresql")]
    with source.reading() as connection:
        connection.execute(select(people)).all()
        undoing.start()
        _wait_for_lock(source)
        for name in names:
            connection.execute(text(f'SELECT count(*) FROM "{name}"')).all()
    undoing.join(PATIENCE)
    assert not undoing.is_alive()
    with source.reading() as connection:
        assert move_records.find(connection, "source") is None
    source.close()


def _wait_for_lock(database: Database) -> None:
    waiting = text("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = :name")
    ends = time.monotonic() + PATIENCE
    while time.monotonic() < ends:
        with database.reading() as connection:
            if connection.scalar(waiting, {"name": database.engine.url.database}):
                return
        time.sleep(0.02)
    raise AssertionError("nobody waits for a lock")
