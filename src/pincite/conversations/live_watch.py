"""While this process writes answers: look for requests to stop them, and record that their writer is alive."""

import asyncio
import logging
import time

from pincite.conversations import transactions
from pincite.conversations.database_access import DatabaseAccess
from pincite.conversations.live_turns import LiveTurns
from pincite.conversations.liveness import Liveness
from pincite.conversations.notifications import Notifications
from pincite.conversations.payments import Payments
from pincite.errors import PinciteError

log = logging.getLogger(__name__)

_BEAT = 5.0  # seconds between signs of life


class LiveWatch:
    """A task that runs while this process writes answers. `lease_seconds` is how long their credits stay reserved."""

    def __init__(
        self,
        turns: LiveTurns,
        database: DatabaseAccess,
        payments: Payments,
        liveness: Liveness,
        notifications: Notifications,
        lease_seconds: float,
    ) -> None:
        self.beat = min(_BEAT, lease_seconds / 3)
        self._turns = turns
        self._database = database
        self._payments = payments
        self._liveness = liveness
        self._notifications = notifications
        self._requested = asyncio.Event()  # somebody may have asked to stop one of our answers, or its searches
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start the task if it does not run."""
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run())

    def hear_request(self, conversation: str) -> None:
        """Look soon whether an answer was asked to stop; "" stands for any."""
        if not conversation or conversation in self._turns:
            self._requested.set()

    async def close(self) -> None:
        """End the task."""
        if self._task:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def _run(self) -> None:
        beaten = time.monotonic()
        while len(self._turns):
            await self._notifications.wait(self._requested)
            self._requested.clear()
            held = self._turns.list_stored()
            try:
                requests = await self._database.read(transactions.find_requests, list(held))
                for message in requests.stopping_retrieval:
                    held[message].stop_retrieval()
                for message in requests.stopping:
                    held[message].stop()
                for message in requests.lost:
                    held[message].drop()  # nothing that it says can be stored
                if time.monotonic() - beaten > self.beat:
                    await self._database.write(transactions.send_heartbeat, list(held))
                    await self._payments.renew()
                    await self._payments.settle_rest(self._liveness.own)
                    beaten = time.monotonic()
            except PinciteError as error:
                log.warning("%s %s", error.message, error.hint)
