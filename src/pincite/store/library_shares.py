"""Store with whom libraries are shared: people, groups or everyone, and how much they may do."""

import uuid
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Literal

from sqlalchemy import ColumnElement, Connection, Select, and_, delete, exists, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from pincite.errors import NotFound
from pincite.store.account_schema import group_members, library_shares, people
from pincite.store.schema import sources

Access = Literal["reader", "writer", "owner"]
RANKS: tuple[Access, ...] = ("reader", "writer", "owner")


@dataclass(frozen=True, slots=True)
class LibraryShare:
    """A library of `owner` that is shared with a person, with a group or with everyone; the others are unset."""

    id: str
    owner: str
    library: str
    person: str | None
    group: str | None
    everyone: bool
    access: Access
    created: float


@dataclass(frozen=True, slots=True)
class SharedLibrary:
    """A library of somebody else, and what a person may do with it."""

    owner: str
    library: str
    access: Access


def put(
    connection: Connection,
    owner: str,
    library: str,
    access: Access,
    now: float,
    *,
    person: str | None = None,
    group: str | None = None,
    everyone: bool = False,
) -> LibraryShare:
    """Share a library with a person, a group or everyone, or change what they may do with it."""
    for _ in range(2):  # another transaction may share it at the same moment: then change that share
        if found := _get(connection, owner, library, person, group, everyone):
            connection.execute(update(library_shares).where(library_shares.c.id == found.id).values(access=access))
            return LibraryShare(found.id, owner, library, person, group, everyone, access, found.created)
        made = LibraryShare(uuid.uuid4().hex, owner, library, person, group, everyone, access, now)
        try:
            with connection.begin_nested():
                connection.execute(insert(library_shares).values(asdict(made)))
            return made
        except IntegrityError:
            continue
    raise NotFound("There is no such person or group.", "Check the ids.", "person")


def find(connection: Connection, owner: str | None, library: str | None = None) -> list[LibraryShare]:
    """Return the shares of all libraries, of an owner's libraries, or of one of them, in the order they were made."""
    query = select(library_shares)
    if owner is not None:
        query = query.where(library_shares.c.owner == owner)
    if library is not None:
        query = query.where(library_shares.c.library == library)
    rows = connection.execute(query.order_by(library_shares.c.created, library_shares.c.id))
    return [LibraryShare(*row) for row in rows]


def find_for_person(connection: Connection, person: str) -> list[SharedLibrary]:
    """Return the libraries of others that a person may use, each with the most that any share allows."""
    query = select(library_shares.c.owner, library_shares.c.library, library_shares.c.access)
    found: dict[tuple[str, str], list[Access]] = {}
    for owner, library, access in connection.execute(query.where(reaches(person))):
        found.setdefault((owner, library), []).append(access)
    if not found:
        return []
    changes = _may_change(connection, person)
    return [SharedLibrary(*key, _find_most(accesses, changes)) for key, accesses in sorted(found.items())]


def find_access(connection: Connection, person: str, owner: str, library: str) -> Access | None:
    """Return the most that a person may do with a library by any share; None if they may not see it.

    A guest is a reader, whatever the shares say.
    """
    if person == owner:
        return "owner"
    query = select(library_shares.c.access).where(
        library_shares.c.owner == owner, library_shares.c.library == library, reaches(person)
    )
    accesses = connection.scalars(query).all()
    return _find_most(accesses, _may_change(connection, person)) if accesses else None


def remove(connection: Connection, owner: str, library: str, id: str) -> LibraryShare:
    """Remove a share of a library; raise `NotFound` if there is none with this id."""
    found = next((share for share in find(connection, owner, library) if share.id == id), None)
    if found is None:
        raise NotFound("There is no such share.", "It may have been removed already.", "share")
    connection.execute(delete(library_shares).where(library_shares.c.id == id))
    return found


def remove_of_empty(connection: Connection, owner: str) -> None:
    """Remove the shares of an owner's libraries that have no source, so that no new library inherits them."""
    is_of_it = (sources.c.owner == library_shares.c.owner, sources.c.library == library_shares.c.library)
    has_source = exists().where(*is_of_it)
    connection.execute(delete(library_shares).where(library_shares.c.owner == owner, ~has_source))


def reaches(person: str, needed: Access = "reader") -> ColumnElement[bool]:
    """Return the condition for shares that let a person do what is needed; never one of the person's own libraries."""
    groups = select(group_members.c.group).where(group_members.c.person == person)
    # One's own library needs no share, and a share with a group of oneself must not limit it.
    is_reached = or_(library_shares.c.person == person, library_shares.c.group.in_(groups), library_shares.c.everyone)
    condition = and_(is_reached, library_shares.c.owner != person)
    if needed == "reader":
        return condition
    allowed = RANKS[RANKS.index(needed) :]
    return and_(condition, library_shares.c.access.in_(allowed), exists(_select_member(person)))


def _select_member(person: str) -> Select[str]:
    """Return a query for the person if they are no guest."""
    return select(people.c.id).where(people.c.id == person, people.c.role != "guest")


def _may_change(connection: Connection, person: str) -> bool:
    return connection.scalar(_select_member(person)) is not None


def _find_most(accesses: Iterable[Access], changes: bool) -> Access:
    return max(accesses, key=RANKS.index) if changes else "reader"


def _get(
    connection: Connection, owner: str, library: str, person: str | None, group: str | None, everyone: bool
) -> LibraryShare | None:
    query = select(library_shares).where(
        library_shares.c.owner == owner,
        library_shares.c.library == library,
        library_shares.c.person.is_(None) if person is None else library_shares.c.person == person,
        library_shares.c.group.is_(None) if group is None else library_shares.c.group == group,
        library_shares.c.everyone.is_(everyone),
    )
    row = connection.execute(query.with_for_update()).one_or_none()
    return None if row is None else LibraryShare(*row)
