"""A read replica for searches. It is used while it answers and has every change that the primary has stored.

Each search first asks the primary how far its log is written, and uses the replica only if that has replayed the log up
to there. So a person finds a document that was ready before the search began, whichever process made it ready. The
question to the primary costs one round trip; the search itself is done by the replica.
"""

import logging
import time
from collections.abc import Callable

from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

log = logging.getLogger(__name__)

_AWAY_SECONDS = 5.0  # how long a replica that did not answer is not asked again
_BEHIND_SECONDS = 1.0  # likewise for one that did not catch up
_LOOK = 0.005  # seconds between looks whether it has caught up
_POSITION = text("SELECT CAST(pg_current_wal_flush_lsn() AS text)")
_HAS = text("SELECT pg_is_in_recovery() AND pg_last_wal_replay_lsn() >= CAST(:position AS pg_lsn)")


class Replica:
    """Connections to the replica of a primary."""

    def __init__(
        self,
        engine: Engine,
        primary: Engine,
        wait_seconds: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.engine = engine
        self._primary = primary.execution_options(isolation_level="AUTOCOMMIT")
        self._wait_seconds = wait_seconds
        self._clock = clock
        self._unused_until = 0.0

    def connect(self) -> Connection | None:
        """Return a connection that has all stored changes; None if the replica is away or too far behind."""
        if self._clock() < self._unused_until:
            return None
        with self._primary.connect() as primary:
            position = primary.scalar(_POSITION)
        try:
            connection = self.engine.connect()
        except (DBAPIError, PoolTimeout) as error:
            self._leave_alone(_AWAY_SECONDS, f"does not answer: {' '.join(str(error).split())}")
            return None
        try:
            if self._has_reached(connection, position):
                return connection.execution_options(isolation_level="REPEATABLE READ")  # it is read-only anyway
            self._leave_alone(_BEHIND_SECONDS, "is behind")
        except DBAPIError as error:
            self.note_failure(error)
        connection.close()
        return None

    def note_failure(self, error: DBAPIError) -> None:
        """Leave the replica alone for a while."""
        self._leave_alone(_AWAY_SECONDS, f"failed: {' '.join(str(error.orig).split())}")

    def close(self) -> None:
        self.engine.dispose()

    def _has_reached(self, connection: Connection, position: str) -> bool:
        ends = self._clock() + self._wait_seconds
        while True:
            reached = bool(connection.scalar(_HAS, {"position": position}))
            connection.rollback()  # the search sees the state after this look, not the one before
            if reached or self._clock() >= ends:
                return reached
            time.sleep(_LOOK)

    def _leave_alone(self, seconds: float, reason: str) -> None:
        self._unused_until = self._clock() + seconds
        log.warning("The replica %s. Searches use the primary.", reason)
