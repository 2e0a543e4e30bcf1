"""Backups of a server whose files are in a bucket, and restores from and to one."""

import hashlib
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pincite.backups import backup_creation
from pincite.backups.backup_archive import check_archive
from pincite.backups.backup_creation import create_backup
from pincite.backups.backup_restore import restore_backup
from pincite.conversations.client_results import PictureStore
from pincite.library import Library
from pincite.settings import load_settings
from pincite.store import conversations, documents
from pincite.store.database import Database
from pincite.store.database_snapshot import open_snapshot
from pincite.store.files import list_areas
from tests.own_data.people_with_data import NOW, add_person, fill_conversations
from tests.s3_server import RunningS3
from tests.thorough import mark_slow
from tests.work import finish

Opened = Callable[..., Library]
NO_VECTORS = {"provider": "none"}


def _fill(library: Library, folder: Path) -> str:
    """Two documents, and two conversations of a person with a picture each."""
    folder.mkdir()
    for n in range(2):
        (folder / f"{n}.txt").write_text(f"Note {n} about the harbour.", encoding="utf-8")
        library.add("local", folder / f"{n}.txt")
    finish(library)
    ada = add_person(library, "qzkvada")
    fill_conversations(library, ada, "qzkvada")
    return ada.id


def _read_all(library: Library) -> dict[str, bytes]:
    """All files of documents, and of conversations that there are."""
    with library.database.reading() as connection:
        hashes, known = documents.list_hashes(connection), conversations.list_all_ids(connection)
    found = {sha256: b"".join(library.files.read(sha256)) for sha256 in hashes}
    for area in set(list_areas(library.settings, "pictures")) & set(known):  # one is of a removed conversation
        pictures = PictureStore(library.settings).open(area)
        found |= {f"{area}/{sha256}": b"".join(pictures.read(sha256)) for sha256 in pictures.list_hashes()}
    return found


@pytest.mark.parametrize(("source", "target"), [mark_slow("s3", "s3"), ("s3", "folder"), mark_slow("folder", "s3")])
def test_files_are_the_same_after_a_backup_and_a_restore(
    source: str, target: str, opened: Opened, s3_server: RunningS3, tmp_path: Path
) -> None:
    def choose(kind: str, name: str) -> dict[str, Any]:
        return s3_server.make_bucket(f"{name}-{uuid.uuid4().hex}") if kind == "s3" else {}

    library = opened(tmp_path / "before", embedding=NO_VECTORS, files=choose(source, "before"))
    _fill(library, tmp_path / "given")
    expected = _read_all(library)
    assert len(expected) >= 4
    made = create_backup(library.settings, library.database, tmp_path / "backup.zip", NOW)
    assert (made.missing, made.damaged) == ((), ())
    assert check_archive(tmp_path / "backup.zip") == made.manifest

    section = choose(target, "after")
    settings = load_settings(data=tmp_path / "after", embedding=NO_VECTORS, files=section)
    restore_backup(settings, tmp_path / "backup.zip")
    restored = opened(tmp_path / "after", embedding=NO_VECTORS, files=section)
    assert _read_all(restored) == expected
    for sha256, content in expected.items():
        assert hashlib.sha256(content).hexdigest() == sha256.rpartition("/")[2]
    assert (settings.data / "files").exists() == (target == "folder")


def test_missing_and_damaged_files_of_a_bucket_are_named(
    opened: Opened, bucket: dict[str, Any], s3_server: RunningS3, tmp_path: Path
) -> None:
    library = opened(embedding=NO_VECTORS, files=bucket)
    _fill(library, tmp_path / "given")
    first, second = sorted(library.files.list_hashes())
    library.files.remove(first)
    library.files.forget_copy(second)
    s3_server.put(bucket["url"].split("/")[2], f"documents/files/{second[:2]}/{second}", b"other bytes")
    made = create_backup(library.settings, library.database, tmp_path / "backup.zip", NOW)
    assert (made.missing, made.damaged) == ((first,), (second,))


def test_a_document_that_comes_or_goes_while_a_bucket_is_copied_is_in_the_backup_or_not_at_all(
    opened: Opened, bucket: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = opened(embedding=NO_VECTORS, files=bucket)
    for name in ("goes", "stays", "comes"):
        (tmp_path / f"{name}.txt").write_text(name, encoding="utf-8")
    goes = library.add("local", tmp_path / "goes.txt").document
    library.add("local", tmp_path / "stays.txt")
    take = open_snapshot

    def change_first(*given: Any) -> Any:
        monkeypatch.setattr(backup_creation, "open_snapshot", take)
        library.remove("local", goes)
        library.add("local", tmp_path / "comes.txt")
        return take(*given)

    monkeypatch.setattr(backup_creation, "open_snapshot", change_first)
    made = create_backup(library.settings, library.database, tmp_path / "backup.zip", NOW)
    assert made.missing == ()
    restore_backup(load_settings(data=tmp_path / "other"), tmp_path / "backup.zip")
    other = opened(tmp_path / "other", embedding=NO_VECTORS)
    with other.database.reading() as connection:
        names = {stored.name for stored in documents.find(connection, "local")}
        hashes = documents.list_hashes(connection)
    assert names == {"stays.txt", "comes.txt"}
    assert all(other.files.has(sha256) for sha256 in hashes)


def test_a_backup_of_postgresql_and_a_bucket_has_the_index(
    opened: Opened, postgres: Database, s3_server: RunningS3, tmp_path: Path
) -> None:
    address = postgres.engine.url.render_as_string(hide_password=False)
    files = s3_server.make_bucket(f"before-{uuid.uuid4().hex}")
    library = opened(tmp_path / "before", embedding=NO_VECTORS, files=files, database=address)
    _fill(library, tmp_path / "given")
    create_backup(library.settings, library.database, tmp_path / "backup.zip", NOW)
    settings = load_settings(data=tmp_path / "after", embedding=NO_VECTORS)
    assert not restore_backup(settings, tmp_path / "backup.zip").needs_reindex
