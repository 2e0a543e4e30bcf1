"""Store events, numbered within their conversation. An event is stored before anybody sees it."""

import time
from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, and_, insert, or_, select

from pincite.events import Event
from pincite.store.notices import send_notice
from pincite.store.schema import events

# Types of events whose content the last event of a message, `message_completed`, repeats.
_REPEATED_TYPES = ("text", "citation", "repaired", "usage")


def add(connection: Connection, conversation: str, sent: Sequence[Event]) -> None:
    """Store numbered events, and let other processes know when they are committed."""
    now = time.time()
    rows = [
        {
            "conversation": conversation,
            "seq": event.seq,
            "message": event.messageId,
            "type": event.type,
            "data": event.data,
            "created": now,
        }
        for event in sent
    ]
    connection.execute(insert(events), rows)
    send_notice(connection, "conversation", conversation)


def find(
    connection: Connection,
    conversation: str,
    after: int,
    limit: int | None = None,
    whole: str | None = None,
    without: Collection[str] = (),
) -> list[Event]:
    """Return a conversation's events after a number, in order, at most `limit` of them.

    `whole` is the id of a message or "". The events that the end of a message repeats are left out, except for this
    message. Those of the messages in `without` are left out too.
    """
    query = select(events).where(events.c.conversation == conversation, events.c.seq > after)
    if without:
        query = query.where(events.c.message.not_in(without))
    if whole is not None:
        query = query.where(or_(events.c.message == whole, _make_unrepeated_condition()))
    return [_make_event(row) for row in connection.execute(query.order_by(events.c.seq).limit(limit))]


def find_by_type(connection: Connection, conversation: str, type: str) -> list[Event]:
    """Return a conversation's events of one type, in order."""
    found = select(events).where(events.c.conversation == conversation, events.c.type == type).order_by(events.c.seq)
    return [_make_event(row) for row in connection.execute(found)]


def find_by_message(connection: Connection, conversation: str, message: str, after: int) -> list[Event]:
    """Return all events of one message, which begin after this number."""
    return [event for event in find(connection, conversation, after) if event.messageId == message]


def _make_unrepeated_condition() -> ColumnElement[bool]:
    """Return the condition for events whose content the end of their message does not repeat."""
    thinks = or_(events.c.type != "thought", events.c.data["text"].as_string() != "")
    return and_(events.c.type.not_in(_REPEATED_TYPES), thinks)


def _make_event(row: Row[Any]) -> Event:
    # Not validated again, because it was validated before it was written.
    return Event.model_construct(seq=row.seq, type=row.type, messageId=row.message, data=row.data)
