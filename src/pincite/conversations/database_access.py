"""Read and write conversations from the event loop, without blocking it."""

import asyncio
import time
from collections.abc import Callable
from functools import partial
from typing import Concatenate, ParamSpec, TypeVar

import anyio
import anyio.to_thread

from pincite.conversations.liveness import Liveness
from pincite.conversations.shutdown import Shutdown
from pincite.errors import DatabaseAway
from pincite.store.database import Database
from pincite.store.group_commit import GroupWriter, Transaction

_READERS = 8  # threads
_AWAY_LOOK = 1.0  # seconds between checks whether the database is back

P = ParamSpec("P")
R = TypeVar("R")


class DatabaseAccess:
    """Reads in threads, and writes in transactions that several writes share."""

    def __init__(self, database: Database, away_seconds: float, liveness: Liveness, shutdown: Shutdown) -> None:
        self.writer = GroupWriter(database)
        self.away_seconds = away_seconds
        self._database = database
        self._liveness = liveness
        self._threads = anyio.CapacityLimiter(_READERS)
        self._shutdown = shutdown

    async def run_in_thread(self, work: Callable[P, R], *given: P.args, **named: P.kwargs) -> R:
        """Run a function in one of the threads that read."""
        return await anyio.to_thread.run_sync(partial(work, *given, **named), limiter=self._threads)

    async def read(self, work: Callable[Concatenate[Database, P], R], *given: P.args, **named: P.kwargs) -> R:
        """Run a function that reads the database; raise `DatabaseAway` when there is no connection."""
        try:
            return await self.run_in_thread(work, self._database, *given, **named)
        except DatabaseAway:
            self._liveness.restart()
            raise

    async def read_patiently(self, work: Callable[Concatenate[Database, P], R], *given: P.args, **named: P.kwargs) -> R:
        """Read as `read` does, and wait for a database that is away: a stream goes on when it is back."""
        until = time.monotonic() + self.away_seconds
        while True:
            try:
                return await self.read(work, *given, **named)
            except DatabaseAway:
                if self._shutdown.begun or time.monotonic() >= until:
                    raise
            await asyncio.sleep(_AWAY_LOOK)

    async def write(self, work: Callable[Concatenate[Transaction, P], R], *given: P.args, **named: P.kwargs) -> R:
        """Run a function in a transaction."""
        return await self.writer.write(lambda connection: work(connection, *given, **named))
