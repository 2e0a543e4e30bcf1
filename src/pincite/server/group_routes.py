"""HTTP routes for groups of people, and for the names of people and groups with whom a library can be shared."""

import time
from collections.abc import Mapping, Sequence
from typing import Annotated

from fastapi import APIRouter
from pydantic import BaseModel, Field

from pincite.accounts import people_groups
from pincite.accounts.audit import check_owner
from pincite.accounts.people_directory import list_directory
from pincite.server.account_routes import IN_TEAM_MODE
from pincite.server.dependencies import Body, Id, TheCaller, TheLibrary, Words
from pincite.store import groups
from pincite.store.database import Database
from pincite.store.groups import StoredGroup


class NamedPerson(BaseModel):
    """The id and name of a person."""

    id: str
    name: str


class NamedGroup(BaseModel):
    """The id and name of a group."""

    id: str
    name: str


class PeopleGroup(NamedGroup):
    """A group and its members, by name."""

    members: list[NamedPerson]


class PeopleGroups(BaseModel):
    """All groups, by name."""

    groups: list[PeopleGroup]


class GroupName(Body):
    """The name of a group."""

    name: Annotated[Words, Field(min_length=1, max_length=200, description="Unique, whatever its case and accents.")]


class Directory(BaseModel):
    """The people and groups with whom a library can be shared, by name."""

    people: list[NamedPerson]
    groups: list[NamedGroup]


def router() -> APIRouter:
    """Return the routes for groups and for the directory."""
    routes = APIRouter(tags=["people"], dependencies=IN_TEAM_MODE)

    @routes.get("/api/groups")
    def find(caller: TheCaller, library: TheLibrary) -> PeopleGroups:
        """List the groups with their members."""
        with library.database.reading() as connection:
            check_owner(connection, caller)
            members = groups.list_member_names(connection)
            return PeopleGroups(groups=[_make_group(each, members) for each in groups.find(connection)])

    @routes.post("/api/groups", status_code=201)
    def create(given: GroupName, caller: TheCaller, library: TheLibrary) -> PeopleGroup:
        """Make a group."""
        made = people_groups.create_group(library.database, caller, given.name, time.time())
        return _make_group(made, {})

    @routes.patch("/api/groups/{group}")
    def rename(group: Id, given: GroupName, caller: TheCaller, library: TheLibrary) -> PeopleGroup:
        """Rename a group."""
        changed = people_groups.rename_group(library.database, caller, group, given.name, time.time())
        return _read_group(library.database, changed)

    @routes.delete("/api/groups/{group}", status_code=204)
    def delete(group: Id, caller: TheCaller, library: TheLibrary) -> None:
        """Remove a group. Its members lose what was shared with it."""
        people_groups.remove_group(library.database, caller, group, time.time())

    @routes.put("/api/groups/{group}/members/{person}")
    def add_member(group: Id, person: Id, caller: TheCaller, library: TheLibrary) -> PeopleGroup:
        """Put a person into a group. Somebody who is in it already stays."""
        changed = people_groups.add_to_group(library.database, caller, group, person, time.time())
        return _read_group(library.database, changed)

    @routes.delete("/api/groups/{group}/members/{person}")
    def remove_member(group: Id, person: Id, caller: TheCaller, library: TheLibrary) -> PeopleGroup:
        """Take a person out of a group."""
        changed = people_groups.remove_from_group(library.database, caller, group, person, time.time())
        return _read_group(library.database, changed)

    @routes.get("/api/directory")
    def read_directory(caller: TheCaller, library: TheLibrary) -> Directory:
        """List the names of people and groups, to share a library with them. Guests do not see it."""
        found = list_directory(library.database, caller)
        return Directory(
            people=[NamedPerson(id=id, name=name) for id, name in found.people],
            groups=[NamedGroup(id=id, name=name) for id, name in found.groups],
        )

    return routes


def _read_group(database: Database, group: StoredGroup) -> PeopleGroup:
    with database.reading() as connection:
        found = groups.list_members(connection, group.id)
    return _make_group(group, {group.id: [(each.id, each.name) for each in found]})


def _make_group(group: StoredGroup, members: Mapping[str, Sequence[tuple[str, str]]]) -> PeopleGroup:
    found = members.get(group.id, ())
    return PeopleGroup(
        id=group.id, name=group.name, members=[NamedPerson(id=person, name=name) for person, name in found]
    )
