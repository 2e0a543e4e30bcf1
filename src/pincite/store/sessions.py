"""Store sessions of signed-in people. Of the secret in the cookie only the hash is stored."""

import uuid
from collections.abc import Collection
from dataclasses import asdict, dataclass

from sqlalchemy import Connection, and_, case, delete, func, insert, or_, select, update

from pincite.errors import NotFound
from pincite.store.account_schema import people, sessions
from pincite.store.people import COLUMNS, Role, StoredPerson


@dataclass(frozen=True, slots=True)
class StoredSession:
    """A session: whose it is, from which address and browser it began, and when it was last used."""

    id: str
    person: str
    address: str
    agent: str
    created: float
    used: float


_FIELDS = (
    sessions.c.id,
    sessions.c.person,
    sessions.c.address,
    sessions.c.agent,
    sessions.c.created,
    sessions.c.used,
)


def create(
    connection: Connection, person: str, secret: str, now: float, address: str = "", agent: str = ""
) -> StoredSession:
    """Create a session; `secret` is the hash of its secret."""
    made = StoredSession(uuid.uuid4().hex, person, address, agent, now, now)
    connection.execute(insert(sessions).values(asdict(made) | {"secret": secret}))
    return made


def find_by_secret(connection: Connection, secret: str) -> tuple[StoredSession, StoredPerson] | None:
    """Return the session with this hash and its person, or None."""
    query = select(*_FIELDS, *COLUMNS).join(people, people.c.id == sessions.c.person)
    row = connection.execute(query.where(sessions.c.secret == secret)).one_or_none()
    if row is None:
        return None
    return StoredSession(*row[: len(_FIELDS)]), StoredPerson(*row[len(_FIELDS) :])


def find(connection: Connection, person: str) -> list[StoredSession]:
    """Return the sessions of a person, last used first."""
    query = select(*_FIELDS).where(sessions.c.person == person).order_by(sessions.c.used.desc(), sessions.c.id)
    return [StoredSession(*row) for row in connection.execute(query)]


def summarize_people(connection: Connection, used_after: float, created_after: float) -> dict[str, tuple[int, float]]:
    """Return for each person the number of sessions that have not ended, and when one was last used."""
    open_sessions = and_(sessions.c.used > used_after, sessions.c.created > created_after)
    number = func.sum(case((open_sessions, 1), else_=0))
    query = select(sessions.c.person, number, func.max(sessions.c.used)).group_by(sessions.c.person)
    return {person: (int(count), used) for person, count, used in connection.execute(query)}


def find_live(connection: Connection, ids: Collection[str]) -> list[tuple[StoredSession, Role]]:
    """Return those of the sessions with these ids whose person is not disabled, each with the role of its person."""
    query = select(*_FIELDS, people.c.role).join(people, people.c.id == sessions.c.person)
    query = query.where(sessions.c.id.in_(ids), people.c.disabled.is_(False))
    return [(StoredSession(*row[: len(_FIELDS)]), row.role) for row in connection.execute(query)]


def mark_used(connection: Connection, id: str, now: float) -> None:
    """Write the time of the last use."""
    connection.execute(update(sessions).where(sessions.c.id == id, sessions.c.used < now).values(used=now))


def remove(connection: Connection, person: str, id: str) -> None:
    """Remove one session of a person; raise `NotFound` if they have none with this id."""
    done = connection.execute(delete(sessions).where(sessions.c.id == id, sessions.c.person == person))
    if not done.rowcount:
        raise NotFound("There is no such session.", "It may have ended already.", "session")


def remove_by_secret(connection: Connection, secret: str) -> None:
    """Remove the session with this hash, if there is one."""
    connection.execute(delete(sessions).where(sessions.c.secret == secret))


def remove_all(connection: Connection, person: str, other_than: str = "") -> int:
    """Remove all sessions of a person but one, and return how many there were."""
    ours = delete(sessions).where(sessions.c.person == person, sessions.c.id != other_than)
    return connection.execute(ours).rowcount


def remove_ended(connection: Connection, used_before: float, created_before: float) -> int:
    """Remove the sessions that were used or created too long ago, and return how many there were."""
    ended = or_(sessions.c.used < used_before, sessions.c.created < created_before)
    return connection.execute(delete(sessions).where(ended)).rowcount
