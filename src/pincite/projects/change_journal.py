"""Keep the files of each change as they were before, so that it can be undone, and rolled back after a crash.

    changes/7.open/     a change that is being written; without the file `applied` it is rolled back
    changes/7.aside/    a change that could not be rolled back, kept for its bytes
    changes/7/          a change that is complete
        change.json     its paths, modes and hashes
        before          the bytes of its files before, one after the other

A folder appears and disappears by a rename, so it is there with all its files or not at all.
"""

import json
import os
import secrets
import shutil
import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from pincite.errors import NotFound, StorageError
from pincite.projects.change_set import Action, compute_sha256

_RECORD, _BEFORE, _APPLIED = "change.json", "before", "applied"
_OPEN, _ASIDE, _MAKING = ".open", ".aside", ".making-"


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """A file of a change: hashes ("" for no file), mode and owner, and the folders that are made for it."""

    path: str
    before: str
    after: str
    size: int = 0  # bytes before
    mode: int | None = None
    owner: tuple[int, int] | None = None
    folders: tuple[str, ...] = ()
    action: Action = "modify"
    renamed_from: str = ""


@dataclass(frozen=True, slots=True)
class JournaledChange:
    """A change as the journal keeps it.

    `undoes` is the number of the change that it takes back, `token` the part of its hidden names that no other has.
    """

    id: str
    time: float
    entries: tuple[JournalEntry, ...]
    undoes: str = ""
    token: str = ""
    is_undone: bool = False


class ChangeJournal:
    """The folder of a project's changes. The caller holds the project's lock."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "changes"

    def start(
        self, entries: Sequence[JournalEntry], before: Iterable[bytes], undoes: str, token: str
    ) -> JournaledChange:
        """Write down a change that is about to be made, durably."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        made = JournaledChange(self._choose_id(), time.time(), tuple(entries), undoes, token)
        making = self._folder / f"{_MAKING}{secrets.token_hex(8)}"
        making.mkdir(mode=0o700)
        try:
            _write_file(making / _BEFORE, before)
            _write_file(making / _RECORD, [json.dumps(asdict(made)).encode()])
            _sync_folder(making)
            making.rename(self._folder / f"{made.id}{_OPEN}")
        except BaseException:
            shutil.rmtree(making, ignore_errors=True)
            raise
        _sync_folder(self._folder)
        return made

    def mark_applied(self, change: JournaledChange) -> None:
        """Make a change final: from now on it is not rolled back."""
        folder = self._folder / f"{change.id}{_OPEN}"
        _write_file(folder / _APPLIED, ())
        _sync_folder(folder)

    def close(self, change: JournaledChange) -> None:
        """Move a change that is complete to its final place."""
        (self._folder / f"{change.id}{_OPEN}").rename(self._folder / change.id)
        _sync_folder(self._folder)

    def drop(self, change: JournaledChange) -> None:
        """Remove a change that was rolled back."""
        gone = self._folder / f"{_MAKING}{secrets.token_hex(8)}"
        (self._folder / f"{change.id}{_OPEN}").rename(gone)
        _sync_folder(self._folder)
        shutil.rmtree(gone, ignore_errors=True)

    def set_aside(self, id: str) -> Path:
        """Take an open change out of the way; return the file with the bytes before."""
        aside = self._folder / f"{id}{_ASIDE}"
        (self._folder / f"{id}{_OPEN}").rename(aside)
        _sync_folder(self._folder)
        return aside / _BEFORE

    def list_open(self) -> list[str]:
        """Return the numbers of the changes that were interrupted, the latest first. Remove other leftovers."""
        found = []
        for folder in sorted(self._folder.glob("*")) + sorted(self._folder.glob(f"{_MAKING}*")):
            if folder.name.startswith(_MAKING):
                shutil.rmtree(folder, ignore_errors=True)
            elif folder.name.endswith(_OPEN):
                found.append(folder.name.removesuffix(_OPEN))
        return sorted(found, reverse=True)

    def read_open(self, id: str) -> tuple[JournaledChange, bool]:
        """Return a change that was interrupted, and whether it is final."""
        folder = self._folder / f"{id}{_OPEN}"
        return self._read(folder), (folder / _APPLIED).exists()

    def list_changes(self) -> list[JournaledChange]:
        """Return all complete changes, oldest first."""
        numbers = sorted(int(folder.name) for folder in self._folder.glob("*") if folder.name.isdecimal())
        changes = [self._read(self._folder / str(number)) for number in numbers]
        undone: set[str] = set()
        for change in reversed(changes):  # a change that takes another one back may be taken back itself
            if change.undoes and change.id not in undone:
                undone.add(change.undoes)
        return [replace(change, is_undone=change.id in undone) for change in changes]

    def find(self, id: str) -> JournaledChange:
        """Return a complete change by its number."""
        for change in self.list_changes():
            if change.id == id:
                return change
        raise NotFound(f"There is no change {id}.", "`pincite project changes` lists them.", params={"change": id})

    def read_before(self, change: JournaledChange) -> list[bytes | None]:
        """Return the bytes of a change's files before, None for no file."""
        folders = [self._folder / change.id, self._folder / f"{change.id}{_OPEN}"]
        kept = next((folder for folder in folders if folder.exists()), folders[0]) / _BEFORE
        found: list[bytes | None] = []
        try:
            with kept.open("rb") as file:
                for entry in change.entries:
                    data = file.read(entry.size) if entry.before else None
                    if compute_sha256(data) != entry.before:
                        message = f"The journal of change {change.id} is damaged: {entry.path} is not as it was kept."
                        raise StorageError(message, f"Look at {kept}.")
                    found.append(data)
        except OSError as error:
            raise StorageError(f"The journal of change {change.id} cannot be read.", f"Look at {kept}.") from error
        return found

    def _choose_id(self) -> str:
        taken = [name for folder in self._folder.glob("*") if (name := folder.name.partition(".")[0]).isdecimal()]
        return str(max(map(int, taken), default=0) + 1)

    @staticmethod
    def _read(folder: Path) -> JournaledChange:
        try:
            record = json.loads((folder / _RECORD).read_bytes())
            entries = tuple(
                JournalEntry(
                    **entry
                    | {
                        "folders": tuple(entry["folders"]),
                        "owner": tuple(entry["owner"]) if entry["owner"] is not None else None,
                    }
                )
                for entry in record["entries"]
            )
            return JournaledChange(record["id"], record["time"], entries, record["undoes"], record.get("token", ""))
        except (OSError, ValueError, KeyError, TypeError) as error:
            message = f"The journal of change {folder.name} cannot be read."
            raise StorageError(message, f"Look at {folder}, and move it away.") from error


def _write_file(path: Path, parts: Iterable[bytes]) -> None:
    opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(opened, "wb") as file:
        file.writelines(parts)
        file.flush()
        os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
