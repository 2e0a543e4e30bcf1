"""The answers that this process is writing: start them, find them and stop them."""

import asyncio
import logging
from functools import partial
from typing import Literal

from pincite.conversations.live import GRACE, Answerer, Keep, LiveTurn
from pincite.conversations.liveness import Liveness
from pincite.conversations.payments import Payments

log = logging.getLogger(__name__)

_ONCE = "once "  # begins the name of a turn outside any conversation

Interrupted = Literal["searches", "answer", ""]


def name_once(message: str) -> str:
    """Return the name of a turn outside any conversation."""
    return f"{_ONCE}{message}"


class LiveTurns:
    """The running answers of this process, each under the id of its conversation or the name of `name_once`."""

    def __init__(self, answer: Answerer, liveness: Liveness, payments: Payments) -> None:
        self._answer = answer
        self._liveness = liveness
        self._payments = payments
        self._live: dict[str, LiveTurn] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._settling: set[asyncio.Task[None]] = set()

    def __contains__(self, name: str) -> bool:
        return name in self._live

    def __len__(self) -> int:
        return len(self._live)

    def find(self, name: str) -> LiveTurn | None:
        """Return the answer of a conversation, None when this process writes none there."""
        return self._live.get(name)

    def list_stored(self) -> dict[str, LiveTurn]:
        """Return the answers in conversations by their messages."""
        return {live.message: live for name, live in self._live.items() if not name.startswith(_ONCE)}

    def start(self, name: str, live: LiveTurn, keep: Keep) -> None:
        """Run an answer in a task of its own."""
        self._live[name] = live
        self._tasks[name] = task = asyncio.create_task(live.run(self._answer, keep))
        task.add_done_callback(partial(self._end, name, live))

    async def stop(self, name: str) -> bool:
        """Stop the answer of a conversation, and wait for its end; return False when there is none here."""
        live = self._live.get(name)
        if live is None:
            return False
        live.stop()
        await asyncio.wait([self._tasks[name]], timeout=2 * GRACE)
        return True

    async def stop_owner(self, owner: str) -> None:
        """Stop all answers of an owner, and wait for their end."""
        live = {name: each for name, each in self._live.items() if each.owner == owner}
        for each in live.values():
            each.stop()
        if tasks := [self._tasks[name] for name in live]:
            await asyncio.wait(tasks, timeout=2 * GRACE)

    def stop_all_retrieval(self) -> bool:
        """End the searches and reading of every answer; return whether there were any."""
        return sum(live.stop_retrieval() for live in self._live.values()) > 0

    def interrupt(self, owner: str, message: str, searches: bool = True) -> Interrupted:
        """End the searches of an owner's answer, else the answer; return what was ended, or ""."""
        own = (each for each in self._live.values() if each.owner == owner)
        live = next((each for each in own if each.message == message), None)
        if live is None:
            return ""
        if searches and live.stop_retrieval():
            return "searches"
        live.stop()
        return "answer"

    async def stop_all(self) -> None:
        """Stop every answer, and wait until it is stored as far as it is written."""
        for live in self._live.values():
            live.stop()
        if self._tasks:
            await asyncio.wait(list(self._tasks.values()), timeout=3 * GRACE)

    async def settle_payments(self) -> None:
        """Book the cost of the answers that have ended and could not be stored."""
        await asyncio.gather(*self._settling, self._payments.settle_rest(self._liveness.own), return_exceptions=True)

    def _end(self, name: str, live: LiveTurn, task: asyncio.Task[None]) -> None:
        self._liveness.end(live.message)
        if self._payments.has_open(live.message):
            settling = asyncio.create_task(self._settle_unstored(live))
            self._settling.add(settling)
            settling.add_done_callback(self._settling.discard)
        if self._tasks.get(name) is task:  # not the task of the next question, which may have begun
            del self._live[name], self._tasks[name]
        if not task.cancelled() and (error := task.exception()):
            log.error("An answer failed before its end.", exc_info=error)

    async def _settle_unstored(self, live: LiveTurn) -> None:
        await live.wait_for_requests()
        await self._payments.settle_rest(self._liveness.own)
