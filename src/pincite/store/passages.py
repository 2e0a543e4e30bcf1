"""Passages as rows: ids in, where they stand in which document out."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, select

from pincite.store.tables import documents, passages
from pincite.types import Kind, Passage

_ASKED_AT_ONCE = 1_000


@dataclass(frozen=True, slots=True)
class StoredPassage:
    """A passage with its id and what a hit says of its document."""

    id: int
    document: str
    title: str
    kind: Kind
    passage: Passage


def ids(connection: Connection, document: str) -> list[int]:
    """The ids of a document's passages, in their order."""
    query = select(passages.c.id).where(passages.c.document == document).order_by(passages.c.ordinal)
    return list(connection.scalars(query))


def documents_of(connection: Connection, wanted: Sequence[int]) -> dict[int, str]:
    """Passage → document, for those of the ids that are still there."""
    found: dict[int, str] = {}
    for first in range(0, len(wanted), _ASKED_AT_ONCE):
        some = passages.c.id.in_(wanted[first : first + _ASKED_AT_ONCE])
        rows = connection.execute(select(passages.c.id, passages.c.document).where(some))
        found.update((row.id, row.document) for row in rows)
    return found


def get(connection: Connection, wanted: Sequence[int]) -> list[StoredPassage]:
    """The passages with these ids, in the order of the ids; those that are gone meanwhile are left out."""
    columns = (*passages.c, documents.c.title, documents.c.kind)
    found: dict[int, StoredPassage] = {}
    for first in range(0, len(wanted), _ASKED_AT_ONCE):
        some = passages.c.id.in_(wanted[first : first + _ASKED_AT_ONCE])
        for row in connection.execute(select(*columns).join(documents).where(some)):
            passage = Passage(row.start, row.end, tuple(row.headings), row.first_page, row.last_page)
            found[row.id] = StoredPassage(row.id, row.document, row.title, row.kind, passage)
    return [found[id] for id in wanted if id in found]
