"""Conversations: a question in, a numbered stream of stored events out, on this connection or the next.

A turn belongs to the program, not to the connection that asked: who leaves loses nothing, and who comes back gets
what was missed and then the rest, also from another process on the same database.
"""

import asyncio
import logging
import time
import uuid
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Concatenate, Literal, ParamSpec, TypeVar

import anyio
import anyio.to_thread

from pincite import events
from pincite.agent.turn import Asked, Turn
from pincite.conversations import rows
from pincite.conversations.admission import Admission
from pincite.conversations.live import GRACE, Answerer, Keep, Live
from pincite.conversations.liveness import Liveness
from pincite.conversations.reading import Conversation, read
from pincite.errors import Busy, Misuse, PinciteError
from pincite.events import Event
from pincite.store.database import Database
from pincite.store.group_commit import GroupWriter, Transaction
from pincite.store.messages import Outcome, StoredMessage
from pincite.store.processes import this_process

if TYPE_CHECKING:
    from pincite.agent.house import House

log = logging.getLogger(__name__)

_LOOK = 0.2  # seconds between looks at what another process may have written or asked for
_BEAT = 5.0  # seconds between signs of life
_STALE = 30.0  # seconds of silence after which a writer of another machine counts as gone
_READERS = 8

Interrupted = Literal["searches", "answer", ""]

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Running:
    """An answer that is being written: its conversation, its message, and the number its events come after."""

    conversation: str
    message: str
    after: int


class Conversations:
    """Runs the turns of one process. Each conversation has one at a time; twenty conversations share nothing."""

    def __init__(self, house: "House", answer: Answerer | None = None, stale: float = _STALE) -> None:
        self._house = house
        self._database = house.library.database
        self._answer = answer or _answered
        self._process = f"{this_process()} {uuid.uuid4().hex[:8]}"
        self._liveness = Liveness(self._process, stale)
        self._live: dict[str, Live] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._watcher: asyncio.Task[None] | None = None
        self._closing = False
        self._admission = Admission()
        self._writer = GroupWriter(self._database)
        self._readers = anyio.CapacityLimiter(_READERS)

    async def ask(self, asked: Asked, conversation: str | None = None, replaced: str | None = None) -> Running:
        """Begin to answer in a conversation, or in a new one; `Answering` when one is being answered there.

        `replaced` is a message: its exchange and all that follows go, the moment the new question takes their place.
        """
        new = conversation is None
        asked = replace(asked, question_id=uuid.uuid4().hex)
        if conversation is None:
            if replaced is not None:
                raise Misuse(
                    "It is not said in which conversation a message is replaced.", "Give the conversation too."
                )
            asked = replace(asked, conversation=uuid.uuid4().hex)
        else:
            await self.settle(asked.scope.owner, conversation)
            past = await self._read(rows.history, asked.scope.owner, conversation, replaced)
            asked = replace(asked, conversation=conversation, history=past)
        turn, message = self._turn(asked), uuid.uuid4().hex
        # Shielded: a client that leaves now must not leave a question behind that nobody answers.
        return await asyncio.shield(self._begin(asked, turn, message, new, replaced))

    async def _begin(self, asked: Asked, turn: Turn, message: str, new: bool, replaced: str | None) -> Running:
        self._admission.arrive(message)
        self._liveness.begin(message)
        try:
            after = await self._write(rows.begin, asked, message, self._process, new, replaced)
        except BaseException:
            self._admission.settle(message)
            self._liveness.end(message)
            raise

        async def keep(sent: Sequence[Event], ended: Outcome | None) -> None:
            await self._write(rows.keep, asked, message, self._process, sent, ended)

        self._start(asked.conversation, Live(message, after, turn, self._admission), keep)
        return Running(asked.conversation, message, after)

    def once(self, asked: Asked) -> AsyncIterator[Event]:
        """The events of an answer that is in no conversation and not stored; who stops listening stops it."""
        message = uuid.uuid4().hex
        live = Live(message, 0, self._turn(asked), self._admission)

        async def keep(sent: Sequence[Event], ended: Outcome | None) -> None:
            if not ended:
                return
            try:
                await self._write(rows.charge, asked.scope.owner, ended)
            except PinciteError as error:  # whoever asked has the answer all the same
                log.error("The cost of an answer could not be stored. %s %s", error.message, error.hint)

        async def heard() -> AsyncIterator[Event]:
            try:
                async for event in live.follow(0):
                    yield event
            finally:
                live.stop()

        self._start(f"once {message}", live, keep)
        return heard()

    async def events(self, owner: str, conversation: str, after: int = 0, brief: bool = False) -> AsyncIterator[Event]:
        """The events after a number: those that are stored, then those that come, until nothing runs any more.

        `brief` leaves out what the last event of a message that is over says again.
        """
        while not self._closing:
            live = self._live.get(conversation)
            if live and live.owner == owner and after >= live.before:
                async for event in live.follow(after):
                    yield event
                    if not event.seq and event.type == "message_completed":
                        return  # it could not be stored: there is nothing to come
                    after = max(after, event.seq)
            found, running = await self._read(rows.replay, owner, conversation, after, brief=brief)
            for event in found:
                after = event.seq
                yield event
            if running is None and not found:
                return
            if running and not found:
                after = max(after, running.after)  # what was replaced left a gap in the numbers
                if conversation not in self._live:
                    await self._bury(running)
                    await asyncio.sleep(_LOOK)

    async def stop(self, owner: str, conversation: str) -> bool:
        """Stop what is being answered, here or in another process, and wait for its end; False when nothing is."""
        if await self.settle(owner, conversation) is None:
            return False
        if live := self._live.get(conversation):
            live.stop()
            await asyncio.wait([self._tasks[conversation]], timeout=2 * GRACE)
            return True
        asked = await self._write(rows.ask_to_stop, conversation)
        until = time.monotonic() + 2 * GRACE
        while asked and time.monotonic() < until and await self.settle(owner, conversation):
            await asyncio.sleep(_LOOK)
        return asked

    async def stop_retrieval(self, owner: str, conversation: str) -> bool:
        """End the searches and reading of an answer that is written here, which goes on; False when none is."""
        await self.settle(owner, conversation)
        live = self._live.get(conversation)
        if live is None or live.owner != owner:
            return False
        live.stop_retrieval()
        return True

    def stop_all_retrieval(self) -> bool:
        """End the searches and reading of every answer that is written here, if any; the answers go on."""
        return sum(live.stop_retrieval() for live in self._live.values()) > 0

    def interrupt(self, message: str, searches: bool = True) -> Interrupted:
        """End the searches of an answer that is written here, else the answer itself; "" when it is not."""
        live = next((each for each in self._live.values() if each.message == message), None)
        if live is None:
            return ""
        if searches and live.stop_retrieval():
            return "searches"
        live.stop()
        return "answer"

    async def delete(self, owner: str, conversation: str) -> None:
        """Remove a conversation with all that is in it, also while it is being answered."""
        await self._write(rows.remove, owner, conversation)
        if live := self._live.get(conversation):
            live.drop()

    async def settle(self, owner: str, conversation: str) -> StoredMessage | None:
        """The message that is being written in a conversation; one whose writer is gone is closed first."""
        _, running = await self._read(rows.replay, owner, conversation, 0, 1)
        if running and conversation not in self._live and await self._bury(running):
            return None
        return running

    async def read(self, owner: str, conversation: str) -> Conversation:
        """Everything that was said in a conversation."""
        return await self._read(read, owner, conversation)

    async def last(self, owner: str, conversation: str) -> int:
        """The number of a conversation's last event, 0 when it has none."""
        return await self._read(rows.last, owner, conversation)

    async def survey(self) -> None:
        """Look at every answer that is being written: the silence of writers elsewhere is counted from now on."""
        self._liveness.watch(await self._read(rows.all_running))

    async def close(self) -> None:
        """Stop every turn, store how far it came, and let those who listen go."""
        self._closing = True
        for live in self._live.values():
            live.stop()
        if self._tasks:
            await asyncio.wait(list(self._tasks.values()), timeout=3 * GRACE)
        if self._watcher:
            self._watcher.cancel()
            await asyncio.wait([self._watcher])

    def _turn(self, asked: Asked) -> Turn:
        if self._closing:
            raise Busy("The server is about to stop.", "Ask again in a minute.")
        return self._house.turn(asked)

    def _start(self, name: str, live: Live, keep: Keep) -> None:
        self._live[name] = live
        self._tasks[name] = task = asyncio.create_task(live.run(self._answer, keep))
        task.add_done_callback(partial(self._ended, name, live.message))
        if self._watcher is None or self._watcher.done():
            self._watcher = asyncio.create_task(self._watch())

    def _ended(self, name: str, message: str, task: asyncio.Task[None]) -> None:
        self._liveness.end(message)
        if self._tasks.get(name) is task:  # and not the one of the next question, which may be here already
            del self._live[name], self._tasks[name]
        if not task.cancelled() and (error := task.exception()):
            log.error("an answer was not run to its end", exc_info=error)

    async def _watch(self) -> None:
        """While anything runs here, look whether another process wants it stopped, and say that we are alive."""
        beaten = time.monotonic()
        while self._live:
            await asyncio.sleep(_LOOK)
            held = {live.message: live for live in self._live.values()}
            try:
                for message in await self._read(rows.stopping, list(held)):
                    held[message].stop()
                if time.monotonic() - beaten > _BEAT:
                    await self._write(rows.beat, list(held))
                    beaten = time.monotonic()
            except PinciteError as error:
                log.warning("%s %s", error.message, error.hint)

    async def _bury(self, running: StoredMessage) -> bool:
        """Whether a message that no turn here writes had lost its writer; then it is closed."""
        if not self._liveness.has_lost_its_writer(running):
            return False
        await self._write(rows.bury, running)
        return True

    async def _read(self, work: Callable[Concatenate[Database, P], R], *given: P.args, **named: P.kwargs) -> R:
        done = partial(work, self._database, *given, **named)
        return await anyio.to_thread.run_sync(done, limiter=self._readers)

    async def _write(self, work: Callable[Concatenate[Transaction, P], R], *given: P.args, **named: P.kwargs) -> R:
        return await self._writer.write(lambda connection: work(connection, *given, **named))


def _answered(turn: Turn) -> AsyncIterator[events.Data]:
    from pincite.answers import answer

    return answer(turn)
