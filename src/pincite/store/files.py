"""Documents' bytes on disk, each under its SHA-256, so that the same bytes are kept once."""

import hashlib
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from pincite.errors import DiskFull, NotFound, StorageError, is_full_disk
from pincite.store.processes import is_gone, this_process

_CHUNK = 1 << 20
_UNFINISHED = ".part-"
_HOUR = 3_600
_DAY = 86_400


@dataclass(frozen=True, slots=True)
class Kept:
    """What was kept: the name of the bytes and how many there are."""

    sha256: str
    bytes: int


class Files:
    """A folder of bytes by their hash: `keep` puts a file in, `path` says where it is."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def keep(self, path: Path) -> Kept:
        """Copy a file in, piece by piece, and say under which hash; a crash leaves the whole file or none."""
        digest = hashlib.sha256()
        size = 0
        unfinished = ""
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=self.folder, prefix=_prefix(), delete=False) as copy:
                unfinished = copy.name
                for piece in _pieces(path):
                    digest.update(piece)
                    size += len(piece)
                    copy.write(piece)
                copy.flush()
                os.fsync(copy.fileno())
            kept = Kept(digest.hexdigest(), size)
            target = self.path(kept.sha256)
            if not target.exists():
                target.parent.mkdir(mode=0o700, exist_ok=True)
                os.replace(unfinished, target)
                _flush_folder(target.parent)
            return kept
        except OSError as error:
            raise _refusal(error, self.folder) from error
        finally:
            if unfinished:
                Path(unfinished).unlink(missing_ok=True)

    def path(self, sha256: str) -> Path:
        """Where these bytes are, or would be."""
        return self.folder / sha256[:2] / sha256

    def remove(self, sha256: str) -> None:
        """Remove the bytes; nothing happens when they are gone already."""
        try:
            self.path(sha256).unlink(missing_ok=True)
        except OSError as error:
            raise _refusal(error, self.folder) from error

    def old(self) -> set[str]:
        """The hashes of the bytes that were kept more than an hour ago."""
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
                continue  # another process swept it


def _prefix() -> str:
    return f"{_UNFINISHED}{this_process()}-"


def _pieces(path: Path) -> Iterator[bytes]:
    try:
        with path.open("rb") as file:
            while piece := file.read(_CHUNK):
                yield piece
    except OSError as error:
        raise NotFound(
            f"{path} cannot be read: {error.strerror or error}.", "Check the path and its permissions."
        ) from error


def _flush_folder(folder: Path) -> None:
    # Windows cannot open a folder; there the rename is as durable as it gets.
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _refusal(error: OSError, folder: Path) -> StorageError:
    if is_full_disk(error):
        return DiskFull("The disk is full; nothing was kept.", "Free some space, then add the file again.")
    return StorageError(
        f"The folder {folder} cannot be written to: {error.strerror or error}.",
        "Give it back to the user who runs Pincite, or set `data` to another folder.",
    )
