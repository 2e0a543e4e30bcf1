"""Make the scope of a search from the names that a person gives for a library, for documents and for tags."""

from collections.abc import Sequence
from dataclasses import replace

from sqlalchemy import Connection

from pincite.store import document_tags, documents
from pincite.store.library_access import resolve_library
from pincite.types import Scope


def make_scope(
    connection: Connection,
    person: str,
    library: str | None = None,
    named: Sequence[str] | None = None,
    tags: Sequence[str] | None = None,
) -> Scope:
    """Return the scope of a library, of documents named by the beginnings of their ids, and of tags.

    Without a name the scope covers everything that the person may see. Raise `NotFound` if a name leads nowhere.
    """
    key = None if library is None else resolve_library(connection, person, library, "reader")
    chosen = None if named is None else tuple(documents.get_by_prefix(connection, person, given).id for given in named)
    if tags:
        document_tags.check_known(connection, person, tags)
    scope = Scope(owner=person, documents=chosen, tags=tuple(tags) if tags else None)
    if key is None:
        return scope
    return replace(scope, library=key.name, library_owner=None if key.owner == person else key.owner)
