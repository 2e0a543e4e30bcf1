"""Sign people in with a name or an e-mail address and a password."""

from pincite.accounts.audit import Caller, record_action
from pincite.accounts.passwords import PasswordHashing, check_new_password
from pincite.accounts.principal import Principal
from pincite.accounts.sign_in_limits import admit_attempt, clear_attempts
from pincite.accounts.sign_in_sessions import SignedIn, begin_session, check_self_or_owner
from pincite.errors import NotSignedIn
from pincite.settings_accounts import AccountSettings
from pincite.store import one_time_links, people, sessions
from pincite.store.database import Database
from pincite.store.people import StoredPerson

_LONGEST_NAME = 300  # of what is typed as a name


def sign_in(
    database: Database,
    hashing: PasswordHashing,
    name: str,
    password: str,
    now: float,
    *,
    address: str = "",
    agent: str = "",
    old_secret: str = "",
) -> SignedIn:
    """Begin a session for a name or an e-mail and its password; `old_secret` is that of the session to replace.

    Raise `TooManyAttempts` after too many failures, else `NotSignedIn`, which does not tell whether the name exists.
    """
    name = name.strip()[:_LONGEST_NAME]
    with database.writing() as connection:
        admit_attempt(connection, name, address, now)
        found = people.find_by_name(connection, name)
    # No transaction is open meanwhile: this is slow on purpose.
    is_right = hashing.verify_password(found.password if found else "", password)
    if found is None or not is_right:
        raise _refuse(database, found, address, now)
    return _complete_sign_in(database, hashing, found, password, name, now, address, agent, old_secret)


def change_password(
    database: Database,
    hashing: PasswordHashing,
    settings: AccountSettings,
    caller: Caller,
    old: str,
    new: str,
    now: float,
) -> None:
    """Change one's own password, knowing the old one; end all other sessions."""
    with database.writing() as connection:
        check_self_or_owner(connection, caller, caller.principal.user)
        person = people.get(connection, caller.principal.user)
        check_new_password(new, settings.password_length, person.name, person.email)
        admit_attempt(connection, person.name, caller.address, now)
    if not hashing.verify_password(person.password, old):
        raise NotSignedIn("The old password is wrong.", "Type it again.", "password")
    hash = hashing.hash_password(new)
    with database.writing() as connection:
        current = people.get(connection, person.id, lock=True)
        if current.password != person.password or current.disabled:
            raise NotSignedIn("The password has just been changed.", "Sign in with the new one.", "password")
        clear_attempts(connection, person.name, caller.address)
        people.set_password(connection, person.id, hash, now)
        one_time_links.remove_resets(connection, person.id)
        sessions.remove_all(connection, person.id, other_than=caller.principal.session)
        record_action(connection, caller, "password.change", now, person.id)


def _refuse(database: Database, found: StoredPerson | None, address: str, now: float) -> NotSignedIn:
    nobody = Caller(Principal("", "guest", frozenset()), address)
    with database.writing() as connection:
        # The name itself is not recorded: people type passwords into the wrong field.
        record_action(connection, nobody, "sign_in.fail", now, found.id if found else "")
    return NotSignedIn("The name or the password is wrong.", "Type both again.", "password")


def _complete_sign_in(
    database: Database,
    hashing: PasswordHashing,
    found: StoredPerson,
    password: str,
    name: str,
    now: float,
    address: str,
    agent: str,
    old_secret: str,
) -> SignedIn:
    fresh = hashing.hash_password(password) if hashing.needs_rehash(found.password) else ""
    with database.writing() as connection:
        person = people.get(connection, found.id, lock=True)
        if person.password != found.password:
            raise NotSignedIn("The name or the password is wrong.", "Type both again.", "password")
        if person.disabled:
            raise NotSignedIn("This account is disabled.", "Ask an owner of the server.", "disabled")
        clear_attempts(connection, name, address)
        if fresh:
            people.replace_password_hash(connection, person.id, person.password, fresh)
        signed = begin_session(connection, person, now, address, agent, old_secret)
        caller = Caller(signed.principal, address)
        record_action(connection, caller, "sign_in", now, person.id, signed.principal.session, method="password")
        return signed
