"""Events as rows: each is stored, under its number in its conversation, before anybody sees it."""

import time
from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, and_, insert, or_, select

from pincite.events import Event
from pincite.store.tables import events

# What a message says on its way and its last event, `message_completed`, says again.
_SAID_AGAIN = ("text", "citation", "repaired", "usage")


def add(connection: Connection, conversation: str, sent: Sequence[Event]) -> None:
    """Store events as they are numbered."""
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


def find(
    connection: Connection, conversation: str, after: int, limit: int | None = None, whole: str | None = None
) -> list[Event]:
    """A conversation's events from the one after this number on, in order, so many at most if asked.

    With `whole`, the id of a message or "", what the end of a message says again is left out of all messages but that.
    """
    query = select(events).where(events.c.conversation == conversation, events.c.seq > after)
    if whole is not None:
        query = query.where(or_(events.c.message == whole, _said_once()))
    return [_event(row) for row in connection.execute(query.order_by(events.c.seq).limit(limit))]


def of_type(connection: Connection, conversation: str, type: str) -> list[Event]:
    """A conversation's events of one type, in order."""
    found = select(events).where(events.c.conversation == conversation, events.c.type == type).order_by(events.c.seq)
    return [_event(row) for row in connection.execute(found)]


def of_message(connection: Connection, conversation: str, message: str, after: int) -> list[Event]:
    """All events of one message, which begin after this number."""
    return [event for event in find(connection, conversation, after) if event.messageId == message]


def _said_once() -> ColumnElement[bool]:
    """Whether an event tells something that the end of its message does not."""
    thinks = or_(events.c.type != "thought", events.c.data["text"].as_string() != "")
    return and_(events.c.type.not_in(_SAID_AGAIN), thinks)


def _event(row: Row[Any]) -> Event:
    # Not validated again: this is what was written.
    return Event.model_construct(seq=row.seq, type=row.type, messageId=row.message, data=row.data)
