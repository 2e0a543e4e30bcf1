"""Make groups of people, change who is in them, and remove them. Owners of the server do it."""

from pincite.accounts.audit import Caller, check_owner, record_action
from pincite.accounts.person_names import clean_name
from pincite.store import groups, people
from pincite.store.database import Database
from pincite.store.groups import StoredGroup


def create_group(database: Database, caller: Caller, name: str, now: float) -> StoredGroup:
    """Make a group; raise `Taken` if there is one of that name."""
    name = clean_name(name, "name of the group")
    with database.writing() as connection:
        check_owner(connection, caller)
        made = groups.create(connection, name, now)
        record_action(connection, caller, "group.create", now, target=made.id)
        return made


def rename_group(database: Database, caller: Caller, group: str, name: str, now: float) -> StoredGroup:
    """Rename a group; raise `Taken` if there is another of that name."""
    name = clean_name(name, "name of the group")
    with database.writing() as connection:
        check_owner(connection, caller)
        found = groups.get(connection, group)
        groups.rename(connection, found.id, name)
        record_action(connection, caller, "group.rename", now, target=found.id)
        return groups.get(connection, found.id)


def remove_group(database: Database, caller: Caller, group: str, now: float) -> StoredGroup:
    """Remove a group; its members keep what is shared with them by other ways."""
    with database.writing() as connection:
        check_owner(connection, caller)
        found = groups.get(connection, group)
        groups.remove(connection, found.id)
        record_action(connection, caller, "group.remove", now, target=found.id)
        return found


def add_to_group(database: Database, caller: Caller, group: str, person: str, now: float) -> StoredGroup:
    """Put a person into a group. Somebody who is in it already stays."""
    with database.writing() as connection:
        check_owner(connection, caller)
        found = groups.get(connection, group)
        if groups.add_member(connection, found.id, people.get(connection, person).id):
            record_action(connection, caller, "group.add", now, person, found.id)
        return groups.get(connection, found.id)


def remove_from_group(database: Database, caller: Caller, group: str, person: str, now: float) -> StoredGroup:
    """Take a person out of a group. Somebody who is not in it stays out."""
    with database.writing() as connection:
        check_owner(connection, caller)
        found = groups.get(connection, group)
        if groups.remove_member(connection, found.id, person):
            record_action(connection, caller, "group.leave", now, person, found.id)
        return groups.get(connection, found.id)
