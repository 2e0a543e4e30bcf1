"""Begin and finish the deletion of an account. Between the two, its documents and conversations are deleted."""

from pincite.accounts.audit import Caller, record_action
from pincite.accounts.passwords import PasswordHashing
from pincite.accounts.quota import forget_account
from pincite.accounts.sign_in_limits import admit_attempt, clear_attempts, make_name_key
from pincite.accounts.sign_in_sessions import check_self_or_owner
from pincite.errors import Misuse, NotFound, NotSignedIn
from pincite.store import access_tokens, one_time_links, people, removed_people, sessions, sign_in_attempts
from pincite.store.database import Connection, Database
from pincite.store.people import StoredPerson

_KEPT = 86_400.0  # seconds for which new rows of a removed person are refused: no request lasts longer


def check_own_password(
    database: Database, hashing: PasswordHashing, caller: Caller, password: str, now: float
) -> StoredPerson:
    """Return the caller's account if the password is right, or if the account has none; else raise `NotSignedIn`."""
    with database.writing() as connection:
        try:
            person = people.get(connection, caller.principal.user)
        except NotFound:
            raise Misuse(
                "There are no accounts on this server.", "Remove the data folder to delete everything.", "local_mode"
            ) from None
        check_self_or_owner(connection, caller, person.id)
        if not person.password:
            return person
        admit_attempt(connection, person.name, caller.address, now)
    if not hashing.verify_password(person.password, password):
        raise NotSignedIn("The password is wrong.", "Type it again.", "password")
    with database.writing() as connection:
        clear_attempts(connection, person.name, caller.address)
    return person


def begin_removal(database: Database, caller: Caller, person: str, now: float) -> StoredPerson:
    """Sign a person out for good and refuse new rows of theirs; raise `Misuse` for the last owner.

    A person removes their own account, or an owner of the server does. To begin a second time changes nothing.
    """
    with database.writing() as connection:
        owners = people.lock_owners(connection)
        check_self_or_owner(connection, caller, person)
        found = people.get(connection, person, lock=True)
        if owners == {person}:
            raise Misuse(f"{found.name} is the only owner.", "Make another person an owner first.", "last_owner")
        if removed_people.begin(connection, person, now):
            people.set_disabled(connection, person, True, now)
            sessions.remove_all(connection, person)
            access_tokens.remove_all(connection, person)
            one_time_links.remove_resets(connection, person)
            record_action(connection, caller, "account.delete", now, person)
        return found


def finish_removal(database: Database, caller: Caller, person: str, now: float) -> None:
    """Remove the account itself. Its spent credits still count for the server, and the audit log keeps its id."""
    with database.writing() as connection:
        forget_account(connection, person)  # first: settling an answer also locks credits before people
        try:
            found = people.get(connection, person, lock=True)
        except NotFound:  # another process has just finished
            removed_people.finish(connection, person, now)
            return
        _remove_traces(connection, found)
        people.remove(connection, person)
        removed_people.finish(connection, person, now)
        record_action(connection, caller, "account.remove", now, person)


def forget_removals(database: Database, now: float) -> int:
    """Remove the ids of people who were deleted a day ago, and return how many there were."""
    with database.writing() as connection:
        return removed_people.forget_finished(connection, now - _KEPT)


def _remove_traces(connection: Connection, person: StoredPerson) -> None:
    """Remove rows that name a person by something else than a reference to the account."""
    for name in filter(None, (person.name, person.email)):
        sign_in_attempts.forget(connection, make_name_key(name))
    one_time_links.remove_of_person(connection, person.id, person.email)
