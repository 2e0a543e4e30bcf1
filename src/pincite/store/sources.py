"""Where documents came from, and so which libraries they are in; a document without a place goes."""

import os
from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Select, and_, delete, func, insert, or_, select

from pincite.errors import NotFound
from pincite.store import documents
from pincite.store.tables import sources

_UPLOAD = "upload:"
_DIGEST = 16  # characters
_WITHIN = len(_UPLOAD) + _DIGEST + 1  # where in the place of an upload its folder begins
_ADDRESSES = ("http://", "https://")
_SNAPSHOT = "#pincite="  # after the address of a page: which of those that were kept of it


@dataclass(frozen=True, slots=True)
class StoredSource:
    """Where a document came from: a place in a library, and the file's size and time when it was read."""

    owner: str
    library: str
    location: str
    document: str
    size: int
    modified: float


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """Where a document is found: its libraries, the address it was fetched from and when, and its sender's folder."""

    libraries: tuple[str, ...] = ()
    url: str | None = None
    folder: str = ""
    fetched: float | None = None  # seconds since 1970


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A page as it was once: the document that was kept of it, and when."""

    document: str
    fetched: float


def upload(digest: str, folder: str, name: str) -> str:
    """The place of a file that was sent, in a folder of the sender's or in none.

    Under its bytes: another file of the same name is another document, and does not replace this one.
    """
    return "/".join((f"{_UPLOAD}{digest[:_DIGEST]}", *([folder] if folder else []), name))


def snapshot(url: str, digest: str) -> str:
    """The place of a page as it was once: its address, and a mark that tells it from what it was at other times."""
    return f"{url}{_SNAPSHOT}{digest[:_DIGEST]}"


def location(path: Path) -> str:
    """The place that a path is stored as: bytes that are not UTF-8 are written as \\xe9, so that places stay apart."""
    return os.fsencode(path.resolve()).decode("utf-8", "backslashreplace")


def legible(name: str) -> str:
    """A file's name as text that can be stored and shown, with a mark for each byte that is not UTF-8."""
    return os.fsencode(name).decode("utf-8", "replace")


def add(connection: Connection, source: StoredSource) -> str | None:
    """Say where a document is found; the id of another document that lost its last place by it comes out."""
    former = at(connection, source.owner, source.library, source.location)
    if former:
        connection.execute(delete(sources).where(*_at(source.owner, source.library, source.location)))
    connection.execute(
        insert(sources).values(
            owner=source.owner,
            library=source.library,
            location=source.location,
            document=source.document,
            size=source.size,
            modified=source.modified,
        )
    )
    if former and former.document != source.document:
        return _remove_placeless(connection, former.document)
    return None


def remove(connection: Connection, owner: str, library: str, location: str) -> str | None:
    """Forget a place; when it was its document's last, the document goes and its id comes out."""
    former = at(connection, owner, library, location)
    if former is None:
        return None
    connection.execute(delete(sources).where(*_at(owner, library, location)))
    return _remove_placeless(connection, former.document)


def at(connection: Connection, owner: str, library: str, location: str) -> StoredSource | None:
    """What is known of a place, if anything."""
    row = connection.execute(select(sources).where(*_at(owner, library, location))).one_or_none()
    return StoredSource(*row) if row else None


def find(
    connection: Connection, owner: str, library: str | None = None, document: str | None = None
) -> list[StoredSource]:
    """The places of the owner's documents, in one library, of one document, or all."""
    query = select(sources).where(sources.c.owner == owner)
    if library is not None:
        query = query.where(sources.c.library == library)
    if document is not None:
        query = query.where(sources.c.document == document)
    ordered = query.order_by(sources.c.library, sources.c.location)
    return [StoredSource(*row) for row in connection.execute(ordered)]


def latest_snapshot(connection: Connection, owner: str, library: str, url: str) -> str | None:
    """The document that was last kept of a page, if any was."""
    place = f"{url}{_SNAPSHOT}"
    query = select(sources.c.document).where(sources.c.owner == owner, sources.c.library == library)
    query = query.where(func.substr(sources.c.location, 1, len(place)) == place)
    return connection.scalar(query.order_by(sources.c.modified.desc()).limit(1))


def snapshots(connection: Connection, owner: str, url: str) -> list[Snapshot]:
    """All that was kept of the page at an address, the oldest first."""
    place = f"{url}{_SNAPSHOT}"
    is_of_it = or_(sources.c.location == url, func.substr(sources.c.location, 1, len(place)) == place)
    query = select(sources.c.document, func.max(sources.c.modified).label("fetched"))
    query = query.where(sources.c.owner == owner, is_of_it).group_by(sources.c.document)
    return [Snapshot(*row) for row in connection.execute(query.order_by("fetched", sources.c.document))]


def whereabouts(connection: Connection, owner: str, ids: Collection[str]) -> dict[str, Whereabouts]:
    """Where each of these documents is found; the first address and the first folder, should there be several."""
    query = select(sources.c.document, sources.c.library, sources.c.location, sources.c.modified)
    query = query.where(sources.c.owner == owner, sources.c.document.in_(ids))
    places: dict[str, list[tuple[str, str, float]]] = defaultdict(list)
    for document, library, place, modified in connection.execute(query.order_by(sources.c.library, sources.c.location)):
        places[document].append((library, place, modified))
    return {document: _whereabouts(found) for document, found in places.items()}


def in_folder(owner: str, folder: str) -> Select[tuple[str]]:
    """A query for the ids of the documents that were sent in a folder, or in one below it."""
    within = f"{folder}/"
    # Not LIKE: on SQLite it takes A for a.
    sent = func.substr(sources.c.location, 1, len(_UPLOAD)) == _UPLOAD
    there = func.substr(sources.c.location, _WITHIN + 1, len(within)) == within
    return select(sources.c.document).where(and_(sources.c.owner == owner, sent, there))


def libraries(connection: Connection, owner: str) -> list[str]:
    """The names of the owner's libraries."""
    query = select(sources.c.library).where(sources.c.owner == owner).distinct().order_by(sources.c.library)
    return list(connection.scalars(query))


def check_library(connection: Connection, owner: str, library: str | None) -> None:
    """`NotFound`, with the libraries there are, for a name that none of them has."""
    known = libraries(connection, owner)
    if library is not None and library not in known:
        hint = f"There are {', '.join(known)}." if known else f"`pincite add FOLDER --library {library}` makes it."
        raise NotFound(f"There is no library {library}.", hint)


def _whereabouts(places: list[tuple[str, str, float]]) -> Whereabouts:
    names = tuple(dict.fromkeys(library for library, _, _ in places))
    pages = [(place.partition(_SNAPSHOT)[0], when) for _, place, when in places if place.startswith(_ADDRESSES)]
    uploads = (place[_WITHIN:].rpartition("/")[0] for _, place, _ in places if place.startswith(_UPLOAD))
    url, fetched = pages[0] if pages else (None, None)
    return Whereabouts(names, url, next(filter(None, uploads), ""), fetched)


def _remove_placeless(connection: Connection, document: str) -> str | None:
    places = select(func.count()).select_from(sources).where(sources.c.document == document)
    if connection.scalar(places):
        return None
    return document if documents.remove(connection, document) else None


def _at(owner: str, library: str, location: str) -> tuple[Any, ...]:
    return sources.c.owner == owner, sources.c.library == library, sources.c.location == location
