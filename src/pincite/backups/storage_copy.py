"""Copy the files of a bucket into a backup, and those of a backup into a bucket."""

from collections.abc import Collection, Iterator
from itertools import chain
from pathlib import Path

from pincite.backups.backup_archive import FILES, PICTURES, BackupWriter, Progress
from pincite.errors import NotFound
from pincite.settings import Settings
from pincite.store.files import FileStore, list_areas, open_files

_FILES, _PICTURES = FILES.rstrip("/"), PICTURES.rstrip("/")


class StorageCopier:
    """Copies files of a bucket into a backup, each once; `found` and `damaged` are the hashes of documents' files."""

    def __init__(self, settings: Settings, writer: BackupWriter, progress: Progress) -> None:
        self._settings = settings
        self._writer = writer
        self._progress = progress
        self._bytes = 0
        self._names: set[str] = set()
        self.found: set[str] = set()
        self.damaged: list[str] = []

    def copy(self, hashes: Collection[str], conversations: Collection[str], total: int) -> None:
        """Copy the files of documents and of conversations' pictures that were not copied before."""
        files = open_files(self._settings, _FILES)
        for sha256 in sorted(set(hashes) - self.found):
            if self._copy(files, sha256, FILES, total):
                self.found.add(sha256)
        for conversation in sorted(set(list_areas(self._settings, _PICTURES)) & set(conversations)):
            pictures = open_files(self._settings, f"{_PICTURES}/{conversation}")
            for sha256 in sorted(pictures.list_hashes()):
                self._copy(pictures, sha256, f"{PICTURES}{conversation}/", total)

    def _copy(self, files: FileStore, sha256: str, folder: str, total: int) -> bool:
        """Copy one file; return False if it is missing."""
        name = f"{folder}{sha256[:2]}/{sha256}"
        if name in self._names:
            return True
        pieces = files.read(sha256)
        try:
            first = next(pieces, b"")
        except NotFound:
            return False
        member = self._writer.add(name, chain([first], pieces))
        self._names.add(name)
        if member.sha256 != sha256:
            self.damaged.append(sha256)
        self._bytes += member.size
        self._progress("Copying files", self._bytes, max(total, self._bytes))
        return True


def upload_files(settings: Settings, unpacked: Path, progress: Progress) -> None:
    """Put the unpacked files of a backup into the bucket. Files that are there already stay as they are."""
    found = list(_list_unpacked(unpacked))
    total, done = sum(path.stat().st_size for _, path in found), 0
    for area, path in found:
        open_files(settings, area).keep(path)
        done += path.stat().st_size
        path.unlink()
        progress("Storing files", done, total)


def _list_unpacked(unpacked: Path) -> Iterator[tuple[str, Path]]:
    """Yield the area and the path of each file."""
    for path in sorted((unpacked / FILES).glob("??/*")):
        yield _FILES, path
    for path in sorted((unpacked / PICTURES).glob("*/??/*")):
        yield f"{_PICTURES}/{path.parts[-3]}", path
