"""The file of a backup: a zip archive of plain members and a manifest with the size and the hash of each.

Members are stored without compression. So an archive never unpacks to more than its own size, a member can be read
without the others, and a file that was cut off has no directory and is refused at once.
"""

import hashlib
import os
import re
import time
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pincite.errors import Damaged, Misuse, NotFound, StorageError, explain_full_disk
from pincite.store.database_snapshot import ROWS_FOLDER, ROWS_SUFFIX, SQLITE_MEMBER
from pincite.store.files import flush_folder
from pincite.store.process_names import get_process_name

FORMAT = 1
MANIFEST = "manifest.json"
FILES = "files/"
PICTURES = "pictures/"
_PIECE = 1 << 20
_LARGEST_MANIFEST = 512 << 20
_PRIVATE = 0o600
_NAMES = re.compile(
    rf"{re.escape(SQLITE_MEMBER)}"
    rf"|{re.escape(ROWS_FOLDER)}[a-z][a-z0-9_]{{0,60}}{re.escape(ROWS_SUFFIX)}"
    rf"|{FILES}([0-9a-f]{{2}})/\1[0-9a-f]{{62}}"
    rf"|{PICTURES}[A-Za-z0-9_-]{{1,100}}/([0-9a-f]{{2}})/\2[0-9a-f]{{62}}"
)

Progress = Callable[[str, int, int], None]  # the step, and how many of its bytes are done


class BackupMember(BaseModel):
    """One file of a backup."""

    model_config = ConfigDict(frozen=True)

    name: str
    size: int = Field(ge=0)
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")


class BackupManifest(BaseModel):
    """The contents of a backup: when and by which version it was made, of which database, with how many rows."""

    model_config = ConfigDict(frozen=True)

    format: int
    version: str
    revision: str = Field(pattern=r"^[0-9a-z_]{1,32}$")
    engine: str = Field(pattern=r"^(sqlite|postgresql)$")
    created: float
    rows: dict[str, int]
    members: list[BackupMember]


class BackupWriter:
    """Writes members one after the other, and the manifest at the end."""

    def __init__(self, archive: zipfile.ZipFile, now: float) -> None:
        self._archive = archive
        self._date = time.gmtime(max(now, 315_532_800))[:6]  # a zip archive knows no year before 1980
        self.members: list[BackupMember] = []

    def add(self, name: str, pieces: Iterable[bytes]) -> BackupMember:
        """Add a member made of these pieces."""
        digest, size = hashlib.sha256(), 0
        with self._archive.open(self._describe(name), "w", force_zip64=True) as target:
            for piece in pieces:
                digest.update(piece)
                size += len(piece)
                target.write(piece)
        made = BackupMember(name=name, size=size, sha256=digest.hexdigest())
        self.members.append(made)
        return made

    def finish(self, manifest: BackupManifest) -> None:
        """Add the manifest, which is the last member."""
        with self._archive.open(self._describe(MANIFEST), "w") as target:
            target.write(manifest.model_dump_json(indent=1).encode())

    def _describe(self, name: str) -> zipfile.ZipInfo:
        made = zipfile.ZipInfo(name, self._date)
        made.external_attr = (0o100000 | _PRIVATE) << 16
        return made


@contextmanager
def write_archive(file: Path, now: float) -> Iterator[BackupWriter]:
    """Write a new archive under another name, and give it its own name when it is complete and on the disk.

    An error or Ctrl-C leaves nothing.
    """
    if file.exists() or file.is_symlink():
        raise Misuse(f"{file} exists already.", "Give another name, or remove it first.", "file_exists")
    making = file.with_name(f".{get_process_name()}.part")
    try:
        descriptor = os.open(making, os.O_RDWR | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0), _PRIVATE)
    except OSError as error:
        raise _make_write_error(file, error) from error
    try:
        with explain_full_disk(), os.fdopen(descriptor, "w+b") as opened:
            os.fchmod(opened.fileno(), _PRIVATE)
            with zipfile.ZipFile(opened, "w", zipfile.ZIP_STORED) as archive:
                yield BackupWriter(archive, now)
            opened.flush()
            os.fsync(opened.fileno())
        _rename(making, file)
        flush_folder(file.parent)
    except FileExistsError:
        raise Misuse(f"{file} exists already.", "Give another name, or remove it first.", "file_exists") from None
    finally:
        making.unlink(missing_ok=True)


def _rename(making: Path, file: Path) -> None:
    try:
        os.link(making, file)  # unlike a rename, a link never replaces a file that was made meanwhile
    except FileExistsError:
        raise
    except OSError:  # the disk has no links
        making.rename(file)


@dataclass(frozen=True, slots=True)
class BackupReader:
    """An open archive whose directory and manifest agree. `read` checks the bytes of a member."""

    manifest: BackupManifest
    _archive: zipfile.ZipFile

    @property
    def size(self) -> int:
        """The bytes of all members together."""
        return sum(member.size for member in self.manifest.members)

    def read(self, member: BackupMember) -> Iterator[bytes]:
        """Yield the bytes of a member; raise `Damaged` at the end if they are not those that were written."""
        digest, left = hashlib.sha256(), member.size
        try:
            with self._archive.open(member.name) as source:
                while piece := source.read(min(_PIECE, left + 1)):
                    digest.update(piece)
                    left -= len(piece)
                    if left < 0:
                        break
                    yield piece
        except (zipfile.BadZipFile, OSError, EOFError, RuntimeError, NotImplementedError) as error:
            raise _make_damaged_error(f"{member.name} cannot be read") from error
        if left or digest.hexdigest() != member.sha256:
            raise _make_damaged_error(f"{member.name} is not as it was written")


@contextmanager
def read_archive(file: Path) -> Iterator[BackupReader]:
    """Open an archive and check its directory against its manifest; raise `Damaged` if it is none of ours."""
    try:
        opened = file.open("rb")
    except OSError as error:
        raise NotFound(f"{file} cannot be read: {error.strerror or error}.", "Check the path.", "file") from error
    with opened:
        yield _open_archive(opened)


def check_archive(file: Path, progress: Progress = lambda step, done, total: None) -> BackupManifest:
    """Check the hash of every member, and return the manifest."""
    with read_archive(file) as archive:
        done = 0
        for member in archive.manifest.members:
            for piece in archive.read(member):
                done += len(piece)
                progress("Checking", done, archive.size)
        return archive.manifest


def _open_archive(opened: BinaryIO) -> BackupReader:
    size = os.fstat(opened.fileno()).st_size
    try:
        archive = zipfile.ZipFile(opened)
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OverflowError) as error:
        raise _make_damaged_error("it is no archive, or its end is missing") from error
    found = {info.filename: info for info in archive.infolist()}
    if len(found) != len(archive.infolist()):
        raise _make_damaged_error("a name is in it twice")
    if sum(info.file_size for info in found.values()) > size:
        raise _make_damaged_error("its members claim to be larger than the file")
    for info in found.values():
        is_plain = info.compress_type == zipfile.ZIP_STORED and info.file_size == info.compress_size
        if not is_plain or info.flag_bits & 0x1:
            raise _make_damaged_error(f"{_show(info.filename)} is packed in a way that backups are not")
    manifest = _read_manifest(archive, found)
    names = [member.name for member in manifest.members]
    if len(set(names)) != len(names) or set(names) | {MANIFEST} != found.keys():
        raise _make_damaged_error("its members are not those of its manifest")
    for member in manifest.members:
        if not _NAMES.fullmatch(member.name):
            raise _make_damaged_error(f"{_show(member.name)} has no place in a backup")
        if member.size != found[member.name].file_size:
            raise _make_damaged_error(f"{member.name} has another size than its manifest says")
    _check_database(manifest, names)
    return BackupReader(manifest, archive)


def _read_manifest(archive: zipfile.ZipFile, found: dict[str, zipfile.ZipInfo]) -> BackupManifest:
    info = found.get(MANIFEST)
    if info is None or info.file_size > _LARGEST_MANIFEST:
        raise _make_damaged_error("it has no manifest")
    try:
        manifest = BackupManifest.model_validate_json(archive.read(info))
    except (ValidationError, zipfile.BadZipFile, RuntimeError, EOFError, NotImplementedError) as error:
        raise _make_damaged_error("its manifest cannot be read") from error
    if manifest.format != FORMAT:
        raise StorageError("This backup was made by a newer version of Pincite.", "Upgrade Pincite, then try again.")
    return manifest


def _check_database(manifest: BackupManifest, names: list[str]) -> None:
    databases = [name for name in names if name.startswith(ROWS_FOLDER)]
    is_sqlite = databases == [SQLITE_MEMBER]
    if not databases or (manifest.engine == "sqlite") != is_sqlite or (not is_sqlite and SQLITE_MEMBER in databases):
        raise _make_damaged_error("its database is not the one that its manifest names")


def _show(name: Any) -> str:
    return ascii(name)[:80]


def _make_damaged_error(reason: str) -> Damaged:
    return Damaged(f"The backup cannot be used: {reason}.", "Nothing was changed. Use another backup.")


def _make_write_error(file: Path, error: OSError) -> StorageError:
    return StorageError(
        f"{file} cannot be written: {error.strerror or error}.", "Check that its folder exists and is writable."
    )
