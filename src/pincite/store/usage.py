"""Store the token usage of answers, by owner, model and role."""

import time
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from sqlalchemy import BigInteger, Connection, cast, func, insert, select

from pincite.store.schema import usage

Role = Literal["chat", "system"]
_DAY = 86_400


@dataclass(frozen=True, slots=True)
class DailyUsage:
    """The usage of one model on one day (UTC, ISO) in one role."""

    day: str
    model: str
    role: Role
    answers: int
    requests: int
    input_tokens: int
    output_tokens: int


def add(
    connection: Connection,
    owner: str,
    model: str,
    input_tokens: int,
    output_tokens: int,
    requests: int,
    message: str | None = None,
    role: Role = "chat",
) -> None:
    """Record the usage of an answer."""
    values = {
        "owner": owner,
        "message": message,
        "model": model,
        "role": role,
        "input_tokens": input_tokens,
        "output_tokens": output_tokens,
        "requests": requests,
        "created": time.time(),
    }
    connection.execute(insert(usage).values(values))


def list_by_day(connection: Connection, owner: str, since: float) -> list[DailyUsage]:
    """Return the owner's usage since a time, by day, model and role, latest day first."""
    # Days since the epoch. PostgreSQL rounds where SQLite truncates, so it is half a second ahead at midnight.
    day = (cast(usage.c.created, BigInteger) // _DAY).label("day")
    query = (
        select(
            day,
            usage.c.model,
            usage.c.role,
            func.count(),
            func.sum(usage.c.requests),
            func.sum(usage.c.input_tokens),
            func.sum(usage.c.output_tokens),
        )
        .where(usage.c.owner == owner, usage.c.created >= since)
        .group_by(day, usage.c.model, usage.c.role)
        .order_by(day.desc(), usage.c.model, usage.c.role)
    )
    return [
        DailyUsage(datetime.fromtimestamp(day * _DAY, UTC).date().isoformat(), model, role, *map(int, counts))
        for day, model, role, *counts in connection.execute(query)
    ]
