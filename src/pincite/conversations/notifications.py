"""Wake up those who wait for something new in a conversation."""

import asyncio
from weakref import WeakValueDictionary


class Notifications:
    """One event for each conversation that somebody waits for. A waiter holds the event; without one it is gone."""

    def __init__(self) -> None:
        self._waiting: WeakValueDictionary[str, asyncio.Event] = WeakValueDictionary()

    def listen(self, conversation: str) -> asyncio.Event:
        """Return the event that the next notification of a conversation sets."""
        return self._waiting.setdefault(conversation, asyncio.Event())

    def is_awaited(self, conversation: str) -> bool:
        """Return whether somebody waits for a conversation. Any thread may ask."""
        return conversation in self._waiting

    def notify(self, conversation: str) -> None:
        """Wake up those who wait for a conversation."""
        if event := self._waiting.pop(conversation, None):
            event.set()

    def notify_all(self) -> None:
        """Wake up everybody."""
        for conversation in list(self._waiting):
            self.notify(conversation)
