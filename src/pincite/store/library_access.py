"""Resolve the name of a library, `NAME` for one's own and `~PERSON/NAME` for another person's, and check the access."""

from sqlalchemy import Connection

from pincite.errors import Denied, Misuse, NotFound
from pincite.store import document_sources, library_shares, people
from pincite.store.document_sources import OTHERS_MARK, format_library_key
from pincite.store.library_shares import RANKS, Access
from pincite.types import LibraryKey


def resolve_library(
    connection: Connection, person: str, given: str, needed: Access, *, may_be_new: bool = False
) -> LibraryKey:
    """Return the library that a person names.

    Raise `NotFound` if they may not see it, and `Denied` if they may see it but do no more. With `may_be_new`, a
    library of one's own need not exist yet; raise `Misuse` if it cannot have this name.
    """
    own = document_sources.list_libraries(connection, person)
    if given in own or (may_be_new and not given.startswith(OTHERS_MARK)):
        return LibraryKey(person, given)
    if not given.startswith(OTHERS_MARK):
        raise _make_own_missing(connection, person, given, own)
    name, slash, library = given.removeprefix(OTHERS_MARK).partition("/")
    if not slash and may_be_new:
        raise Misuse("The name of a library does not begin with ~.", "Choose another name.", "library_name")
    owner = people.find_id_by_name(connection, name) if library else None
    if owner is None:
        raise make_missing_library(given)
    if owner == person:
        if library not in own:
            raise make_missing_library(given)
        return LibraryKey(person, library)
    check_library_access(connection, person, owner, library, needed, given)
    return LibraryKey(owner, library)


def check_library_access(
    connection: Connection, person: str, owner: str, library: str, needed: Access, given: str = ""
) -> None:
    """Raise `NotFound` if a person may not see a library, and `Denied` if they may see it but do no more."""
    access = library_shares.find_access(connection, person, owner, library)
    if access is None:
        raise make_missing_library(given or library)
    if RANKS.index(access) < RANKS.index(needed):
        raise Denied(
            f"You are a {access} of this library and must be {needed}.", "Ask an owner of the library.", "access"
        )


def make_missing_library(given: str) -> NotFound:
    """Return the error for a library that does not exist, or that the person may not see."""
    return NotFound(f"There is no library {given}.", "Check its name and its owner.", "library")


def _make_own_missing(connection: Connection, person: str, given: str, own: list[str]) -> NotFound:
    known = own + [
        format_library_key(person, each.owner, people.get(connection, each.owner).name, each.library)
        for each in library_shares.find_for_person(connection, person)
    ]
    hint = f"There are {', '.join(known)}." if known else f"`pincite add FOLDER --library {given}` makes it."
    return NotFound(f"There is no library {given}.", hint, "library")
