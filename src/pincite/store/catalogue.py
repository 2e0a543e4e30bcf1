"""List and count the documents that a person may see, and report the progress of each."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

from sqlalchemy import ColumnElement, Connection, and_, exists, func, or_, select

from pincite.store import document_sources, library_shares
from pincite.store import documents as rows
from pincite.store.account_schema import people
from pincite.store.documents import StoredDocument
from pincite.store.library_shares import Access
from pincite.store.schema import documents, jobs
from pincite.store.schema import sources as places_of
from pincite.store.sql_folding import fold_column, split_search_words
from pincite.store.visible_documents import (
    is_source_visible,
    is_visible,
    select_in_library,
    select_only_in,
    select_visible,
    select_with_tag,
)
from pincite.types import Kind, LibraryKey, Status

Order = Literal["newest", "oldest", "title", "size"]


@dataclass(frozen=True, slots=True)
class _SortKey:
    """A column by which a list is sorted: `fold` is applied to it and to the value that it is compared with."""

    column: ColumnElement[Any]
    is_descending: bool = False
    fold: Callable[[Any], Any] = lambda value: value

    @property
    def ordered(self) -> ColumnElement[Any]:
        folded = self.fold(self.column)
        return cast("ColumnElement[Any]", folded.desc() if self.is_descending else folded)

    def follows(self, value: object) -> ColumnElement[bool]:
        folded = self.fold(self.column)
        return cast(
            "ColumnElement[bool]", folded < self.fold(value) if self.is_descending else folded > self.fold(value)
        )

    def equals(self, value: object) -> ColumnElement[bool]:
        return cast("ColumnElement[bool]", self.fold(self.column) == self.fold(value))


_NEWEST = (_SortKey(documents.c.created, is_descending=True), _SortKey(documents.c.id, is_descending=True))
_ORDERS: dict[Order, tuple[_SortKey, ...]] = {
    "newest": _NEWEST,
    "oldest": (_SortKey(documents.c.created), _SortKey(documents.c.id)),
    "title": (_SortKey(documents.c.title, fold=func.lower), _SortKey(documents.c.name), *_NEWEST),
    "size": (_SortKey(documents.c.bytes, is_descending=True), *_NEWEST),
}
Mark = tuple[int, float | None, float | None]


@dataclass(frozen=True, slots=True)
class Filter:
    """Select documents by their properties; None leaves a filter off. `words` match the title or the file name.

    `folder` is an upload folder and includes its subfolders. `without` names one of the person's own libraries and
    excludes the documents that are only there.
    """

    library: LibraryKey | None = None
    statuses: Collection[Status] | None = None
    kinds: Collection[Kind] | None = None
    words: str | None = None
    folder: str | None = None
    without: str | None = None
    tags: Collection[str] = ()


@dataclass(frozen=True, slots=True)
class LibraryTotal:
    """A library that a person may see: its number of documents and their size in bytes.

    `key` is the name by which the person addresses it, `access` what they may do with it, and `is_shared` whether
    somebody besides its owner may see it.
    """

    key: str
    name: str
    owner: str
    owner_name: str
    access: Access
    is_shared: bool
    documents: int
    bytes: int


@dataclass(frozen=True, slots=True)
class VisibleTotal:
    """Totals over all documents that a person may see; `bytes` counts the original files."""

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


def compute_mark(connection: Connection, person: str) -> Mark:
    """Return a value that changes whenever a document that a person may see is added, changed or removed."""
    updated = documents.c.updated
    # The latest time alone does not suffice: another server's clock may be behind.
    query = select(func.count(), func.max(updated), func.sum(updated)).where(is_visible(person))
    count, latest, sum_of_all = connection.execute(query).one()
    return count, latest, sum_of_all


def list_progress(connection: Connection, person: str, document: str | None = None) -> dict[str, DocumentProgress]:
    """Return the progress of the documents that a person may see, or of one, by id; the newest last."""
    waits = exists().where(jobs.c.document == documents.c.id)
    columns = documents.c
    columns_shown = (columns.title, columns.status, columns.error, waits, columns.error_code, columns.updated)
    query = select(columns.id, *columns_shown).where(is_visible(person), columns.cut != rows.PROJECT_CUT)
    if document is not None:
        query = query.where(columns.id == document)
    found = connection.execute(query.order_by(columns.created, columns.id))
    return {
        id: DocumentProgress(title, status, error, bool(waits), *rest)
        for id, title, status, error, waits, *rest in found
    }


def list_libraries(connection: Connection, person: str) -> list[LibraryTotal]:
    """Return the libraries that a person may see: their own by name, then those of others.

    A document with several sources in one library counts once.
    """
    columns = (places_of.c.owner, places_of.c.library)
    places = select(*columns, places_of.c.document).where(is_source_visible(person)).distinct().subquery()
    query = select(places.c.owner, people.c.name, places.c.library, func.count(), func.sum(documents.c.bytes))
    query = query.join(documents, documents.c.id == places.c.document).where(documents.c.cut != rows.PROJECT_CUT)
    query = query.outerjoin(people, people.c.id == places.c.owner)
    grouped = query.group_by(places.c.owner, people.c.name, places.c.library)
    shared = {(each.owner, each.library): each.access for each in library_shares.find_for_person(connection, person)}
    given = {each.library for each in library_shares.find(connection, person)}
    found = [
        LibraryTotal(
            document_sources.format_library_key(person, owner, name or "", library),
            library,
            owner,
            name or "",
            "owner" if owner == person else shared[owner, library],
            owner != person or library in given,
            count,
            int(size),
        )
        for owner, name, library, count, size in connection.execute(grouped)
        if owner == person or (owner, library) in shared
    ]
    return sorted(found, key=lambda each: (each.owner != person, each.owner_name, each.name))


def count_total(connection: Connection, person: str) -> VisibleTotal:
    """Count the documents that a person may see, and their pages, passages and bytes."""
    columns = (documents.c.pages, documents.c.passages, documents.c.bytes)
    query = select(func.count(), *(func.coalesce(func.sum(column), 0) for column in columns))
    seen = query.where(is_visible(person), documents.c.cut != rows.PROJECT_CUT)
    return VisibleTotal(*map(int, connection.execute(seen).one()))


def count_only_in(connection: Connection, person: str, library: str) -> int:
    """Count the documents of a person that are in one of their libraries and in no other."""
    query = select(func.count()).where(documents.c.id.in_(select_only_in(person, library)))
    return int(connection.scalar(query.where(documents.c.cut != rows.PROJECT_CUT)) or 0)


def has_documents(connection: Connection, person: str) -> bool:
    """Whether there is a document that a person may see, read or not."""
    seen = select(documents.c.id).where(is_visible(person), documents.c.cut != rows.PROJECT_CUT)
    return connection.scalar(seen.limit(1)) is not None


def count_original_bytes(connection: Connection) -> int:
    """Return the size of all owners' files in bytes; identical files are stored and counted once."""
    kept = select(documents.c.sha256, func.max(documents.c.bytes).label("bytes")).group_by(documents.c.sha256)
    kept = kept.where(documents.c.cut != rows.PROJECT_CUT)
    return int(connection.scalar(select(func.coalesce(func.sum(kept.subquery().c.bytes), 0))) or 0)


def find(
    connection: Connection,
    person: str,
    wanted: Filter,
    limit: int,
    after: Sequence[object] = (),
    order: Order = "newest",
) -> tuple[list[StoredDocument], int]:
    """Return up to `limit` documents that a person may see, and the number of all that match.

    With `after`, the values of `list_sort_values` for a document, those that come after it in this order.
    """
    query = select_visible(person).where(documents.c.cut != rows.PROJECT_CUT)
    if wanted.library is not None:
        query = query.where(documents.c.id.in_(select_in_library(person, wanted.library)))
    if wanted.without is not None:
        query = query.where(documents.c.id.not_in(select_only_in(person, wanted.without)))
    if wanted.folder:
        query = query.where(documents.c.id.in_(document_sources.select_in_folder(person, wanted.folder)))
    for tag in wanted.tags:
        query = query.where(documents.c.id.in_(select_with_tag(person, tag)))
    if wanted.statuses is not None:
        query = query.where(documents.c.status.in_(wanted.statuses))
    if wanted.kinds is not None:
        query = query.where(documents.c.kind.in_(wanted.kinds))
    if wanted.words:
        named = [fold_column(connection, column) for column in (documents.c.title, documents.c.name)]
        for word in split_search_words(wanted.words):
            query = query.where(or_(*(column.contains(word, autoescape=True) for column in named)))
    total = connection.scalar(select(func.count()).select_from(query.subquery())) or 0
    keys = _ORDERS[order]
    if after:
        pairs = list(zip(keys, after, strict=True))
        steps = [
            and_(*(former.equals(known) for former, known in pairs[:place]), key.follows(value))
            for place, (key, value) in enumerate(pairs)
        ]
        query = query.where(or_(*steps))
    ordered = query.order_by(*(key.ordered for key in keys)).limit(limit)
    return rows.get_many(connection, person, connection.scalars(ordered).all()), total


def list_sort_values(document: StoredDocument, order: Order) -> list[Any]:
    """Return the values by which a document is sorted in an order."""
    return [getattr(document, str(key.column.key)) for key in _ORDERS[order]]
