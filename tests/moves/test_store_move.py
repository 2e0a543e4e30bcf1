"""A store is moved whole, and is used at one of the two addresses."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import insert, text

from pincite.errors import Misuse, Moved, PinciteError
from pincite.index.terms import list_question_terms
from pincite.library import Library, open_library
from pincite.moves.store_comparison import check_stores
from pincite.moves.store_move import StoreMove, undo_move
from pincite.store import audit_log, conversations, move_records
from pincite.store.database import Database, open_database
from pincite.store.row_copy import NOT_COPIED, list_copied
from pincite.store.schema import choices, metadata, texts
from tests.backups.conftest import address_of, settings_for
from tests.moves.stores import move_store, opened_target, read_tables
from tests.own_data.people_with_data import NOW
from tests.work import Fake, finish

LOCAL = "local"


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
    move_store(server, f"sqlite:///{tmp_path / 'back' / 'pincite.db'}")
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


@pytest.mark.slow
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
    move_store(library.database, empty_postgres)
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
    move_store(running, there)

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
        move_store(running, there)

    undo_move(running)
    again = open_database(here)
    with again.writing() as connection:
        conversations.create(connection, LOCAL, "After all")
    with pytest.raises(Misuse):
        undo_move(again)
    again.close()
    running.close()


def test_no_password_is_shown_or_stored(tmp_path: Path) -> None:
    database = Database("postgresql://ada:geheim@db.example.org/pincite")
    assert move_records.show_address(database) == "postgresql://ada@db.example.org/pincite"


def test_a_target_with_other_data_is_refused(full: Library, postgres: Database, tmp_path: Path) -> None:
    with postgres.writing() as connection:
        conversations.create(connection, LOCAL, "Somebody else's")
    with pytest.raises(Misuse) as refused:
        move_store(full.database, address_of(postgres))
    assert refused.value.reason == "has_data"
    with full.database.writing() as connection:
        conversations.create(connection, LOCAL, "Still here")  # the source was not touched
        assert connection.scalar(text("SELECT count(*) FROM move_changes")) == 0
    with pytest.raises(Misuse):
        move_store(full.database, address_of(full.database))


@pytest.mark.slow
def test_a_target_cannot_be_used_before_the_move_is_complete_nor_by_two_moves(
    full: Library, empty_postgres: str, tmp_path: Path
) -> None:
    refused: list[PinciteError] = []

    def look(step: str, done: int, total: int) -> None:
        if step == "Copying vectors" and not refused:
            for attempt in (
                lambda: open_database(settings_for(tmp_path / "other", empty_postgres)),
                lambda: move_store(full.database, empty_postgres),
                lambda: move_store(full.database, f"sqlite:///{tmp_path / 'third.db'}"),
            ):
                with pytest.raises(PinciteError) as error:
                    attempt()
                refused.append(error.value)

    with opened_target(empty_postgres) as target:
        StoreMove(full.database, target, look).run()
    assert [error.reason for error in refused] == ["moving", "moving", "moving"]


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


def test_rows_that_refer_to_nothing_are_found_before_anything_is_copied(tmp_path: Path) -> None:
    source = open_database(settings_for(tmp_path / "here"))
    with source.using_driver() as driver:
        driver.execute("PRAGMA foreign_keys = OFF")
        driver.execute("INSERT INTO texts (generation, start, text) VALUES (99, 0, 'lost')")
        driver.execute("PRAGMA foreign_keys = ON")
    assert texts.name == "texts"
    with pytest.raises(PinciteError, match="refers to another"):
        move_store(source, f"sqlite:///{tmp_path / 'there.db'}")
    source.close()
