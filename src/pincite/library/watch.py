"""A folder as it changes: what came or changed, and what went."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Event

from watchfiles import watch

from pincite.library import Library
from pincite.library.walk import is_document, walk
from pincite.store import sources
from pincite.store.sources import StoredSource

_TICK = 500  # milliseconds after which a quiet folder is said to be quiet


@dataclass(frozen=True, slots=True)
class Changed:
    """Files to add (new or changed), and the titles of documents that are gone."""

    changed: tuple[Path, ...]
    removed: tuple[str, ...]


def follow(library: Library, roots: list[Path], name: str, stop: Event | None = None) -> Iterator[Changed]:
    """Changes under the roots from now on; first, what came, changed or went while nobody was watching."""
    roots = [root.resolve() for root in roots]
    looked = False
    gone: set[Path] = set()
    for changes in watch(
        *roots, stop_event=stop, rust_timeout=_TICK, yield_on_timeout=True, raise_interrupt=True, watch_filter=None
    ):
        paths = [Path(location) for _, location in sorted(changes, key=lambda change: change[1])]
        if not looked:
            # Only now, when the watch is on: what happens during the look is not lost.
            looked = True
            paths += _missed(library, roots, name)
        changed = [file for path in paths for file in _files(path, roots, library.settings.data)]
        # What came is added before what went is taken out, a look later: a renamed file keeps its document.
        if changed:
            yield Changed(tuple(dict.fromkeys(changed)), ())
        removed = _remove(library, {path for path in gone if not path.exists()}, name)
        gone = {path for path in paths if not path.exists()}
        if removed:
            yield Changed((), tuple(removed))


def _files(path: Path, roots: list[Path], data: Path) -> list[Path]:
    """The documents at a path that changed: the file itself, or what is in the folder."""
    if not path.exists():
        return []
    files = list(walk(path, data)) if path.is_dir() else [path]
    under = [(file, root) for root in roots for file in files if file.is_relative_to(root)]
    return [file for file, root in under if file.is_file() and (file == root or is_document(file, root, data))]


def _missed(library: Library, roots: list[Path], name: str) -> list[Path]:
    """The files under the roots that are not as the library knows them, and those that are gone."""
    with library.database.reading() as connection:
        known = {place.location: place for place in sources.find(connection, library.settings.owner, name)}
    files = [file for root in roots if root.exists() for file in walk(root, library.settings.data)]
    here = {sources.location(file): file for file in files}
    gone = [Path(location) for location in known if location not in here and not Path(location).exists()]
    return [file for location, file in here.items() if not _is_as(known.get(location), file)] + [
        path for path in gone if any(map(path.is_relative_to, roots))
    ]


def _is_as(place: StoredSource | None, file: Path) -> bool:
    try:
        seen = file.stat()
    except FileNotFoundError:
        return False
    return place is not None and (place.size, place.modified) == (seen.st_size, seen.st_mtime)


def _remove(library: Library, gone: set[Path], name: str) -> list[str]:
    """Forget the files that went, and everything under folders that did; the titles of documents that went too."""
    if not gone:
        return []
    with library.database.reading() as connection:
        places = [Path(place.location) for place in sources.find(connection, library.settings.owner, name)]
    named = {Path(sources.location(path)) for path in gone}
    lost = [place for place in places if place in named or not named.isdisjoint(place.parents)]
    removed = [library.remove_place(str(place), name) for place in lost]
    return [stored.title for stored in removed if stored]
