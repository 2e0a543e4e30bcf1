"""Begin, check, list and end the sessions of signed-in people."""

from dataclasses import dataclass, field

from pincite.accounts.audit import Caller, check_owner, record_action
from pincite.accounts.principal import Principal, list_scopes
from pincite.accounts.secret_values import hash_secret, make_secret
from pincite.errors import Denied, NotSignedIn
from pincite.settings_accounts import AccountSettings
from pincite.store import people, sessions
from pincite.store.database import Connection, Database
from pincite.store.people import StoredPerson
from pincite.store.sessions import StoredSession

_DAY = 86_400.0
_USE_WRITTEN_EVERY = 60.0  # seconds
_LONGEST_AGENT = 300


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A new session: the secret for the cookie, which is not stored, and the person."""

    secret: str = field(repr=False)
    principal: Principal
    person: StoredPerson


def begin_session(
    connection: Connection, person: StoredPerson, now: float, address: str, agent: str, old_secret: str = ""
) -> SignedIn:
    """Begin a session, and end the one that the browser had before."""
    if old_secret:
        sessions.remove_by_secret(connection, hash_secret(old_secret))
    secret = make_secret()
    agent = "".join(filter(str.isprintable, agent))[:_LONGEST_AGENT]
    made = sessions.create(connection, person.id, hash_secret(secret), now, address, agent)
    return SignedIn(secret, _make_principal(made, person), person)


def identify_session(database: Database, settings: AccountSettings, secret: str, now: float) -> Principal:
    """Return the principal of a session's secret; raise `NotSignedIn` if there is none or it has ended.

    The time of the last use is written at most once a minute.
    """
    with database.reading() as connection:
        found = sessions.find_by_secret(connection, hash_secret(secret)) if secret else None
    if found is None:
        raise NotSignedIn("Nobody is signed in here.", "Sign in.", "session")
    session, person = found
    if person.disabled or has_ended(session, settings, now):
        raise NotSignedIn("The session has ended.", "Sign in again.", "session_ended")
    if now - session.used >= _USE_WRITTEN_EVERY:
        with database.writing() as connection:
            sessions.mark_used(connection, session.id, now)
    return _make_principal(session, person)


def has_ended(session: StoredSession, settings: AccountSettings, now: float) -> bool:
    """Whether a session was not used for too long, or began too long ago."""
    is_idle = now - session.used >= settings.idle_days * _DAY
    return is_idle or now - session.created >= settings.absolute_days * _DAY


def find_session_limits(settings: AccountSettings, now: float) -> tuple[float, float]:
    """Return the times after which a session that has not ended was used, and began."""
    return now - settings.idle_days * _DAY, now - settings.absolute_days * _DAY


def list_sessions(
    database: Database, settings: AccountSettings, caller: Caller, person: str, now: float
) -> list[StoredSession]:
    """Return the sessions of a person that have not ended, last used first."""
    with database.reading() as connection:
        check_self_or_owner(connection, caller, person)
        found = sessions.find(connection, person)
    return [session for session in found if not has_ended(session, settings, now)]


def end_session(database: Database, caller: Caller, person: str, session: str, now: float) -> None:
    """End one session of a person; raise `NotFound` if they have none with this id."""
    with database.writing() as connection:
        check_self_or_owner(connection, caller, person)
        sessions.remove(connection, person, session)
        record_action(connection, caller, "session.end", now, person, session)


def end_sessions(database: Database, caller: Caller, person: str, now: float, keep: str = "") -> int:
    """End all sessions of a person but the one to keep, and return how many there were."""
    with database.writing() as connection:
        check_self_or_owner(connection, caller, person)
        number = sessions.remove_all(connection, person, keep)
        record_action(connection, caller, "session.end_all", now, person, sessions=number)
        return number


def sign_out(database: Database, secret: str, address: str, now: float) -> None:
    """End the session of a secret. Without one there is nothing to do."""
    with database.writing() as connection:
        found = sessions.find_by_secret(connection, hash_secret(secret))
        if found is None:
            return
        session, person = found
        sessions.remove(connection, person.id, session.id)
        caller = Caller(_make_principal(session, person), address)
        record_action(connection, caller, "sign_out", now, person.id, session.id)


def remove_ended_sessions(database: Database, settings: AccountSettings, now: float) -> int:
    """Remove the rows of sessions that have ended, and return how many there were."""
    with database.writing() as connection:
        return sessions.remove_ended(connection, *find_session_limits(settings, now))


def check_self_or_owner(connection: Connection, caller: Caller, person: str) -> None:
    """Raise unless the caller manages its own account, or is an owner of the server.

    A token manages no account without the scope `admin`: a person who finds a token must not get more rights from it.
    """
    principal = caller.principal
    if principal.user != person:
        check_owner(connection, caller)
        people.get(connection, person)
    elif principal.token and "admin" not in principal.scopes:
        raise Denied("This token may not manage the account.", "Sign in, or use a token with `admin`.", "scope")


def _make_principal(session: StoredSession, person: StoredPerson) -> Principal:
    return Principal(person.id, person.role, list_scopes(person.role), session=session.id)
