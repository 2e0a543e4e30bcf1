"""Restore a backup into the data folder, and into PostgreSQL if the settings name it.

Everything is unpacked and checked beside the data first; files that belong into a bucket are put there. Then the old
database, files and pictures get another name, the new ones take their place, and the old ones are removed. An error
before the end puts everything back.
"""

import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.backups.backup_archive import FILES, PICTURES, BackupManifest, BackupReader, Progress, read_archive
from pincite.backups.index_members import has_index, restore_index
from pincite.backups.storage_copy import upload_files
from pincite.errors import Damaged, DiskFull, Misuse, StorageError, explain_full_disk
from pincite.index.index_copy import copy_index
from pincite.settings import Settings
from pincite.store.change_capture import remove_triggers
from pincite.store.database import Database, find_sqlite_file, make_folder
from pincite.store.database_restore import (
    Rows,
    check_unused,
    end_sign_ins,
    has_rows,
    hold_sqlite,
    parse_rows,
    restore_rows,
    restore_store,
)
from pincite.store.database_snapshot import ROWS_FOLDER, ROWS_SUFFIX, SQLITE_MEMBER
from pincite.store.disk_check import find_damage
from pincite.store.move_records import forget_all
from pincite.store.table_revisions import is_known_revision

if TYPE_CHECKING:
    from pincite.store.database import Connection

_FOLDERS = (FILES, PICTURES)
_SUFFIXES = ("-wal", "-shm", "-journal")


@dataclass(frozen=True, slots=True)
class RestoredBackup:
    """A backup that was restored; `needs_reindex` if documents can be searched only after `pincite reindex`."""

    manifest: BackupManifest
    needs_reindex: bool


def restore_backup(
    settings: Settings,
    file: Path,
    replace: bool = False,
    progress: Progress = lambda step, done, total: None,
) -> RestoredBackup:
    """Restore a backup; raise `Misuse` if there is data that is not to be replaced, or somebody uses it."""
    with ExitStack() as stack:
        archive = stack.enter_context(read_archive(file))
        if not is_known_revision(archive.manifest.revision):
            raise StorageError("This backup was made by a newer version of Pincite.", "Upgrade Pincite, then restore.")
        make_folder(settings.data)
        target = find_sqlite_file(settings)
        # Files in a bucket are added to those that are there, which the documents of the old database may have.
        folders = () if settings.files.url else _FOLDERS
        places = [settings.data / name for name in folders]
        if target is None:
            server = Database(settings.database, settings.postgres)
            stack.callback(server.close)
            check_unused(server)
            _check_empty(settings.data, has_rows(server) or any(map(_has_content, places)), replace)
            unpacked = stack.enter_context(_unpack(settings.data, archive, progress))
            if settings.files.url:
                upload_files(settings, unpacked, progress)
            swap = partial(stack.enter_context, _swap(dict(zip(places, map(unpacked.joinpath, folders), strict=True))))
            _fill_server(server, archive.manifest, unpacked, swap)
            return RestoredBackup(archive.manifest, _lacks_index(archive.manifest, unpacked))
        stack.enter_context(hold_sqlite(target))
        places = [target, *places]
        _check_empty(settings.data, any(map(_has_content, places)), replace)
        unpacked = stack.enter_context(_unpack(settings.data, archive, progress))
        lacks_index = _lacks_index(archive.manifest, unpacked)
        made = _make_sqlite(archive.manifest, unpacked)
        if settings.files.url:
            upload_files(settings, unpacked, progress)
        stack.enter_context(_swap(dict(zip(places, [made, *map(unpacked.joinpath, folders)], strict=True))))
        return RestoredBackup(archive.manifest, lacks_index)


def _lacks_index(manifest: BackupManifest, unpacked: Path) -> bool:
    """Whether the documents of a backup must be read again: it is of PostgreSQL, and of an earlier version."""
    return manifest.engine != "sqlite" and not has_index(unpacked) and bool(manifest.rows.get("documents"))


def _check_empty(data: Path, has_content: bool, replace: bool) -> None:
    if has_content and not replace:
        raise Misuse(
            f"There is data in {data} already.",
            "Restore into another folder, or replace it with --replace.",
            "has_data",
        )


def _has_content(path: Path) -> bool:
    return path.is_file() or (path.is_dir() and any(path.iterdir()))


@contextmanager
def _unpack(data: Path, archive: BackupReader, progress: Progress) -> Iterator[Path]:
    """Unpack all members into a new folder beside the data, and check the hash of each."""
    if archive.size > shutil.disk_usage(data).free:
        raise DiskFull("There is not enough space for the backup.", "Free some space, then restore again.")
    with explain_full_disk(), tempfile.TemporaryDirectory(prefix="restoring-", dir=data) as made:
        folder = Path(made)
        for name in _FOLDERS:
            (folder / name).mkdir(mode=0o700)
        done = 0
        for member in archive.manifest.members:
            path = folder / member.name
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with open(path, "xb", opener=_open_private) as target:
                for piece in archive.read(member):
                    target.write(piece)
                    done += len(piece)
                    progress("Unpacking", done, archive.size)
        if hasattr(os, "sync"):
            os.sync()  # one for all: a flush of each of many small files takes minutes
        yield folder


def _open_private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _make_sqlite(manifest: BackupManifest, unpacked: Path) -> Path:
    """Return a SQLite file with the database of a backup, upgraded to this program's tables."""
    if manifest.engine == "sqlite":
        file = unpacked / SQLITE_MEMBER
        with _open_sqlite(file) as database:
            if damage := find_damage(database):
                raise Damaged(f"The database of the backup is damaged: {damage}.", "Use another backup.")
            if database.revision() != manifest.revision:
                raise Damaged("The database of the backup is not the one of its manifest.", "Use another backup.")
            with database.writing() as connection:
                remove_triggers(connection)
            database.migrate()
            with database.writing() as connection:
                forget_all(connection)
                end_sign_ins(connection)
        return file
    file = unpacked / "made.db"
    os.close(_open_private(str(file), os.O_CREAT | os.O_EXCL | os.O_WRONLY))
    with _open_sqlite(file) as database:
        restore_rows(
            database, manifest.revision, manifest.rows, partial(_read_lines, unpacked), _choose_filling(unpacked)
        )
    return file


def _fill_server(server: Database, manifest: BackupManifest, unpacked: Path, before_commit: Callable[[], None]) -> None:
    """Put the database of a backup into PostgreSQL."""
    if manifest.engine != "sqlite":
        rows, filling = partial(_read_lines, unpacked), _choose_filling(unpacked)
        restore_rows(server, manifest.revision, manifest.rows, rows, filling, before_commit)
        return
    with _open_sqlite(_make_sqlite(manifest, unpacked)) as database, database.reading() as connection:
        restore_store(server, connection, partial(copy_index, connection), before_commit)


def _choose_filling(unpacked: Path) -> "Callable[[Connection], None] | None":
    return partial(restore_index, unpacked) if has_index(unpacked) else None


@contextmanager
def _open_sqlite(file: Path) -> Iterator[Database]:
    """Open a SQLite file; at the end everything is in that one file."""
    database = Database(f"sqlite:///{file}")
    try:
        yield database
        database.erase_log()
    finally:
        database.close()


def _read_lines(unpacked: Path, table: str) -> Rows:
    try:
        with (unpacked / f"{ROWS_FOLDER}{table}{ROWS_SUFFIX}").open("rb") as lines:
            yield from parse_rows(lines)
    except FileNotFoundError as error:
        raise Damaged(f"The backup has no table {table}.", "Use another backup.") from error


@contextmanager
def _swap(moves: Mapping[Path, Path]) -> Iterator[None]:
    """Put new files and folders into place. The old ones are beside them under another name until the block ends.

    If the block raises, the old ones are put back.
    """
    stamp = f"before-restore-{int(time.time())}"
    done: list[tuple[Path, Path]] = []
    try:
        for place, made in moves.items():
            for old in (place, *(place.with_name(f"{place.name}{suffix}") for suffix in _SUFFIXES)):
                if old.exists() or old.is_symlink():
                    aside = old.with_name(f"{old.name}.{stamp}")
                    os.rename(old, aside)
                    done.append((aside, old))
            shutil.move(made, place)
            done.append((place, made))
        yield
    except BaseException:
        for now, before in reversed(done):
            shutil.move(now, before)
        raise
    for now, _ in done:
        if now.name.endswith(stamp):
            _remove(now)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
