"""Store links with which anybody may read one conversation. Only the hash of a link's secret is stored."""

import uuid
from dataclasses import asdict, dataclass

from sqlalchemy import Connection, delete, insert, or_, select

from pincite.errors import NotFound
from pincite.store.schema import conversation_links


@dataclass(frozen=True, slots=True)
class ConversationLink:
    """A link to a conversation, and the time at which it ends, if it does."""

    id: str
    conversation: str
    owner: str
    created: float
    expires: float | None


_FIELDS = (
    conversation_links.c.id,
    conversation_links.c.conversation,
    conversation_links.c.owner,
    conversation_links.c.created,
    conversation_links.c.expires,
)


def create(
    connection: Connection, owner: str, conversation: str, secret: str, now: float, expires: float | None
) -> ConversationLink:
    """Create a link to an owner's conversation; `secret` is the hash of its secret."""
    made = ConversationLink(uuid.uuid4().hex, conversation, owner, now, expires)
    connection.execute(insert(conversation_links).values(asdict(made) | {"secret": secret}))
    return made


def find_by_secret(connection: Connection, secret: str, now: float) -> ConversationLink | None:
    """Return the link with this hash if it has not expired, or None."""
    works = or_(conversation_links.c.expires.is_(None), conversation_links.c.expires > now)
    query = select(*_FIELDS).where(conversation_links.c.secret == secret, works)
    row = connection.execute(query).one_or_none()
    return None if row is None else ConversationLink(*row)


def find(connection: Connection, owner: str, conversation: str | None = None) -> list[ConversationLink]:
    """Return the links to an owner's conversations, or to one of them, the latest first."""
    query = select(*_FIELDS).where(conversation_links.c.owner == owner)
    if conversation is not None:
        query = query.where(conversation_links.c.conversation == conversation)
    rows = connection.execute(query.order_by(conversation_links.c.created.desc(), conversation_links.c.id))
    return [ConversationLink(*row) for row in rows]


def remove(connection: Connection, owner: str, id: str, conversation: str | None = None) -> ConversationLink:
    """Remove a link of an owner; raise `NotFound` if there is none with this id."""
    found = next((link for link in find(connection, owner, conversation) if link.id == id), None)
    if found is None:
        raise NotFound("There is no such link.", "It may have been taken back already.", "link")
    connection.execute(delete(conversation_links).where(conversation_links.c.id == id))
    return found


def remove_expired(connection: Connection, now: float) -> int:
    """Remove the links that have expired, and return how many there were."""
    return connection.execute(delete(conversation_links).where(conversation_links.c.expires <= now)).rowcount
