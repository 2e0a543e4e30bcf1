"""End long connections whose session or token was revoked, in this process or in another one.

All connections of a process are checked together, with one look at the database each second.
"""

import asyncio
import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import anyio
import anyio.to_thread
from starlette.types import Scope

from pincite.accounts.principal import Principal
from pincite.accounts.request_identity import find_revoked
from pincite.errors import PinciteError
from pincite.server.callers import find_known_caller
from pincite.settings import Settings
from pincite.store.database import Database

log = logging.getLogger(__name__)

LOOK_SECONDS = 1.0


class CallerWatch:
    """Knows the callers of open connections and tells each when it is no longer valid."""

    def __init__(self, database: Database, settings: Settings) -> None:
        self._database = database
        self._settings = settings
        self._watched: dict[Principal, list[anyio.Event]] = {}
        self._woken = anyio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to look at the database, unless the server has no accounts."""
        if self._settings.accounts.mode == "team":
            self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """End the looks."""
        if self._task:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    def wake(self) -> None:
        """Look at once: something was revoked here."""
        self._woken.set()

    @contextmanager
    def watch(self, principal: Principal) -> Iterator[anyio.Event]:
        """Yield an event that is set when the session or token of a principal is revoked, or allows less than it did.

        A principal without either, as in local mode, is valid for ever.
        """
        revoked = anyio.Event()
        if not principal.session and not principal.token:
            yield revoked
            return
        self._watched.setdefault(principal, []).append(revoked)
        try:
            yield revoked
        finally:
            self._watched[principal].remove(revoked)
            if not self._watched[principal]:
                del self._watched[principal]

    async def _run(self) -> None:
        while True:
            with anyio.move_on_after(LOOK_SECONDS):
                await self._woken.wait()
            self._woken = anyio.Event()
            if self._watched:
                await self._look()

    async def _look(self) -> None:
        principals = set(self._watched)
        try:
            revoked = await anyio.to_thread.run_sync(
                find_revoked, self._database, self._settings, principals, time.time()
            )
        except PinciteError as error:  # a busy database; the next look is soon
            log.warning("Open connections could not be checked: %s", error.message)
            return
        for principal in revoked:
            for event in self._watched.get(principal, ()):
                event.set()


@contextmanager
def watch_caller(scope: Scope) -> Iterator[anyio.Event]:
    """Yield an event that is set when the caller of an HTTP request is no longer valid."""
    caller = find_known_caller(scope)
    if caller is None:
        yield anyio.Event()
        return
    watch: CallerWatch = scope["app"].state.caller_watch
    with watch.watch(caller.principal) as revoked:
        yield revoked
