"""Store the sources of documents, which put them into libraries. A document without a source is removed."""

import os
from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Select, and_, delete, func, insert, or_, select

from pincite.errors import Misuse
from pincite.store import annotations, document_tags, documents, library_shares
from pincite.store.account_schema import people
from pincite.store.lock_order import lock_documents
from pincite.store.schema import sources
from pincite.store.visible_documents import is_source_visible
from pincite.types import LibraryKey

OTHERS_MARK = "~"  # begins the name by which another person's library is addressed
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
    """The origin of a document: the names of its libraries, its address, when it was fetched, and its upload folder."""

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
    if former is None and not has_library(connection, source.owner, source.library):
        library_shares.remove_of_empty(connection, source.owner)  # nobody has a share of a library that is new
    if former:
        if former.document != source.document:
            lock_documents(connection, [former.document, source.document], removes=True)
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
        document_tags.replace_document(connection, source.owner, source.library, former.document, source.document)
        document_tags.remove_stray(connection, former.document)
        return _remove_placeless(connection, former.document, source.document)
    return None


def remove(connection: Connection, owner: str, library: str, location: str) -> str | None:
    """Remove a source; if it was the last one of its document, remove the document and return its id."""
    former = get_source(connection, owner, library, location)
    if former is None:
        return None
    lock_documents(connection, [former.document], removes=True)
    connection.execute(delete(sources).where(*_make_location_condition(owner, library, location)))
    library_shares.remove_of_empty(connection, owner)
    document_tags.remove_stray(connection, former.document)
    return _remove_placeless(connection, former.document)


def remove_writable(connection: Connection, person: str, document: str) -> str | None:
    """Remove a document from the libraries in which a person may write; return its id if it was removed altogether."""
    stored = documents.get_changeable(connection, person, document)
    lock_documents(connection, [stored.id], removes=True)
    places = is_source_visible(person, "writer")
    connection.execute(delete(sources).where(sources.c.document == stored.id, places))
    library_shares.remove_of_empty(connection, stored.owner)
    document_tags.remove_stray(connection, stored.id)
    return _remove_placeless(connection, stored.id)


def move(connection: Connection, person: str, document: str, target: LibraryKey) -> None:
    """Move a document into a library of its owner, out of all others in which a person may write.

    Raise `Misuse` if the library belongs to somebody else. Its tags go with it.
    """
    stored = documents.get_changeable(connection, person, document)
    if stored.owner != target.owner:
        raise Misuse(
            f"{stored.name} belongs to somebody else than that library.",
            "Add the file to the library instead.",
            "owner",
        )
    query = select(sources).where(sources.c.document == stored.id, sources.c.library != target.name)
    for row in connection.execute(query.where(is_source_visible(person, "writer"))).all():
        place = StoredSource(*row)
        if get_source(connection, target.owner, target.name, place.location) is None:
            add(connection, replace(place, library=target.name))
        document_tags.replace_library(connection, stored.owner, place.library, target.name, stored.id)
        connection.execute(delete(sources).where(*_make_location_condition(place.owner, place.library, place.location)))
    document_tags.remove_stray(connection, stored.id)
    library_shares.remove_of_empty(connection, stored.owner)
    documents.touch(connection, stored.id)


def get_source(connection: Connection, owner: str, library: str, location: str) -> StoredSource | None:
    """Return the source at a location, or None."""
    row = connection.execute(select(sources).where(*_make_location_condition(owner, library, location))).one_or_none()
    return StoredSource(*row) if row else None


def has_other_upload(connection: Connection, source: StoredSource) -> bool:
    """Whether an upload is of a document that was uploaded to the same library before, from another place."""
    if not source.location.startswith(_UPLOAD):
        return False
    query = select(sources.c.location).where(sources.c.owner == source.owner, sources.c.library == source.library)
    others = query.where(sources.c.document == source.document, sources.c.location != source.location)
    return any(location.startswith(_UPLOAD) for location in connection.scalars(others))


def find(
    connection: Connection, owner: str, library: str | None = None, document: str | None = None
) -> list[StoredSource]:
    """Return the sources in an owner's own libraries: in one library, of one document, or all."""
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


def list_snapshots(connection: Connection, person: str, url: str) -> list[PageSnapshot]:
    """Return all snapshots of the page at an address that a person may see, oldest first."""
    place = f"{url}{_SNAPSHOT}"
    is_of_it = or_(sources.c.location == url, func.substr(sources.c.location, 1, len(place)) == place)
    query = select(sources.c.document, func.max(sources.c.modified).label("fetched"))
    query = query.where(is_source_visible(person), is_of_it).group_by(sources.c.document)
    return [PageSnapshot(*row) for row in connection.execute(query.order_by("fetched", sources.c.document))]


def find_origins(connection: Connection, person: str, ids: Collection[str]) -> dict[str, DocumentOrigin]:
    """Return the origin of each document, with the first address and the first folder if there are several.

    A document that was also added as a file has no address.

    Only sources in libraries that the person may see count.
    """
    columns = (sources.c.document, sources.c.owner, people.c.name, sources.c.library, sources.c.location)
    query = select(*columns, sources.c.modified).outerjoin(people, people.c.id == sources.c.owner)
    query = query.where(is_source_visible(person), sources.c.document.in_(ids))
    places: dict[str, list[tuple[str, str, float]]] = defaultdict(list)
    ordered = query.order_by(sources.c.library, sources.c.location)
    for document, owner, owner_name, library, place, modified in connection.execute(ordered):
        key = format_library_key(person, owner, owner_name or "", library)
        places[document].append((key, place, modified))
    return {document: _make_origin(found) for document, found in places.items()}


def format_library_key(person: str, owner: str, owner_name: str, library: str) -> str:
    """Return the name by which a person addresses a library: `NAME` for their own, else `~OWNER/NAME`."""
    return library if owner == person else f"{OTHERS_MARK}{owner_name}/{library}"


def select_in_folder(person: str, folder: str) -> Select[str]:
    """Return a query for the ids of the documents uploaded in a folder or below it."""
    within = f"{folder}/"
    # LIKE ignores case on SQLite.
    sent = func.substr(sources.c.location, 1, len(_UPLOAD)) == _UPLOAD
    there = func.substr(sources.c.location, _WITHIN + 1, len(within)) == within
    return select(sources.c.document).where(and_(is_source_visible(person), sent, there))


def list_libraries(connection: Connection, owner: str) -> list[str]:
    """Return the names of the owner's libraries, without those of projects."""
    query = select(sources.c.library).where(sources.c.owner == owner).distinct().order_by(sources.c.library)
    return [name for name in connection.scalars(query) if not name.startswith(documents.PROJECT_LIBRARY)]


def has_library(connection: Connection, owner: str, library: str) -> bool:
    """Whether a library of the owner has a source."""
    query = select(sources.c.library).where(sources.c.owner == owner, sources.c.library == library)
    return connection.scalar(query.limit(1)) is not None


def _make_origin(places: list[tuple[str, str, float]]) -> DocumentOrigin:
    names = tuple(dict.fromkeys(library for library, _, _ in places))
    pages = [(place.partition(_SNAPSHOT)[0], when) for _, place, when in places if place.startswith(_ADDRESSES)]
    uploads = (place[_WITHIN:].rpartition("/")[0] for _, place, _ in places if place.startswith(_UPLOAD))
    # A file of one's own stays a file, also if the same bytes were met on the web.
    is_file = len(pages) < len(places)
    url, fetched = pages[0] if pages and not is_file else (None, None)
    return DocumentOrigin(names, url, next(filter(None, uploads), ""), fetched)


def _remove_placeless(connection: Connection, document: str, successor: str = "") -> str | None:
    """Remove a document without a source and return its id; its highlights go to the document that replaces it."""
    places = select(func.count()).select_from(sources).where(sources.c.document == document)
    if connection.scalar(places):
        return None
    if successor:
        annotations.move_to_document(connection, document, successor)
    return document if documents.remove(connection, document) else None


def _make_location_condition(owner: str, library: str, location: str) -> tuple[Any, ...]:
    return sources.c.owner == owner, sources.c.library == library, sources.c.location == location
