"""An owner's documents as a whole: listed a page at a time, counted, and how far each of them is."""

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import Connection, exists, func, or_, select, tuple_

from pincite.store import documents as rows
from pincite.store import sources
from pincite.store.documents import StoredDocument
from pincite.store.tables import documents, jobs
from pincite.store.tables import sources as places_of
from pincite.types import Kind, Status

Mark = tuple[int, float | None, float | None]


@dataclass(frozen=True, slots=True)
class Filter:
    """Which documents are meant; None leaves a filter off. `words` stand in the title or the file's name.

    `folder` is one that files were sent in; those below it are meant too. What is in `without` alone is not.
    """

    library: str | None = None
    statuses: Collection[Status] | None = None
    kinds: Collection[Kind] | None = None
    words: str | None = None
    folder: str | None = None
    without: str | None = None


@dataclass(frozen=True, slots=True)
class Holding:
    """A library: how many documents it has, and of how many bytes."""

    name: str
    documents: int
    bytes: int


@dataclass(frozen=True, slots=True)
class Total:
    """All documents of an owner; `bytes` are those of the files as they were added."""

    documents: int
    pages: int
    passages: int
    bytes: int


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a document is, and whether work on it waits or is under way.

    `updated` tells a document that failed again from one that nobody touched.
    """

    title: str
    status: Status
    error: str
    waits: bool
    error_code: str = ""
    updated: float = 0.0


def mark(connection: Connection, owner: str) -> Mark:
    """What is another whenever one of an owner's documents came, changed or went."""
    updated = documents.c.updated
    # The latest alone would not do: another server's clock may be behind.
    query = select(func.count(), func.max(updated), func.sum(updated)).where(documents.c.owner == owner)
    count, latest, sum_of_all = connection.execute(query).one()
    return count, latest, sum_of_all


def standings(connection: Connection, owner: str, document: str | None = None) -> dict[str, Standing]:
    """How far all of an owner's documents are, or one of them, by their ids; the newest last."""
    waits = exists().where(jobs.c.document == documents.c.id)
    columns = documents.c
    told = (columns.title, columns.status, columns.error, waits, columns.error_code, columns.updated)
    query = select(columns.id, *told).where(columns.owner == owner)
    if document is not None:
        query = query.where(columns.id == document)
    rows = connection.execute(query.order_by(columns.created, columns.id))
    return {id: Standing(title, status, error, bool(waits), *rest) for id, title, status, error, waits, *rest in rows}


def libraries(connection: Connection, owner: str) -> list[Holding]:
    """The owner's libraries by name; a document with several places in one counts there once."""
    places = select(places_of.c.library, places_of.c.document).where(places_of.c.owner == owner).distinct().subquery()
    query = select(places.c.library, func.count(), func.sum(documents.c.bytes))
    query = query.join(documents, documents.c.id == places.c.document)
    ordered = query.group_by(places.c.library).order_by(places.c.library)
    return [Holding(name, count, int(size)) for name, count, size in connection.execute(ordered)]


def total(connection: Connection, owner: str) -> Total:
    """How much an owner has."""
    columns = (documents.c.pages, documents.c.passages, documents.c.bytes)
    query = select(func.count(), *(func.coalesce(func.sum(column), 0) for column in columns))
    return Total(*map(int, connection.execute(query.where(documents.c.owner == owner)).one()))


def originals(connection: Connection) -> int:
    """How many bytes the files of all owners have; the same bytes are kept once."""
    kept = select(documents.c.sha256, func.max(documents.c.bytes).label("bytes")).group_by(documents.c.sha256)
    return int(connection.scalar(select(func.coalesce(func.sum(kept.subquery().c.bytes), 0))) or 0)


def find(
    connection: Connection, owner: str, wanted: Filter, limit: int, before: tuple[float, str] | None = None
) -> tuple[list[StoredDocument], int]:
    """The owner's documents after (created, id), so many at most, and how many are meant in all."""
    query = select(documents.c.id).where(documents.c.owner == owner)
    if wanted.library is not None:
        query = query.where(documents.c.id.in_(rows.in_library(owner, wanted.library)))
    if wanted.without is not None:
        query = query.where(documents.c.id.not_in(rows.only_in(owner, wanted.without)))
    if wanted.folder:
        query = query.where(documents.c.id.in_(sources.in_folder(owner, wanted.folder)))
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
    return rows.all_of(connection, connection.scalars(ordered).all()), total
