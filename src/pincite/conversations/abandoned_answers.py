"""Close the answers whose writers are gone, such as those of a server that was killed."""

import asyncio
import logging
from collections.abc import Callable

from pincite.conversations import transactions
from pincite.conversations.database_access import DatabaseAccess
from pincite.conversations.live_turns import LiveTurns
from pincite.conversations.liveness import Liveness
from pincite.conversations.payments import Payments
from pincite.errors import PinciteError
from pincite.settings_quota import QuotaSettings
from pincite.store.credits import lock_credits
from pincite.store.messages import StoredMessage

log = logging.getLogger(__name__)


class AbandonedAnswers:
    """Closes abandoned answers when somebody opens them, and after `start` also every `seconds`."""

    def __init__(
        self,
        turns: LiveTurns,
        database: DatabaseAccess,
        payments: Payments,
        liveness: Liveness,
        quota: QuotaSettings,
        clock: Callable[[], float],
        seconds: float,
    ) -> None:
        self._turns = turns
        self._database = database
        self._payments = payments
        self._liveness = liveness
        self._quota = quota
        self._clock = clock
        self._seconds = seconds
        self._task: asyncio.Task[None] | None = None

    async def find_running(self, owner: str, conversation: str) -> StoredMessage | None:
        """Return the message that is being written, after closing one whose writer is gone."""
        _, running = await self._database.read(transactions.load_events, owner, conversation, 0, 1)
        return None if running and await self.close_if_abandoned(running) else running

    async def close_if_abandoned(self, running: StoredMessage) -> bool:
        """Close a message whose writer is gone; return whether it was closed."""
        if running.conversation in self._turns or not self._liveness.has_lost_its_writer(running):
            return False
        await self._payments.settle_rest(self._liveness.own)
        await self._database.writer.write(
            lambda connection: transactions.close_abandoned(connection, running, self._quota, self._clock()),
            lock_credits,
        )
        return True

    async def start(self) -> None:
        """Begin to close abandoned answers, so that nobody has to open them first.

        The last sign of life of every answer being written is noted, so that silence is measured from now on.
        """
        self._liveness.watch(await self._database.read(transactions.list_running))
        self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Close no more answers."""
        if self._task:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(self._seconds)
            try:
                for running in await self._database.read(transactions.list_running):
                    await self.close_if_abandoned(running)
            except PinciteError as error:
                log.warning("%s %s", error.message, error.hint)
