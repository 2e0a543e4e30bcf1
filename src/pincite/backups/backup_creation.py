"""Back up a whole server into one file while it runs: the database, the documents and the pictures."""

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pincite import __version__
from pincite.backups import index_members
from pincite.backups.backup_archive import (
    FILES,
    FORMAT,
    PICTURES,
    BackupManifest,
    BackupWriter,
    Progress,
    write_archive,
)
from pincite.backups.pinned_files import pin_tree
from pincite.backups.storage_copy import StorageCopier
from pincite.settings import Settings
from pincite.store import audit_log, conversations, documents
from pincite.store.audit_log import AuditEntry
from pincite.store.database import Database
from pincite.store.database_snapshot import DatabaseSnapshot, open_snapshot
from pincite.store.scratch import make_scratch

log = logging.getLogger(__name__)

_PIECE = 1 << 20
_TRIES = 3  # to find a state of the database of which every document has its file


@dataclass(frozen=True, slots=True)
class MadeBackup:
    """A backup that was written, and the hashes of documents whose files are missing or damaged on the server."""

    manifest: BackupManifest
    size: int
    missing: tuple[str, ...]
    damaged: tuple[str, ...]


def create_backup(
    settings: Settings,
    database: Database,
    file: Path,
    now: float,
    progress: Progress = lambda step, done, total: None,
) -> MadeBackup:
    """Write a backup of the server into a new file, and note it in the audit log."""
    with write_archive(file, now) as writer, make_scratch(settings.data) as scratch:
        write = _write_from_storage if settings.files.url else _write_members
        made = write(settings, database, writer, scratch, now, progress)
        writer.finish(made.manifest)
    with database.writing() as connection:
        entry = AuditEntry(now, "", audit_log.BACKUP, target=file.name, address="terminal")
        audit_log.append(connection, entry)
    return MadeBackup(made.manifest, file.stat().st_size, made.missing, made.damaged)


def _write_members(
    settings: Settings, database: Database, writer: BackupWriter, scratch: Path, now: float, progress: Progress
) -> MadeBackup:
    files, pictures = scratch / FILES, scratch / PICTURES
    missing: set[str] = set()
    for attempt in range(_TRIES):
        # Before and after: a file that is removed meanwhile has a link of before, a new one has a link of after.
        _pin_files(settings.data, files, pictures)
        with open_snapshot(
            database, scratch, lambda done: progress("Copying the database", done, database.size())
        ) as snapshot:
            _pin_files(settings.data, files, pictures)
            lacking = {sha256 for sha256 in snapshot.list_hashes() if not _locate(files, sha256).exists()}
            # A file that came and went between the two looks is gone from the next state of the database as well.
            if lacking - missing and attempt < _TRIES - 1:
                missing = lacking
                continue
            damaged = _write_snapshot(snapshot, writer, files, pictures, progress)
            manifest = _make_manifest(snapshot, writer, now)
            return MadeBackup(manifest, 0, tuple(sorted(lacking)), tuple(damaged))
    raise AssertionError("the last attempt returns")


def _write_from_storage(
    settings: Settings, database: Database, writer: BackupWriter, scratch: Path, now: float, progress: Progress
) -> MadeBackup:
    """Write the files of a bucket, then the database and the files that came meanwhile.

    Nothing in a bucket can be pinned, and to copy it takes long: a file that is removed meanwhile was mostly copied
    before, and stays in the backup although the database there has no document for it.
    """
    copier = StorageCopier(settings, writer, progress)
    with database.reading() as connection:
        hashes, known = documents.list_hashes(connection), conversations.list_all_ids(connection)
        total = documents.sum_bytes(connection)
    copier.copy(hashes, known, total)
    missing: set[str] = set()
    for attempt in range(_TRIES):
        with open_snapshot(
            database, scratch, lambda done: progress("Copying the database", done, database.size())
        ) as snapshot:
            copier.copy(snapshot.list_hashes(), snapshot.list_conversations(), total)
            lacking = snapshot.list_hashes() - copier.found
            if lacking - missing and attempt < _TRIES - 1:
                missing = lacking
                continue
            _write_database(snapshot, writer)
            manifest = _make_manifest(snapshot, writer, now)
            return MadeBackup(manifest, 0, tuple(sorted(lacking)), tuple(copier.damaged))
    raise AssertionError("the last attempt returns")


def _write_database(snapshot: DatabaseSnapshot, writer: BackupWriter) -> None:
    """Write the rows and the index. On SQLite the index is in the same file."""
    for name, pieces in snapshot.read_members():
        writer.add(name, pieces)
    if snapshot.engine != "sqlite":
        for name, pieces in index_members.read_members(snapshot.connection):
            writer.add(name, pieces)


def _make_manifest(snapshot: DatabaseSnapshot, writer: BackupWriter, now: float) -> BackupManifest:
    return BackupManifest(
        format=FORMAT,
        version=__version__,
        revision=snapshot.revision,
        engine=snapshot.engine,
        created=now,
        rows=snapshot.count_rows(),
        members=writer.members,
    )


def _pin_files(data: Path, files: Path, pictures: Path) -> None:
    pin_tree(data / "files", files)
    pin_tree(data / "pictures", pictures)


def _write_snapshot(
    snapshot: DatabaseSnapshot, writer: BackupWriter, files: Path, pictures: Path, progress: Progress
) -> list[str]:
    """Write the database and the files that it refers to; return the hashes of files with other bytes."""
    _write_database(snapshot, writer)
    hashes = sorted(sha256 for sha256 in snapshot.list_hashes() if _locate(files, sha256).exists())
    known = snapshot.list_conversations()
    shown = sorted(path for path in pictures.rglob("*") if path.is_file() and path.parts[-3] in known)
    paths = [(f"{FILES}{sha256[:2]}/{sha256}", _locate(files, sha256)) for sha256 in hashes]
    paths += [(f"{PICTURES}{path.relative_to(pictures).as_posix()}", path) for path in shown]
    total = sum(path.stat().st_size for _, path in paths)
    done, damaged = 0, []
    for name, path in paths:
        member = writer.add(name, _read_pieces(path))
        if member.sha256 != path.name:
            damaged.append(path.name)
        done += member.size
        progress("Copying files", done, total)
    return damaged


def _locate(files: Path, sha256: str) -> Path:
    return files / sha256[:2] / sha256


def _read_pieces(path: Path) -> Iterator[bytes]:
    with path.open("rb") as opened:
        while piece := opened.read(_PIECE):
            yield piece
