"""Bytes are removed and added by several transactions at once: a row never lacks its bytes."""

import threading
from pathlib import Path

from pincite.store import documents
from pincite.store.database import Database
from pincite.store.files import FolderFiles
from pincite.store.unused_files import lock_file, remove_unused_file
from tests.clock import PATIENCE


def _keep(files: FolderFiles, folder: Path, content: str = "bytes") -> str:
    path = folder / "given.txt"
    path.write_text(content)
    return files.keep(path).sha256


def test_bytes_without_a_document_are_removed_and_others_stay(either: Database, tmp_path: Path) -> None:
    files = FolderFiles(tmp_path / "files")
    used, unused = _keep(files, tmp_path, "used"), _keep(files, tmp_path, "unused")
    with either.writing() as connection:
        documents.create(connection, "local", used, "a.txt", 4)
    with either.writing() as connection:
        assert not remove_unused_file(connection, files, used)
        assert remove_unused_file(connection, files, unused)
    assert list(files.list_hashes()) == [used]


def test_a_remover_waits_for_an_adder_whose_row_it_cannot_see_yet(either: Database, tmp_path: Path) -> None:
    files = FolderFiles(tmp_path / "files")
    sha256 = _keep(files, tmp_path)
    looked, removed = threading.Event(), list[bool]()

    def remove() -> None:
        looked.set()
        with either.writing() as connection:
            removed.append(remove_unused_file(connection, files, sha256))

    with either.writing() as connection:
        lock_file(connection, sha256)
        assert files.has(sha256)
        documents.create(connection, "local", sha256, "a.txt", 5)
        remover = threading.Thread(target=remove)
        remover.start()
        assert looked.wait(PATIENCE)
        remover.join(0.5)  # time for the wrong deed
        assert files.has(sha256)
        assert removed == []
    remover.join(PATIENCE)
    assert removed == [False]
    assert files.has(sha256)


def test_an_adder_waits_for_a_remover_and_finds_its_bytes_gone(either: Database, tmp_path: Path) -> None:
    files = FolderFiles(tmp_path / "files")
    sha256 = _keep(files, tmp_path)
    seen = list[bool]()

    def add() -> None:
        with either.writing() as connection:
            lock_file(connection, sha256)
            seen.append(files.has(sha256))

    with either.writing() as connection:
        lock_file(connection, sha256)
        adder = threading.Thread(target=add)
        adder.start()
        adder.join(0.3)
        assert remove_unused_file(connection, files, sha256)
        assert seen == []
    adder.join(PATIENCE)
    assert seen == [False]  # so `Library.add` stores them again
