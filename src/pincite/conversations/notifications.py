"""Wake up the tasks that wait for something new in a conversation."""

import asyncio
from weakref import WeakValueDictionary

import anyio

_LOOK = 0.2  # seconds between checks for changes that another process has written or asked for
_SLOW_LOOK = 2.0  # where notices tell of changes: in case one was lost


class Notifications:
    """One event for each conversation that a task waits for. It is removed when no task holds it any more."""

    def __init__(self) -> None:
        self._waiting: WeakValueDictionary[str, asyncio.Event] = WeakValueDictionary()
        self._look = _LOOK

    def listen(self, conversation: str) -> asyncio.Event:
        """Return the event that the next notification of a conversation sets."""
        return self._waiting.setdefault(conversation, asyncio.Event())

    async def wait(self, news: asyncio.Event) -> None:
        """Wait for an event, or until it is time to look for changes of other processes without it."""
        with anyio.move_on_after(self._look):
            await news.wait()

    def look_rarely(self, most: float) -> None:
        """Look less often, because notices tell of other processes' changes; at least every `most` seconds."""
        self._look = min(_SLOW_LOOK, most)

    def is_awaited(self, conversation: str) -> bool:
        """Return whether somebody waits for a conversation. Any thread may ask."""
        return conversation in self._waiting

    def notify(self, conversation: str) -> None:
        """Wake up the tasks that wait for a conversation."""
        if event := self._waiting.pop(conversation, None):
            event.set()

    def notify_all(self) -> None:
        """Wake up all waiting tasks."""
        for conversation in list(self._waiting):
            self.notify(conversation)
