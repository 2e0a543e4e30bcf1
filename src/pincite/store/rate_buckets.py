"""Store the buckets of rate limits, so that all servers count together. A bucket is the time at which it is full."""

from collections.abc import Mapping

from sqlalchemy import Connection, text

# The clock of the database: those of several servers differ.
_NOW = "extract(epoch FROM clock_timestamp())"
_TAKE = text(
    f"INSERT INTO rate_buckets (key, full_at) VALUES (:key, {_NOW} + :cost) ON CONFLICT (key) DO UPDATE "
    f"SET full_at = GREATEST(rate_buckets.full_at, {_NOW}) + :cost RETURNING full_at - {_NOW}"
)
_REMOVE_FULL = text(f"DELETE FROM rate_buckets WHERE full_at < {_NOW}")


def take(connection: Connection, costs: Mapping[str, float]) -> dict[str, float]:
    """Take from each bucket as many seconds of refill, and return in how many seconds each is full again.

    The buckets are locked until the transaction ends; roll it back to take nothing. Only PostgreSQL is shared.
    """
    # A crash may forget the last requests; nobody has to wait for the disk before a question.
    connection.execute(text("SET LOCAL synchronous_commit = off"))
    # Always in the same order, so that two transactions do not wait for each other.
    return {key: float(connection.scalar(_TAKE, {"key": key, "cost": costs[key]}) or 0.0) for key in sorted(costs)}


def remove_full(connection: Connection) -> int:
    """Remove buckets that are full, which is what a missing one means, and return how many there were."""
    return connection.execute(_REMOVE_FULL).rowcount
