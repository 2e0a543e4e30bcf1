"""Keep the bytes of documents, named by their SHA-256, so that identical files are stored once.

`FolderFiles` keeps them in a folder, `S3Files` (in `s3_files`) in a bucket of S3-compatible storage. `open_files` opens
what the settings name.
"""

import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from pincite.errors import DiskFull, NotFound, StorageError, is_full_disk
from pincite.settings import Settings
from pincite.store.process_names import get_process_name, is_gone

PICTURES = "pictures"  # the area of the pictures in conversations, with an area for each conversation
_CHUNK = 1 << 20
_UNFINISHED = ".part-"
_HOUR = 3_600
_DAY = 86_400


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A stored file: its hash and its size."""

    sha256: str
    bytes: int


@dataclass(frozen=True, slots=True)
class FileCheck:
    """One thing that `pincite doctor` tried, whether it worked, and what to say about it."""

    name: str
    ok: bool
    words: str


class FileStore(Protocol):
    """Files named by their hash. `read`, `local` and `size` raise `NotFound` for bytes that are not there."""

    @property
    def place(self) -> str:
        """Where the files are, for people: a folder or an address without secrets."""

    def keep(self, path: Path) -> StoredFile:
        """Copy a file into the store and return its hash. A crash leaves the whole file or nothing."""

    def has(self, sha256: str) -> bool:
        """Return whether these bytes are stored."""

    def size(self, sha256: str) -> int:
        """Return the number of bytes."""

    def local(self, sha256: str) -> AbstractContextManager[Path]:
        """Return a path at which the bytes can be read for as long as the block lasts. Nobody may write there."""

    def read(self, sha256: str, start: int = 0, end: int | None = None) -> Iterator[bytes]:
        """Yield the bytes from `start` to before `end` in pieces; without `end` to the last one."""

    def remove(self, sha256: str) -> None:
        """Remove the bytes, if they exist."""

    def forget_copy(self, sha256: str) -> None:
        """Remove this machine's copy of bytes that were removed elsewhere, if it has one."""

    def list_hashes(self) -> Iterator[str]:
        """Yield the hashes of all files."""

    def old(self) -> set[str]:
        """Return the hashes of the files stored more than an hour ago."""

    def clear(self) -> None:
        """Remove all files."""

    def sweep(self) -> None:
        """Remove what killed processes left unfinished on this machine."""

    def sweep_copies(self) -> None:
        """Remove this machine's copies of bytes that were removed elsewhere."""

    def check(self) -> list[FileCheck]:
        """Write, read and remove a small file, and report each step."""


class FolderFiles:
    """A folder of files named by their hash."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def place(self) -> str:
        return str(self.folder)

    def keep(self, path: Path) -> StoredFile:
        """Copy a file into the folder and return its hash. A crash leaves the whole file or nothing."""
        digest = hashlib.sha256()
        size = 0
        unfinished = ""
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=self.folder, prefix=make_unfinished_name(), delete=False) as copy:
                unfinished = copy.name
                for piece in read_given_file(path):
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

    def has(self, sha256: str) -> bool:
        return self.path(sha256).is_file()

    def size(self, sha256: str) -> int:
        with _explain_reading(self.folder):
            return self.path(sha256).stat().st_size

    @contextmanager
    def local(self, sha256: str) -> Iterator[Path]:
        if not self.has(sha256):
            raise make_missing_error()
        yield self.path(sha256)

    def read(self, sha256: str, start: int = 0, end: int | None = None) -> Iterator[bytes]:
        with _explain_reading(self.folder):
            yield from read_range(self.path(sha256), start, end)

    def remove(self, sha256: str) -> None:
        try:
            self.path(sha256).unlink(missing_ok=True)
        except OSError as error:
            raise _make_write_error(error, self.folder) from error

    def forget_copy(self, sha256: str) -> None:
        """Do nothing: the folder has no copies."""

    def list_hashes(self) -> Iterator[str]:
        for path in self.folder.glob("??/*"):
            yield path.name

    def clear(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    def old(self) -> set[str]:
        found = set()
        for path in self.folder.glob("??/*"):
            with suppress(FileNotFoundError):
                if time.time() - path.stat().st_mtime > _HOUR:
                    found.add(path.name)
        return found

    def sweep(self) -> None:
        sweep_unfinished(self.folder)

    def sweep_copies(self) -> None:
        """Do nothing: the folder has no copies."""

    def check(self) -> list[FileCheck]:
        return check_store(self)


def open_files(settings: Settings, area: str = "files") -> FileStore:
    """Open the files of the settings: a folder in the data folder, or a bucket. Each area has its own files."""
    if not settings.files.url:
        return FolderFiles(settings.data / area)
    from pincite.store.s3_files import S3Files

    return S3Files(settings.files, area, settings.data / "cache" / area)


def list_areas(settings: Settings, area: str) -> list[str]:
    """Return the names of the areas within an area, as `pictures` has one for each conversation."""
    if not settings.files.url:
        return [path.name for path in (settings.data / area).glob("*") if path.is_dir()]
    from pincite.store.s3_files import list_s3_areas

    return list_s3_areas(settings.files, area)


def check_store(files: FileStore) -> list[FileCheck]:
    """Write, read and remove a small file; stop at the first step that fails."""
    done: list[FileCheck] = []
    content = f"pincite doctor {get_process_name()} {time.time_ns()}".encode()
    sha256 = hashlib.sha256(content).hexdigest()
    try:
        with tempfile.NamedTemporaryFile() as given:
            given.write(content)
            given.flush()
            files.keep(Path(given.name))
        done.append(FileCheck("write", True, f"A small file was written to {files.place}."))
        if b"".join(files.read(sha256)) != content:
            done.append(FileCheck("read", False, f"{files.place} returned other bytes than were written."))
            return done
        done.append(FileCheck("read", True, "It was read back unchanged."))
        files.remove(sha256)
        is_gone_now = not files.has(sha256)
        done.append(FileCheck("remove", is_gone_now, "It was removed." if is_gone_now else "It cannot be removed."))
    except StorageError as error:
        name = ("write", "read", "remove")[len(done)]
        done.append(FileCheck(name, False, f"{error.message} {error.hint}".strip()))
    except NotFound:
        done.append(FileCheck("read", False, f"{files.place} does not have the file that was just written."))
    return done


def make_unfinished_name() -> str:
    """Return the beginning of the name of a file that is being written by this process."""
    return f"{_UNFINISHED}{get_process_name()}-"


def sweep_unfinished(folder: Path) -> None:
    """Remove the unfinished files of processes that were killed."""
    for copy in folder.glob(f"{_UNFINISHED}*"):
        maker = copy.name.removeprefix(_UNFINISHED).rpartition("-")[0]
        try:
            if is_gone(maker) or time.time() - copy.stat().st_mtime > _DAY:
                copy.unlink()
        except OSError:
            continue  # another process removed it


def read_given_file(path: Path) -> Iterator[bytes]:
    """Yield the pieces of a file that somebody adds; raise `NotFound` if it cannot be read."""
    try:
        with path.open("rb") as file:
            while piece := file.read(_CHUNK):
                yield piece
    except OSError as error:
        raise NotFound(
            f"{path} cannot be read: {error.strerror or error}.", "Check the path and its permissions.", "file"
        ) from error


def read_range(path: Path, start: int = 0, end: int | None = None) -> Iterator[bytes]:
    """Yield the bytes of a file from `start` to before `end`, or to its end."""
    with path.open("rb") as file:
        file.seek(start)
        left = os.fstat(file.fileno()).st_size - start if end is None else end - start
        while left > 0 and (piece := file.read(min(_CHUNK, left))):
            left -= len(piece)
            yield piece


def flush_folder(folder: Path) -> None:
    """Write the names of a folder's files to the disk."""
    # Windows cannot open a folder, so there the rename is not flushed.
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def make_missing_error() -> NotFound:
    """Return the error for bytes that are not in the store."""
    return NotFound("The file of this document is missing.", "Add it again.", "file")


@contextmanager
def _explain_reading(folder: Path) -> Iterator[None]:
    try:
        yield
    except (FileNotFoundError, NotADirectoryError):
        raise make_missing_error() from None
    except OSError as error:
        raise StorageError(
            f"The folder {folder} cannot be read: {error.strerror or error}.",
            "Make it readable for the user who runs Pincite.",
        ) from error


def _make_write_error(error: OSError, folder: Path) -> StorageError:
    if is_full_disk(error):
        return DiskFull("The disk is full; nothing was stored.", "Free some space, then add the file again.")
    return StorageError(
        f"The folder {folder} cannot be written to: {error.strerror or error}.",
        "Make it writable for the user who runs Pincite, or set `data` to another folder.",
    )
