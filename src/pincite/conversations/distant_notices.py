"""Pass the notices of other processes about conversations to the event loop of this process."""

import asyncio
from collections.abc import Callable

from pincite.conversations.notifications import Notifications
from pincite.store.notices import NoticeListener


class DistantNotices:
    """Wakes up the tasks that wait for a conversation, and passes on requests to stop an answer.

    Notices arrive in the listener's thread. Most are about conversations that nobody here waits for: these do not wake
    the event loop.
    """

    def __init__(
        self, listener: NoticeListener, notifications: Notifications, hear_request: Callable[[str], None]
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._notifications = notifications
        self._hear_request = hear_request
        self._unsubscribe = (
            listener.subscribe("conversation", self._pass_on_news),
            listener.subscribe("stop", self._pass_on_request),
        )

    def close(self) -> None:
        """Pass on nothing more."""
        for unsubscribe in self._unsubscribe:
            unsubscribe()

    def _pass_on_news(self, conversation: str) -> None:
        if not conversation:
            self._loop.call_soon_threadsafe(self._notifications.notify_all)
        elif self._notifications.is_awaited(conversation):
            self._loop.call_soon_threadsafe(self._notifications.notify, conversation)

    def _pass_on_request(self, conversation: str) -> None:
        self._loop.call_soon_threadsafe(self._hear_request, conversation)
