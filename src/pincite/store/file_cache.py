"""Keep copies of stored files on this machine, up to a size: the ones used longest ago are removed first.

Threads and processes share the folder. A shared lock on a copy says that it is in use; only a copy on which nobody has
one is removed to make room. All processes count the bytes of the copies in one file. A process that needs room removes
the copies that were oldest when it last listed the folder, so that one list of all copies serves for many removals.
"""

import hashlib
import heapq
import os
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from pincite.errors import Damaged, DiskFull, StorageError, is_full_disk
from pincite.store.files import make_unfinished_name, sweep_unfinished

try:
    import fcntl
except ImportError:  # Windows, which removes no file that somebody has open
    fcntl = None  # type: ignore[assignment]


_LISTED = 10_000  # copies that are remembered from a list of all
_DIGITS = 20  # of the count: always as many, so that it is never half of another one
_STUCK_SECONDS = 60.0  # until the next list, if all copies that were left after the last one were in use


class Download(NamedTuple):
    """The size of a file that is about to be downloaded, and its pieces."""

    size: int
    pieces: Iterator[bytes]


class FileCache:
    """Copies of files, named by their hash, with at most so many bytes together unless more are in use."""

    def __init__(self, folder: Path, most: int) -> None:
        self._folder = folder
        self._most = most
        # These two are used under the lock on the file of the count.
        self._oldest: deque[_Copy] = deque()
        self._stuck_until = 0.0

    @contextmanager
    def hold(self, sha256: str, download: Callable[[], Download]) -> Iterator[Path]:
        """Return the path of a copy that nobody removes before the block ends; download it if there is none."""
        path = self._path(sha256)
        held = _lock_copy(path)
        if held is None:
            held = self._fetch(sha256, download)
        try:
            yield path
        finally:
            os.close(held)
            self._trim(0, path)

    @contextmanager
    def hold_known(self, sha256: str) -> Iterator[Path | None]:
        """Return the path of a copy as `hold` does, or None if there is none."""
        path = self._path(sha256)
        held = _lock_copy(path)
        try:
            yield path if held is not None else None
        finally:
            if held is not None:
                os.close(held)

    def forget(self, sha256: str) -> None:
        """Remove a copy, even if it is in use: its document was deleted."""
        path = self._path(sha256)
        with suppress(OSError), self._counting() as count:
            size = path.stat().st_size
            path.unlink()
            count.add(-size)
        with suppress(OSError):
            path.unlink()  # also if nothing can be counted, because the disk is full

    def list_hashes(self) -> list[str]:
        """Return the hashes of all copies."""
        return [path.name for path in self._folder.glob("??/*")]

    def sweep(self) -> None:
        """Remove the unfinished downloads of processes that were killed."""
        sweep_unfinished(self._folder)

    def recount(self) -> None:
        """Count the copies anew: a process that was killed may have counted one that is not there."""
        with suppress(OSError), self._counting() as count:
            self._list(count)

    def _path(self, sha256: str) -> Path:
        return self._folder / sha256[:2] / sha256

    def _fetch(self, sha256: str, download: Callable[[], Download]) -> int:
        """Download a file and return the lock on its copy. Nobody else downloads it meanwhile."""
        path = self._path(sha256)
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with _one_at_a_time(self._folder / f".lock-{sha256[:2]}"):
                while (held := _lock_copy(path)) is None:
                    try:
                        self._write(path, download())
                    except OSError as error:
                        if not is_full_disk(error):
                            raise
                        self._trim(self._most, is_urgent=True)  # everything that nobody uses, then once more
                        self._write(path, download())
                return held
        except OSError as error:
            if is_full_disk(error):
                raise DiskFull(
                    "The disk is full; the file cannot be downloaded from the storage.",
                    "Free some space, or lower files.cache_mb.",
                ) from error
            raise StorageError(
                f"The folder {self._folder} cannot be used: {error.strerror or error}.",
                "Make it writable for the user who runs Pincite.",
            ) from error

    def _write(self, path: Path, download: Download) -> None:
        self._trim(download.size)
        digest = hashlib.sha256()
        with tempfile.NamedTemporaryFile(dir=self._folder, prefix=make_unfinished_name(), delete=False) as copy:
            try:
                for piece in download.pieces:
                    digest.update(piece)
                    copy.write(piece)
                copy.flush()
                os.fsync(copy.fileno())
                if digest.hexdigest() != path.name:
                    raise Damaged(
                        "The storage returned other bytes than were stored.",
                        "Restore the file from a backup, or remove the document and add it again.",
                    )
                with self._counting() as count:
                    # Before the copy is there: a count that a killed process leaves too high is noticed.
                    count.add(download.size)
                    try:
                        # Unlike a rename, a link replaces no copy that another process made, and may have locked.
                        os.link(copy.name, path)
                    except OSError as error:
                        count.add(-download.size)
                        if not isinstance(error, FileExistsError):
                            raise
            finally:
                Path(copy.name).unlink(missing_ok=True)

    def _trim(self, coming: int, released: Path | None = None, is_urgent: bool = False) -> None:
        """Remove the copies used longest ago until all of them and the coming bytes fit.

        A copy that was just released may be the only one that nobody uses.
        """
        with suppress(OSError), self._counting() as count:
            may_list = is_urgent or time.monotonic() >= self._stuck_until
            if count.total is None:
                self._list(count)
                may_list = False
            while (count.total or 0) + coming > self._most:
                if self._oldest:
                    self._remove(count, self._oldest.popleft())
                elif may_list:
                    self._list(count)
                    may_list = False
                else:
                    if released and (copy := _find_copy(released)):
                        self._remove(count, copy)
                    if (count.total or 0) + coming > self._most:
                        self._stuck_until = max(self._stuck_until, time.monotonic() + _STUCK_SECONDS)
                    return
            self._stuck_until = 0.0

    def _remove(self, count: "_Count", copy: "_Copy") -> None:
        """Remove a copy that nobody uses, unless it was used since it was listed."""
        now = _find_copy(copy.path)
        if now == copy and _remove_unused(copy.path):
            count.add(-copy.size)

    def _list(self, count: "_Count") -> None:
        """Count all copies, and remember the ones used longest ago."""
        found = []
        total = 0
        for path in self._folder.glob("??/*"):
            if copy := _find_copy(path):
                found.append(copy)
                total += copy.size
        count.set(total)
        self._oldest = deque(heapq.nsmallest(_LISTED, found))

    @contextmanager
    def _counting(self) -> Iterator["_Count"]:
        """Lock the file in which all processes count the bytes of the copies."""
        opened = os.open(self._folder / ".lock-size", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            if fcntl:
                fcntl.flock(opened, fcntl.LOCK_EX)
            yield _Count(opened)
        finally:
            os.close(opened)


class _Copy(NamedTuple):
    """A copy: when it was last used, its size and its path."""

    used: int
    size: int
    path: Path


class _Count:
    """The bytes of all copies, in a file that is locked; None if it does not tell."""

    def __init__(self, opened: int) -> None:
        self._opened = opened
        written = os.read(opened, _DIGITS)
        self.total = int(written) if written.isdigit() and len(written) == _DIGITS else None

    def set(self, total: int) -> None:
        self.total = max(total, 0)
        os.lseek(self._opened, 0, os.SEEK_SET)
        os.write(self._opened, b"%0*d" % (_DIGITS, self.total))

    def add(self, size: int) -> None:
        """Count a copy that comes or goes, if the others are counted."""
        if self.total is not None:
            self.set(self.total + size)


def _find_copy(path: Path) -> _Copy | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return _Copy(status.st_mtime_ns, status.st_size, path)


def _lock_copy(path: Path) -> int | None:
    """Return an open file whose lock keeps a copy, and note that it was used now; None if there is no copy."""
    try:
        opened = os.open(path, os.O_RDONLY)
    except (FileNotFoundError, NotADirectoryError):
        return None
    try:
        if fcntl:
            fcntl.flock(opened, fcntl.LOCK_SH)
        # Somebody may have removed it before the lock was ours.
        if os.path.samestat(os.fstat(opened), os.stat(path)):
            os.utime(path)
            return opened
    except FileNotFoundError:
        pass
    except BaseException:
        os.close(opened)
        raise
    os.close(opened)
    return None


def _remove_unused(path: Path) -> bool:
    try:
        opened = os.open(path, os.O_RDONLY)
    except OSError:
        return False
    try:
        if fcntl:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        # Somebody may have replaced it by a new copy before the lock was ours.
        if not os.path.samestat(os.fstat(opened), os.stat(path)):
            return False
        path.unlink()
        return True
    except OSError:  # it is in use
        return False
    finally:
        os.close(opened)


@contextmanager
def _one_at_a_time(lock: Path) -> Iterator[None]:
    opened = os.open(lock, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if fcntl:
            fcntl.flock(opened, fcntl.LOCK_EX)
        yield
    finally:
        os.close(opened)
