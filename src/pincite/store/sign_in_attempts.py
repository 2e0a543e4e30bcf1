"""Count failed sign-ins by a key: a name or an address."""

from dataclasses import dataclass

from sqlalchemy import Connection, delete, select, update
from sqlalchemy.dialects.sqlite import insert as insert_or_ignore

from pincite.store.account_schema import sign_in_attempts


@dataclass(frozen=True, slots=True)
class FailedAttempts:
    """The number of failed sign-ins, and the time of the last one."""

    failures: int
    last: float


def lock(connection: Connection, key: str) -> FailedAttempts:
    """Return the failures of a key, locked until the transaction ends."""
    empty = {"key": key, "failures": 0, "last": 0.0}
    if connection.dialect.name == "sqlite":
        connection.execute(insert_or_ignore(sign_in_attempts).values(empty).on_conflict_do_nothing())
    else:
        from sqlalchemy.dialects import postgresql  # slow to import, and most databases are SQLite

        connection.execute(postgresql.insert(sign_in_attempts).values(empty).on_conflict_do_nothing())
    query = select(sign_in_attempts.c.failures, sign_in_attempts.c.last).where(sign_in_attempts.c.key == key)
    return FailedAttempts(*connection.execute(query.with_for_update()).one())


def put(connection: Connection, key: str, attempts: FailedAttempts) -> None:
    """Write the failures of a key that `lock` returned in the same transaction."""
    values = {"failures": attempts.failures, "last": attempts.last}
    connection.execute(update(sign_in_attempts).where(sign_in_attempts.c.key == key).values(values))


def forget(connection: Connection, key: str) -> None:
    """Remove the failures of a key."""
    connection.execute(delete(sign_in_attempts).where(sign_in_attempts.c.key == key))


def take_back(connection: Connection, key: str) -> None:
    """Count one failure less for a key."""
    column = sign_in_attempts.c.failures
    connection.execute(
        update(sign_in_attempts).where(sign_in_attempts.c.key == key, column > 0).values(failures=column - 1)
    )


def forget_before(connection: Connection, time: float) -> int:
    """Remove the failures of all keys whose last one was before a time; return the number of keys."""
    return connection.execute(delete(sign_in_attempts).where(sign_in_attempts.c.last < time)).rowcount
