"""Keep the bytes of documents on disk, named by their SHA-256, so that identical files are stored once."""

import hashlib
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from pincite.errors import DiskFull, NotFound, StorageError, is_full_disk
from pincite.store.process_names import get_process_name, is_gone

_CHUNK = 1 << 20
_UNFINISHED = ".part-"
_HOUR = 3_600
_DAY = 86_400


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A stored file: its hash and its size."""

    sha256: str
    bytes: int


class Files:
    """A folder of files named by their hash: `keep` adds a file, `path` returns its location."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def keep(self, path: Path) -> StoredFile:
        """Copy a file into the folder and return its hash. A crash leaves the whole file or nothing."""
        digest = hashlib.sha256()
        size = 0
        unfinished = ""
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=self.folder, prefix=_make_prefix(), delete=False) as copy:
                unfinished = copy.name
                for piece in _read_pieces(path):
                    digest.update(piece)
                    size += len(piece)
                    copy.write(piece)
                copy.flush()
                os.fsync(copy.fileno())
            kept = StoredFile(digest.hexdigest(), size)
            target = self.path(kept.sha256)
            if not target.exists():
                target.parent.mkdir(mode=0o700, exist_ok=True)
                os.replace(unfinished, target)
                flush_folder(target.parent)
            return kept
        except OSError as error:
            raise _make_write_error(error, self.folder) from error
        finally:
            if unfinished:
                Path(unfinished).unlink(missing_ok=True)

    def path(self, sha256: str) -> Path:
        """Return the path of these bytes, whether or not they exist."""
        return self.folder / sha256[:2] / sha256

    def remove(self, sha256: str) -> None:
        """Remove the bytes, if they exist."""
        try:
            self.path(sha256).unlink(missing_ok=True)
        except OSError as error:
            raise _make_write_error(error, self.folder) from error

    def old(self) -> set[str]:
        """Return the hashes of the files stored more than an hour ago."""
        found = set()
        for path in self.folder.glob("??/*"):
            with suppress(FileNotFoundError):
                if time.time() - path.stat().st_mtime > _HOUR:
                    found.add(path.name)
        return found

    def sweep(self) -> None:
        """Remove the unfinished copies of processes that were killed."""
        for copy in self.folder.glob(f"{_UNFINISHED}*"):
            maker = copy.name.removeprefix(_UNFINISHED).rpartition("-")[0]
            try:
                if is_gone(maker) or time.time() - copy.stat().st_mtime > _DAY:
                    copy.unlink()
            except OSError:
                continue  # another process removed it


def _make_prefix() -> str:
    return f"{_UNFINISHED}{get_process_name()}-"


def _read_pieces(path: Path) -> Iterator[bytes]:
    try:
        with path.open("rb") as file:
            while piece := file.read(_CHUNK):
                yield piece
    except OSError as error:
        raise NotFound(
            f"{path} cannot be read: {error.strerror or error}.", "Check the path and its permissions.", "file"
        ) from error


def flush_folder(folder: Path) -> None:
    """Write the names of a folder's files to the disk."""
    # Windows cannot open a folder, so there the rename is not flushed.
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _make_write_error(error: OSError, folder: Path) -> StorageError:
    if is_full_disk(error):
        return DiskFull("The disk is full; nothing was stored.", "Free some space, then add the file again.")
    return StorageError(
        f"The folder {folder} cannot be written to: {error.strerror or error}.",
        "Make it writable for the user who runs Pincite, or set `data` to another folder.",
    )
