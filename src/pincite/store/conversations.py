"""Store conversations. Every function takes the owner and ignores the conversations of other owners."""

import time
import uuid
from dataclasses import asdict, dataclass

from sqlalchemy import Connection, delete, func, insert, select, tuple_, update

from pincite.errors import NotFound
from pincite.store.notices import send_notice
from pincite.store.schema import conversations, events, messages


@dataclass(frozen=True, slots=True)
class StoredConversation:
    """The row of a conversation: its owner, its title, and the time of its last change."""

    id: str
    owner: str
    title: str
    created: float
    updated: float


def create(connection: Connection, owner: str, title: str, id: str = "") -> StoredConversation:
    """Create a conversation."""
    now = time.time()
    made = StoredConversation(id or uuid.uuid4().hex, owner, title, now, now)
    connection.execute(insert(conversations).values(asdict(made)))
    return made


def get(connection: Connection, owner: str, conversation: str, lock: bool = False) -> StoredConversation:
    """Return the owner's conversation, locked until the transaction ends if asked; raise `NotFound` without one."""
    query = select(conversations).where(conversations.c.id == conversation, conversations.c.owner == owner)
    row = connection.execute(query.with_for_update() if lock else query).one_or_none()
    if row is None:
        raise NotFound(
            "There is no such conversation.", "Check its id, or leave it out to begin a new one.", "conversation"
        )
    return StoredConversation(*row)


def get_by_prefix(connection: Connection, owner: str, given: str) -> StoredConversation:
    """Return the owner's only conversation whose id has this prefix; raise `NotFound` for none or several."""
    begins = conversations.c.id.startswith(given, autoescape=True)
    query = select(conversations).where(conversations.c.owner == owner, begins)
    rows = connection.execute(query.limit(2)).all() if given else []
    if len(rows) != 1:
        said = "More than one conversation's id begins with" if rows else "There is no conversation"
        raise NotFound(f"{said} {given}.", "`pincite conversations` lists them.", "conversation")
    return StoredConversation(*rows[0])


def find(
    connection: Connection, owner: str, limit: int, before: tuple[float, str] | None = None
) -> list[StoredConversation]:
    """Return the owner's conversations, latest first, starting after (updated, id)."""
    place = tuple_(conversations.c.updated, conversations.c.id)
    query = select(conversations).where(conversations.c.owner == owner)
    if before is not None:
        query = query.where(place < before)
    ordered = query.order_by(conversations.c.updated.desc(), conversations.c.id.desc()).limit(limit)
    return [StoredConversation(*row) for row in connection.execute(ordered)]


def list_ids(connection: Connection, owner: str) -> list[str]:
    """Return the ids of all conversations of an owner, the first one first."""
    query = select(conversations.c.id).where(conversations.c.owner == owner)
    return list(connection.scalars(query.order_by(conversations.c.created, conversations.c.id)))


def list_all_ids(connection: Connection) -> set[str]:
    """Return the ids of the conversations of all owners."""
    return set(connection.scalars(select(conversations.c.id)))


def rename(connection: Connection, owner: str, conversation: str, title: str) -> StoredConversation:
    """Change the title of a conversation and return it."""
    get(connection, owner, conversation, lock=True)
    connection.execute(update(conversations).where(conversations.c.id == conversation).values(title=title))
    return get(connection, owner, conversation)


def touch(connection: Connection, conversation: str) -> None:
    """Set the time of the last change of a conversation to now."""
    connection.execute(update(conversations).where(conversations.c.id == conversation).values(updated=time.time()))


def remove(connection: Connection, owner: str, conversation: str) -> None:
    """Remove a conversation with its messages, events and ratings; raise `NotFound` if there is none."""
    get(connection, owner, conversation, lock=True)
    connection.execute(delete(conversations).where(conversations.c.id == conversation))
    send_notice(connection, "conversation", conversation)
    send_notice(connection, "stop", conversation)  # a process may be writing an answer in it


def find_last_seq(connection: Connection, conversation: str) -> int:
    """Return the number of the conversation's last event, including removed ones; 0 if it had none."""
    stored = select(func.max(events.c.seq)).where(events.c.conversation == conversation)
    # A question that replaces others is numbered after their last event, so that no number is used twice.
    replaced = select(func.max(messages.c.after)).where(messages.c.conversation == conversation)
    return max(connection.scalar(stored) or 0, connection.scalar(replaced) or 0)


def find_next_position(connection: Connection, conversation: str) -> int:
    """Return the position of the conversation's next message, from 0."""
    query = select(func.max(messages.c.position)).where(messages.c.conversation == conversation)
    last = connection.scalar(query)
    return 0 if last is None else last + 1
