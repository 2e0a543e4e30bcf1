"""Store groups of people."""

import uuid
from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import Connection, delete, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from pincite.errors import NotFound, Taken
from pincite.store.account_schema import group_members, groups, people
from pincite.store.people import COLUMNS, StoredPerson, fold_key


@dataclass(frozen=True, slots=True)
class StoredGroup:
    """A group and the number of its members."""

    id: str
    name: str
    created: float
    members: int = 0


def create(connection: Connection, name: str, now: float) -> StoredGroup:
    """Create a group; raise `Taken` if there is one of that name."""
    _check_name(connection, name)
    made = StoredGroup(uuid.uuid4().hex, name, now)
    values = {"id": made.id, "name": name, "name_key": fold_key(name), "created": now}
    try:
        connection.execute(insert(groups).values(values))
    except IntegrityError:
        raise _make_taken_error() from None
    return made


def get(connection: Connection, given: str) -> StoredGroup:
    """Return the group with this id or name; raise `NotFound` if there is none."""
    found = _select(connection, given)
    if not found:
        raise NotFound(f"There is no group {given}.", "`pincite accounts groups list` lists them.", "group")
    # A name may look like another group's id: the id is meant.
    return next((group for group in found if group.id == given), found[0])


def find(connection: Connection) -> list[StoredGroup]:
    """Return all groups, by name."""
    return _select(connection)


def find_by_member(connection: Connection, person: str) -> list[StoredGroup]:
    """Return the groups of a person, by name."""
    ours = set(connection.scalars(select(group_members.c.group).where(group_members.c.person == person)))
    return [group for group in _select(connection) if group.id in ours]


def list_members(connection: Connection, group: str) -> list[StoredPerson]:
    """Return the people in a group, by name."""
    query = select(*COLUMNS).join(group_members, group_members.c.person == people.c.id)
    rows = connection.execute(query.where(group_members.c.group == group).order_by(people.c.name_key))
    return [StoredPerson(*row) for row in rows]


def list_member_names(connection: Connection) -> dict[str, list[tuple[str, str]]]:
    """Return the ids and names of the members of every group that has any, by name."""
    query = select(group_members.c.group, people.c.id, people.c.name)
    rows = connection.execute(query.join(people, people.c.id == group_members.c.person).order_by(people.c.name_key))
    found: dict[str, list[tuple[str, str]]] = {}
    for group, person, name in rows:
        found.setdefault(group, []).append((person, name))
    return found


def find_names(connection: Connection, ids: Collection[str]) -> dict[str, str]:
    """Return the names of those of these groups that still exist."""
    rows = connection.execute(select(groups.c.id, groups.c.name).where(groups.c.id.in_(set(ids))))
    return {row.id: row.name for row in rows}


def rename(connection: Connection, group: str, name: str) -> None:
    """Rename a group; raise `Taken` if there is another of that name."""
    _check_name(connection, name, other_than=group)
    values = {"name": name, "name_key": fold_key(name)}
    try:
        connection.execute(update(groups).where(groups.c.id == group).values(values))
    except IntegrityError:
        raise _make_taken_error() from None


def remove(connection: Connection, group: str) -> None:
    """Remove a group; what was shared with it is shared with its members no longer."""
    connection.execute(delete(groups).where(groups.c.id == group))


def add_member(connection: Connection, group: str, person: str) -> bool:
    """Put a person into a group; return False if they are in it already."""
    if _is_member(connection, group, person):
        return False
    try:
        with connection.begin_nested():
            connection.execute(insert(group_members).values({"group": group, "person": person}))
    except IntegrityError:
        if _is_member(connection, group, person):  # another transaction added them at the same moment
            return False
        raise NotFound("There is no such person or group.", "Check the ids.", "group") from None
    return True


def remove_member(connection: Connection, group: str, person: str) -> bool:
    """Take a person out of a group; return False if they were not in it."""
    ours = (group_members.c.group == group, group_members.c.person == person)
    return bool(connection.execute(delete(group_members).where(*ours)).rowcount)


def _is_member(connection: Connection, group: str, person: str) -> bool:
    ours = (group_members.c.group == group, group_members.c.person == person)
    return connection.scalar(select(group_members.c.person).where(*ours)) is not None


def _select(connection: Connection, given: str | None = None) -> list[StoredGroup]:
    members = select(func.count()).where(group_members.c.group == groups.c.id).scalar_subquery()
    query = select(groups.c.id, groups.c.name, groups.c.created, members).order_by(groups.c.name_key)
    if given is not None:
        query = query.where(or_(groups.c.id == given, groups.c.name_key == fold_key(given.strip())))
    return [StoredGroup(*row) for row in connection.execute(query)]


def _check_name(connection: Connection, name: str, other_than: str = "") -> None:
    query = select(groups.c.id).where(groups.c.name_key == fold_key(name), groups.c.id != other_than)
    if connection.scalar(query) is not None:
        raise _make_taken_error()


def _make_taken_error() -> Taken:
    return Taken("There is a group of that name already.", "Choose another name.", "name")
