"""Make, check and revoke the tokens with which programs sign in."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from pincite.accounts.audit import Caller, record_action
from pincite.accounts.person_names import clean_name
from pincite.accounts.principal import SCOPES, TERMINAL, Principal, list_scopes, parse_scopes
from pincite.accounts.secret_values import hash_secret, make_secret
from pincite.accounts.sign_in_sessions import check_self_or_owner
from pincite.errors import Denied, Misuse, NotSignedIn
from pincite.store import access_tokens, people
from pincite.store.access_tokens import StoredToken
from pincite.store.database import Database

PREFIX = "pin_"
_SHOWN = len(PREFIX) + 4
_DAY = 86_400.0
_USE_WRITTEN_EVERY = 60.0  # seconds
_MOST_DAYS = 3650


@dataclass(frozen=True, slots=True)
class NewToken:
    """A new token: the text to show once, which is not stored, and the stored row."""

    secret: str = field(repr=False)
    stored: StoredToken


def create_token(
    database: Database,
    caller: Caller,
    person: str,
    name: str,
    scopes: Iterable[str],
    now: float,
    days: float | None = None,
) -> NewToken:
    """Make a token for oneself; at the terminal of the server, for anybody.

    It never has a scope that its maker has not; without `days` it does not expire.
    """
    wanted, name = parse_scopes(scopes), clean_name(name, "name of the token")
    if days is not None and not 0 < days <= _MOST_DAYS:
        raise Misuse(f"A token is valid for more than 0 and at most {_MOST_DAYS} days.", "Give other days.", "days")
    secret = PREFIX + make_secret()
    with database.writing() as connection:
        check_self_or_owner(connection, caller, person)
        if caller.principal != TERMINAL and caller.principal.user != person:
            raise Denied("A token can be made for oneself alone.", "Ask the person to make it.", "role")
        allowed = list_scopes(people.get(connection, person).role) & caller.principal.scopes
        if missing := sorted(wanted - allowed):
            raise Denied(f"This account may not give `{missing[0]}`.", "Leave that scope out.", "scope")
        ordered = tuple(scope for scope in SCOPES if scope in wanted)
        expires = None if days is None else now + days * _DAY
        stored = access_tokens.create(
            connection, person, hash_secret(secret), name, secret[:_SHOWN], ordered, now, expires
        )
        record_action(connection, caller, "token.create", now, person, stored.id, scopes=" ".join(ordered))
    return NewToken(secret, stored)


def identify_token(database: Database, secret: str, now: float) -> Principal:
    """Return the principal of a token; raise `NotSignedIn` if it is unknown or has expired.

    It has the scopes of the token that the role of its person still allows.
    """
    with database.reading() as connection:
        known = access_tokens.find_by_secret(connection, hash_secret(secret)) if secret.startswith(PREFIX) else None
    if known is None or known[1].disabled:
        raise NotSignedIn("The token is not valid.", "Make a new one: `pincite accounts tokens create`.", "token")
    token, person = known
    if has_expired(token, now):
        raise NotSignedIn("The token has expired.", "Make a new one: `pincite accounts tokens create`.", "token_ended")
    if token.used is None or now - token.used >= _USE_WRITTEN_EVERY:
        with database.writing() as connection:
            access_tokens.mark_used(connection, token.id, now, not_after=now - _USE_WRITTEN_EVERY)
    return Principal(person.id, person.role, parse_scopes(token.scopes) & list_scopes(person.role), token=token.id)


def has_expired(token: StoredToken, now: float) -> bool:
    """Whether the time of a token is over."""
    return token.expires is not None and now >= token.expires


def list_tokens(database: Database, caller: Caller, person: str) -> list[StoredToken]:
    """Return the tokens of a person, the latest first."""
    with database.reading() as connection:
        check_self_or_owner(connection, caller, person)
        return access_tokens.find(connection, person)


def revoke_token(database: Database, caller: Caller, person: str, token: str, now: float) -> StoredToken:
    """Revoke the token of a person whose id begins like this; raise `NotFound` if there is none."""
    with database.writing() as connection:
        check_self_or_owner(connection, caller, person)
        removed = access_tokens.remove(connection, person, token)
        record_action(connection, caller, "token.revoke", now, person, removed.id)
        return removed
