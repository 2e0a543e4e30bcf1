import errno
import hashlib
import os
from pathlib import Path

import pytest

from pincite.errors import NotFound, StorageError
from pincite.store.files import Files, StoredFile


def _file(folder: Path, content: bytes) -> Path:
    path = folder / "given.bin"
    path.write_bytes(content)
    return path


def test_bytes_are_kept_under_their_hash(tmp_path: Path) -> None:
    content = os.urandom(3_000_000)
    files = Files(tmp_path / "files")
    kept = files.keep(_file(tmp_path, content))
    assert kept == StoredFile(hashlib.sha256(content).hexdigest(), len(content))
    assert files.path(kept.sha256).read_bytes() == content


def test_the_same_bytes_twice_are_kept_once_and_not_touched(tmp_path: Path) -> None:
    files = Files(tmp_path / "files")
    first = files.keep(_file(tmp_path, b"same"))
    os.utime(files.path(first.sha256), (1, 1))
    assert files.keep(_file(tmp_path, b"same")) == first
    assert files.path(first.sha256).stat().st_mtime == 1
    assert [path for path in (tmp_path / "files").rglob("*") if path.is_file()] == [files.path(first.sha256)]


def test_a_full_disk_leaves_no_half_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StorageError, match="disk is full"):
        Files(tmp_path / "files").keep(_file(tmp_path, b"x" * 10_000))
    assert [path for path in (tmp_path / "files").rglob("*") if path.is_file()] == []


def test_removed_bytes_are_gone_and_removing_twice_is_fine(tmp_path: Path) -> None:
    files = Files(tmp_path / "files")
    kept = files.keep(_file(tmp_path, b"short lived"))
    files.remove(kept.sha256)
    files.remove(kept.sha256)
    assert not files.path(kept.sha256).exists()


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match=r"missing\.pdf"):
        Files(tmp_path / "files").keep(tmp_path / "missing.pdf")


def test_a_place_that_is_no_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "files").write_text("in the way")
    with pytest.raises(StorageError, match="cannot be written to"):
        Files(tmp_path / "files").keep(_file(tmp_path, b"x"))
