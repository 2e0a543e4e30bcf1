"""Copy the files of a store, with every hash checked: from a folder into a bucket, or back."""

from collections.abc import Collection
from dataclasses import dataclass, field

from pincite.errors import NotFound
from pincite.moves.move_progress import Progress
from pincite.settings import Settings
from pincite.settings_files import FileSettings
from pincite.store import documents
from pincite.store.database import Database
from pincite.store.files import PICTURES, FileStore, list_areas, open_files

FOLDER = "folder"  # in place of a bucket's address: the folder of the data


@dataclass(slots=True)
class FileReport:
    """The copied files and bytes, and the hashes of files that are missing or have other bytes than their name says."""

    copied: int = 0
    bytes: int = 0
    missing: list[str] = field(default_factory=list)
    damaged: list[str] = field(default_factory=list)


def name_files(settings: Settings, address: str, endpoint: str = "") -> Settings:
    """Return the settings with the files in another place: a bucket, or `FOLDER`."""
    values = settings.files.model_dump(exclude={"url", "endpoint"})
    if address != FOLDER:
        values |= {"url": address, "endpoint": endpoint or settings.files.endpoint}
    return settings.model_copy(update={"files": FileSettings.model_validate(values)})


def copy_files(
    source: FileStore, target: FileStore, hashes: Collection[str], report: FileReport, progress: Progress
) -> None:
    """Copy those of the files that the target lacks. Nothing is removed from the source."""
    for done, sha256 in enumerate(sorted(hashes), start=1):
        progress("Copying files", done, len(hashes))
        if target.has(sha256):
            continue
        try:
            with source.local(sha256) as path:
                kept = target.keep(path)
        except NotFound:
            report.missing.append(sha256)
            continue
        if kept.sha256 != sha256:
            target.remove(kept.sha256)
            report.damaged.append(sha256)
            continue
        report.copied += 1
        report.bytes += kept.bytes


def move_files(settings: Settings, there: Settings, database: Database, progress: Progress) -> FileReport:
    """Copy the files of all documents and the pictures of all conversations of a database to another place.

    May be called again to copy what is new.
    """
    report = FileReport()
    with database.reading(long=True) as connection:
        hashes = documents.list_hashes(connection)
    copy_files(open_files(settings), open_files(there), hashes, report, progress)
    for conversation in list_areas(settings, PICTURES):
        area = f"{PICTURES}/{conversation}"
        source = open_files(settings, area)
        copy_files(source, open_files(there, area), set(source.list_hashes()), report, progress)
    return report
