"""Apply changes to the files of a project, all or none of them, and undo them.

A change is written into the journal first, then beside its files, and only then put in place. Whatever fails in
between, a full disk or a killed process, the files are put back: at once, or when the project is opened the next time.
"""

import fcntl
import logging
import os
import secrets
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from pincite.errors import DiskFull, Misuse, NotFound, StorageError, is_full_disk
from pincite.projects.block_readings import strip_fences
from pincite.projects.change_journal import ChangeJournal, JournaledChange, JournalEntry
from pincite.projects.change_plan import plan_changes, plan_reply
from pincite.projects.change_set import ChangeSet, EditRefused, FileChange, Refusal, compute_sha256
from pincite.projects.file_writing import FileWriter, ReadOnly, list_missing_folders, read_status
from pincite.projects.project import Project, make_private_folder

__all__ = [
    "AppliedChanges",
    "ChangeSet",
    "EditRefused",
    "FileChange",
    "PastChange",
    "Refusal",
    "apply_changes",
    "list_changes",
    "plan_changes",
    "plan_reply",
    "recover_changes",
    "strip_fences",
    "undo_changes",
]


_Statuses = dict[str, tuple[int | None, tuple[int, int] | None]]  # mode and owner of each path


class NotRestored(StorageError):
    """Files of an interrupted change that could not be put back. The journal keeps their earlier content."""


@dataclass(frozen=True, slots=True)
class AppliedChanges:
    """Changes that were made: their number for `undo` ("" if nothing had to change) and their files."""

    id: str
    files: tuple[FileChange, ...]


@dataclass(frozen=True, slots=True)
class PastChange:
    """A change of the journal: when it was made, its files, and whether it was undone or undoes another."""

    id: str
    made_at: datetime
    files: tuple[tuple[str, str], ...]  # action and path
    undoes: str
    is_undone: bool


def apply_changes(project: Project, changes: ChangeSet, journal_folder: Path) -> AppliedChanges:
    """Write all changes, or raise and write none: `EditRefused`, or `StorageError` where the disk refuses."""
    if changes.refusals:
        raise EditRefused(changes.refusals, changes.applicable)
    if not changes.files:
        return AppliedChanges("", ())
    with _lock_project(project, journal_folder):
        journal = ChangeJournal(journal_folder)
        _recover(project, journal)
        return AppliedChanges(_write(project, journal, changes.files), changes.files)


def undo_changes(project: Project, journal_folder: Path, id: str = "") -> AppliedChanges:
    """Put the files of a change back, byte for byte: the last change that was not undone, or the one with a number."""
    with _lock_project(project, journal_folder):
        journal = ChangeJournal(journal_folder)
        _recover(project, journal)
        change = journal.find(id) if id else _find_last(journal)
        if change.is_undone:
            raise Misuse(f"Change {change.id} was undone already.", "`pincite project changes` lists them.", "undone")
        files = tuple(_reverse(project, journal, change))
        statuses: _Statuses = {
            entry.path: (entry.mode, entry.owner) for entry in change.entries if entry.mode is not None
        }
        number = _write(project, journal, files, undoes=change, statuses=statuses)
        return AppliedChanges(number, files)


def recover_changes(project: Project, journal_folder: Path) -> None:
    """Finish or roll back changes that a crash interrupted. Call it when a project is opened."""
    if not (journal_folder / "changes").is_dir():
        return
    with _lock_project(project, journal_folder):
        try:
            _recover(project, ChangeJournal(journal_folder))
        except NotRestored as error:
            # The files can still be read, and the change no longer stands in the way.
            logging.getLogger(__name__).warning("%s %s", error.message, error.hint)


def list_changes(project: Project, journal_folder: Path) -> list[PastChange]:
    """Return the changes that were made, the newest first."""
    recover_changes(project, journal_folder)
    return [
        PastChange(
            change.id,
            datetime.fromtimestamp(change.time, UTC),
            tuple((entry.action, entry.path) for entry in change.entries if not _is_old_name(entry, change)),
            change.undoes,
            change.is_undone,
        )
        for change in reversed(ChangeJournal(journal_folder).list_changes())
    ]


@contextmanager
def _lock_project(project: Project, journal_folder: Path) -> Iterator[None]:
    """Let one process at a time change the files of a project."""
    try:
        make_private_folder(journal_folder)
        lock = os.open(journal_folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise _explain(error, str(journal_folder)) from error
    # The folder itself is locked too, because another process may keep its journal elsewhere.
    root = os.open(project.root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        fcntl.flock(root, fcntl.LOCK_EX)
        yield
    finally:
        os.close(root)
        os.close(lock)


def _recover(project: Project, journal: ChangeJournal) -> None:
    """Settle every interrupted change. One that cannot be settled is set aside, so that it blocks no later change."""
    lost: list[NotRestored] = []
    for id in journal.list_open():
        try:
            change, is_final = journal.read_open(id)
            if is_final:
                _finish(project, journal, change, is_strict=False)
            else:
                _roll_back(project, journal, change, is_last_try=True)
        except NotRestored as error:
            lost.append(error)
        except OSError as error:
            raise _explain(error, project.name) from error
        except StorageError as error:
            lost.append(_set_aside(journal, id, [project.name], error.message.rstrip(".")))
    if lost:
        raise lost[0]


def _write(
    project: Project,
    journal: ChangeJournal,
    files: Sequence[FileChange],
    undoes: JournaledChange | None = None,
    statuses: _Statuses | None = None,
) -> str:
    """Write files with a journal; return the number of the change."""
    parts = [part for file in files for part in _split_rename(file)]
    entries = [entry for file in files for entry in _create_entries(project.root, file, statuses or {})]
    token, writers = _choose_hidden_names(project, entries)
    _check_unchanged(parts, writers)
    try:
        for writer in writers:
            writer.check_writable()
        before = [part.before or b"" for part in parts]
        change = journal.start(entries, before, undoes.id if undoes else "", token)
    except OSError as error:
        raise _explain(error, parts[0].path) from error
    try:
        for writer, part in zip(writers, parts, strict=True):
            writer.stage(part.after)
        for writer, part in zip(writers, parts, strict=True):
            _check_unchanged([part], [writer])
            writer.swap()
        for writer in {writer.folder: writer for writer in writers}.values():
            writer.sync_folder()
        journal.mark_applied(change)
    except BaseException as error:
        try:
            _roll_back(project, journal, change)
        except OSError as again:
            raise _explain_rollback(again, parts[0].path) from error
        if isinstance(error, OSError):
            raise _explain(error, parts[0].path) from error
        raise
    with suppress(OSError, Misuse):  # the change is final; the next opening removes what is left over
        _finish(project, journal, change, undoes)
    return change.id


def _finish(
    project: Project,
    journal: ChangeJournal,
    change: JournaledChange,
    undoes: JournaledChange | None = None,
    is_strict: bool = True,
) -> None:
    """Remove the leftovers of a final change."""
    ignored = () if is_strict else (OSError, Misuse)
    for writer in _create_writers(project, change):
        with suppress(*ignored):
            writer.clean()
    if change.undoes:
        with suppress(NotFound):
            for writer in _create_writers(project, undoes or journal.find(change.undoes)):
                writer.remove_folders()
    journal.close(change)


def _roll_back(project: Project, journal: ChangeJournal, change: JournaledChange, is_last_try: bool = False) -> None:
    """Put the files of a change back. Those that cannot be put back do not keep the others from it."""
    restored = zip(change.entries, _create_writers(project, change), journal.read_before(change), strict=True)
    lost: list[str] = []
    detail = "something else is in its place"
    failed: OSError | None = None
    for entry, writer, before in reversed([*restored]):
        try:
            if not writer.restore(before):
                lost.append(entry.path)
        except OSError as error:
            if is_last_try and not is_full_disk(error) and _read_now(writer) != before:
                lost.append(entry.path)
                detail = error.strerror or str(error)
            else:
                failed = error
    if failed:
        raise failed
    if lost:
        raise _set_aside(journal, change.id, lost, detail)
    journal.drop(change)


def _set_aside(journal: ChangeJournal, id: str, paths: Sequence[str], detail: str) -> NotRestored:
    """Take a change out of the way, with the earlier content of its files. Return the error that says so."""
    try:
        kept = journal.set_aside(id)
    except OSError as error:
        raise _explain_rollback(error, paths[0]) from error
    message = f"Change {id} was interrupted, and {', '.join(paths)} could not be put back: {detail}."
    hint = f"Look at the file. Its earlier content is kept in {kept}."
    return NotRestored(message, hint, "not_restored", {"path": paths[0]})


def _create_writers(project: Project, change: JournaledChange) -> list[FileWriter]:
    token = change.token or change.id  # a journal of an earlier version has none
    return [FileWriter(project.root, entry, token, at) for at, entry in enumerate(change.entries)]


def _choose_hidden_names(project: Project, entries: Sequence[JournalEntry]) -> tuple[str, list[FileWriter]]:
    """Return a token for the hidden names, which no file has yet, and the writers that use it."""
    while True:
        token = secrets.token_hex(8)
        writers = [FileWriter(project.root, entry, token, at) for at, entry in enumerate(entries)]
        if not any(writer.has_hidden_file() for writer in writers):
            return token, writers


def _check_unchanged(parts: Sequence[FileChange], writers: Sequence[FileWriter]) -> None:
    """Refuse to write over files that are not what they were when the change was planned."""
    found = [(part, _read_now(writer)) for part, writer in zip(parts, writers, strict=True)]
    refusals = tuple(_refuse_changed(part.path, now) for part, now in found if now != part.before)
    if refusals:
        raise EditRefused(refusals)


def _split_rename(file: FileChange) -> Iterator[FileChange]:
    if file.renamed_from:
        yield FileChange(file.path, None, file.after)
        yield FileChange(file.renamed_from, file.before, None)
    else:
        yield file


def _create_entries(root: Path, file: FileChange, statuses: _Statuses) -> Iterator[JournalEntry]:
    """Yield the entries of a file in the order of `_split_rename`."""
    source = file.renamed_from or file.path
    status = read_status(root, source) if file.before is not None else None
    now_mode, now_owner = (stat.S_IMODE(status.st_mode), (status.st_uid, status.st_gid)) if status else (None, None)
    mode, owner = statuses.get(file.path, (now_mode, now_owner))
    folders = list_missing_folders(root, file.path) if file.after is not None else ()
    before = "" if file.renamed_from else file.before_sha256
    size = len(file.before or b"")
    yield JournalEntry(
        file.path,
        before,
        file.after_sha256,
        0 if file.renamed_from else size,
        mode,
        owner,
        folders,
        file.action,
        file.renamed_from,
    )
    if file.renamed_from:
        yield JournalEntry(file.renamed_from, file.before_sha256, "", size, now_mode, now_owner, (), "delete")


def _is_old_name(entry: JournalEntry, change: JournaledChange) -> bool:
    """Return whether an entry is only the old name of a renamed file."""
    return any(other.renamed_from == entry.path for other in change.entries)


def _find_last(journal: ChangeJournal) -> JournaledChange:
    for change in reversed(journal.list_changes()):
        if not change.is_undone and not change.undoes:
            return change
    raise Misuse("There is no change to undo.", "`pincite project changes` lists them.", "nothing_to_undo")


def _reverse(project: Project, journal: ChangeJournal, change: JournaledChange) -> Iterator[FileChange]:
    """Yield the changes that take a change back. The files must be as the change left them."""
    before = dict(zip((entry.path for entry in change.entries), journal.read_before(change), strict=True))
    now = {
        entry.path: _read_now(writer)
        for entry, writer in zip(change.entries, _create_writers(project, change), strict=True)
    }
    changed = [entry.path for entry in change.entries if compute_sha256(now[entry.path]) != entry.after]
    if changed:
        raise EditRefused(tuple(_refuse_changed(path, now[path]) for path in changed))
    for entry in change.entries:
        if entry.renamed_from:
            yield FileChange(entry.renamed_from, now[entry.path], before[entry.renamed_from], entry.path)
        elif not _is_old_name(entry, change):
            yield FileChange(entry.path, now[entry.path], before[entry.path])


def _read_now(writer: FileWriter) -> bytes | None:
    """Return the bytes of a file; those of something that is no file are like those of any changed file."""
    try:
        return writer.read()
    except (OSError, Misuse):
        return b""


def _refuse_changed(path: str, now: bytes | None) -> Refusal:
    message = f"{path} was changed in the meantime." if now is not None else f"{path} is gone."
    return Refusal(0, path, "file_changed", message, "Look at the file, then ask for the change again.")


def _explain_rollback(error: OSError, path: str) -> StorageError:
    """Return the error of files that could not be put back yet. The next use of the project tries again."""
    detail = error.strerror or str(error)
    message = f"{path} cannot be written, and files could not be put back: {detail}."
    return StorageError(message, "Check the disk. The files are put back when the project is used again.", "half_done")


def _explain(error: OSError, path: str) -> StorageError:
    """Return the error of a disk that refuses, in words."""
    if is_full_disk(error):
        return DiskFull("The disk is full. Nothing was changed.")
    name = error.filename if isinstance(error, ReadOnly) else path
    reason = "read_only" if isinstance(error, ReadOnly | PermissionError) else "cannot_write"
    detail = error.strerror or str(error)
    return StorageError(f"{name} cannot be written: {detail}. Nothing was changed.", "Check its permissions.", reason)
