"""Wake up the streams of progress when a document changes, in whatever process."""

import asyncio

from pincite.conversations.notifications import Notifications
from pincite.store.notices import NoticeListener


class DocumentNews:
    """Passes the notices about documents on to those who wait for news of their owner.

    On SQLite nothing is passed on: there each stream looks at the database itself.
    """

    def __init__(self, listener: NoticeListener) -> None:
        self.delivers = listener.delivers
        self._loop = asyncio.get_running_loop()
        self._notifications = Notifications()
        self._unsubscribe = listener.subscribe("documents", self._pass_on)

    def listen(self, owner: str) -> asyncio.Event:
        """Return an event that is set at the next news of an owner's documents, or when the server stops."""
        return self._notifications.listen(owner)

    def close(self) -> None:
        """Wake up everybody, because the server stops."""
        self._unsubscribe()
        self._notifications.notify_all()

    def _pass_on(self, owner: str) -> None:
        if not owner:
            self._loop.call_soon_threadsafe(self._notifications.notify_all)
        elif self._notifications.is_awaited(owner):
            self._loop.call_soon_threadsafe(self._notifications.notify, owner)
