"""Events as rows: each is stored, under its number in its conversation, before anybody sees it."""

import time
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, insert, select

from pincite.events import Event
from pincite.store.tables import events


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


def find(connection: Connection, conversation: str, after: int, limit: int | None = None) -> list[Event]:
    """A conversation's events from the one after this number on, in order, so many at most if asked."""
    query = (
        select(events)
        .where(events.c.conversation == conversation, events.c.seq > after)
        .order_by(events.c.seq)
        .limit(limit)
    )
    return [_event(row) for row in connection.execute(query)]


def of_type(connection: Connection, conversation: str, type: str) -> list[Event]:
    """A conversation's events of one type, in order."""
    found = select(events).where(events.c.conversation == conversation, events.c.type == type).order_by(events.c.seq)
    return [_event(row) for row in connection.execute(found)]


def of_message(connection: Connection, conversation: str, message: str, after: int) -> list[Event]:
    """All events of one message, which begin after this number."""
    return [event for event in find(connection, conversation, after) if event.messageId == message]


def _event(row: Row[Any]) -> Event:
    # Not validated again: this is what was written.
    return Event.model_construct(seq=row.seq, type=row.type, messageId=row.message, data=row.data)
