"""Group commit: make the writes that wait at the same time in one transaction, in one thread.

SQLite has one writer at a time, and every switch to a thread waits for the interpreter lock. Many answers that each
store their own events pay both costs for every event; a group pays them once.

When a database server goes away, a write that is given time waits for it and is repeated. Where the connection was lost
during the commit, the server is asked first whether that transaction was committed.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeAlias, TypeVar

import anyio
import anyio.to_thread
from sqlalchemy import Connection

from pincite.errors import DatabaseAway, RowsLocked, StorageError
from pincite.store.database import Database

R = TypeVar("R")
Transaction: TypeAlias = Connection  # the argument of a write

log = logging.getLogger(__name__)

_FIRST_PAUSE, _LONGEST_PAUSE = 0.1, 1.0  # seconds before a write is repeated
_MOST = 16  # writes in one transaction; other programs that use the database wait for it


@dataclass(frozen=True, slots=True)
class _Waiting:
    work: Callable[[Transaction], Any]
    lock: Callable[[Transaction], None] | None
    until: float  # how long it waits for a database that is away, on the monotonic clock
    done: "asyncio.Future[Any]"


@dataclass(slots=True)
class _Attempt:
    """One transaction: the number that PostgreSQL gave it, and its results. Both are known before the commit."""

    number: str = ""
    results: dict[int, Any] = field(default_factory=dict)  # by the id of the write


class GroupWriter:
    """Run the writes of one event loop's tasks in order. Each write is committed whole or not at all.

    A write is a function of a transaction and only uses that. If one write of a group fails, the whole group is rolled
    back, and each of its writes is repeated in its own transaction.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._waiting: list[_Waiting] = []
        self._running: asyncio.Task[None] | None = None
        # A separate thread, so that writes never wait for the threads that answer questions.
        self._thread = anyio.CapacityLimiter(1)

    async def write(
        self,
        work: Callable[[Transaction], R],
        lock: Callable[[Transaction], None] | None = None,
        away_seconds: float = 0.0,
    ) -> R:
        """Return the result of a committed write. Cancelling the caller does not undo the write.

        `lock` is called before all writes of a group, so that every transaction takes its locks in the same order. A
        database that is away is waited for `away_seconds`; then `DatabaseAway` is raised.
        """
        done: asyncio.Future[R] = asyncio.get_running_loop().create_future()
        self._waiting.append(_Waiting(work, lock, time.monotonic() + away_seconds, done))
        if self._running is None:
            self._running = asyncio.create_task(self._run())
        return await done

    async def _run(self) -> None:
        try:
            while self._waiting:
                group, self._waiting = self._waiting[:_MOST], self._waiting[_MOST:]
                if not await self._commit(group) and len(group) > 1:
                    for each in group:
                        await self._commit([each])
        finally:
            self._running = None

    async def _commit(self, group: Sequence[_Waiting]) -> bool:
        """Commit writes in one transaction and pass on their results; pass on an error only for a single write."""
        attempt, pause = _Attempt(), _FIRST_PAUSE
        while True:
            work = partial(self._write_all, group, attempt)
            made = anyio.to_thread.run_sync(work, limiter=self._thread)
            results: list[Any] | BaseException = (await asyncio.gather(made, return_exceptions=True))[0]
            is_passing = isinstance(results, DatabaseAway) or (isinstance(results, RowsLocked) and len(group) == 1)
            if not is_passing or not isinstance(results, StorageError):
                break
            group = self._refuse(group, results)
            if isinstance(results, DatabaseAway):
                self._waiting = self._refuse(self._waiting, results)
            if not group:
                return True
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)
        if not isinstance(results, BaseException):
            for each, result in zip(group, results, strict=True):
                if not each.done.cancelled():
                    each.done.set_result(result)
            return True
        if len(group) == 1 and not group[0].done.cancelled():
            group[0].done.set_exception(results)
        return False

    def _refuse(self, group: Sequence[_Waiting], error: StorageError) -> list[_Waiting]:
        """Pass on the error to the writes that wait no longer, and return the others."""
        now = time.monotonic()
        for each in group:
            if each.until <= now and not each.done.done():
                each.done.set_exception(error)
        return [each for each in group if each.until > now]

    def _write_all(self, group: Sequence[_Waiting], attempt: _Attempt) -> list[Any]:
        if attempt.number and self._database.was_committed(attempt.number):
            return [attempt.results[id(each)] for each in group]
        attempt.number = ""
        with self._database.writing() as connection:
            for lock in {each.lock for each in group if each.lock}:
                lock(connection)
            results = [each.work(connection) for each in group]
            attempt.results = {id(each): result for each, result in zip(group, results, strict=True)}
            attempt.number = self._database.read_transaction_number(connection)
        return results
