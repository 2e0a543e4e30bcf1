"""A folder as it changes: what came or changed, and what went."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Event

from watchfiles import Change, watch

from pincite.library import Library
from pincite.library.walk import is_document, walk
from pincite.store import sources


@dataclass(frozen=True, slots=True)
class Changed:
    """Files to add (new or changed), and the titles of documents that are gone."""

    changed: tuple[Path, ...]
    removed: tuple[str, ...]


def follow(library: Library, roots: list[Path], name: str, stop: Event | None = None) -> Iterator[Changed]:
    """Changes under the roots from now on; first, what went or changed while nobody was watching."""
    first = _missed(library, roots, name)
    if first.changed or first.removed:
        yield first
    for changes in watch(*roots, stop_event=stop, raise_interrupt=True):
        changed, gone = [], []
        for kind, location in sorted(changes, key=lambda change: change[1]):
            path = Path(location)
            if kind is Change.deleted or not path.exists():
                gone.append(path)
            elif path.is_file() and any(_inside(path, root) for root in roots):
                changed.append(path)
            elif path.is_dir():
                changed += [file for file in walk(path) if any(_inside(file, root) for root in roots)]
        removed = [title for path in gone for title in _remove(library, path, name)]
        if changed or removed:
            yield Changed(tuple(dict.fromkeys(changed)), tuple(removed))


def _inside(path: Path, root: Path) -> bool:
    root = root.resolve()
    path = path.resolve()
    return path == root or (path.is_relative_to(root) and is_document(path, root))


def _missed(library: Library, roots: list[Path], name: str) -> Changed:
    removed = []
    with library.database.reading() as connection:
        places = sources.find(connection, library.settings.owner, name)
    for place in places:
        path = Path(place.location)
        if any(path.is_relative_to(root.resolve()) for root in roots) and not path.exists():
            removed += _remove(library, path, name)
    return Changed((), tuple(removed))


def _remove(library: Library, path: Path, name: str) -> list[str]:
    """Forget a file that went, or everything under a folder that did; the titles of documents that went with it."""
    with library.database.reading() as connection:
        places = sources.find(connection, library.settings.owner, name)
    gone = [place.location for place in places if Path(place.location).is_relative_to(path)]
    removed = [library.remove_place(location, name) for location in gone]
    return [stored.title for stored in removed if stored]
