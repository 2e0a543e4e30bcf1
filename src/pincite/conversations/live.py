"""One answer that this process is writing. Its events are stored first and then sent to its followers."""

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence
from contextlib import aclosing
from typing import cast

from pincite import events
from pincite.answer.context import Context
from pincite.conversations.admission import Admission
from pincite.conversations.stored_events import make_event, make_fault, make_outcome, merge_events
from pincite.conversations.turn_measure import TurnMeasure
from pincite.errors import LeaseLost, PinciteError
from pincite.events import Answer, Event, Fault
from pincite.store.database import wait_while_away
from pincite.store.messages import MessageOutcome

log = logging.getLogger(__name__)

GRACE = 2.0  # seconds that a stopped answer has for its last event

Answerer = Callable[[Context], AsyncIterator[events.Data]]
# Store events, and with the last one how the message ended; raise `LeaseLost` when another process has taken it over.
# It returns the events as they are stored: warnings about credits may come before the last one.
Keep = Callable[[Sequence[Event], MessageOutcome | None], Awaitable[Sequence[Event]]]


class LiveTurn:
    """One running answer. `before` is the number of the last event before it."""

    def __init__(self, message: str, before: int, context: Context, admission: Admission) -> None:
        self.message = message
        self.before = before
        self.owner = context.asked.scope.owner
        self._context = context
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
        self._measure = TurnMeasure(message, context)

    def stop(self) -> None:
        """Ask the answer to stop, and cancel it if it has not stopped after a moment."""
        self._context.stop.stop_answer()
        if not self._over:
            asyncio.get_running_loop().call_later(GRACE, self.drop)

    def stop_retrieval(self) -> bool:
        """End the searches and reading of the answer; it is written from what was found."""
        return self._context.stop.stop_retrieval()

    def drop(self) -> None:
        """Cancel the answer at once."""
        if self._speaker:
            self._speaker.cancel()

    async def follow(self, after: int) -> AsyncIterator[Event]:
        """Yield the events after a number, as they are stored, to the last.

        Where they could not be stored, two events without a number end the stream: the error, and the answer so far.
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
        """Run the answer to its end; events that arrive during a write are stored together in the next one."""
        with self._measure.follow():
            await self._run(answer, keep)

    async def _run(self, answer: Answerer, keep: Keep) -> None:
        self._speaker = asyncio.create_task(self._run_turn(answer))
        self._speaker.add_done_callback(lambda _: self._words.set())
        try:
            while not self._over:
                await self._words.wait()
                self._words.clear()
                silent = self._speaker.done()
                said, self._waiting = merge_events(self._waiting), []
                if silent and not _is_ended(said):
                    said += self._make_ending(said)
                await self._store(said, keep)
        except LeaseLost as lost:
            log.info("%s", lost.message)
        except PinciteError as error:
            # The next reader of the conversation finds the message without a writer, and closes it.
            log.error("An answer could not be stored. %s %s", error.message, error.hint)
            self._measure.end("failed")
            self._unstored = [
                make_event(0, self.message, data) for data in (make_fault(error), self._salvage([], stopped=False))
            ]
        finally:
            self._speaker.cancel()
            self._admission.settle(self.message)
            self._over = True
            self._wake()

    async def wait_for_requests(self) -> None:
        """Wait until the requests of a cancelled answer are counted."""
        if self._speaker:
            await asyncio.wait([self._speaker], timeout=GRACE)

    async def _run_turn(self, answer: Answerer) -> None:
        wait_while_away(self._context.services.settings.postgres.away_seconds)
        # Close the generator here, not when it is garbage-collected.
        async with aclosing(cast("AsyncGenerator[events.Data]", answer(self._context))) as said:
            async for data in said:
                self._tell(data)
                break  # the first event takes no work: it goes out before the turn waits for its place
            else:
                return
            await self._begun.wait()
            async with self._admission.admit(self._context):
                async for data in said:
                    self._tell(data)

    def _tell(self, data: events.Data) -> None:
        self._waiting.append(data)
        self._words.set()

    async def _store(self, said: list[events.Data], keep: Keep) -> None:
        self._said += said
        over = _is_ended(said)
        if said:
            first = self.before + 1 + len(self._seen)
            sent = [make_event(seq, self.message, data) for seq, data in enumerate(said, first)]
            outcome = self._outcome() if over else None
            self._seen += await keep(sent, outcome)
            self._measure.note(said, outcome)
            self._begun.set()
            self._admission.settle(self.message)
        self._over = over
        self._wake()

    def _make_ending(self, said: Sequence[events.Data]) -> list[events.Data]:
        """Return the last events of an answer that did not end itself: the error, if any, and the answer so far."""
        assert self._speaker
        killed = self._speaker.cancelled()
        error = None if killed else self._speaker.exception()
        answer = self._salvage(said, stopped=killed or self._context.stop.answer.is_set())
        return [make_fault(error), answer] if error is not None else [answer]

    def _salvage(self, said: Sequence[events.Data], stopped: bool) -> Answer:
        """Return the answer so far."""
        asked = self._context.asked
        words = [*self._said, *said]
        return events.fold(
            words, asked.question, asked.chat_model, stopped, self._context.usage, self._context.agent.cut
        )

    def _outcome(self) -> MessageOutcome:
        answer = self._said[-1]
        assert isinstance(answer, Answer)
        failed = any(isinstance(data, Fault) for data in self._said)
        return make_outcome("stopped" if answer.stopped else "failed" if failed else "done", answer)

    def _wake(self) -> None:
        fresh, self._fresh = self._fresh, asyncio.Event()
        fresh.set()


def _is_ended(said: Sequence[events.Data]) -> bool:
    return bool(said) and isinstance(said[-1], Answer)
