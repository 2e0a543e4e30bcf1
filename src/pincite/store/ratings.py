"""Store ratings of answers: up or down with an optional comment, one for each message and owner."""

import time
from collections.abc import Collection
from dataclasses import asdict, dataclass
from typing import Literal

from sqlalchemy import Connection, delete, insert, select

from pincite.store.schema import ratings

Value = Literal[-1, 1]


@dataclass(frozen=True, slots=True)
class StoredRating:
    """One owner's rating of one answer."""

    message: str
    owner: str
    value: Value
    comment: str
    created: float


def set_rating(connection: Connection, owner: str, message: str, value: Value, comment: str = "") -> StoredRating:
    """Rate an answer, replacing an earlier rating."""
    remove_rating(connection, owner, message)
    given = StoredRating(message, owner, value, comment, time.time())
    connection.execute(insert(ratings).values(asdict(given)))
    return given


def remove_rating(connection: Connection, owner: str, message: str) -> bool:
    """Remove a rating, and return whether there was one."""
    given = delete(ratings).where(ratings.c.message == message, ratings.c.owner == owner)
    return connection.execute(given).rowcount > 0


def find(connection: Connection, owner: str, messages: Collection[str]) -> dict[str, StoredRating]:
    """Return the owner's ratings of these messages, by message."""
    query = select(ratings).where(ratings.c.owner == owner, ratings.c.message.in_(messages))
    return {row.message: StoredRating(*row) for row in connection.execute(query)}
