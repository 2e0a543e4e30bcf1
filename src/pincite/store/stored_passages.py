"""Load passages by id, with their position and their document."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import ARRAY, BigInteger, ColumnElement, Connection, String, and_, any_, cast, func, literal, select

from pincite.store import generations
from pincite.store.schema import documents, pages, passages
from pincite.store.visible_documents import is_visible
from pincite.types import Kind, Passage

_SHOWN = passages.join(documents, documents.c.generation == passages.c.generation)


@dataclass(frozen=True, slots=True)
class StoredPassage:
    """A passage with its id, its index in the document (from 0) and the properties of its document."""

    id: int
    document: str
    title: str
    kind: Kind
    passage: Passage
    label: str = ""
    index: int = 0


def list_ids(connection: Connection, document: str) -> list[int]:
    """Return the ids of a document's passages, in order."""
    query = (
        select(passages.c.id)
        .where(passages.c.generation == generations.select_visible(document))
        .order_by(passages.c.ordinal)
    )
    return list(connection.scalars(query))


def list_passages(connection: Connection, document: str, first: int, limit: int) -> list[StoredPassage]:
    """Return up to `limit` passages of a document in order, starting with the index `first`."""
    order = passages.c.ordinal
    some = (
        select(passages.c.id)
        .where(passages.c.generation == generations.select_visible(document), order >= first)
        .order_by(order)
        .limit(limit)
    )
    return get(connection, list(connection.scalars(some)))


def map_to_documents(connection: Connection, wanted: Sequence[int]) -> dict[int, str]:
    """Map passage ids to their documents; missing passages are left out."""
    query = select(passages.c.id, documents.c.id).select_from(_SHOWN).where(_are_passages(connection, wanted))
    return dict(connection.execute(query).all())


def get(connection: Connection, wanted: Sequence[int]) -> list[StoredPassage]:
    """Return the passages with these ids, in the order of the ids; removed ones are left out."""
    return _get_where(connection, wanted)


def get_visible(connection: Connection, person: str, wanted: Sequence[int]) -> list[StoredPassage]:
    """Return the passages with these ids whose documents a person may see, in the order of the ids."""
    return _get_where(connection, wanted, is_visible(person))


def _get_where(connection: Connection, wanted: Sequence[int], *conditions: ColumnElement[bool]) -> list[StoredPassage]:
    columns = (*passages.c, documents.c.id.label("document"), documents.c.title, documents.c.kind, pages.c.label)
    first_page = and_(pages.c.generation == passages.c.generation, pages.c.number == passages.c.first_page)
    joined = _SHOWN.outerjoin(pages, first_page)
    found: dict[int, StoredPassage] = {}
    some = _are_passages(connection, wanted)
    for row in connection.execute(select(*columns).select_from(joined).where(some, *conditions)):
        passage = Passage(row.start, row.end, tuple(row.headings), row.first_page, row.last_page)
        found[row.id] = StoredPassage(row.id, row.document, row.title, row.kind, passage, row.label or "", row.ordinal)
    return [found[id] for id in wanted if id in found]


def _are_passages(connection: Connection, ids: Sequence[int]) -> ColumnElement[bool]:
    """Return the condition for rows of `passages` with these ids, which are one value, however many they are."""
    if connection.dialect.name == "sqlite":
        listed = func.json_each(json.dumps(list(ids))).table_valued("value")
        return passages.c.id.in_(select(listed.c.value))
    array = "{" + ",".join(map(str, ids)) + "}"  # a driver that writes each number takes longer
    return passages.c.id == any_(cast(literal(array, String), ARRAY(BigInteger)))
