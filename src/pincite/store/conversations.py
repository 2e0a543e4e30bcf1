"""Conversations as rows: a connection and an owner in, frozen rows out. Another owner's are not there."""

import time
import uuid
from dataclasses import asdict, dataclass

from sqlalchemy import Connection, delete, func, insert, select, tuple_, update

from pincite.errors import NotFound
from pincite.store.tables import conversations, events, messages


@dataclass(frozen=True, slots=True)
class StoredConversation:
    """A conversation's row: whose it is, what it is called, and when something last happened in it."""

    id: str
    owner: str
    title: str
    created: float
    updated: float


def create(connection: Connection, owner: str, title: str, id: str = "") -> StoredConversation:
    """A new conversation."""
    now = time.time()
    made = StoredConversation(id or uuid.uuid4().hex, owner, title, now, now)
    connection.execute(insert(conversations).values(asdict(made)))
    return made


def get(connection: Connection, owner: str, conversation: str, lock: bool = False) -> StoredConversation:
    """The owner's conversation with this id, held until the transaction ends if asked; `NotFound` without one."""
    query = select(conversations).where(conversations.c.id == conversation, conversations.c.owner == owner)
    row = connection.execute(query.with_for_update() if lock else query).one_or_none()
    if row is None:
        raise NotFound("There is no such conversation.", "Check its id, or leave it out to begin a new one.")
    return StoredConversation(*row)


def matching(connection: Connection, owner: str, given: str) -> StoredConversation:
    """The owner's one conversation whose id begins so; `NotFound` when there is none, or more than one."""
    begins = conversations.c.id.startswith(given, autoescape=True)
    query = select(conversations).where(conversations.c.owner == owner, begins)
    rows = connection.execute(query.limit(2)).all() if given else []
    if len(rows) != 1:
        said = "More than one conversation's id begins with" if rows else "There is no conversation"
        raise NotFound(f"{said} {given}.", "`pincite conversations` lists them.")
    return StoredConversation(*rows[0])


def find(
    connection: Connection, owner: str, limit: int, before: tuple[float, str] | None = None
) -> list[StoredConversation]:
    """The owner's conversations, the latest first, from the one after (updated, id) on."""
    place = tuple_(conversations.c.updated, conversations.c.id)
    query = select(conversations).where(conversations.c.owner == owner)
    if before is not None:
        query = query.where(place < before)
    ordered = query.order_by(conversations.c.updated.desc(), conversations.c.id.desc()).limit(limit)
    return [StoredConversation(*row) for row in connection.execute(ordered)]


def rename(connection: Connection, owner: str, conversation: str, title: str) -> StoredConversation:
    """The conversation under another title."""
    get(connection, owner, conversation, lock=True)
    connection.execute(update(conversations).where(conversations.c.id == conversation).values(title=title))
    return get(connection, owner, conversation)


def touch(connection: Connection, conversation: str) -> None:
    """Say that something happened in it just now."""
    connection.execute(update(conversations).where(conversations.c.id == conversation).values(updated=time.time()))


def remove(connection: Connection, owner: str, conversation: str) -> None:
    """Remove a conversation with its messages, events and ratings; `NotFound` when there is none."""
    get(connection, owner, conversation, lock=True)
    connection.execute(delete(conversations).where(conversations.c.id == conversation))


def last_seq(connection: Connection, conversation: str) -> int:
    """The number of the conversation's last event, 0 when it had none; those that were removed count too."""
    told = select(func.max(events.c.seq)).where(events.c.conversation == conversation)
    # A question that took the place of others begins after the last of theirs: no number is given twice.
    begun = select(func.max(messages.c.after)).where(messages.c.conversation == conversation)
    return max(connection.scalar(told) or 0, connection.scalar(begun) or 0)


def next_position(connection: Connection, conversation: str) -> int:
    """The place of the conversation's next message, from 0."""
    query = select(func.max(messages.c.position)).where(messages.c.conversation == conversation)
    last = connection.scalar(query)
    return 0 if last is None else last + 1
