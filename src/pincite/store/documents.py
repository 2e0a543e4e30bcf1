"""Store documents. `document_text.py` reads their text and pages. Nothing here begins or ends a transaction."""

import re
import time
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    and_,
    delete,
    false,
    func,
    insert,
    or_,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError

from pincite.errors import Denied, NotFound
from pincite.store import generations, library_shares
from pincite.store.content_slices import split_slices
from pincite.store.notices import send_notice
from pincite.store.schema import documents
from pincite.store.visible_documents import (
    is_changeable,
    is_visible,
    select_in_library,
    select_only_in,
    select_visible,
    select_with_tag,
)
from pincite.types import Document, Kind, LibraryKey, Passage, Scope, Status

Order = Literal["created", "updated", "title", "name"]
# The `cut` of a stored version of a project's file: it has no passages, and only a citation or its id leads to it.
PROJECT_CUT = "project"
PROJECT_LIBRARY = "project:"  # begins the names of the libraries of such versions
_CLEARED = 500  # rows of content that are removed in the transaction that hides them; more would hold the lock for long


_LANGUAGES = (
    select(documents.c.language)
    .where(documents.c.passages > 0)
    .group_by(documents.c.language)
    .order_by(func.count().desc(), documents.c.language)
)


@dataclass(frozen=True, slots=True)
class Count:
    """The number of pages and passages in a generation."""

    pages: int
    passages: int


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """The row of a document: everything except its content."""

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

    @property
    def waiting_status(self) -> Status:
        """The status while the next step waits: searchable content stays searchable."""
        return "searchable" if self.passages else "queued"


def create(
    connection: Connection, owner: str, sha256: str, name: str, size: int, kind: Kind = "text"
) -> tuple[StoredDocument, bool]:
    """Return the owner's document with these bytes, created if needed, and whether it is new."""
    found = find_by_hash(connection, owner, sha256)
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
        # On PostgreSQL another server may add the same bytes at the same moment.
        with connection.begin_nested():
            connection.execute(insert(documents).values(row))
    except IntegrityError:
        found = find_by_hash(connection, owner, sha256)
        if found is None:
            raise
        return found, False
    return get(connection, str(row["id"])), True


def get(connection: Connection, document: str) -> StoredDocument:
    """Return the document with this id; raise `NotFound` if there is none.

    For work that the server does itself: a request of a person uses `get_visible` or `get_changeable`.
    """
    return _get_where(connection, document)


def get_many(connection: Connection, person: str, ids: Sequence[str]) -> list[StoredDocument]:
    """Return the documents with these ids that a person may see, in this order."""
    rows = connection.execute(select(documents).where(documents.c.id.in_(ids), is_visible(person)))
    found = {row.id: _make_document(row) for row in rows}
    return [found[id] for id in ids if id in found]


def get_by_prefix(connection: Connection, person: str, given: str) -> StoredDocument:
    """Return the only document that a person may see whose id has this prefix; raise `NotFound` for none or several."""
    query = select(documents).where(is_visible(person), documents.c.id.startswith(given, autoescape=True))
    rows = connection.execute(query.limit(2)).all() if given else []
    if len(rows) != 1:
        said = "More than one document's id begins with" if rows else "There is no document"
        raise NotFound(f"{said} {given}.", "`pincite documents` lists them.", "document")
    return _make_document(rows[0])


def get_visible(connection: Connection, person: str, document: str) -> StoredDocument:
    """Return the document with this id; raise `NotFound` unless the person may see it."""
    return _get_where(connection, document, is_visible(person))


def get_changeable(connection: Connection, person: str, document: str) -> StoredDocument:
    """Return the document with this id; raise `NotFound` unless the person may see it, `Denied` if they may only read.

    `document` may be a prefix of an id.
    """
    found = get_by_prefix(connection, person, document)
    try:
        return _get_where(connection, found.id, is_changeable(person))
    except NotFound:
        message, hint = "You may read this document but not change it.", "Ask the owner of its library."
        raise Denied(message, hint, "access") from None


def find_by_hash(connection: Connection, owner: str, sha256: str) -> StoredDocument | None:
    """Return the owner's document with these bytes, or None."""
    query = select(documents).where(documents.c.owner == owner, documents.c.sha256 == sha256)
    row = connection.execute(query).one_or_none()
    return _make_document(row) if row else None


def find(
    connection: Connection,
    person: str,
    library: LibraryKey | None = None,
    statuses: Sequence[Status] | None = None,
    order: Order = "created",
) -> list[StoredDocument]:
    """Return the documents that a person may see, filtered by library and status if given; none of a project."""
    query = select(documents).where(is_visible(person), documents.c.cut != PROJECT_CUT)
    if library is not None:
        query = query.where(documents.c.id.in_(select_in_library(person, library)))
    if statuses is not None:
        query = query.where(documents.c.status.in_(statuses))
    return [_make_document(row) for row in connection.execute(query.order_by(documents.c[order], documents.c.id))]


def find_owned(connection: Connection, owner: str | None) -> list[StoredDocument]:
    """Return the documents that belong to an owner, or to all owners, the oldest first; none of a project."""
    query = select(documents).where(documents.c.cut != PROJECT_CUT)
    if owner is not None:
        query = query.where(documents.c.owner == owner)
    return [_make_document(row) for row in connection.execute(query.order_by(documents.c.created, documents.c.id))]


def list_ids_in_scope(connection: Connection, scope: Scope) -> frozenset[str] | None:
    """Return the ids of the documents in a scope, or None if the scope covers all documents."""
    meant: list[ColumnElement[bool]] = []
    if scope.library_key is not None:
        meant.append(documents.c.id.in_(select_in_library(scope.owner, scope.library_key)))
    if scope.libraries is not None:
        inside = [documents.c.id.in_(select_in_library(scope.owner, key)) for key in scope.libraries]
        meant.append(or_(false(), *inside))
    meant += [documents.c.id.in_(select_with_tag(scope.owner, tag)) for tag in scope.tags or ()]
    if scope.without is not None:
        meant.append(documents.c.id.not_in(select_only_in(scope.owner, scope.without)))
    if scope.kinds is not None:
        meant.append(documents.c.kind.in_(scope.kinds))
    if scope.languages is not None:
        meant.append(documents.c.language.in_(scope.languages))
    if scope.since is not None:
        meant.append(documents.c.date >= scope.since)
    if scope.until is not None:
        meant.append(documents.c.date <= scope.until)
    total = None
    if scope.documents is None:
        # Most searches cover all documents, and counting one's own is much cheaper than listing them.
        own = func.count().filter(and_(documents.c.owner == scope.owner, *meant))
        total, owned = connection.execute(select(func.count(), own).select_from(documents)).one()
        if owned == total:
            return None
    found = frozenset(connection.scalars(select_visible(scope.owner).where(*meant)))
    if len(found) == total:
        return None
    return found if scope.documents is None else found & frozenset(scope.documents)


def list_languages(connection: Connection) -> list[str]:
    """Return the languages of documents, most frequent first; "" stands for an unknown one."""
    return list(connection.scalars(_LANGUAGES))


def set_status(connection: Connection, document: str, status: Status, error: str = "", code: str = "") -> None:
    """Set the status of a document, and the message and code of its error if it failed."""
    change = update(documents).where(documents.c.id == document).returning(documents.c.owner)
    values = {"status": status, "error": error, "error_code": code, "updated": time.time()}
    for owner in connection.scalars(change.values(**values)):
        send_notice(connection, "documents", owner)


def set_title(connection: Connection, document: str, title: str) -> None:
    """Set a title chosen by a user, which stays when the document is read again."""
    change = update(documents).where(documents.c.id == document)
    connection.execute(change.values(title=title, given_title=title, updated=time.time()))


def touch(connection: Connection, document: str) -> None:
    """Note that something about a document has changed, so that pages that list it load it again."""
    change = update(documents).where(documents.c.id == document).returning(documents.c.owner)
    for owner in connection.scalars(change.values(updated=time.time())):
        send_notice(connection, "documents", owner)


def write_content(
    connection: Connection, id: str, document: Document, pieces: Sequence[Passage], cut: str = ""
) -> list[int]:
    """Store the content and passages of a document in place of the old ones; return the new passage ids in order."""
    former = get(connection, id).generation
    generation = generations.begin(connection, id)
    generations.add_texts(connection, generation, list(split_slices(document.text)))
    generations.add_pages(connection, generation, document.pages)
    generations.add_blocks(connection, generation, 0, document.blocks)
    ids = generations.add_passages(connection, generation, 0, pieces)
    show_generation(connection, id, generation, document, Count(len(document.pages), len(pieces)), cut)
    while former is not None and not generations.clear(connection, former, _CLEARED):
        pass
    return ids


def show_generation(
    connection: Connection, id: str, generation: int, document: Document, count: Count, cut: str, analysis: int = 0
) -> None:
    """Make a generation visible and update the document's row; the text and pages of `document` are not used."""
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
        date=_find_date(document.metadata),
        cut=cut,
        analysis=analysis,
        updated=time.time(),
    )


def remove(connection: Connection, document: str) -> bool:
    """Remove a document, and return whether it existed.

    Its content is hidden at once, and removed with it if it is small; `generations.list_removable` lists the rest.
    """
    columns = (documents.c.owner, documents.c.generation)
    row = connection.execute(select(*columns).where(documents.c.id == document)).first()
    if row is None:
        return False
    connection.execute(delete(documents).where(documents.c.id == document))
    library_shares.remove_of_empty(connection, row.owner)
    if row.generation is not None:
        generations.clear(connection, row.generation, _CLEARED)
    return True


def hide(connection: Connection, document: str) -> None:
    """Hide the content of a document, so that it can be removed in small steps."""
    change = update(documents).where(documents.c.id == document)
    connection.execute(change.values(generation=None, status="failed", passages=0, pages=0))


def list_owned(connection: Connection, owner: str) -> list[tuple[str, str]]:
    """Return the id and the hash of each of the owner's documents, those of projects too."""
    query = select(documents.c.id, documents.c.sha256).where(documents.c.owner == owner)
    return [(row.id, row.sha256) for row in connection.execute(query.order_by(documents.c.id))]


def list_hashes(connection: Connection) -> set[str]:
    """Return the hashes of every owner's documents."""
    return set(connection.scalars(select(documents.c.sha256)))


def sum_bytes(connection: Connection) -> int:
    """Return the bytes of every owner's files, each counted once."""
    each = select(documents.c.sha256, func.max(documents.c.bytes).label("bytes")).group_by(documents.c.sha256)
    return int(connection.scalar(select(func.sum(each.subquery().c.bytes))) or 0)


def is_hash_in_use(connection: Connection, sha256: str) -> bool:
    """Return whether any owner still has a document with these bytes."""
    query = select(func.count()).select_from(documents).where(documents.c.sha256 == sha256)
    return bool(connection.scalar(query))


def _get_where(connection: Connection, document: str, *conditions: ColumnElement[bool]) -> StoredDocument:
    row = connection.execute(select(documents).where(documents.c.id == document, *conditions)).one_or_none()
    if row is None:
        raise NotFound(f"There is no document {document}.", "`pincite documents` lists them.", "document")
    return _make_document(row)


def _make_document(row: Row[Any]) -> StoredDocument:
    values = dict(row._mapping)
    return StoredDocument(**{**values, "problems": tuple(values["problems"])})


def _find_date(metadata: Mapping[str, str]) -> str | None:
    """Return the document's own date: the first ISO day in its metadata."""
    for key in ("date", "created", "modified"):
        if found := re.match(r"\d{4}-\d{2}-\d{2}", metadata.get(key, "")):
            return found[0]
    return None
