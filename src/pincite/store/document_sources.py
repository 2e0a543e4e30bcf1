"""Store the sources of documents, which put them into libraries. A document without a source is removed."""

import os
from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Select, and_, delete, func, insert, or_, select

from pincite.errors import NotFound
from pincite.store import documents
from pincite.store.schema import sources

_UPLOAD = "upload:"
_DIGEST = 16  # characters
_WITHIN = len(_UPLOAD) + _DIGEST + 1  # the index at which the folder begins in an upload's location
_ADDRESSES = ("http://", "https://")
_SNAPSHOT = "#pincite="  # separates the address of a page from the digest of one snapshot of it


@dataclass(frozen=True, slots=True)
class StoredSource:
    """One source of a document: a location in a library, and the file's size and time when it was read."""

    owner: str
    library: str
    location: str
    document: str
    size: int
    modified: float


@dataclass(frozen=True, slots=True)
class DocumentOrigin:
    """The origin of a document: its libraries, its address and when it was fetched, and its upload folder."""

    libraries: tuple[str, ...] = ()
    url: str | None = None
    folder: str = ""
    fetched: float | None = None  # seconds since 1970


@dataclass(frozen=True, slots=True)
class PageSnapshot:
    """A snapshot of a page: its document, and when it was fetched."""

    document: str
    fetched: float


def make_upload_location(digest: str, folder: str, name: str) -> str:
    """Return the location of an uploaded file, with its folder if it has one.

    The location contains the digest, so another file of the same name is another document and does not replace this
    one.
    """
    return "/".join((f"{_UPLOAD}{digest[:_DIGEST]}", *([folder] if folder else []), name))


def make_snapshot_location(url: str, digest: str) -> str:
    """Return the location of a page snapshot: its address, and a digest that distinguishes it from other snapshots."""
    return f"{url}{_SNAPSHOT}{digest[:_DIGEST]}"


def make_path_location(path: Path) -> str:
    """Return the location of a path. Bytes that are not UTF-8 are written as \\xe9, so that locations stay distinct."""
    return os.fsencode(path.resolve()).decode("utf-8", "backslashreplace")


def make_name_legible(name: str) -> str:
    """Return a file name that can be stored and shown, with a mark for each byte that is not UTF-8."""
    return os.fsencode(name).decode("utf-8", "replace")


def add(connection: Connection, source: StoredSource) -> str | None:
    """Add a source; return the id of another document that was removed because this was its last source."""
    former = get_source(connection, source.owner, source.library, source.location)
    if former:
        connection.execute(
            delete(sources).where(*_make_location_condition(source.owner, source.library, source.location))
        )
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
    """Remove a source; if it was the last one of its document, remove the document and return its id."""
    former = get_source(connection, owner, library, location)
    if former is None:
        return None
    connection.execute(delete(sources).where(*_make_location_condition(owner, library, location)))
    return _remove_placeless(connection, former.document)


def get_source(connection: Connection, owner: str, library: str, location: str) -> StoredSource | None:
    """Return the source at a location, or None."""
    row = connection.execute(select(sources).where(*_make_location_condition(owner, library, location))).one_or_none()
    return StoredSource(*row) if row else None


def find(
    connection: Connection, owner: str, library: str | None = None, document: str | None = None
) -> list[StoredSource]:
    """Return the sources of the owner's documents: in one library, of one document, or all."""
    query = select(sources).where(sources.c.owner == owner)
    if library is not None:
        query = query.where(sources.c.library == library)
    if document is not None:
        query = query.where(sources.c.document == document)
    ordered = query.order_by(sources.c.library, sources.c.location)
    return [StoredSource(*row) for row in connection.execute(ordered)]


def find_latest_snapshot(connection: Connection, owner: str, library: str, url: str) -> str | None:
    """Return the document of the latest snapshot of a page, or None."""
    place = f"{url}{_SNAPSHOT}"
    query = select(sources.c.document).where(sources.c.owner == owner, sources.c.library == library)
    query = query.where(func.substr(sources.c.location, 1, len(place)) == place)
    return connection.scalar(query.order_by(sources.c.modified.desc()).limit(1))


def list_snapshots(connection: Connection, owner: str, url: str) -> list[PageSnapshot]:
    """Return all snapshots of the page at an address, oldest first."""
    place = f"{url}{_SNAPSHOT}"
    is_of_it = or_(sources.c.location == url, func.substr(sources.c.location, 1, len(place)) == place)
    query = select(sources.c.document, func.max(sources.c.modified).label("fetched"))
    query = query.where(sources.c.owner == owner, is_of_it).group_by(sources.c.document)
    return [PageSnapshot(*row) for row in connection.execute(query.order_by("fetched", sources.c.document))]


def find_origins(connection: Connection, owner: str, ids: Collection[str]) -> dict[str, DocumentOrigin]:
    """Return the origin of each document, with the first address and the first folder if there are several."""
    query = select(sources.c.document, sources.c.library, sources.c.location, sources.c.modified)
    query = query.where(sources.c.owner == owner, sources.c.document.in_(ids))
    places: dict[str, list[tuple[str, str, float]]] = defaultdict(list)
    for document, library, place, modified in connection.execute(query.order_by(sources.c.library, sources.c.location)):
        places[document].append((library, place, modified))
    return {document: _make_origin(found) for document, found in places.items()}


def select_in_folder(owner: str, folder: str) -> Select[tuple[str]]:
    """Return a query for the ids of the documents uploaded in a folder or below it."""
    within = f"{folder}/"
    # LIKE ignores case on SQLite.
    sent = func.substr(sources.c.location, 1, len(_UPLOAD)) == _UPLOAD
    there = func.substr(sources.c.location, _WITHIN + 1, len(within)) == within
    return select(sources.c.document).where(and_(sources.c.owner == owner, sent, there))


def list_libraries(connection: Connection, owner: str) -> list[str]:
    """Return the names of the owner's libraries, without those of projects."""
    query = select(sources.c.library).where(sources.c.owner == owner).distinct().order_by(sources.c.library)
    return [name for name in connection.scalars(query) if not name.startswith(documents.PROJECT_LIBRARY)]


def check_library(connection: Connection, owner: str, library: str | None) -> None:
    """Raise `NotFound`, listing the libraries, if there is no library of this name."""
    known = list_libraries(connection, owner)
    if library is not None and library not in known:
        hint = f"There are {', '.join(known)}." if known else f"`pincite add FOLDER --library {library}` makes it."
        raise NotFound(f"There is no library {library}.", hint, "library")


def _make_origin(places: list[tuple[str, str, float]]) -> DocumentOrigin:
    names = tuple(dict.fromkeys(library for library, _, _ in places))
    pages = [(place.partition(_SNAPSHOT)[0], when) for _, place, when in places if place.startswith(_ADDRESSES)]
    uploads = (place[_WITHIN:].rpartition("/")[0] for _, place, _ in places if place.startswith(_UPLOAD))
    url, fetched = pages[0] if pages else (None, None)
    return DocumentOrigin(names, url, next(filter(None, uploads), ""), fetched)


def _remove_placeless(connection: Connection, document: str) -> str | None:
    places = select(func.count()).select_from(sources).where(sources.c.document == document)
    if connection.scalar(places):
        return None
    return document if documents.remove(connection, document) else None


def _make_location_condition(owner: str, library: str, location: str) -> tuple[Any, ...]:
    return sources.c.owner == owner, sources.c.library == library, sources.c.location == location
