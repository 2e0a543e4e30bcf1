"""Documents a page at a time: filters in, rows out, the newest first."""

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import Connection, func, or_, select, tuple_

from pincite.store import documents as rows
from pincite.store import sources
from pincite.store.documents import StoredDocument
from pincite.store.tables import documents
from pincite.types import Kind, Status


@dataclass(frozen=True, slots=True)
class Filter:
    """Which documents are meant; None leaves a filter off. `words` stand in the title or the file's name.

    `folder` is one that files were sent in; those below it are meant too.
    """

    library: str | None = None
    statuses: Collection[Status] | None = None
    kinds: Collection[Kind] | None = None
    words: str | None = None
    folder: str | None = None


def counted(connection: Connection, owner: str) -> tuple[int, int]:
    """How many documents an owner has, and how many pages these have together."""
    query = select(func.count(), func.coalesce(func.sum(documents.c.pages), 0)).where(documents.c.owner == owner)
    count, pages = connection.execute(query).one()
    return count, int(pages)


def find(
    connection: Connection, owner: str, wanted: Filter, limit: int, before: tuple[float, str] | None = None
) -> tuple[list[StoredDocument], int]:
    """The owner's documents after (created, id), so many at most, and how many are meant in all."""
    query = select(documents.c.id).where(documents.c.owner == owner)
    if wanted.library is not None:
        query = query.where(documents.c.id.in_(rows.in_library(owner, wanted.library)))
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
    return [rows.get(connection, id) for id in connection.scalars(ordered).all()], total
