"""Store invitations and password resets: links that work once, until they expire. Only their hash is stored."""

import uuid
from dataclasses import asdict, dataclass
from typing import Literal

from sqlalchemy import Connection, and_, delete, func, insert, select

from pincite.errors import NotFound
from pincite.store.account_schema import one_time_links
from pincite.store.people import Role

LinkKind = Literal["invitation", "reset"]


@dataclass(frozen=True, slots=True)
class OneTimeLink:
    """An invitation for an e-mail and a role, or a reset of the password of `person`."""

    id: str
    kind: LinkKind
    person: str | None
    email: str
    role: Role
    made_by: str
    created: float
    expires: float


_FIELDS = (
    one_time_links.c.id,
    one_time_links.c.kind,
    one_time_links.c.person,
    one_time_links.c.email,
    one_time_links.c.role,
    one_time_links.c.made_by,
    one_time_links.c.created,
    one_time_links.c.expires,
)


def create(
    connection: Connection,
    kind: LinkKind,
    secret: str,
    made_by: str,
    now: float,
    expires: float,
    *,
    person: str | None = None,
    email: str = "",
    role: Role = "member",
) -> OneTimeLink:
    """Create a link; `secret` is the hash of its secret."""
    made = OneTimeLink(uuid.uuid4().hex, kind, person, email, role, made_by, now, expires)
    connection.execute(insert(one_time_links).values(asdict(made) | {"secret": secret}))
    return made


def find_by_secret(connection: Connection, kind: LinkKind, secret: str, now: float) -> OneTimeLink | None:
    """Return the link with this hash if it has not expired, or None."""
    query = select(*_FIELDS).where(
        one_time_links.c.secret == secret, one_time_links.c.kind == kind, one_time_links.c.expires > now
    )
    row = connection.execute(query).one_or_none()
    return None if row is None else OneTimeLink(*row)


def take(connection: Connection, kind: LinkKind, secret: str, now: float) -> OneTimeLink | None:
    """Return the link with this hash and remove it. Of two transactions at once, only one gets it."""
    found = find_by_secret(connection, kind, secret, now)
    if found is None:
        return None
    done = connection.execute(delete(one_time_links).where(one_time_links.c.id == found.id))
    return found if done.rowcount else None


def take_for_email(connection: Connection, email: str, now: float) -> OneTimeLink | None:
    """Return the latest invitation for exactly this e-mail address, in any case of its letters, and remove it."""
    wanted = email.lower()
    link = next((link for link in find(connection, "invitation", now) if link.email.lower() == wanted), None)
    if link is None:
        return None
    done = connection.execute(delete(one_time_links).where(one_time_links.c.id == link.id))
    return link if done.rowcount else None


def find(connection: Connection, kind: LinkKind, now: float) -> list[OneTimeLink]:
    """Return the links that have not expired, the latest first."""
    query = select(*_FIELDS).where(one_time_links.c.kind == kind, one_time_links.c.expires > now)
    rows = connection.execute(query.order_by(one_time_links.c.created.desc(), one_time_links.c.id))
    return [OneTimeLink(*row) for row in rows]


def remove(connection: Connection, kind: LinkKind, id: str, now: float) -> OneTimeLink:
    """Remove the link whose id begins like this; raise `NotFound` for none or several."""
    matching = [link for link in find(connection, kind, now) if id and link.id.startswith(id)]
    if len(matching) != 1:
        raise NotFound("There is no such link.", "It may have been used, or have expired.", "link")
    connection.execute(delete(one_time_links).where(one_time_links.c.id == matching[0].id))
    return matching[0]


def remove_resets(connection: Connection, person: str) -> None:
    """Remove the links to a new password of a person."""
    connection.execute(delete(one_time_links).where(one_time_links.c.person == person))


def remove_of_person(connection: Connection, person: str, email: str) -> None:
    """Remove the links that a person made, and the invitations for an e-mail address."""
    table = one_time_links
    connection.execute(delete(table).where(table.c.made_by == person))
    if email:
        invited = and_(table.c.kind == "invitation", func.lower(table.c.email) == email.lower())
        connection.execute(delete(table).where(invited))


def remove_expired(connection: Connection, now: float) -> int:
    """Remove the links that have expired, and return how many there were."""
    return connection.execute(delete(one_time_links).where(one_time_links.c.expires <= now)).rowcount
