"""Store the tokens with which programs sign in. Only the hash of a token is stored."""

import uuid
from collections.abc import Collection
from dataclasses import asdict, dataclass

from sqlalchemy import Connection, delete, func, insert, select, update

from pincite.errors import NotFound
from pincite.store.account_schema import access_tokens, people
from pincite.store.people import COLUMNS, Role, StoredPerson


@dataclass(frozen=True, slots=True)
class StoredToken:
    """A token: whose it is, its first characters, what it may do, when it ends and when it was last used."""

    id: str
    person: str
    name: str
    start: str
    scopes: tuple[str, ...]
    created: float
    expires: float | None
    used: float | None


_FIELDS = (
    access_tokens.c.id,
    access_tokens.c.person,
    access_tokens.c.name,
    access_tokens.c.start,
    access_tokens.c.scopes,
    access_tokens.c.created,
    access_tokens.c.expires,
    access_tokens.c.used,
)


def create(
    connection: Connection,
    person: str,
    secret: str,
    name: str,
    start: str,
    scopes: tuple[str, ...],
    now: float,
    expires: float | None,
) -> StoredToken:
    """Create a token; `secret` is its hash."""
    made = StoredToken(uuid.uuid4().hex, person, name, start, scopes, now, expires, None)
    values = asdict(made) | {"secret": secret, "scopes": " ".join(scopes)}
    connection.execute(insert(access_tokens).values(values))
    return made


def find_by_secret(connection: Connection, secret: str) -> tuple[StoredToken, StoredPerson] | None:
    """Return the token with this hash and its person, or None."""
    query = select(*_FIELDS, *COLUMNS).join(people, people.c.id == access_tokens.c.person)
    row = connection.execute(query.where(access_tokens.c.secret == secret)).one_or_none()
    if row is None:
        return None
    return _make_token(*row[: len(_FIELDS)]), StoredPerson(*row[len(_FIELDS) :])


def find(connection: Connection, person: str) -> list[StoredToken]:
    """Return the tokens of a person, the latest first."""
    query = select(*_FIELDS).where(access_tokens.c.person == person)
    rows = connection.execute(query.order_by(access_tokens.c.created.desc(), access_tokens.c.id))
    return [_make_token(*row) for row in rows]


def find_live(connection: Connection, ids: Collection[str]) -> list[tuple[StoredToken, Role]]:
    """Return those of the tokens with these ids whose person is not disabled, each with the role of its person."""
    query = select(*_FIELDS, people.c.role).join(people, people.c.id == access_tokens.c.person)
    query = query.where(access_tokens.c.id.in_(ids), people.c.disabled.is_(False))
    return [(_make_token(*row[: len(_FIELDS)]), row.role) for row in connection.execute(query)]


def find_owner(connection: Connection, id: str) -> str:
    """Return the person of the token whose id begins like this; raise `NotFound` for none or several."""
    begins = access_tokens.c.id.startswith(id, autoescape=True)
    rows = connection.execute(select(access_tokens.c.person).where(begins).limit(2)).all() if id else []
    if len(rows) != 1:
        raise _make_missing_error()
    return str(rows[0].person)


def find_last_uses(connection: Connection) -> dict[str, float]:
    """Return for each person whose tokens were used when that last was."""
    query = select(access_tokens.c.person, func.max(access_tokens.c.used)).where(access_tokens.c.used.is_not(None))
    rows = connection.execute(query.group_by(access_tokens.c.person))
    return {row[0]: row[1] for row in rows}


def mark_used(connection: Connection, id: str, now: float, not_after: float) -> None:
    """Write the time of the last use, unless one after `not_after` is written already."""
    earlier = access_tokens.c.used.is_(None) | (access_tokens.c.used <= not_after)
    connection.execute(update(access_tokens).where(access_tokens.c.id == id, earlier).values(used=now))


def remove(connection: Connection, person: str, id: str) -> StoredToken:
    """Remove the token of a person whose id begins like this; raise `NotFound` for none or several."""
    matching = [token for token in find(connection, person) if id and token.id.startswith(id)]
    if len(matching) != 1:
        raise _make_missing_error()
    connection.execute(delete(access_tokens).where(access_tokens.c.id == matching[0].id))
    return matching[0]


def remove_all(connection: Connection, person: str) -> None:
    """Remove all tokens of a person."""
    connection.execute(delete(access_tokens).where(access_tokens.c.person == person))


def _make_missing_error() -> NotFound:
    return NotFound("There is no such token.", "`pincite accounts tokens list` lists them.", "token")


def _make_token(
    id: str,
    person: str,
    name: str,
    start: str,
    scopes: str,
    created: float,
    expires: float | None,
    used: float | None,
) -> StoredToken:
    return StoredToken(id, person, name, start, tuple(scopes.split()), created, expires, used)
