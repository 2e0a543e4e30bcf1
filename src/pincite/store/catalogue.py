"""List and count an owner's documents, and report the progress of each."""

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import Connection, exists, func, or_, select, tuple_

from pincite.store import document_sources
from pincite.store import documents as rows
from pincite.store.documents import StoredDocument
from pincite.store.schema import documents, jobs
from pincite.store.schema import sources as places_of
from pincite.types import Kind, Status

Mark = tuple[int, float | None, float | None]


@dataclass(frozen=True, slots=True)
class Filter:
    """Select documents by their properties; None leaves a filter off. `words` match the title or the file name.

    `folder` is an upload folder and includes its subfolders. `without` excludes the documents that are only in that
    library.
    """

    library: str | None = None
    statuses: Collection[Status] | None = None
    kinds: Collection[Kind] | None = None
    words: str | None = None
    folder: str | None = None
    without: str | None = None


@dataclass(frozen=True, slots=True)
class LibraryTotal:
    """A library: its number of documents and their size in bytes."""

    name: str
    documents: int
    bytes: int


@dataclass(frozen=True, slots=True)
class OwnerTotal:
    """Totals over all documents of an owner; `bytes` counts the original files."""

    documents: int
    pages: int
    passages: int
    bytes: int


@dataclass(frozen=True, slots=True)
class DocumentProgress:
    """The progress of a document, and whether a job for it waits or runs.

    `updated` distinguishes a document that failed again from an untouched one.
    """

    title: str
    status: Status
    error: str
    waits: bool
    error_code: str = ""
    updated: float = 0.0


def compute_mark(connection: Connection, owner: str) -> Mark:
    """Return a value that changes whenever one of an owner's documents is added, changed or removed."""
    updated = documents.c.updated
    # The latest time alone does not suffice: another server's clock may be behind.
    query = select(func.count(), func.max(updated), func.sum(updated)).where(documents.c.owner == owner)
    count, latest, sum_of_all = connection.execute(query).one()
    return count, latest, sum_of_all


def list_progress(connection: Connection, owner: str, document: str | None = None) -> dict[str, DocumentProgress]:
    """Return the progress of an owner's documents, or of one, by id; the newest last."""
    waits = exists().where(jobs.c.document == documents.c.id)
    columns = documents.c
    columns_shown = (columns.title, columns.status, columns.error, waits, columns.error_code, columns.updated)
    query = select(columns.id, *columns_shown).where(columns.owner == owner, columns.cut != rows.PROJECT_CUT)
    if document is not None:
        query = query.where(columns.id == document)
    found = connection.execute(query.order_by(columns.created, columns.id))
    return {
        id: DocumentProgress(title, status, error, bool(waits), *rest)
        for id, title, status, error, waits, *rest in found
    }


def list_libraries(connection: Connection, owner: str) -> list[LibraryTotal]:
    """Return the owner's libraries by name; a document with several sources in one library counts once."""
    places = select(places_of.c.library, places_of.c.document).where(places_of.c.owner == owner).distinct().subquery()
    query = select(places.c.library, func.count(), func.sum(documents.c.bytes))
    query = query.join(documents, documents.c.id == places.c.document).where(documents.c.cut != rows.PROJECT_CUT)
    ordered = query.group_by(places.c.library).order_by(places.c.library)
    return [LibraryTotal(name, count, int(size)) for name, count, size in connection.execute(ordered)]


def count_total(connection: Connection, owner: str) -> OwnerTotal:
    """Count an owner's documents, pages, passages and bytes."""
    columns = (documents.c.pages, documents.c.passages, documents.c.bytes)
    query = select(func.count(), *(func.coalesce(func.sum(column), 0) for column in columns))
    own = query.where(documents.c.owner == owner, documents.c.cut != rows.PROJECT_CUT)
    return OwnerTotal(*map(int, connection.execute(own).one()))


def count_original_bytes(connection: Connection) -> int:
    """Return the size of all owners' files in bytes; identical files are stored and counted once."""
    kept = select(documents.c.sha256, func.max(documents.c.bytes).label("bytes")).group_by(documents.c.sha256)
    kept = kept.where(documents.c.cut != rows.PROJECT_CUT)
    return int(connection.scalar(select(func.coalesce(func.sum(kept.subquery().c.bytes), 0))) or 0)


def find(
    connection: Connection, owner: str, wanted: Filter, limit: int, before: tuple[float, str] | None = None
) -> tuple[list[StoredDocument], int]:
    """Return up to `limit` of the owner's documents after (created, id), and the number of all that match."""
    query = select(documents.c.id).where(documents.c.owner == owner, documents.c.cut != rows.PROJECT_CUT)
    if wanted.library is not None:
        query = query.where(documents.c.id.in_(rows.select_in_library(owner, wanted.library)))
    if wanted.without is not None:
        query = query.where(documents.c.id.not_in(rows.select_only_in(owner, wanted.without)))
    if wanted.folder:
        query = query.where(documents.c.id.in_(document_sources.select_in_folder(owner, wanted.folder)))
    if wanted.statuses is not None:
        query = query.where(documents.c.status.in_(wanted.statuses))
    if wanted.kinds is not None:
        query = query.where(documents.c.kind.in_(wanted.kinds))
    if wanted.words:
        named = (documents.c.title, documents.c.name)
        query = query.where(or_(*(column.icontains(wanted.words, autoescape=True) for column in named)))
    total = connection.scalar(select(func.count()).select_from(query.subquery())) or 0
    if before is not None:
        query = query.where(tuple_(documents.c.created, documents.c.id) < before)
    ordered = query.order_by(documents.c.created.desc(), documents.c.id.desc()).limit(limit)
    return rows.get_many(connection, connection.scalars(ordered).all()), total
