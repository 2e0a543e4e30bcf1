"""Remove expired sessions, links and failed sign-ins from the database: when the server starts, and once a day.

Of several servers on one PostgreSQL, one does it at a time.
"""

import asyncio
import logging
import time
from contextlib import suppress

import anyio.to_thread

from pincite.accounts.expired_rows import remove_expired_rows
from pincite.errors import PinciteError
from pincite.settings import Settings
from pincite.store.database import Database
from pincite.store.exclusive_work import work_alone

log = logging.getLogger(__name__)

_DAY = 86_400.0
_AGAIN = 600.0  # seconds until it is tried again after an error


class AccountCleanup:
    """A task of the server that removes expired rows. It ends with the server."""

    def __init__(self, database: Database, settings: Settings, seconds: float = _DAY) -> None:
        self._database = database
        self._settings = settings
        self._seconds = seconds
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin, unless the server has no accounts."""
        if self._settings.accounts.mode == "team":
            self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """End the task."""
        if self._task:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def _run(self) -> None:
        while True:
            try:
                await anyio.to_thread.run_sync(self._remove)
            except PinciteError as error:  # a busy database, or one that is away
                log.warning("Expired rows could not be removed: %s", error.message)
                await asyncio.sleep(min(_AGAIN, self._seconds))
                continue
            await asyncio.sleep(self._seconds)

    def _remove(self) -> None:
        with work_alone(self._database, "cleanup") as is_alone:
            if is_alone:
                remove_expired_rows(self._database, self._settings.accounts, time.time())
