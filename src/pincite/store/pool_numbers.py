"""Count the connections of this process to its database, for metrics."""

from sqlalchemy.pool import QueuePool

from pincite.store.database import Database


def count_connections(database: Database) -> dict[str, int]:
    """Return how many connections are in use, how many wait to be used, and how many there may be at once."""
    pool = database.engine.pool
    if not isinstance(pool, QueuePool):
        return {}
    return {"used": pool.checkedout(), "idle": pool.checkedin(), "most": pool.size() + pool._max_overflow}
