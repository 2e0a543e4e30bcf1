import os
import shutil
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, RowMapping, insert, select, text

from pincite.backups import backup_restore
from pincite.backups.backup_archive import check_archive, read_archive
from pincite.backups.backup_creation import create_backup
from pincite.backups.backup_restore import restore_backup
from pincite.errors import Damaged, DiskFull, Misuse, PinciteError, StorageError
from pincite.library import Library, open_library
from pincite.moves.store_move import StoreMove
from pincite.search.search import PassageSearch
from pincite.settings import Settings, load_settings
from pincite.store import audit_log, conversations, document_text, documents, people
from pincite.store.database import Database, open_database
from pincite.store.database_snapshot import reflect_tables
from pincite.store.files import FolderFiles
from pincite.store.table_revisions import HEAD
from pincite.types import Scope
from tests.backups.conftest import address_of, settings_for
from tests.clock import PATIENCE
from tests.moves.stores import Tables, fill_library, opened_target, read_tables
from tests.own_data.people_with_data import (
    NOW,
    add_person,
    fill_account,
    fill_conversations,
    fill_documents,
    read_rows,
)
from tests.store.old import clear, migrate_to, put_old_document
from tests.thorough import mark_slow
from tests.work import finish

LOCAL = "local"
Contents = dict[str, list[list[tuple[str, Any]]]]


def _read_tables(database: Database) -> Contents:
    with database.reading() as connection:
        return {
            table.name: sorted((_plain(row) for row in connection.execute(select(table)).mappings()), key=repr)
            for table in reflect_tables(connection)
        }


def _plain(row: RowMapping) -> list[tuple[str, Any]]:
    """A row whose columns are in the same order on each database."""
    return sorted(
        ((name, bytes(value) if isinstance(value, memoryview) else value) for name, value in row.items()),
        key=lambda each: each[0],
    )


def _fill_tables(database: Database, data: Path) -> None:
    """Some rows with every kind of value, and a file."""
    file = data.parent / "given.txt"
    file.write_text("The bytes of a document.", encoding="utf-8")
    kept = FolderFiles(data / "files").keep(file)
    with database.writing() as connection:
        ada = people.create(connection, "Ada Ünï ☃", "owner", NOW, email="ada@example.org", password="$hash")
        people.create(connection, "Bob", "member", NOW)
        stored, _ = documents.create(connection, ada.id, kept.sha256, "ein \"Titel\"\n'2'", 24)
        conversations.create(connection, ada.id, "null \\ \\u0000 $bytes")
        audit_log.append(connection, audit_log.AuditEntry(NOW, ada.id, "sign_in", details={"n": 1, "is": True}))
        generation = text("INSERT INTO generations (document, writer) VALUES (:id, '')")
        connection.execute(generation, {"id": stored.id})
        number = connection.scalar(text("SELECT max(id) FROM generations"))
        row = {"generation": number, "part": 0, "version": 1, "data": bytes(range(256))}
        tables = {table.name: table for table in reflect_tables(connection)}
        connection.execute(insert(tables["concordances"]).values(row))


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("sqlite", "sqlite"),
        mark_slow("sqlite", "postgresql"),
        ("postgresql", "sqlite"),
        mark_slow("postgresql", "postgresql"),
    ],
)
def test_a_server_is_the_same_after_a_backup_and_a_restore_on_any_database(
    source: str, target: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    given: Database | None = request.getfixturevalue("postgres") if source == "postgresql" else None
    before = settings_for(tmp_path / "before", address_of(given) if given else "")
    other = request.getfixturevalue("other_postgres") if target == "postgresql" else ""
    after = settings_for(tmp_path / "after", other)
    database = given or open_database(before)
    _fill_tables(database, before.data)
    expected = _read_tables(database)

    create_backup(before, database, tmp_path / "backup.zip", NOW)
    database.close()
    restored = restore_backup(after, tmp_path / "backup.zip")

    assert not restored.needs_reindex
    opened = open_database(after)
    assert _read_tables(opened) == expected
    assert opened.revision() == HEAD
    with opened.writing() as connection:  # new rows are numbered after the restored ones
        audit_log.append(connection, audit_log.AuditEntry(NOW, "", "sign_in"))
    opened.close()
    names = {path.name: path.read_bytes() for path in (after.data / "files").rglob("*") if path.is_file()}
    assert list(names.values()) == [b"The bytes of a document."]


def test_documents_are_found_by_words_and_conversations_have_their_pictures_after_a_restore(
    library: Library, opened: Callable[..., Library], tmp_path: Path
) -> None:
    ada, bob = add_person(library, "qzkvada"), add_person(library, "qzkvbob", "owner")
    fill_account(library, ada, "qzkvada", bob)
    fill_conversations(library, ada, "qzkvada")
    fill_documents(library, ada, "qzkvada", tmp_path / "given")
    expected = read_rows(library)

    made = create_backup(library.settings, library.database, tmp_path / "backup.zip", NOW)

    assert (made.missing, made.damaged) == ((), ())
    assert check_archive(tmp_path / "backup.zip") == made.manifest
    assert made.manifest.rows["documents"] == 7
    restore_backup(settings_for(tmp_path / "other"), tmp_path / "backup.zip")
    other = opened(tmp_path / "other", embedding={"provider": "none"}, owner=ada.id)
    # A session that ended, or a link that was used, after the backup was made must not work again.
    assert expected["sessions"]
    assert expected["one_time_links"]
    assert read_rows(other) == expected | {"sessions": set(), "one_time_links": set(), "openid_requests": set()}
    finish(other)
    hits = PassageSearch(other.database, other.index, None, other.settings).search(
        "qzkvada number 7 document 2", Scope(ada.id)
    )
    assert hits
    pictures = [path.name for path in (library.settings.data / "pictures").rglob("*") if path.is_file()]
    assert len(pictures) == 4
    pictures.pop()  # that of a conversation that was removed is not in the backup
    assert sorted(path.name for path in (other.settings.data / "pictures").rglob("*") if path.is_file()) == pictures


@pytest.mark.parametrize(("source", "target"), [("sqlite", "postgresql"), mark_slow("postgresql", "sqlite")])
def test_words_and_vectors_are_the_same_after_a_restore_on_the_other_database(
    source: str, target: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    address = request.getfixturevalue("other_postgres")
    here = load_settings(data=tmp_path / "here", database=address if source == "postgresql" else "")
    there = settings_for(tmp_path / "there", address if target == "postgresql" else "")
    library = open_library(here)
    fill_library(library, tmp_path / "given")
    expected = read_tables(library.database)
    create_backup(here, library.database, tmp_path / "backup.zip", NOW)
    library.close()

    assert not restore_backup(there, tmp_path / "backup.zip").needs_reindex

    database = open_database(there)
    gone: Tables = {"sessions": [], "one_time_links": [], "openid_requests": []}
    assert read_tables(database) == expected | gone
    assert len(expected["words"]) > 10
    assert len(expected["vectors"]) > 4
    database.close()


def test_a_backup_that_is_made_during_a_move_takes_part_in_none(library: Library, tmp_path: Path) -> None:
    with library.database.writing() as connection:
        conversations.create(connection, LOCAL, "Kept")

    def back_up(step: str, done: int, total: int) -> None:
        if not (tmp_path / "backup.zip").exists():
            create_backup(library.settings, library.database, tmp_path / "backup.zip", NOW)

    with opened_target(f"sqlite:///{tmp_path / 'there.db'}") as target:
        StoreMove(library.database, target, back_up).run()
    settings = settings_for(tmp_path / "restored")
    restore_backup(settings, tmp_path / "backup.zip")
    assert _list_titles(settings) == ["Kept"]
    database = open_database(settings)
    with database.writing() as connection:
        conversations.create(connection, LOCAL, "New")
        assert connection.scalar(text("SELECT count(*) FROM move_changes")) == 0
    database.close()


def test_a_backup_can_be_read_by_its_maker_alone_and_the_audit_log_names_it(library: Library, tmp_path: Path) -> None:
    os.umask(old := os.umask(0))
    try:
        os.umask(0)
        create_backup(library.settings, library.database, tmp_path / "monday.zip", NOW)
    finally:
        os.umask(old)
    assert (tmp_path / "monday.zip").stat().st_mode & 0o777 == 0o600
    with library.database.reading() as connection:
        assert audit_log.find_backups(connection) == [audit_log.RecordedBackup(NOW, "monday.zip")]
    with pytest.raises(Misuse, match="exists already"):
        create_backup(library.settings, library.database, tmp_path / "monday.zip", NOW)


@pytest.mark.parametrize("step", ["Copying the database", "Copying files"])
def test_ctrl_c_leaves_nothing(library: Library, tmp_path: Path, step: str) -> None:
    note = tmp_path / "a.txt"
    note.write_text("Rents are frozen.", encoding="utf-8")
    library.add(LOCAL, note)
    before = sorted(tmp_path.rglob("*"))

    def interrupt(at: str, done: int, total: int) -> None:
        if at == step:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        create_backup(library.settings, library.database, tmp_path / "backup.zip", NOW, interrupt)
    left = set(tmp_path.rglob("*")) - set(before) - {library.settings.data / "scratch"}
    assert left == set()


def test_every_document_of_a_backup_has_its_file_while_others_are_added_and_removed(
    library: Library, tmp_path: Path
) -> None:
    stop = threading.Event()
    failures: list[BaseException] = []
    rounds: list[int] = []

    def churn(number: int) -> None:
        folder = tmp_path / f"writer-{number}"
        folder.mkdir()
        try:
            while not stop.is_set():
                added = []
                for n in range(5):
                    (folder / f"{n}.txt").write_text(f"Writer {number}, round {len(rounds)}, note {n}.")
                    added.append(library.add(LOCAL, folder / f"{n}.txt").document)
                rounds.append(number)
                for document in added[1:]:
                    library.remove(LOCAL, document)
        except BaseException as error:  # noqa: BLE001 - shown by the test
            failures.append(error)

    threads = [threading.Thread(target=churn, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    try:
        for n in range(6):
            made = create_backup(library.settings, library.database, tmp_path / f"{n}.zip", NOW)
            assert made.missing == ()
            restore_backup(settings_for(tmp_path / f"restored-{n}"), tmp_path / f"{n}.zip")
            other = open_database(settings_for(tmp_path / f"restored-{n}"))
            with other.reading() as connection:
                hashes = documents.list_hashes(connection)
            other.close()
            files = FolderFiles(tmp_path / f"restored-{n}" / "files")
            assert all(files.path(sha256).is_file() for sha256 in hashes)
    finally:
        stop.set()
        for thread in threads:
            thread.join(PATIENCE)
    assert failures == []
    assert len(set(rounds)) == 3


def test_a_file_that_the_server_lacks_is_named_and_the_rest_is_backed_up(library: Library, tmp_path: Path) -> None:
    for n in range(2):
        (tmp_path / f"{n}.txt").write_text(f"Note {n}.", encoding="utf-8")
        library.add(LOCAL, tmp_path / f"{n}.txt")
    first, second = sorted((library.settings.data / "files").glob("??/*"))
    first.unlink()
    second.write_bytes(b"other bytes")
    made = create_backup(library.settings, library.database, tmp_path / "backup.zip", NOW)
    assert (made.missing, made.damaged) == ((first.name,), (second.name,))
    restore_backup(settings_for(tmp_path / "other"), tmp_path / "backup.zip")
    assert [path.name for path in (tmp_path / "other" / "files").glob("??/*")] == [second.name]


@pytest.fixture
def backup(library: Library, tmp_path: Path) -> Path:
    """A backup of a server with one document."""
    note = tmp_path / "note.txt"
    note.write_text("Rents are frozen.", encoding="utf-8")
    library.add(LOCAL, note)
    create_backup(library.settings, library.database, tmp_path / "backup.zip", NOW)
    return tmp_path / "backup.zip"


def _look(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def _make_old_server(folder: Path) -> Settings:
    settings = settings_for(folder)
    database = open_database(settings)
    with database.writing() as connection:
        conversations.create(connection, "local", "Of the old server")
    database.close()
    (folder / "files" / "ab").mkdir(parents=True)
    (folder / "files" / "ab" / "old").write_text("old")
    (folder / "models").mkdir()
    return settings


def _list_titles(settings: Settings) -> list[str]:
    database = open_database(settings)
    with database.reading() as connection:
        found = [each.title for each in conversations.find(connection, "local", 10)]
    database.close()
    return found


def test_data_that_is_there_is_replaced_only_if_that_is_asked_for(backup: Path, tmp_path: Path) -> None:
    settings = _make_old_server(tmp_path / "old")
    before = _look(settings.data)
    with pytest.raises(Misuse) as refused:
        restore_backup(settings, backup)
    assert refused.value.reason == "has_data"
    assert _look(settings.data).keys() == before.keys()
    assert _list_titles(settings) == ["Of the old server"]
    restore_backup(settings, backup, replace=True)
    assert _list_titles(settings) == []
    assert sorted(path.name for path in settings.data.iterdir()) == ["files", "models", "pictures", "pincite.db"]
    assert len(list((settings.data / "files").rglob("*.*"))) == 0


@pytest.mark.parametrize("failing", [0, 1, 2])
def test_a_restore_that_fails_on_the_way_puts_the_old_data_back(
    backup: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: int
) -> None:
    settings = _make_old_server(tmp_path / "old")
    before = _look(settings.data)
    move, moved = shutil.move, []

    def fail(source: Path, target: Path) -> object:
        moved.append(target)
        if len(moved) == failing + 1:
            raise OSError("the disk went away")
        return move(source, target)

    monkeypatch.setattr(shutil, "move", fail)
    with pytest.raises(OSError, match="went away"):
        restore_backup(settings, backup, replace=True)
    monkeypatch.undo()
    assert _look(settings.data).keys() == before.keys()
    assert _list_titles(settings) == ["Of the old server"]


@pytest.mark.slow
def test_a_failure_of_postgresql_puts_the_old_files_back(
    backup: Path, tmp_path: Path, postgres: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = settings_for(tmp_path / "old", address_of(postgres))
    _fill_tables(postgres, settings.data)
    expected, before = _read_tables(postgres), _look(settings.data)
    postgres.close()
    with pytest.raises(Misuse) as refused:
        restore_backup(settings, backup)
    assert refused.value.reason == "has_data"
    monkeypatch.setattr("pincite.store.database_restore.upgrade_tables", _fail_at_head())
    with pytest.raises(StorageError, match="no upgrade"):
        restore_backup(settings, backup, replace=True)
    assert (_read_tables(postgres), _look(settings.data)) == (expected, before)
    postgres.close()
    monkeypatch.undo()
    restore_backup(settings, backup, replace=True)
    assert len(_read_tables(postgres)["documents"]) == 1
    assert _read_tables(postgres)["people"] == []


def _fail_at_head() -> Callable[[Connection, str], None]:
    from pincite.store.table_revisions import upgrade_tables

    def upgrade(connection: Connection, revision: str = "head") -> None:
        upgrade_tables(connection, revision)
        if revision == "head":
            raise StorageError("There is no upgrade.")

    return upgrade


def test_nothing_is_restored_while_somebody_uses_the_data(backup: Path, library: Library, postgres: Database) -> None:
    with library.database.reading() as connection:
        conversations.find(connection, "local", 1)
    for settings in (library.settings, settings_for(library.settings.data / "other", address_of(postgres))):
        with postgres.reading() as connection:
            conversations.find(connection, "local", 1)
            with pytest.raises(Misuse) as refused:
                restore_backup(settings, backup, replace=True)
            assert refused.value.reason == "in_use"
    assert len(list((library.settings.data / "files").glob("??/*"))) == 1


def test_a_damaged_database_is_replaced(backup: Path, tmp_path: Path) -> None:
    settings = settings_for(tmp_path / "broken")
    settings.data.mkdir()
    (settings.data / "pincite.db").write_bytes(b"no database" * 1000)
    restore_backup(settings, backup, replace=True)
    assert _list_titles(settings) == []


def test_a_backup_of_an_earlier_version_is_upgraded(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clear(library.database)
    with library.database.writing() as connection:
        migrate_to(connection, "0006")
        put_old_document(connection, "d", ["Rents are frozen."])
        _check_rows(connection)
    monkeypatch.setattr(audit_log, "append", lambda connection, entry: None)  # that version had no such table
    create_backup(library.settings, library.database, tmp_path / "old.zip", NOW)
    with read_archive(tmp_path / "old.zip") as archive:
        assert archive.manifest.revision == "0006"
    settings = settings_for(tmp_path / "new")
    restore_backup(settings, tmp_path / "old.zip")
    database = open_database(settings)
    with database.reading() as connection:
        assert document_text.load_document(connection, "d").text == "Rents are frozen."
    database.close()


def _check_rows(connection: Connection) -> None:
    assert connection.scalar(text("SELECT count(*) FROM documents")) == 1


def test_a_backup_of_a_later_version_is_refused(backup: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backup_restore, "is_known_revision", lambda revision: False)
    with pytest.raises(StorageError, match="newer version"):
        restore_backup(settings_for(tmp_path / "new"), backup)
    assert not (tmp_path / "new").exists()


def test_a_backup_that_does_not_fit_on_the_disk_is_refused(
    backup: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage._replace(free=1000))
    with pytest.raises(DiskFull):
        restore_backup(settings_for(tmp_path / "new"), backup)
    assert list((tmp_path / "new").iterdir()) == []


def test_a_missing_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(PinciteError, match="cannot be read"):
        check_archive(tmp_path / "nothing.zip")
    (tmp_path / "empty.zip").touch()
    with pytest.raises(Damaged):
        check_archive(tmp_path / "empty.zip")
