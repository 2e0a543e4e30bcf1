"""Keep copies of stored files on this machine, up to a size: the ones used longest ago are removed first.

Threads and processes share the folder. A shared lock on a copy says that it is in use; only a copy on which nobody has
one is removed to make room.
"""

import hashlib
import os
import tempfile
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


class Download(NamedTuple):
    """The size of a file that is about to be downloaded, and its pieces."""

    size: int
    pieces: Iterator[bytes]


class FileCache:
    """Copies of files, named by their hash, with at most so many bytes together unless more are in use."""

    def __init__(self, folder: Path, most: int) -> None:
        self._folder = folder
        self._most = most

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
            self._trim(0)

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
        with suppress(OSError):
            self._path(sha256).unlink()

    def list_hashes(self) -> list[str]:
        """Return the hashes of all copies."""
        return [path.name for path in self._folder.glob("??/*")]

    def sweep(self) -> None:
        """Remove the unfinished downloads of processes that were killed."""
        sweep_unfinished(self._folder)

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
                        self._trim(self._most)  # everything that nobody uses, then once more
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
                # Unlike a rename, a link replaces no copy that another process made, and may have locked, meanwhile.
                with suppress(FileExistsError):
                    os.link(copy.name, path)
            finally:
                Path(copy.name).unlink(missing_ok=True)

    def _trim(self, coming: int) -> None:
        """Remove the copies used longest ago until all of them and the coming bytes fit."""
        found = []
        for path in self._folder.glob("??/*"):
            with suppress(OSError):
                status = path.stat()
                found.append((status.st_mtime_ns, status.st_size, path))
        total = sum(size for _, size, _ in found) + coming
        for _, size, path in sorted(found):
            if total <= self._most:
                return
            if _remove_unused(path):
                total -= size


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
