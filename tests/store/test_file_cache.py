"""Copies of files on this machine: bounded, shared by threads and processes, and never removed while in use."""

import errno
import hashlib
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest

from pincite.errors import Damaged, DiskFull, FilesAway, StorageError
from pincite.store.file_cache import Download, FileCache


class Origin:
    """Files to be copied, and how often each was."""

    def __init__(self) -> None:
        self.contents: dict[str, bytes] = {}
        self.asked: list[str] = []

    def add(self, content: bytes) -> str:
        sha256 = hashlib.sha256(content).hexdigest()
        self.contents[sha256] = content
        return sha256

    def download(self, sha256: str) -> Callable[[], Download]:
        def start() -> Download:
            self.asked.append(sha256)
            content = self.contents[sha256]
            return Download(len(content), (content[at : at + 100] for at in range(0, len(content), 100)))

        return start


def _use(cache: FileCache, origin: Origin, sha256: str) -> None:
    with cache.hold(sha256, origin.download(sha256)) as path:
        assert path.read_bytes() == origin.contents[sha256]


def test_a_copy_is_downloaded_once(tmp_path: Path) -> None:
    cache, origin = FileCache(tmp_path, 10_000), Origin()
    sha256 = origin.add(b"x" * 1000)
    for _ in range(3):
        _use(cache, origin, sha256)
    assert origin.asked == [sha256]
    with cache.hold_known(sha256) as path:
        assert path is not None
    assert path.stat().st_mode & 0o077 == 0
    with cache.hold_known("0" * 64) as path:
        assert path is None


def test_the_copies_used_longest_ago_go_first(tmp_path: Path) -> None:
    cache, origin = FileCache(tmp_path, 3_000), Origin()
    first, second, third, fourth = (origin.add(bytes([n]) * 1000) for n in range(4))
    for sha256 in (first, second, third, first, fourth):
        _use(cache, origin, sha256)
        time.sleep(0.01)
    assert set(cache.list_hashes()) == {first, third, fourth}


def test_a_copy_in_use_is_not_removed_and_goes_when_it_is_not(tmp_path: Path) -> None:
    cache, origin = FileCache(tmp_path, 1_500), Origin()
    first, second, large = origin.add(b"1" * 1000), origin.add(b"2" * 1000), origin.add(b"3" * 9000)
    with cache.hold(first, origin.download(first)) as path:
        with cache.hold(first, origin.download(first)):
            pass
        _use(cache, origin, second)
        assert path.read_bytes() == b"1" * 1000
    assert set(cache.list_hashes()) == {first}
    _use(cache, origin, large)
    assert cache.list_hashes() == []  # larger than the cache: it stays for as long as it is used


def test_a_copy_of_a_deleted_document_goes_even_in_use(tmp_path: Path) -> None:
    cache, origin = FileCache(tmp_path, 10_000), Origin()
    sha256 = origin.add(b"private")
    with cache.hold(sha256, origin.download(sha256)) as path:
        cache.forget(sha256)
        assert not path.exists()
    cache.forget(sha256)


def test_wrong_bytes_are_not_copied(tmp_path: Path) -> None:
    cache, origin = FileCache(tmp_path, 10_000), Origin()
    sha256 = origin.add(b"right")
    origin.contents[sha256] = b"wrong"
    with pytest.raises(Damaged), cache.hold(sha256, origin.download(sha256)):
        pass
    assert cache.list_hashes() == []
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".part")] == []


def test_a_download_that_ends_early_leaves_nothing(tmp_path: Path) -> None:
    def cut_off() -> Download:
        def pieces() -> object:
            yield b"half"
            raise FilesAway("The storage is away.")

        return Download(100, pieces())  # type: ignore[arg-type]

    cache = FileCache(tmp_path, 10_000)
    with pytest.raises(FilesAway), cache.hold("0" * 64, cut_off):
        pass
    assert [path for path in tmp_path.rglob("*") if path.is_file() and not path.name.startswith(".lock")] == []


def test_a_full_disk_frees_what_is_not_used_and_tries_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache, origin = FileCache(tmp_path, 10_000), Origin()
    first, second = origin.add(b"1" * 1000), origin.add(b"2" * 1000)
    _use(cache, origin, first)
    flush, left = os.fsync, [1]

    def full(descriptor: int) -> None:
        if left:
            left.pop()
            raise OSError(errno.ENOSPC, "No space left on device")
        flush(descriptor)

    monkeypatch.setattr(os, "fsync", full)
    _use(cache, origin, second)
    assert cache.list_hashes() == [second]
    left += [1, 1]
    with pytest.raises(DiskFull, match="cannot be downloaded"), cache.hold(first, origin.download(first)):
        pass
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".part")] == []


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("in the way")
    with pytest.raises(StorageError, match="cannot be used"), FileCache(tmp_path / "cache", 1).hold("0" * 64, _never):
        pass


def _never() -> Download:
    raise AssertionError


def test_many_threads_that_want_one_file_download_it_once(tmp_path: Path) -> None:
    cache, origin = FileCache(tmp_path, 10_000), Origin()
    sha256 = origin.add(b"x" * 5000)
    together = threading.Barrier(8)

    def use(_: int) -> None:
        together.wait()
        _use(cache, origin, sha256)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(use, range(8)))
    assert origin.asked == [sha256]


_WORK = """
import sys
sys.path.insert(0, sys.argv[2])
from pathlib import Path
from tests.store.test_file_cache import crowd
crowd(Path(sys.argv[1]), int(sys.argv[3]))
"""


def crowd(folder: Path, seed: int) -> None:
    """Use many files of a cache that holds a few, from three threads."""
    cache, origin = FileCache(folder, 3_000), Origin()
    names = [origin.add(bytes([n]) * 1000) for n in range(8)]

    def work(thread: int) -> None:
        chosen = Random(seed * 10 + thread)
        for _ in range(60):
            sha256 = chosen.choice(names)
            with cache.hold(sha256, origin.download(sha256)) as path:
                assert path.read_bytes() == origin.contents[sha256]
                time.sleep(0.001)
                assert path.read_bytes() == origin.contents[sha256]

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(work, range(3)))


def test_processes_and_threads_never_lose_a_copy_in_use_and_stay_within_the_size(tmp_path: Path) -> None:
    root = str(Path(__file__).parents[2])
    running = [subprocess.Popen([sys.executable, "-c", _WORK, str(tmp_path), root, str(n)]) for n in range(2)]
    assert [each.wait() for each in running] == [0, 0]
    assert sum(path.stat().st_size for path in tmp_path.glob("??/*")) <= 3_000
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".part")] == []


def _count_lists(monkeypatch: pytest.MonkeyPatch, folder: Path) -> list[str]:
    """Return the lists of the whole folder, as they are made."""
    made: list[str] = []
    scandir = os.scandir

    def note(path: object = ".") -> object:
        if str(path) == str(folder):
            made.append(str(path))
        return scandir(path)  # type: ignore[call-overload]

    monkeypatch.setattr(os, "scandir", note)
    return made


def test_a_full_cache_is_not_listed_for_every_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache, origin = FileCache(tmp_path, 50_000), Origin()
    names = [origin.add(n.to_bytes(2, "big") * 500) for n in range(200)]
    lists = _count_lists(monkeypatch, tmp_path)
    for sha256 in names:
        _use(cache, origin, sha256)
    assert len(lists) < 8  # one for each fifty removals, about
    assert sum(path.stat().st_size for path in tmp_path.glob("??/*")) == 50_000
    assert set(cache.list_hashes()) == set(names[-50:])


def test_a_cache_whose_copies_are_all_in_use_is_not_listed_for_every_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache, origin = FileCache(tmp_path, 1_000), Origin()
    large, *small = (origin.add(bytes([n]) * (9_000 if n == 0 else 100)) for n in range(100))
    with cache.hold(large, origin.download(large)):
        lists = _count_lists(monkeypatch, tmp_path)
        for sha256 in small:
            _use(cache, origin, sha256)
        assert len(lists) < 4
        assert cache.list_hashes() == [large]
    assert cache.list_hashes() == []


def test_processes_share_one_count_of_the_copies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    caches, origin = [FileCache(tmp_path, 10_000) for _ in range(3)], Origin()  # as three processes have them
    names = [origin.add(bytes([n]) * 1000) for n in range(10)]
    for place, sha256 in enumerate(names):
        _use(caches[place % 3], origin, sha256)
    lists = _count_lists(monkeypatch, tmp_path)
    for cache in caches:
        _use(cache, origin, names[0])
    assert lists == []
    caches[0].forget(names[1])
    _use(caches[1], origin, origin.add(b"one more" * 125))
    assert lists == []  # there was room for it
    _use(caches[2], origin, origin.add(b"and more" * 125))
    assert len(lists) == 1
    assert names[2] not in caches[0].list_hashes()
    assert len(caches[0].list_hashes()) == 10


@pytest.mark.parametrize("left", ["", "0", "nonsense", "9" * 20, "0" * 20])
def test_a_wrong_count_is_put_right(tmp_path: Path, left: str) -> None:
    cache, origin = FileCache(tmp_path, 3_000), Origin()
    names = [origin.add(bytes([n]) * 1000) for n in range(6)]
    for sha256 in names[:3]:
        _use(cache, origin, sha256)
    (tmp_path / ".lock-size").write_text(left)
    fresh = FileCache(tmp_path, 3_000)
    if left == "0" * 20:
        fresh.recount()  # a count that is too low is noticed by the daily sweep
    for sha256 in names[3:]:
        _use(fresh, origin, sha256)
    assert set(fresh.list_hashes()) == set(names[3:])
