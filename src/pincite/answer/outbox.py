"""The outbox of an answer: stages emit items into it, and one reader takes them out in order."""

import asyncio
from collections.abc import AsyncIterator, Callable

from pincite.answer.model_judge import SentenceJudgement
from pincite.answer.question import UnderstoodQuestion
from pincite.answer.stream_items import (
    Note,
    QuotedPassage,
    QuotedSentences,
    RefusalSentence,
    RetractText,
    SourceLine,
    StreamItem,
    TextDelta,
)

OutboxItem = StreamItem | SentenceJudgement | UnderstoodQuestion


class Outbox:
    """One queue of events and drafted text. `emit` never waits; `close` ends the reading."""

    def __init__(self) -> None:
        self._queue: asyncio.Queue[OutboxItem | None] = asyncio.Queue()
        self.text = ""  # the drafted text that was not retracted, without the marks of quoted passages

    @property
    def has_text(self) -> bool:
        """Whether text of the answer was drafted and not retracted."""
        return bool(self.text.strip())

    def emit(self, item: OutboxItem) -> None:
        """Send an event, or a part of the answer's text for the citation writer."""
        self._count(item)
        self._queue.put_nowait(item)

    def close(self) -> None:
        """Close the outbox: the reader gets the items that are still in the queue, and then stops."""
        self._queue.put_nowait(None)

    @property
    def is_empty(self) -> bool:
        """Whether every item was taken out."""
        return self._queue.empty()

    async def take(self) -> OutboxItem | None:
        """Return the next item, and wait for it if needed; return None when the outbox is closed."""
        return await self._queue.get()

    async def read(self) -> AsyncIterator[OutboxItem]:
        """Yield the items in their order until the outbox is closed."""
        while (item := await self._queue.get()) is not None:
            yield item

    def _count(self, item: OutboxItem) -> None:
        if isinstance(item, TextDelta | Note | SourceLine | RefusalSentence):
            self.text += item.text
        elif isinstance(item, QuotedPassage | QuotedSentences):
            self.text += item.card.title or item.card.name or "…"
        elif isinstance(item, RetractText):
            self.text = ""


class WrappedOutbox(Outbox):
    """The outbox of a child context. It passes each item to a function."""

    def __init__(self, handle: Callable[[OutboxItem], None]) -> None:
        super().__init__()
        self._handle = handle

    def emit(self, item: OutboxItem) -> None:
        self._count(item)
        self._handle(item)


class BufferedOutbox(Outbox):
    """An outbox that holds items back until `flush` passes them on."""

    def __init__(self, outer: Outbox) -> None:
        super().__init__()
        self._outer = outer
        self._held: list[OutboxItem] = []

    def emit(self, item: OutboxItem) -> None:
        self._held.append(item)

    def flush(self) -> None:
        """Pass on the items that were emitted so far."""
        held, self._held = self._held, []
        for item in held:
            self._outer.emit(item)
