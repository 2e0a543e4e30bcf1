"""Change the names and roles of people, and disable accounts. One owner always stays."""

from pincite.accounts.audit import Caller, check_owner, record_action
from pincite.accounts.person_names import clean_email, clean_person_name
from pincite.errors import Misuse
from pincite.store import one_time_links, people, removed_people, sessions, user_settings
from pincite.store.database import Connection, Database
from pincite.store.people import Role, StoredPerson


def change_person(
    database: Database,
    caller: Caller,
    person: str,
    now: float,
    *,
    name: str | None = None,
    email: str | None = None,
    role: Role | None = None,
    disabled: bool | None = None,
) -> StoredPerson:
    """Change what is given of a person, all of it or nothing, and return them; raise `Misuse` for the last owner.

    An owner sets the e-mail too: an issuer's e-mail signs in to the account. A disabled account loses its sessions and
    links. A token has at once no scope that the new role has not.
    """
    with database.writing() as connection:
        owners, found = _lock_people(connection, caller, person)
        if removed_people.has_begun(connection, person):
            raise Misuse(f"{found.name} is being deleted.", "Wait until that is done.", "being_deleted")
        is_demoted = role is not None and role != "owner" and found.role == "owner"
        if is_demoted or (disabled and not found.disabled):
            _check_not_last(owners, found)
        if name is not None or email is not None:
            _set_names(connection, caller, found, name, email, now)
        if role is not None and role != found.role:
            people.set_role(connection, person, role, now)
            if is_demoted:
                # The server sends requests to it, also inside its own network.
                user_settings.set_choice(connection, person, user_settings.SEARCH_URL, "")
            record_action(connection, caller, "role.change", now, person, before=found.role, after=role)
        if disabled is not None and disabled != found.disabled:
            if disabled:
                sessions.remove_all(connection, person)
                one_time_links.remove_resets(connection, person)
            people.set_disabled(connection, person, disabled, now)
            record_action(connection, caller, "account.disable" if disabled else "account.enable", now, person)
        return people.get(connection, person)


def change_role(database: Database, caller: Caller, person: str, role: Role, now: float) -> StoredPerson:
    """Set the role of a person and return them; raise `Misuse` for the last owner."""
    return change_person(database, caller, person, now, role=role)


def set_disabled(database: Database, caller: Caller, person: str, disabled: bool, now: float) -> StoredPerson:
    """Disable an account, which ends its sessions and links, or enable it again; raise `Misuse` for the last owner."""
    return change_person(database, caller, person, now, disabled=disabled)


def _lock_people(connection: Connection, caller: Caller, person: str) -> tuple[set[str], StoredPerson]:
    """Return the owners and the person, locked, so that two changes at once happen one after the other."""
    owners = people.lock_owners(connection)
    check_owner(connection, caller)
    return owners, people.get(connection, person, lock=True)


def _set_names(
    connection: Connection, caller: Caller, found: StoredPerson, name: str | None, email: str | None, now: float
) -> None:
    new_name = found.name if name is None else clean_person_name(name)
    new_email = found.email if email is None else clean_email(email)
    if (new_name, new_email) != (found.name, found.email):
        people.set_names(connection, found.id, new_name, new_email, now)
        record_action(connection, caller, "account.rename", now, found.id)


def _check_not_last(owners: set[str], found: StoredPerson) -> None:
    if owners == {found.id}:
        raise Misuse(f"{found.name} is the only owner.", "Make another person an owner first.", "last_owner")
