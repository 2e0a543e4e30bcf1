"""Conditions for the documents and sources that a person may see or change.

A person sees their own documents, and those with a source in a library that is shared with them. They change their own
ones, and those with a source in a library in which they may write. Every query that is made for a person uses these
conditions, so that a share that was taken back is gone from the next query on.
"""

from typing import Any

from sqlalchemy import ColumnElement, Select, and_, exists, func, or_, select

from pincite.store.account_schema import library_shares
from pincite.store.library_shares import Access, reaches
from pincite.store.schema import documents, sources
from pincite.store.tag_schema import document_tags
from pincite.types import LibraryKey

_IS_OF_LIBRARY = and_(library_shares.c.owner == sources.c.owner, library_shares.c.library == sources.c.library)

_IS_TAGGED_SOURCE = and_(
    sources.c.owner == document_tags.c.owner,
    sources.c.library == document_tags.c.library,
    sources.c.document == document_tags.c.document,
)


def is_visible(person: str) -> ColumnElement[bool]:
    """Return the condition for rows of `documents` that a person may see."""
    return or_(documents.c.owner == person, documents.c.id.in_(_select_shared(person, "reader")))


def is_changeable(person: str) -> ColumnElement[bool]:
    """Return the condition for rows of `documents` that a person may change."""
    return or_(documents.c.owner == person, documents.c.id.in_(_select_shared(person, "writer")))


def is_source_visible(person: str, needed: Access = "reader") -> ColumnElement[bool]:
    """Return the condition for rows of `sources` in libraries in which a person may do what is needed."""
    return or_(sources.c.owner == person, exists().where(_IS_OF_LIBRARY, reaches(person, needed)))


def is_tag_visible(person: str) -> ColumnElement[bool]:
    """Return the condition for rows of `document_tags` in libraries that a person may see."""
    return exists().where(_IS_TAGGED_SOURCE, is_source_visible(person))


def has_tag_source() -> ColumnElement[bool]:
    """Return the condition for rows of `document_tags` whose document is still in the library of the tag."""
    return exists().where(_IS_TAGGED_SOURCE)


def select_with_tag(person: str, tag: str) -> Select[str]:
    """Return a query for the ids of the documents that have a tag which a person may see."""
    return select(document_tags.c.document).where(document_tags.c.tag == tag, is_tag_visible(person))


def select_visible(person: str) -> Select[str]:
    """Return a query for the ids of the documents that a person may see."""
    return select(documents.c.id).where(is_visible(person))


def select_in_library(person: str, library: LibraryKey) -> Select[str]:
    """Return a query for the ids of the documents in a library; none if the person may not see the library."""
    query = select(sources.c.document).where(sources.c.owner == library.owner, sources.c.library == library.name)
    return query if library.owner == person else query.where(is_source_visible(person))


def select_only_in(owner: str, library: str) -> Select[str]:
    """Return a query for the ids of the owner's documents that are in one library and in no other."""
    query = select(sources.c.document).where(sources.c.owner == owner).group_by(sources.c.document)
    return query.having(func.min(sources.c.library) == library, func.max(sources.c.library) == library)


def _select_shared(person: str, needed: Access) -> Select[Any]:
    return select(sources.c.document).join(library_shares, _IS_OF_LIBRARY).where(reaches(person, needed))
