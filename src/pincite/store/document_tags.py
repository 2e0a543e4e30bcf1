"""Store the tags of documents, for each library in which a document is."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, and_, delete, func, insert, select

from pincite.errors import Misuse, NotFound
from pincite.store import documents as rows
from pincite.store.schema import sources
from pincite.store.tag_schema import document_tags
from pincite.store.visible_documents import has_tag_source, is_source_visible, is_tag_visible, select_with_tag
from pincite.types import LibraryKey


@dataclass(frozen=True, slots=True)
class TagTotal:
    """A tag, and the number of documents that have it."""

    tag: str
    documents: int


def clean_tag(tag: str) -> str:
    """Return a tag on one line. Raise `Misuse` for an empty one."""
    words = " ".join(tag.split())
    if not words:
        raise Misuse("A tag needs at least one character.", "Give a word.", "empty_tag")
    return words


def change(connection: Connection, person: str, document: str, add: Collection[str], remove: Collection[str]) -> None:
    """Add tags to a document and remove others, in every library in which a person may write."""
    stored = rows.get_changeable(connection, person, document)
    query = select(sources.c.owner, sources.c.library).where(sources.c.document == stored.id)
    places = connection.execute(query.where(is_source_visible(person, "writer")).distinct()).all()
    for owner, library in places:
        is_here = and_(
            document_tags.c.owner == owner,
            document_tags.c.library == library,
            document_tags.c.document == stored.id,
        )
        connection.execute(delete(document_tags).where(is_here, document_tags.c.tag.in_([*add, *remove])))
        added = [{"owner": owner, "library": library, "document": stored.id, "tag": tag} for tag in dict.fromkeys(add)]
        if added:
            connection.execute(insert(document_tags), added)
    rows.touch(connection, stored.id)


def find(connection: Connection, person: str, ids: Collection[str]) -> dict[str, tuple[str, ...]]:
    """Return the tags of documents, in alphabetical order, from the libraries that a person may see."""
    query = select(document_tags.c.document, document_tags.c.tag).distinct()
    query = query.where(document_tags.c.document.in_(ids), is_tag_visible(person))
    found: dict[str, list[str]] = defaultdict(list)
    for document, tag in connection.execute(query.order_by(document_tags.c.tag)):
        found[document].append(tag)
    return {document: tuple(tags) for document, tags in found.items()}


def list_tags(connection: Connection, person: str, library: LibraryKey | None = None) -> list[TagTotal]:
    """Return the tags that a person may see, of one library or of all, in alphabetical order."""
    query = select(document_tags.c.tag, func.count(document_tags.c.document.distinct()))
    query = query.where(is_tag_visible(person))
    if library is not None:
        query = query.where(document_tags.c.owner == library.owner, document_tags.c.library == library.name)
    grouped = query.group_by(document_tags.c.tag).order_by(document_tags.c.tag)
    return [TagTotal(tag, count) for tag, count in connection.execute(grouped)]


def check_known(connection: Connection, person: str, tags: Collection[str]) -> None:
    """Raise `NotFound` if no document that a person may see has one of these tags."""
    for tag in tags:
        if connection.scalar(select_with_tag(person, tag).limit(1)) is None:
            raise NotFound(f"No document has the tag {tag}.", "Check how it is written.", "tag")


def replace_document(connection: Connection, owner: str, library: str, former: str, new: str) -> None:
    """Give the tags of a document to the one that takes its place in a library."""
    for tag in find_in_library(connection, owner, library, former):
        if tag not in find_in_library(connection, owner, library, new):
            row = {"owner": owner, "library": library, "document": new, "tag": tag}
            connection.execute(insert(document_tags).values(row))


def replace_library(connection: Connection, owner: str, former: str, new: str, document: str) -> None:
    """Give a document the tags in one library that it had in another."""
    known = find_in_library(connection, owner, new, document)
    for tag in find_in_library(connection, owner, former, document):
        if tag not in known:
            row = {"owner": owner, "library": new, "document": document, "tag": tag}
            connection.execute(insert(document_tags).values(row))


def find_in_library(connection: Connection, owner: str, library: str, document: str) -> Sequence[str]:
    """Return the tags of a document in one library."""
    query = select(document_tags.c.tag).where(
        document_tags.c.owner == owner, document_tags.c.library == library, document_tags.c.document == document
    )
    return connection.scalars(query).all()


def remove_stray(connection: Connection, document: str) -> None:
    """Remove the tags of a document in libraries that it has left."""
    connection.execute(delete(document_tags).where(document_tags.c.document == document, ~has_tag_source()))
