"""List the people and groups with whom a library can be shared, by name and without anything else about them."""

from dataclasses import dataclass

from pincite.accounts.audit import Caller
from pincite.errors import Denied
from pincite.store import groups, people
from pincite.store.database import Database


@dataclass(frozen=True, slots=True)
class PeopleDirectory:
    """The ids and names of people and groups, by name."""

    people: list[tuple[str, str]]
    groups: list[tuple[str, str]]


def list_directory(database: Database, caller: Caller) -> PeopleDirectory:
    """Return the people who can sign in, and all groups; raise `Denied` for guests, who share nothing."""
    if caller.principal.role == "guest":
        raise Denied("Guests do not see the names of other people.", "Ask an owner of the server.", "role")
    with database.reading() as connection:
        found = [each for each in people.find(connection) if not (each.disabled or each.is_passing_guest)]
        return PeopleDirectory(
            [(each.id, each.name) for each in found], [(each.id, each.name) for each in groups.find(connection)]
        )
