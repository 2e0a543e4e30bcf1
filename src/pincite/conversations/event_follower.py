"""Follow the events of a conversation, wherever its answers are written."""

from collections.abc import AsyncIterator

from pincite.conversations import transactions
from pincite.conversations.abandoned_answers import AbandonedAnswers
from pincite.conversations.database_access import DatabaseAccess
from pincite.conversations.live_turns import LiveTurns
from pincite.conversations.notifications import Notifications
from pincite.conversations.shutdown import Shutdown
from pincite.events import Event


class EventFollower:
    """Reads stored events, and those of running answers as they are stored."""

    def __init__(
        self,
        turns: LiveTurns,
        database: DatabaseAccess,
        abandoned: AbandonedAnswers,
        notifications: Notifications,
        shutdown: Shutdown,
    ) -> None:
        self._turns = turns
        self._database = database
        self._abandoned = abandoned
        self._notifications = notifications
        self._shutdown = shutdown

    async def follow(self, owner: str, conversation: str, after: int = 0, brief: bool = False) -> AsyncIterator[Event]:
        """Yield the events after a number: first the stored ones, then new ones, until no answer is being written.

        When this process closes, every stream ends after the events that are stored.

        `brief` leaves out events whose data the last event of a finished message repeats.
        """
        while not self._shutdown.begun:
            news = self._notifications.listen(conversation)
            live = self._turns.find(conversation)
            if live and live.owner == owner and after >= live.before:
                async for event in live.follow(after):
                    yield event
                    if not event.seq and event.type == "message_completed":
                        return  # it could not be stored: there is nothing to come
                    after = max(after, event.seq)
            found, running = await self._database.read_patiently(
                transactions.load_events, owner, conversation, after, brief=brief
            )
            for event in found:
                after = event.seq
                yield event
            if running is None and not found:
                return
            if running and not found:
                after = max(after, running.after)  # a replaced version left a gap in the numbers
                if conversation not in self._turns and not await self._abandoned.close_if_abandoned(running):
                    await self._notifications.wait(news)
