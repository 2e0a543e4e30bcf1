"""Promises of every file store, tested in a folder and on a real S3 server; then those of the folder alone."""

import errno
import hashlib
import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pincite.errors import NotFound, StorageError
from pincite.settings import load_settings
from pincite.store.files import FileStore, FolderFiles, StoredFile, open_files
from tests.s3_server import RunningS3
from tests.thorough import mark_slow, scale_examples

PART = 8 << 20  # the size up to which S3 gets a file in one request


@pytest.fixture(params=["folder", "s3"])
def section(request: pytest.FixtureRequest) -> dict[str, Any]:
    """The section `files` of the settings: a folder, or a new bucket."""
    made: dict[str, Any] = {} if request.param == "folder" else request.getfixturevalue("bucket")
    return made


@pytest.fixture
def files(tmp_path: Path, section: dict[str, Any]) -> FileStore:
    return open_files(load_settings(data=tmp_path / "data", files=section))


def _file(folder: Path, content: bytes, name: str = "given.bin") -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


def _read(files: FileStore, sha256: str, *given: int) -> bytes:
    return b"".join(files.read(sha256, *given))


@pytest.mark.parametrize(
    "size", [0, mark_slow(1), mark_slow(3_000_000), mark_slow(PART), PART + 1, mark_slow(2 * PART + 12_345)]
)
def test_bytes_are_kept_under_their_hash(files: FileStore, tmp_path: Path, size: int) -> None:
    content = os.urandom(size)
    kept = files.keep(_file(tmp_path, content))
    assert kept == StoredFile(hashlib.sha256(content).hexdigest(), size)
    assert files.has(kept.sha256)
    assert files.size(kept.sha256) == size
    assert _read(files, kept.sha256) == content
    with files.local(kept.sha256) as path:
        assert path.read_bytes() == content
    assert _read(files, kept.sha256) == content  # of a copy, where there is one
    assert list(files.list_hashes()) == [kept.sha256]


def test_the_same_bytes_twice_are_kept_once(files: FileStore, tmp_path: Path) -> None:
    first = files.keep(_file(tmp_path, b"same"))
    assert files.keep(_file(tmp_path, b"same", "other.bin")) == first
    assert list(files.list_hashes()) == [first.sha256]


def test_the_same_bytes_at_once_from_many_threads_are_kept_once(files: FileStore, tmp_path: Path) -> None:
    path = _file(tmp_path, b"at once" * 1000)
    together = threading.Barrier(6)

    def keep(_: int) -> StoredFile:
        together.wait()
        return files.keep(path)

    with ThreadPoolExecutor(6) as pool:
        kept = set(pool.map(keep, range(6)))
    assert len(kept) == 1
    assert list(files.list_hashes()) == [each.sha256 for each in kept]
    assert _read(files, next(iter(kept)).sha256) == path.read_bytes()


def test_removed_bytes_are_gone_and_removing_twice_is_fine(files: FileStore, tmp_path: Path) -> None:
    kept = files.keep(_file(tmp_path, b"short lived"))
    with files.local(kept.sha256):
        pass
    files.remove(kept.sha256)
    files.remove(kept.sha256)
    assert not files.has(kept.sha256)
    for ask in (lambda: _read(files, kept.sha256), lambda: files.size(kept.sha256)):
        with pytest.raises(NotFound, match="missing"):
            ask()
    with pytest.raises(NotFound, match="missing"), files.local(kept.sha256):
        pass


def test_a_file_that_is_not_there_is_named(files: FileStore, tmp_path: Path) -> None:
    with pytest.raises(NotFound, match=r"missing\.pdf"):
        files.keep(tmp_path / "missing.pdf")


@pytest.mark.hypothesis
@pytest.mark.parametrize("is_copied", [False, True])
def test_any_range_is_the_one_of_the_bytes(files: FileStore, tmp_path: Path, is_copied: bool) -> None:
    content = os.urandom(5_000)
    sha256 = files.keep(_file(tmp_path, content)).sha256
    if is_copied:
        with files.local(sha256):
            pass

    @settings(max_examples=scale_examples(40), suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(st.integers(0, 6_000), st.one_of(st.none(), st.integers(0, 6_000)))
    def check(start: int, end: int | None) -> None:
        assert b"".join(files.read(sha256, start, end)) == content[start:end]

    check()


def test_new_files_are_not_old(files: FileStore, tmp_path: Path) -> None:
    files.keep(_file(tmp_path, b"new"))
    assert files.old() == set()


def test_all_files_of_an_area_are_cleared_and_those_of_others_stay(tmp_path: Path, section: dict[str, Any]) -> None:
    chosen = load_settings(data=tmp_path / "data", files=section)
    first, second = open_files(chosen, "pictures/a"), open_files(chosen, "pictures/ab")
    for each in (first, second):
        each.keep(_file(tmp_path, b"shown"))
    first.clear()
    assert list(first.list_hashes()) == []
    assert len(list(second.list_hashes())) == 1
    first.clear()


def test_the_check_writes_reads_and_removes(files: FileStore) -> None:
    assert [(each.name, each.ok) for each in files.check()] == [("write", True), ("read", True), ("remove", True)]
    assert list(files.list_hashes()) == []


_KEEP_AND_DIE = """
import os, signal, sys
from pathlib import Path
from pincite.settings import load_settings
from pincite.store import files, s3_files
pieces = s3_files._read_unchanged
def die(path, sha256):
    for piece in pieces(path, sha256):
        yield piece
        os.kill(os.getpid(), signal.SIGKILL) if dies else None
s3_files._read_unchanged = die
if sys.argv[1] == "folder":
    os.fsync = lambda _: os.kill(os.getpid(), signal.SIGKILL)
dies = True
section = eval(sys.argv[3])
files.open_files(load_settings(data=Path(sys.argv[2]), files=section)).keep(Path(sys.argv[4]))
"""


def test_a_kill_while_bytes_are_stored_leaves_no_file(tmp_path: Path, section: dict[str, Any]) -> None:
    given_file = _file(tmp_path, os.urandom(2 * PART + 5))
    kind = "s3" if section else "folder"
    ended = subprocess.run(
        [sys.executable, "-c", _KEEP_AND_DIE, kind, str(tmp_path / "data"), repr(section), str(given_file)]
    )
    assert ended.returncode == -9
    files = open_files(load_settings(data=tmp_path / "data", files=section))
    files.sweep()
    assert list(files.list_hashes()) == []
    assert files.keep(given_file).bytes == 2 * PART + 5


def test_processes_that_keep_the_same_bytes_make_one_object(
    s3_server: RunningS3, bucket: dict[str, Any], tmp_path: Path
) -> None:
    given_file = _file(tmp_path, b"of two processes" * 1000)
    program = (
        "import sys; from pathlib import Path; from pincite.settings import load_settings;"
        "from pincite.store.files import open_files;"
        "print(open_files(load_settings(data=Path(sys.argv[1]), files=eval(sys.argv[2]))).keep(Path(sys.argv[3])))"
    )
    running = [
        subprocess.Popen(
            [sys.executable, "-c", program, str(tmp_path / name), repr(bucket), str(given_file)], stdout=subprocess.PIPE
        )
        for name in ("a", "b")
    ]
    assert len({each.communicate()[0] for each in running}) == 1
    assert [each.returncode for each in running] == [0, 0]
    assert len(s3_server.list_keys(bucket["url"].split("/")[2])) == 1


def test_a_folder_does_not_touch_bytes_that_it_has(tmp_path: Path) -> None:
    files = FolderFiles(tmp_path / "files")
    first = files.keep(_file(tmp_path, b"same"))
    os.utime(files.path(first.sha256), (1, 1))
    assert files.keep(_file(tmp_path, b"same")) == first
    assert files.path(first.sha256).stat().st_mtime == 1
    assert files.old() == {first.sha256}
    assert [path for path in (tmp_path / "files").rglob("*") if path.is_file()] == [files.path(first.sha256)]


def test_a_full_disk_leaves_no_half_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StorageError, match="disk is full"):
        FolderFiles(tmp_path / "files").keep(_file(tmp_path, b"x" * 10_000))
    assert [path for path in (tmp_path / "files").rglob("*") if path.is_file()] == []


def test_a_place_that_is_no_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "files").write_text("in the way")
    files = FolderFiles(tmp_path / "files")
    with pytest.raises(StorageError, match="cannot be written to"):
        files.keep(_file(tmp_path, b"x"))
    assert [(each.name, each.ok) for each in files.check()] == [("write", False)]
