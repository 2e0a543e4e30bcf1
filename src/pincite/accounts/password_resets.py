"""Give people a new password by a link that works once. An owner makes it; no mail server is needed."""

from pincite.accounts.audit import Caller, check_owner, record_action
from pincite.accounts.invitations import NewLink
from pincite.accounts.passwords import PasswordHashing, check_new_password
from pincite.accounts.principal import Principal
from pincite.accounts.secret_values import hash_secret, make_secret
from pincite.accounts.sign_in_limits import make_name_key
from pincite.errors import Misuse, NotSignedIn
from pincite.settings_accounts import AccountSettings
from pincite.store import one_time_links, people, sessions, sign_in_attempts
from pincite.store.database import Database
from pincite.store.one_time_links import OneTimeLink
from pincite.store.people import StoredPerson

_HOUR = 3600.0


def make_reset_link(database: Database, settings: AccountSettings, caller: Caller, person: str, now: float) -> NewLink:
    """Make a link with which a person sets a new password. An earlier link of theirs no longer works."""
    secret = make_secret()
    with database.writing() as connection:
        check_owner(connection, caller)
        if people.get(connection, person, lock=True).disabled:
            raise Misuse("This account is disabled.", "Enable it first.", "disabled")
        one_time_links.remove_resets(connection, person)
        expires = now + settings.reset_hours * _HOUR
        made = one_time_links.create(
            connection, "reset", hash_secret(secret), caller.principal.user, now, expires, person=person
        )
        record_action(connection, caller, "reset.create", now, person, made.id)
    return NewLink(secret, made)


def reset_password(
    database: Database,
    settings: AccountSettings,
    hashing: PasswordHashing,
    secret: str,
    password: str,
    now: float,
    address: str = "",
) -> StoredPerson:
    """Set the password of the link's person, and end all their sessions. If that fails, the link stays."""
    hashed = hash_secret(secret)
    with database.reading() as connection:
        link = _check_link(one_time_links.find_by_secret(connection, "reset", hashed, now))
        person = people.get(connection, link.person or "")
    check_new_password(password, settings.password_length, person.name, person.email)
    hash = hashing.hash_password(password)
    with database.writing() as connection:
        # The person first, as everywhere, so that two transactions do not wait for each other.
        person = people.get(connection, person.id, lock=True)
        link = _check_link(one_time_links.take(connection, "reset", hashed, now))
        if person.disabled:
            raise NotSignedIn("This account is disabled.", "Ask an owner of the server.", "disabled")
        people.set_password(connection, person.id, hash, now)
        sessions.remove_all(connection, person.id)
        for name in filter(None, (person.name, person.email)):
            sign_in_attempts.forget(connection, make_name_key(name))
        by_link = Caller(Principal("", "guest", frozenset()), address)
        record_action(connection, by_link, "reset.use", now, person.id, link.id)
        return person


def _check_link(found: OneTimeLink | None) -> OneTimeLink:
    if found is None:
        raise NotSignedIn(
            "This link is not valid: it was used, replaced, or has expired.",
            "Ask an owner of the server for a new one.",
            "reset",
        )
    return found
