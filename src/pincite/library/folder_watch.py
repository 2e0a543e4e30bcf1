"""Watch folders for files that are added, changed or removed."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Event

from watchfiles import watch

from pincite.library import Library
from pincite.library.folder_walk import is_document, walk_files
from pincite.store import document_sources
from pincite.store.document_sources import StoredSource
from pincite.store.library_access import resolve_library

_TICK = 500  # milliseconds without a change after which a folder counts as quiet


@dataclass(frozen=True, slots=True)
class FolderChanges:
    """Files to add (new or changed), and the titles of removed documents."""

    changed: tuple[Path, ...]
    removed: tuple[str, ...]


def watch_folders(
    library: Library, person: str, roots: list[Path], name: str, stop: Event | None = None
) -> Iterator[FolderChanges]:
    """Yield the changes under the roots, beginning with those since the last watch; the person may write there."""
    roots = [root.resolve() for root in roots]
    looked = False
    gone: set[Path] = set()
    for changes in watch(
        *roots, stop_event=stop, rust_timeout=_TICK, yield_on_timeout=True, raise_interrupt=True, watch_filter=None
    ):
        paths = [Path(location) for _, location in sorted(changes, key=lambda change: change[1])]
        if not looked:
            # Only now, when the watch is on, so that no change during the scan is lost.
            looked = True
            paths += _find_missed_files(library, person, roots, name)
        changed = [file for path in paths for file in _list_files(path, roots, library.settings.data)]
        # Files are added before missing ones are removed, one round later: a renamed file keeps its document.
        if changed:
            yield FolderChanges(tuple(dict.fromkeys(changed)), ())
        removed = _remove_files(library, person, {path for path in gone if not path.exists()}, name)
        gone = {path for path in paths if not path.exists()}
        if removed:
            yield FolderChanges((), tuple(removed))


def _list_files(path: Path, roots: list[Path], data: Path) -> list[Path]:
    """Return the documents at a changed path: the file itself, or the files in the folder."""
    if not path.exists():
        return []
    files = list(walk_files(path, data)) if path.is_dir() else [path]
    under = [(file, root) for root in roots for file in files if file.is_relative_to(root)]
    return [file for file, root in under if file.is_file() and (file == root or is_document(file, root, data))]


def _find_missed_files(library: Library, person: str, roots: list[Path], name: str) -> list[Path]:
    """Return the files under the roots that differ from the library, and those that no longer exist."""
    known = {place.location: place for place in _list_sources(library, person, name)}
    files = [file for root in roots if root.exists() for file in walk_files(root, library.settings.data)]
    here = {document_sources.make_path_location(file): file for file in files}
    gone = [Path(location) for location in known if location not in here and not Path(location).exists()]
    return [file for location, file in here.items() if not _is_unchanged(known.get(location), file)] + [
        path for path in gone if any(map(path.is_relative_to, roots))
    ]


def _is_unchanged(place: StoredSource | None, file: Path) -> bool:
    try:
        seen = file.stat()
    except FileNotFoundError:
        return False
    return place is not None and (place.size, place.modified) == (seen.st_size, seen.st_mtime)


def _remove_files(library: Library, person: str, gone: set[Path], name: str) -> list[str]:
    """Remove missing files, and everything under missing folders; return the titles of removed documents."""
    if not gone:
        return []
    places = [Path(place.location) for place in _list_sources(library, person, name)]
    named = {Path(document_sources.make_path_location(path)) for path in gone}
    lost = [place for place in places if place in named or not named.isdisjoint(place.parents)]
    removed = [library.remove_place(person, str(place), name) for place in lost]
    return [stored.title for stored in removed if stored]


def _list_sources(library: Library, person: str, name: str) -> list[StoredSource]:
    with library.database.reading() as connection:
        key = resolve_library(connection, person, name, "writer", may_be_new=True)
        return document_sources.find(connection, key.owner, key.name)
