"""Load passages by id, with their position and their document."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from sqlalchemy import (
    ARRAY,
    BigInteger,
    ColumnElement,
    Connection,
    Select,
    String,
    and_,
    any_,
    bindparam,
    cast,
    func,
    select,
)

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
    query = select(passages.c.id, documents.c.id).select_from(_SHOWN).where(_are_passages(connection.dialect.name))
    return dict(connection.execute(query, _write_ids(connection, wanted)).all())


def map_to_languages(connection: Connection, wanted: Sequence[int]) -> dict[int, str]:
    """Map passage ids to the languages of their documents, "" if unknown; missing passages are left out."""
    some = _are_passages(connection.dialect.name)
    query = select(passages.c.id, documents.c.language).select_from(_SHOWN).where(some)
    return dict(connection.execute(query, _write_ids(connection, wanted)).all())


def map_to_generations(connection: Connection, wanted: Sequence[int]) -> dict[int, int]:
    """Map passage ids to the generations of their documents; missing and hidden passages are left out."""
    some = _are_passages(connection.dialect.name)
    query = select(passages.c.id, passages.c.generation).select_from(_SHOWN).where(some)
    return dict(connection.execute(query, _write_ids(connection, wanted)).all())


def get(connection: Connection, wanted: Sequence[int]) -> list[StoredPassage]:
    """Return the passages with these ids, in the order of the ids; removed ones are left out."""
    return _get_by(connection, wanted, _select_passages(connection.dialect.name))


def get_visible(connection: Connection, person: str, wanted: Sequence[int]) -> list[StoredPassage]:
    """Return the passages with these ids whose documents a person may see, in the order of the ids."""
    return _get_by(connection, wanted, _select_visible_passages(connection.dialect.name, person))


def _get_by(connection: Connection, wanted: Sequence[int], query: Select[Any]) -> list[StoredPassage]:
    found: dict[int, StoredPassage] = {}
    for row in connection.execute(query, _write_ids(connection, wanted)):
        passage = Passage(row.start, row.end, tuple(row.headings), row.first_page, row.last_page)
        found[row.id] = StoredPassage(row.id, row.document, row.title, row.kind, passage, row.label or "", row.ordinal)
    return [found[id] for id in wanted if id in found]


# Every search sends such a query, so each is built once.
@cache
def _select_passages(dialect: str) -> Select[Any]:
    columns = (*passages.c, documents.c.id.label("document"), documents.c.title, documents.c.kind, pages.c.label)
    first_page = and_(pages.c.generation == passages.c.generation, pages.c.number == passages.c.first_page)
    return select(*columns).select_from(_SHOWN.outerjoin(pages, first_page)).where(_are_passages(dialect))


@lru_cache(maxsize=1_000)
def _select_visible_passages(dialect: str, person: str) -> Select[Any]:
    return _select_passages(dialect).where(is_visible(person))


@cache
def _are_passages(dialect: str) -> ColumnElement[bool]:
    """Return the condition for rows of `passages` with the ids of `_write_ids`."""
    ids = bindparam("ids", type_=String)
    if dialect == "sqlite":
        return passages.c.id.in_(select(func.json_each(ids).table_valued("value").c.value))
    return passages.c.id == any_(cast(ids, ARRAY(BigInteger)))


def _write_ids(connection: Connection, ids: Sequence[int]) -> dict[str, str]:
    """Return ids as one value, however many they are: a driver that writes each number takes longer."""
    first, last = "[]" if connection.dialect.name == "sqlite" else "{}"
    return {"ids": first + ",".join(map(str, ids)) + last}
