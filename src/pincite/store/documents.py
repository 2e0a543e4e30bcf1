"""Documents as rows: a connection and a noun in, frozen rows out. Nothing here opens or ends a transaction."""

import re
import time
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import Connection, Row, Select, bindparam, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from pincite.errors import NotFound
from pincite.store import generations, layout
from pincite.store.content import SLICE, slices
from pincite.store.tables import documents, pages, sources, texts
from pincite.types import Document, Kind, Page, Passage, Scope, Status

Order = Literal["created", "updated", "title", "name"]
_CLEARED = 500  # rows of content that go in the transaction that hides them; more would hold the lock for long


# Built once: every hit of every search asks for its text.
_SLICES = (
    select(texts.c.text)
    .join(documents, documents.c.generation == texts.c.generation)
    .where(documents.c.id == bindparam("id"))
    .where(texts.c.start >= bindparam("first"), texts.c.start < bindparam("last"))
    .order_by(texts.c.start)
)


@dataclass(frozen=True, slots=True)
class Count:
    """How many pages and passages a generation has."""

    pages: int
    passages: int


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """A document's row: everything about it except what it says."""

    id: str
    owner: str
    sha256: str
    kind: Kind
    title: str
    name: str
    language: str
    status: Status
    error: str
    problems: tuple[str, ...]
    pages: int
    passages: int
    bytes: int
    metadata: Mapping[str, str]
    date: str | None
    analysis: int
    cut: str
    created: float
    updated: float
    error_code: str = ""
    given_title: str = ""
    generation: int | None = None


def create(
    connection: Connection, owner: str, sha256: str, name: str, size: int, kind: Kind = "text"
) -> tuple[StoredDocument, bool]:
    """The owner's document with these bytes, and whether it is new."""
    found = by_hash(connection, owner, sha256)
    if found:
        return found, False
    now = time.time()
    row = {
        "id": uuid.uuid4().hex,
        "owner": owner,
        "sha256": sha256,
        "kind": kind,
        "title": name,
        "name": name,
        "language": "",
        "status": "queued",
        "error": "",
        "problems": [],
        "pages": 0,
        "passages": 0,
        "bytes": size,
        "metadata": {},
        "date": None,
        "analysis": 0,
        "cut": "",
        "created": now,
        "updated": now,
    }
    try:
        # On PostgreSQL another server may be adding the same bytes at this very moment.
        with connection.begin_nested():
            connection.execute(insert(documents).values(row))
    except IntegrityError:
        found = by_hash(connection, owner, sha256)
        if found is None:
            raise
        return found, False
    return get(connection, str(row["id"])), True


def get(connection: Connection, document: str) -> StoredDocument:
    """The document with this id; `NotFound` when there is none."""
    row = connection.execute(select(documents).where(documents.c.id == document)).one_or_none()
    if row is None:
        raise NotFound(f"There is no document {document}.", "`pincite documents` lists them.")
    return _stored(row)


def all_of(connection: Connection, ids: Sequence[str]) -> list[StoredDocument]:
    """The documents with these ids, in this order; those that are not there are left out."""
    found = {row.id: _stored(row) for row in connection.execute(select(documents).where(documents.c.id.in_(ids)))}
    return [found[id] for id in ids if id in found]


def matching(connection: Connection, owner: str, given: str) -> StoredDocument:
    """The owner's one document whose id begins so; `NotFound` when there is none, or more than one."""
    query = select(documents).where(documents.c.owner == owner, documents.c.id.startswith(given, autoescape=True))
    rows = connection.execute(query.limit(2)).all() if given else []
    if len(rows) != 1:
        said = "More than one document's id begins with" if rows else "There is no document"
        raise NotFound(f"{said} {given}.", "`pincite documents` lists them.")
    return _stored(rows[0])


def by_hash(connection: Connection, owner: str, sha256: str) -> StoredDocument | None:
    """The owner's document with these bytes, if there is one."""
    query = select(documents).where(documents.c.owner == owner, documents.c.sha256 == sha256)
    row = connection.execute(query).one_or_none()
    return _stored(row) if row else None


def find(
    connection: Connection,
    owner: str,
    library: str | None = None,
    statuses: Sequence[Status] | None = None,
    order: Order = "created",
) -> list[StoredDocument]:
    """The owner's documents, in a library or all, with one of these statuses or any."""
    query = select(documents).where(documents.c.owner == owner)
    if library is not None:
        query = query.where(documents.c.id.in_(in_library(owner, library)))
    if statuses is not None:
        query = query.where(documents.c.status.in_(statuses))
    return [_stored(row) for row in connection.execute(query.order_by(documents.c[order], documents.c.id))]


def in_scope(connection: Connection, scope: Scope) -> frozenset[str] | None:
    """The ids of the documents a scope means; None when they are all there are."""
    query = select(documents.c.id).where(documents.c.owner == scope.owner)
    if scope.library is not None:
        query = query.where(documents.c.id.in_(in_library(scope.owner, scope.library)))
    if scope.without is not None:
        query = query.where(documents.c.id.not_in(only_in(scope.owner, scope.without)))
    if scope.kinds is not None:
        query = query.where(documents.c.kind.in_(scope.kinds))
    if scope.languages is not None:
        query = query.where(documents.c.language.in_(scope.languages))
    if scope.since is not None:
        query = query.where(documents.c.date >= scope.since)
    if scope.until is not None:
        query = query.where(documents.c.date <= scope.until)
    if scope.documents is None:
        # Most searches are over everything: counting is much cheaper than naming it all.
        meant = connection.scalar(select(func.count()).select_from(query.subquery()))
        if meant == connection.scalar(select(func.count()).select_from(documents)):
            return None
    found = frozenset(connection.scalars(query))
    return found if scope.documents is None else found & frozenset(scope.documents)


def languages(connection: Connection) -> list[str]:
    """The languages documents are in, the most frequent first; "" stands for an unknown one."""
    query = select(documents.c.language).where(documents.c.passages > 0).group_by(documents.c.language)
    return list(connection.scalars(query.order_by(func.count().desc(), documents.c.language)))


def set_status(connection: Connection, document: str, status: Status, error: str = "", code: str = "") -> None:
    """Say how far a document is, and why it failed if it did, in words and as a code."""
    change = update(documents).where(documents.c.id == document)
    connection.execute(change.values(status=status, error=error, error_code=code, updated=time.time()))


def set_title(connection: Connection, document: str, title: str) -> None:
    """Give a document a title of a person's choice, which stays when it is read again."""
    change = update(documents).where(documents.c.id == document)
    connection.execute(change.values(title=title, given_title=title, updated=time.time()))


def write_content(
    connection: Connection, id: str, document: Document, pieces: Sequence[Passage], cut: str = ""
) -> list[int]:
    """Store what was read, and how it was cut, in place of what was there; the passages' new ids come out, in order."""
    former = get(connection, id).generation
    generation = generations.begin(connection, id)
    generations.add_texts(connection, generation, list(slices(document.text)))
    generations.add_pages(connection, generation, document.pages)
    generations.add_blocks(connection, generation, 0, document.blocks)
    ids = generations.add_passages(connection, generation, 0, pieces)
    show(connection, id, generation, document, Count(len(document.pages), len(pieces)), cut)
    while former is not None and not generations.clear(connection, former, _CLEARED):
        pass
    return ids


def show(
    connection: Connection, id: str, generation: int, document: Document, count: Count, cut: str, analysis: int = 0
) -> None:
    """Make a generation visible, with what the row says of it; the text and pages in `document` do not matter."""
    generations.show(
        connection,
        id,
        generation,
        kind=document.kind,
        title=get(connection, id).given_title or document.title,
        language=document.language,
        problems=list(document.problems),
        pages=count.pages,
        passages=count.passages,
        metadata=dict(document.metadata),
        date=_day(document.metadata),
        cut=cut,
        analysis=analysis,
        updated=time.time(),
    )


def load(connection: Connection, id: str, boxes: bool = False, blocks: bool = True) -> Document:
    """A whole document as it was read; the boxes of its pages only when asked for, for they are large."""
    stored = get(connection, id)
    mine = stored.generation
    columns = [column for column in pages.c if boxes or column is not pages.c.boxes]
    found = connection.execute(select(*columns).where(pages.c.generation == mine).order_by(pages.c.number))
    pieces = connection.scalars(select(texts.c.text).where(texts.c.generation == mine).order_by(texts.c.start))
    return Document(
        kind=stored.kind,
        text="".join(pieces),
        title=stored.title,
        language=stored.language,
        pages=tuple(_page(row, row.boxes if boxes else b"") for row in found),
        blocks=layout.blocks(connection, id) if blocks else (),
        metadata=stored.metadata,
        problems=stored.problems,
    )


def text(connection: Connection, document: str, start: int, end: int) -> str:
    """The characters from start to end of a document's text."""
    first = start - start % SLICE
    found = "".join(connection.scalars(_SLICES, {"id": document, "first": first, "last": end}))
    return found[start - first : max(start, end) - first]


def page(connection: Connection, document: str, number: int) -> Page:
    """One page with its boxes; `NotFound` when the document has no such page."""
    query = select(pages).where(pages.c.generation == generations.of(document), pages.c.number == number)
    row = connection.execute(query).one_or_none()
    if row is None:
        raise NotFound(f"Document {document} has no page {number}.", "Pages are counted from 1.")
    return _page(row, row.boxes)


def pages_between(connection: Connection, document: str, start: int, end: int) -> list[Page]:
    """The pages that a stretch of a document's text stands on, with their boxes."""
    query = select(pages).where(
        pages.c.generation == generations.of(document), pages.c.start < end, pages.c.end > start
    )
    return [_page(row, row.boxes) for row in connection.execute(query.order_by(pages.c.number))]


def page_at(connection: Connection, document: str, start: int) -> Page | None:
    """The page, without its boxes, on which a character of a document's text stands; None where it has no pages."""
    columns = [column for column in pages.c if column is not pages.c.boxes]
    query = select(*columns).where(
        pages.c.generation == generations.of(document), pages.c.start <= start, pages.c.end > start
    )
    row = connection.execute(query.order_by(pages.c.number).limit(1)).one_or_none()
    return _page(row, b"") if row else None


def remove(connection: Connection, document: str) -> bool:
    """Remove a document, and say whether there was one.

    Its content is hidden at once, and goes with it when it is small; `generations.strays` lists what is left.
    """
    former = connection.scalar(select(documents.c.generation).where(documents.c.id == document))
    gone = connection.execute(delete(documents).where(documents.c.id == document)).rowcount > 0
    if former is not None:
        generations.clear(connection, former, _CLEARED)
    return gone


def hashes(connection: Connection) -> set[str]:
    """The hashes of every owner's documents."""
    return set(connection.scalars(select(documents.c.sha256)))


def bytes_in_use(connection: Connection, sha256: str) -> bool:
    """Whether any owner still has a document with these bytes."""
    query = select(func.count()).select_from(documents).where(documents.c.sha256 == sha256)
    return bool(connection.scalar(query))


def in_library(owner: str, library: str) -> Select[tuple[str]]:
    """A query for the ids of the documents that have a place in a library."""
    return select(sources.c.document).where(sources.c.owner == owner, sources.c.library == library)


def only_in(owner: str, library: str) -> Select[tuple[str]]:
    """A query for the ids of the documents that have places in one library and in no other."""
    query = select(sources.c.document).where(sources.c.owner == owner).group_by(sources.c.document)
    return query.having(func.min(sources.c.library) == library, func.max(sources.c.library) == library)


def _stored(row: Row[Any]) -> StoredDocument:
    values = dict(row._mapping)
    return StoredDocument(**{**values, "problems": tuple(values["problems"])})


def _page(row: Row[Any], boxes: bytes) -> Page:
    return Page(row.number, row.start, row.end, row.width, row.height, boxes, label=row.label)


def _day(metadata: Mapping[str, str]) -> str | None:
    """The document's own date: the first ISO day among those that readers note."""
    for key in ("date", "created", "modified"):
        if found := re.match(r"\d{4}-\d{2}-\d{2}", metadata.get(key, "")):
            return found[0]
    return None
