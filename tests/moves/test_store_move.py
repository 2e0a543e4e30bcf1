import os
import random
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import event, insert, select, text

from pincite.errors import DiskFull, Misuse, Moved, PinciteError, StorageError
from pincite.index.terms import list_question_terms
from pincite.library import Library, open_library
from pincite.moves.store_comparison import check_stores
from pincite.moves.store_move import StoreMove, undo_move
from pincite.settings_postgres import PostgresSettings
from pincite.store import audit_log, conversations, documents, move_records
from pincite.store.account_schema import people
from pincite.store.database import Database, open_database
from pincite.store.move_records import hold_move
from pincite.store.row_copy import NOT_COPIED, CopiedTable, list_copied
from pincite.store.schema import choices, metadata, texts
from tests.backups.conftest import address_of, settings_for
from tests.clock import PATIENCE
from tests.moves.stores import opened_target, read_tables
from tests.own_data.people_with_data import NOW
from tests.work import Fake, finish

LOCAL = "local"


def _move(source: Database, address: str) -> None:
    with opened_target(address) as target:
        StoreMove(source, target).run()


def _undo(source: Database) -> None:
    undo_move(source)


def test_a_store_is_the_same_on_postgresql_and_back_again(full: Library, other_postgres: str, tmp_path: Path) -> None:
    with opened_target(other_postgres) as target:
        report = StoreMove(full.database, target).run()
    expected = read_tables(full.database)
    assert report.rows == {name: len(rows) for name, rows in expected.items() if name in metadata.tables}
    assert not report.resumed
    server = open_database(settings_for(tmp_path / "data", other_postgres))
    assert read_tables(server) == expected
    assert len(expected["words"]) > 10
    assert len(expected["vectors"]) > 4
    with server.writing() as connection:  # new rows are numbered after the moved ones
        audit_log.append(connection, audit_log.AuditEntry(NOW, "", "sign_in"))
    expected = read_tables(server)
    _move(server, f"sqlite:///{tmp_path / 'back' / 'pincite.db'}")
    entries = expected["audit_log"]
    back = open_database(settings_for(tmp_path / "back"))
    found = read_tables(back)
    assert len(found["audit_log"]) == len(entries) + 1  # the move itself
    assert found | {"audit_log": entries} == expected
    assert check_stores(server, back).is_equal
    with back.writing() as connection:
        audit_log.append(connection, audit_log.AuditEntry(NOW, "", "sign_in"))
    assert (tmp_path / "back" / "pincite.db").stat().st_mode & 0o777 == 0o600
    back.close()
    server.close()


def test_every_table_is_moved() -> None:
    """A table that is added to the schema is moved by its key, without code of its own."""
    copied = {table.name: table for table in list_copied("sqlite")}
    assert copied.keys() | NOT_COPIED == metadata.tables.keys()
    for name, table in metadata.tables.items():
        assert len(table.primary_key) > 0, f"{name} has no primary key, by which its rows could be moved"
        if name in copied:
            assert copied[name].columns == tuple(column.name for column in table.c)


def test_a_question_finds_the_same_passages_with_the_same_scores(
    opened: Callable[..., Library], empty_postgres: str, tmp_path: Path
) -> None:
    library, fake = opened(), Fake()
    for n in range(30):
        (tmp_path / f"{n}.md").write_text(
            f"# Rents in {2000 + n}\n\nRents were frozen in the city for {n} years. The court ruled on tenant {n}.\n\n"
            f"# Les loyers de {2000 + n}\n\nLes loyers étaient gelés à Paris pendant {n} ans, dit l'arrêté {n * 7}.\n",
            encoding="utf-8",
        )
        library.add(LOCAL, tmp_path / f"{n}.md")
    finish(library, fake)
    _move(library.database, empty_postgres)
    other = open_library(settings_for(tmp_path / "other", empty_postgres))
    for question in ("Which rents were frozen in 2012?", "Quel arrêté gèle les loyers de 2021 à Paris ?", "tenant 17"):
        terms = list_question_terms(question, ["en", "fr"])
        vector = fake.queries([question])[0]
        with library.database.reading() as first, other.database.reading() as second:
            index, moved = library.index, other.index
            for here, there, near in (
                (index.lexical(first, terms, None, 10), moved.lexical(second, terms, None, 10), 1e-6),
                # PostgreSQL rounds the question's vector to two bytes for each number as well.
                (index.dense(first, vector, "fake", None, 10), moved.dense(second, vector, "fake", None, 10), 1e-3),
            ):
                assert len(here) == 10
                assert [id for id, _ in here] == [id for id, _ in there]
                assert [score for _, score in here] == pytest.approx([score for _, score in there], abs=near)
    other.close()


@pytest.mark.parametrize("engine", ["sqlite", "postgresql"])
def test_a_moved_store_refuses_changes_and_names_the_new_address(
    engine: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    given: Database | None = request.getfixturevalue("postgres") if engine == "postgresql" else None
    here = settings_for(tmp_path / "here", address_of(given) if given else "")
    running = open_database(here)  # a server that was started before
    with running.writing() as connection:
        kept = conversations.create(connection, LOCAL, "Kept")
    there = f"sqlite:///{tmp_path / 'there.db'}"
    _move(running, there)

    with pytest.raises(Moved) as refused, running.writing() as connection:
        conversations.create(connection, LOCAL, "Lost")
    assert refused.value.params["address"] == there
    with pytest.raises(Moved), running.writing() as connection:
        conversations.remove(connection, LOCAL, kept.id)
    with pytest.raises(Moved):
        open_database(here)
    with running.reading() as connection:  # reading goes on until the server is started again
        assert [each.title for each in conversations.find(connection, LOCAL, 10)] == ["Kept"]
    with pytest.raises(Moved):
        _move(running, there)

    _undo(running)
    again = open_database(here)
    with again.writing() as connection:
        conversations.create(connection, LOCAL, "After all")
    with pytest.raises(Misuse):
        _undo(again)
    again.close()
    running.close()


def test_no_password_is_shown_or_stored(tmp_path: Path) -> None:
    database = Database("postgresql://ada:geheim@db.example.org/pincite")
    assert move_records.show_address(database) == "postgresql://ada@db.example.org/pincite"


def test_a_target_with_other_data_is_refused(full: Library, postgres: Database, tmp_path: Path) -> None:
    with postgres.writing() as connection:
        conversations.create(connection, LOCAL, "Somebody else's")
    with pytest.raises(Misuse) as refused:
        _move(full.database, address_of(postgres))
    assert refused.value.reason == "has_data"
    with full.database.writing() as connection:
        conversations.create(connection, LOCAL, "Still here")  # the source was not touched
        assert connection.scalar(text("SELECT count(*) FROM move_changes")) == 0
    with pytest.raises(Misuse):
        _move(full.database, address_of(full.database))


def test_a_target_cannot_be_used_before_the_move_is_complete_nor_by_two_moves(
    full: Library, empty_postgres: str, tmp_path: Path
) -> None:
    refused: list[PinciteError] = []

    def look(step: str, done: int, total: int) -> None:
        if step == "Copying vectors" and not refused:
            for attempt in (
                lambda: open_database(settings_for(tmp_path / "other", empty_postgres)),
                lambda: _move(full.database, empty_postgres),
                lambda: _move(full.database, f"sqlite:///{tmp_path / 'third.db'}"),
            ):
                with pytest.raises(PinciteError) as error:
                    attempt()
                refused.append(error.value)

    with opened_target(empty_postgres) as target:
        StoreMove(full.database, target, look).run()
    assert [error.reason for error in refused] == ["moving", "moving", "moving"]


def test_a_move_that_stopped_goes_on_and_can_be_given_up(full: Library, empty_postgres: str, tmp_path: Path) -> None:
    def stop(step: str, done: int, total: int) -> None:
        if step == "Copying words":
            raise KeyboardInterrupt

    with opened_target(empty_postgres) as target, pytest.raises(KeyboardInterrupt):
        StoreMove(full.database, target, stop).run()
    with pytest.raises(Misuse) as refused:
        _move(full.database, f"sqlite:///{tmp_path / 'third.db'}")
    assert refused.value.reason == "moving"
    _undo(full.database)
    with full.database.writing() as connection:
        conversations.create(connection, LOCAL, "As before")
        assert connection.scalar(text("SELECT count(*) FROM move_changes")) == 0
    with pytest.raises(Misuse) as refused:  # what is there is of a move that does not exist any more
        _move(full.database, empty_postgres)
    assert refused.value.reason == "has_data"
    _move(full.database, f"sqlite:///{tmp_path / 'third.db'}")


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


@pytest.mark.parametrize("direction", ["to postgresql", "to sqlite"])
def test_a_move_that_is_killed_again_and_again_loses_nothing(
    direction: str, full: Library, empty_postgres: str, tmp_path: Path
) -> None:
    expected = read_tables(full.database)
    if direction == "to postgresql":
        source, target = address_of(full.database), empty_postgres
    else:
        _move(full.database, empty_postgres)
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


_WILD = st.text(st.characters(codec="utf-8"), max_size=30)


@settings(max_examples=2, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.dictionaries(_WILD, _WILD, min_size=20, max_size=60),
    st.lists(st.tuples(st.binary(max_size=50), st.floats(allow_nan=False)), min_size=5, max_size=20),
)
def test_any_text_bytes_and_numbers_arrive_as_they_are(
    new_postgres: Callable[[], str],
    tmp_path_factory: pytest.TempPathFactory,
    values: dict[str, str],
    others: list[tuple[bytes, float]],
) -> None:
    source = open_database(settings_for(tmp_path_factory.mktemp("wild")))
    # SQLite holds U+0000, PostgreSQL does not: it becomes U+FFFD, and two keys may become the same.
    keys = {key.replace("\0", "\ufffd"): key for key in (*values, "a\0b")}.values()
    rows = [{"owner": LOCAL, "key": key, "value": values.get(key, "c\0")} for key in keys]
    with source.writing() as connection:
        connection.execute(insert(choices), rows)
        connection.execute(text("INSERT INTO generations (id, document, writer) VALUES (7, 'd', '')"))
        for n, (data, number) in enumerate(others):
            contents = {"generation": 7, "part": n, "version": 1, "data": data}
            connection.execute(insert(metadata.tables["concordances"]).values(contents))
            connection.execute(insert(metadata.tables["removed_people"]).values(id=f"{n}", begun=number, finished=None))
        entry = audit_log.AuditEntry(NOW, "", "sign_in", details={row["key"]: row["value"] for row in rows})
        audit_log.append(connection, entry)
    with opened_target(new_postgres()) as target:
        report = StoreMove(source, target).run()
        found = read_tables(target)
    assert report.replaced == {"choices": sum("\0" in text for row in rows for text in row.values())}
    expected = read_tables(source)
    expected["choices"] = sorted(tuple(each.replace("\\x00", "\ufffd") for each in row) for row in expected["choices"])
    assert found == expected
    source.close()


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


def test_a_difference_keeps_the_store_from_being_switched(
    full: Library, empty_postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = CopiedTable.write

    def forget(self: CopiedTable, connection: object, rows: list[tuple[object, ...]]) -> None:
        write(self, connection, rows[1:] if self.name == "messages" else rows)  # type: ignore[arg-type]

    monkeypatch.setattr(CopiedTable, "write", forget)
    with pytest.raises(StorageError, match="in messages") as refused:
        _move(full.database, empty_postgres)
    assert refused.value.reason == "differs"
    monkeypatch.undo()
    with full.database.writing() as connection:
        conversations.create(connection, LOCAL, "Still in use")
    _move(full.database, empty_postgres)


def test_the_comparison_finds_a_changed_row_word_and_vector(full: Library, empty_postgres: str) -> None:
    with opened_target(empty_postgres) as target:
        StoreMove(full.database, target).run()
        assert check_stores(full.database, target).is_equal
        with target.writing() as connection:
            connection.execute(text("UPDATE messages SET content = content || '!' WHERE position = 1"))
            connection.execute(text("DELETE FROM word_postings WHERE term = 'qzkvada' AND is_body"))
            connection.execute(
                text("DELETE FROM passage_vectors WHERE passage = (SELECT min(passage) FROM passage_vectors)")
            )
        found = check_stores(full.database, target)
    assert not found.is_equal
    assert found.differing.keys() == {"messages", "passages", "vectors of a generation"}
    assert found.differing["messages"] == 3


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


def test_rows_that_refer_to_nothing_are_found_before_anything_is_copied(tmp_path: Path) -> None:
    source = open_database(settings_for(tmp_path / "here"))
    with source.using_driver() as driver:
        driver.execute("PRAGMA foreign_keys = OFF")
        driver.execute("INSERT INTO texts (generation, start, text) VALUES (99, 0, 'lost')")
        driver.execute("PRAGMA foreign_keys = ON")
    assert texts.name == "texts"
    with pytest.raises(PinciteError, match="refers to another"):
        _move(source, f"sqlite:///{tmp_path / 'there.db'}")
    source.close()


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
        _move(source, there)
    assert refused.value.reason == "upgraded"
    source.close()


def test_a_move_waits_for_a_busy_table_without_using_up_connections(
    full: Library, empty_postgres: str, tmp_path: Path
) -> None:
    _move(full.database, empty_postgres)
    source = Database(empty_postgres, PostgresSettings(connections=3, more_connections=0, pool_seconds=1))
    other = Database(empty_postgres)
    with other.writing() as writing:
        audit_log.append(writing, audit_log.AuditEntry(NOW, "", "sign_in"))
        moving = threading.Thread(target=_move, args=(source, f"sqlite:///{tmp_path / 'back.db'}"))
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


def test_a_move_is_not_held_up_by_someone_who_reads(full: Library, empty_postgres: str, tmp_path: Path) -> None:
    _move(full.database, empty_postgres)
    source = Database(empty_postgres, PostgresSettings(lock_seconds=1))
    with source.reading() as connection:
        connection.execute(select(people)).all()
        moving = threading.Thread(target=_move, args=(source, f"sqlite:///{tmp_path / 'back.db'}"))
        moving.start()
        moving.join(60)
        assert not moving.is_alive()
    with pytest.raises(Moved), source.writing() as connection:
        connection.execute(insert(people).values(id="x"))
    undo_move(source)
    with source.reading() as connection:
        assert not connection.scalar(text("SELECT count(*) FROM pg_proc WHERE proname LIKE 'move%'"))
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
            _begin_move(source, others.pop())

    _begin_move(source, f"sqlite:///{tmp_path / 'first.db'}")
    others.append(f"sqlite:///{tmp_path / 'second.db'}")
    monkeypatch.setattr("pincite.moves.store_move.hold_move", hold)
    undo_move(source)
    assert not others
    with source.writing() as connection:
        conversations.create(connection, LOCAL, "To be copied")
        noted = connection.scalar(text("SELECT count(*) FROM move_changes WHERE changed = 'conversations'"))
    source.close()
    assert noted == 1


def _begin_move(source: Database, address: str) -> None:
    def stop(step: str, done: int, total: int) -> None:
        raise KeyboardInterrupt

    with opened_target(address) as target, pytest.raises(KeyboardInterrupt):
        StoreMove(source, target, stop).run()


def test_giving_up_a_move_ends_nobody_who_reads(full: Library, empty_postgres: str, tmp_path: Path) -> None:
    _move(full.database, empty_postgres)
    source = Database(empty_postgres)
    _begin_move(source, f"sqlite:///{tmp_path / 'back.db'}")
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
