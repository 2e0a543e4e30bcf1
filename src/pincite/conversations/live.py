"""A turn under way in this process: what it says is stored first and seen then, by whoever follows it."""

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence
from contextlib import aclosing
from typing import cast

from pincite import events
from pincite.agent.turn import Turn
from pincite.conversations.admission import Admission
from pincite.conversations.salvage import salvaged
from pincite.conversations.wire import event, fault, merged, outcome
from pincite.errors import LeaseLost, PinciteError
from pincite.events import Answer, Event, Fault
from pincite.store.messages import Outcome

log = logging.getLogger(__name__)

GRACE = 2.0  # seconds that a turn told to stop has for its last word

Answerer = Callable[[Turn], AsyncIterator[events.Data]]
# Stores events, and with the last how the message ended; `LeaseLost` when it is not ours to write any more.
Keep = Callable[[Sequence[Event], Outcome | None], Awaitable[None]]


class Live:
    """One running turn. `before` is the number of the last event that was there before it."""

    def __init__(self, message: str, before: int, turn: Turn, admission: Admission) -> None:
        self.message = message
        self.before = before
        self.owner = turn.asked.scope.owner
        self._turn = turn
        self._admission = admission
        self._waiting: list[events.Data] = []
        self._said: list[events.Data] = []
        self._seen: list[Event] = []
        self._unstored: list[Event] = []  # the end of an answer that could not be stored, without numbers
        self._over = False
        self._words = asyncio.Event()
        self._fresh = asyncio.Event()
        self._begun = asyncio.Event()  # the first event is stored
        self._speaker: asyncio.Task[None] | None = None

    def stop(self) -> None:
        """End the turn; one that does not listen is ended all the same in a moment."""
        self._turn.stop()
        if not self._over:
            asyncio.get_running_loop().call_later(GRACE, self.drop)

    def stop_retrieval(self) -> bool:
        """End the turn's searches and reading, if any; it goes on with what was found."""
        return self._turn.stop_retrieval()

    def drop(self) -> None:
        """End the turn at once."""
        if self._speaker:
            self._speaker.cancel()

    async def follow(self, after: int) -> AsyncIterator[Event]:
        """Its events from the one after this number on, as they are stored, to the last.

        Where they could not be stored, two without a number end it: what went wrong, and the answer as far as it came.
        """
        at = max(after - self.before, 0)
        while True:
            fresh = self._fresh
            while at < len(self._seen):
                yield self._seen[at]
                at += 1
            if self._over:
                break
            await fresh.wait()
        for last in self._unstored:
            yield last

    async def run(self, answer: Answerer, keep: Keep) -> None:
        """Let the turn speak to its end; what it said while its last words were stored is stored together."""
        self._speaker = asyncio.create_task(self._speak(answer))
        self._speaker.add_done_callback(lambda _: self._words.set())
        try:
            while not self._over:
                await self._words.wait()
                self._words.clear()
                silent = self._speaker.done()
                said, self._waiting = merged(self._waiting), []
                if silent and not _ends(said):
                    said += self._last_words(said)
                await self._store(said, keep)
        except LeaseLost as lost:
            log.info("%s", lost.message)
        except PinciteError as error:
            # Whoever looks at the conversation later finds it without a writer, and closes it.
            log.error("An answer could not be stored. %s %s", error.message, error.hint)
            self._unstored = [event(0, self.message, data) for data in (fault(error), self._salvage([], stopped=False))]
        finally:
            self._speaker.cancel()
            self._admission.settle(self.message)
            self._over = True
            self._wake()

    async def _speak(self, answer: Answerer) -> None:
        # Closed here and now, not when it is collected.
        async with aclosing(cast("AsyncGenerator[events.Data]", answer(self._turn))) as said:
            async for data in said:
                self._tell(data)
                break  # the first event takes no work: it goes out before the turn waits for its place
            else:
                return
            await self._begun.wait()
            async with self._admission.admit(self._turn):
                async for data in said:
                    self._tell(data)

    def _tell(self, data: events.Data) -> None:
        self._waiting.append(data)
        self._words.set()

    async def _store(self, said: list[events.Data], keep: Keep) -> None:
        self._said += said
        over = _ends(said)
        if said:
            first = self.before + 1 + len(self._seen)
            sent = [event(seq, self.message, data) for seq, data in enumerate(said, first)]
            await keep(sent, self._outcome() if over else None)
            self._seen += sent
            self._begun.set()
            self._admission.settle(self.message)
        self._over = over
        self._wake()

    def _last_words(self, said: Sequence[events.Data]) -> list[events.Data]:
        """What the turn did not say itself: what went wrong, and the answer as far as it came."""
        assert self._speaker
        killed = self._speaker.cancelled()
        error = None if killed else self._speaker.exception()
        answer = self._salvage(said, stopped=killed or self._turn.stopped.is_set())
        return [fault(error), answer] if error is not None else [answer]

    def _salvage(self, said: Sequence[events.Data], stopped: bool) -> Answer:
        """The answer as far as it came."""
        asked = self._turn.asked
        words = [*self._said, *said]
        return salvaged(words, asked.question, asked.chat_model, stopped, self._turn.usage, self._turn.cut)

    def _outcome(self) -> Outcome:
        answer = self._said[-1]
        assert isinstance(answer, Answer)
        failed = any(isinstance(data, Fault) for data in self._said)
        return outcome("stopped" if answer.stopped else "failed" if failed else "done", answer)

    def _wake(self) -> None:
        fresh, self._fresh = self._fresh, asyncio.Event()
        fresh.set()


def _ends(said: Sequence[events.Data]) -> bool:
    return bool(said) and isinstance(said[-1], Answer)
