"""Make the scope of a search from the names that a person gives for a library and for documents."""

from collections.abc import Sequence

from sqlalchemy import Connection

from pincite.store import documents
from pincite.store.library_access import resolve_library
from pincite.types import Scope


def make_scope(
    connection: Connection, person: str, library: str | None = None, named: Sequence[str] | None = None
) -> Scope:
    """Return the scope of a library and of documents named by the beginnings of their ids.

    Without a name the scope covers everything that the person may see. Raise `NotFound` if a name leads nowhere.
    """
    key = None if library is None else resolve_library(connection, person, library, "reader")
    chosen = None if named is None else tuple(documents.get_by_prefix(connection, person, given).id for given in named)
    if key is None:
        return Scope(owner=person, documents=chosen)
    other = None if key.owner == person else key.owner
    return Scope(owner=person, library=key.name, library_owner=other, documents=chosen)
