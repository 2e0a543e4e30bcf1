"""Answer questions in conversations: take a question, store its events, and stream them to clients.

An answer belongs to the program, not to the connection that asked. A client that loses its connection can follow the
rest later, also through another process on the same database.
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
from pincite.accounts.audit import Caller
from pincite.answer.context import Context
from pincite.answer.question import AskedQuestion, GivenFile
from pincite.conversations import client_results, transactions
from pincite.conversations.admission import Admission
from pincite.conversations.client_results import PictureStore, ReportedResult
from pincite.conversations.distant_notices import DistantNotices
from pincite.conversations.live import GRACE, Answerer, Keep, LiveTurn
from pincite.conversations.liveness import Liveness
from pincite.conversations.notifications import Notifications
from pincite.conversations.payments import Payments
from pincite.conversations.transcript import Conversation, read_conversation
from pincite.errors import Busy, DatabaseAway, Misuse, PinciteError
from pincite.events import Event
from pincite.store.credits import lock_credits
from pincite.store.database import Database
from pincite.store.group_commit import GroupWriter, Transaction
from pincite.store.messages import MessageOutcome, StoredMessage
from pincite.store.process_names import get_process_name

if TYPE_CHECKING:
    from pincite.answer.services import Services

log = logging.getLogger(__name__)

_LOOK = 0.2  # seconds between checks for what another process has written or asked for
_AWAY_LOOK = 1.0  # seconds between checks whether the database is back
_SLOW_LOOK = 2.0  # where notices tell it: in case one was lost
_BEAT = 5.0  # seconds between signs of life
_STALE = 30.0  # seconds of silence after which a writer of another machine counts as gone
_READERS = 8
_ONCE = "once "  # begins the name of a turn outside any conversation

Interrupted = Literal["searches", "answer", ""]

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class RunningAnswer:
    """An answer that is being written; its events have numbers above `after`."""

    conversation: str
    message: str
    after: int


class Conversations:
    """Runs the answers of one process, one at a time in each conversation."""

    def __init__(
        self,
        services: "Services",
        answer: Answerer | None = None,
        stale: float = _STALE,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._services = services
        self._database = services.library.database
        self._answer = answer or _answer_turn
        self._process = f"{get_process_name()} {uuid.uuid4().hex[:8]}"
        self._liveness = Liveness(self._process, stale)
        self._live: dict[str, LiveTurn] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._watcher: asyncio.Task[None] | None = None
        self._salvager: asyncio.Task[None] | None = None
        self._settling: set[asyncio.Task[None]] = set()
        self._closing = False
        self._admission = Admission()
        self._writer = GroupWriter(self._database)
        self._readers = anyio.CapacityLimiter(_READERS)
        self._opening = asyncio.Lock()
        self._notifications = Notifications()
        self._notices: DistantNotices | None = None
        self._asked = asyncio.Event()  # to stop one of our answers, or its searches
        self._look = _LOOK
        self._stale = stale
        self._pictures = PictureStore(services.settings)
        self._clock = clock
        self._quota = services.settings.quota
        self._payments = Payments(self._writer, services.settings, self._process, clock)
        self._beat = min(_BEAT, self._quota.lease_seconds / 3)
        self._away_seconds = services.settings.postgres.away_seconds

    async def ask(
        self,
        asked: AskedQuestion,
        conversation: str | None = None,
        replaced: str | None = None,
        caller: Caller | None = None,
    ) -> RunningAnswer:
        """Begin to answer in a conversation, or in a new one; raise `Answering` when an answer is being written there.

        `replaced` is the id of a message. The new question is another version of its question, and is shown instead.
        The `caller` pays for the answer; without one it is the owner of the conversation. `QuotaReached` is raised
        where the credits are not enough, and nothing is stored.
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
            asked = await self._add_history(asked, conversation, replaced)
        # Shielded: a client that disconnects now must not leave a question without an answer.
        context = await self._open_context(asked)
        return await asyncio.shield(self._begin(asked, context, new, replaced, caller=caller))

    async def _add_history(self, asked: AskedQuestion, conversation: str, replaced: str | None) -> AskedQuestion:
        """Return a question with the exchanges of its conversation before it."""
        past = await self._read(transactions.load_history, asked.scope.owner, conversation, replaced, self._pictures)
        if not asked.workspace:
            asked = await self._read(transactions.load_workspace, asked, conversation)
        return replace(asked, conversation=conversation, history=past)

    async def _begin(
        self,
        asked: AskedQuestion,
        context: Context,
        new: bool = False,
        replaced: str | None = None,
        before: Callable[[Transaction], object] = lambda _: None,
        caller: Caller | None = None,
    ) -> RunningAnswer:
        """Store a question in one transaction with what comes `before` it, and begin to answer."""
        message = uuid.uuid4().hex
        await self._payments.settle_rest(self._liveness.own)

        def store(connection: Transaction) -> int:
            before(connection)
            return transactions.begin_answer(connection, asked, message, self._process, new, replaced)

        self._admission.arrive(message)
        self._liveness.begin(message)
        try:
            after = await self._payments.begin(context, caller, message, store)
        except BaseException:
            self._admission.settle(message)
            self._liveness.end(message)
            raise

        async def keep(sent: Sequence[Event], ended: MessageOutcome | None) -> Sequence[Event]:
            def store(connection: Transaction, told: Sequence[Event]) -> None:
                transactions.store_events(connection, asked, message, self._process, told, ended)

            if ended:
                return await self._payments.end(message, sent, ended, store)
            await self._writer.write(lambda connection: store(connection, sent), away_seconds=self._away_seconds)
            return sent

        self._start(asked.conversation, LiveTurn(message, after, context, self._admission), keep)
        return RunningAnswer(asked.conversation, message, after)

    async def ask_once(self, asked: AskedQuestion, caller: Caller | None = None) -> AsyncIterator[Event]:
        """Answer outside any conversation and store nothing; closing the stream of events stops the answer.

        The `caller` pays for the answer, as in `ask`.
        """
        # Shielded: a client that disconnects now must not leave credits reserved.
        beginning = asyncio.ensure_future(self._begin_once(asked, await self._open_context(asked), caller))
        try:
            live = await asyncio.shield(beginning)
        except asyncio.CancelledError:
            beginning.add_done_callback(_stop_begun)
            raise

        async def heard() -> AsyncIterator[Event]:
            try:
                async for event in live.follow(0):
                    yield event
            finally:
                live.stop()

        return heard()

    async def _begin_once(self, asked: AskedQuestion, context: Context, caller: Caller | None) -> LiveTurn:
        message = uuid.uuid4().hex
        self._liveness.begin(message)
        try:
            await self._payments.begin_once(context, caller, message)
        except BaseException:
            self._liveness.end(message)
            raise

        async def keep(sent: Sequence[Event], ended: MessageOutcome | None) -> Sequence[Event]:
            def charge(connection: Transaction, _: Sequence[Event]) -> None:
                if ended:
                    transactions.charge_answer(connection, asked.scope.owner, ended)

            try:
                return await self._payments.end(message, sent, ended, charge) if ended else sent
            except PinciteError as error:  # whoever asked has the answer all the same
                log.error("The cost of an answer could not be stored. %s %s", error.message, error.hint)
                return sent

        live = LiveTurn(message, 0, context, self._admission)
        self._start(f"{_ONCE}{message}", live, keep)
        return live

    async def report(
        self,
        owner: str,
        conversation: str,
        reported: ReportedResult,
        files: Sequence[GivenFile] = (),
        check: Callable[[AskedQuestion], None] | None = None,
        caller: Caller | None = None,
    ) -> tuple[int, RunningAnswer | None]:
        """Store what a client did about a call of an answer; return the number of its event.

        The status `continue` begins the next turn on the request, which is returned too. `files` are those of a client
        that holds the folder itself, as they are now. `check` raises an error if the request may not go on. The
        `caller` pays for that turn, as in `ask`.
        """
        await self.settle(owner, conversation)
        answer, call = await self._read(client_results.find_call, owner, conversation, reported.call)
        client_results.check_status(call, reported.status)
        taken = await anyio.to_thread.run_sync(self._pictures.take, conversation, reported, limiter=self._readers)
        context: Context | None = None
        if reported.status == "continue":
            # Opened before the result is stored: a request that cannot go on now can be continued later.
            asked = await self._read(client_results.load_continued, answer, files)
            if check:
                check(asked)
            asked = replace(await self._add_history(asked, conversation, None), question_id=uuid.uuid4().hex)
            context = await self._open_context(asked)
        store = partial(
            client_results.store_result, owner=owner, conversation=conversation, answer=answer, call=call, taken=taken
        )
        if context is None:
            seq = await self._write(store)
            self._notifications.notify(conversation)
            return seq, None
        # One transaction, and shielded: a result that is stored has its turn, though the client disconnects now.
        running = await asyncio.shield(self._begin(context.asked, context, before=store, caller=caller))
        return running.after, running

    async def events(self, owner: str, conversation: str, after: int = 0, brief: bool = False) -> AsyncIterator[Event]:
        """Yield the events after a number: first the stored ones, then new ones, until no answer is being written.

        `brief` leaves out events whose data the last event of a finished message repeats.
        """
        while not self._closing:
            news = self._notifications.listen(conversation)
            live = self._live.get(conversation)
            if live and live.owner == owner and after >= live.before:
                async for event in live.follow(after):
                    yield event
                    if not event.seq and event.type == "message_completed":
                        return  # it could not be stored: there is nothing to come
                    after = max(after, event.seq)
            found, running = await self._read_patiently(
                transactions.load_events, owner, conversation, after, brief=brief
            )
            for event in found:
                after = event.seq
                yield event
            if running is None and not found:
                return
            if running and not found:
                after = max(after, running.after)  # what was replaced left a gap in the numbers
                if conversation not in self._live and not await self._close_abandoned(running):
                    await self._wait_for(news)

    def listen(self, conversation: str) -> asyncio.Event:
        """Return an event that is set at the next news of a conversation, or when this process closes.

        News are an answer that begins, a result of a client, and the removal of the conversation: in this process, and
        where notices arrive (on PostgreSQL) in any.

        Call it before `events`, so that nothing that happens in between is missed.
        """
        return self._notifications.listen(conversation)

    async def stop(self, owner: str, conversation: str) -> bool:
        """Stop the answer of a conversation, in any process, and wait for its end; False when there is none."""
        if await self.settle(owner, conversation) is None:
            return False
        if live := self._live.get(conversation):
            live.stop()
            await asyncio.wait([self._tasks[conversation]], timeout=2 * GRACE)
            return True
        asked = await self._write(transactions.ask_to_stop, owner, conversation)
        until = time.monotonic() + 2 * GRACE
        while asked and time.monotonic() < until:
            news = self._notifications.listen(conversation)
            if await self.settle(owner, conversation) is None:
                break
            await self._wait_for(news)
        return asked

    async def stop_owner(self, owner: str) -> None:
        """Stop all answers of an owner that this process writes, and wait for their end."""
        live = {name: each for name, each in self._live.items() if each.owner == owner}
        for each in live.values():
            each.stop()
        if tasks := [self._tasks[name] for name in live]:
            await asyncio.wait(tasks, timeout=2 * GRACE)

    async def stop_retrieval(self, owner: str, conversation: str) -> bool:
        """End the searches and reading of an answer, in any process; it is written from what was found.

        Return False when there is no answer. Another process is asked, and its end is not waited for.
        """
        if await self.settle(owner, conversation) is None:
            return False
        live = self._live.get(conversation)
        if live is None:
            return await self._write(transactions.ask_to_stop_retrieval, owner, conversation)
        live.stop_retrieval()
        return True

    @property
    def running(self) -> int:
        """The number of answers that this process is writing."""
        return len(self._live)

    def stop_all_retrieval(self) -> bool:
        """End the searches and reading of every answer of this process; they are written from what was found."""
        return sum(live.stop_retrieval() for live in self._live.values()) > 0

    def interrupt(self, owner: str, message: str, searches: bool = True) -> Interrupted:
        """End the searches of an owner's answer of this process, else the answer; return what was ended, or ""."""
        own = (each for each in self._live.values() if each.owner == owner)
        live = next((each for each in own if each.message == message), None)
        if live is None:
            return ""
        if searches and live.stop_retrieval():
            return "searches"
        live.stop()
        return "answer"

    async def delete(self, owner: str, conversation: str) -> None:
        """Remove a conversation with all its messages, also while an answer is being written."""
        await self._write(transactions.remove_conversation, owner, conversation)
        await anyio.to_thread.run_sync(self._pictures.remove, conversation, limiter=self._readers)
        if live := self._live.get(conversation):
            live.drop()
        self._notifications.notify(conversation)

    async def choose(self, owner: str, message: str) -> None:
        """Show a version of a question, with what follows it; raise `Answering` while an answer is being written."""
        self._notifications.notify(await self._write(transactions.choose_version, owner, message))

    async def settle(self, owner: str, conversation: str) -> StoredMessage | None:
        """Return the message that is being written, after closing one whose writer is gone."""
        _, running = await self._read(transactions.load_events, owner, conversation, 0, 1)
        if running and conversation not in self._live and await self._close_abandoned(running):
            return None
        return running

    async def read(self, owner: str, conversation: str) -> Conversation:
        """Return a conversation with all its messages."""
        return await self._read(read_conversation, owner, conversation)

    async def last(self, owner: str, conversation: str) -> int:
        """Return the number of a conversation's last event, 0 when it has none."""
        return await self._read(transactions.find_last_seq, owner, conversation)

    async def start(self) -> None:
        """Begin to hear of other processes, and to close the answers of those that are gone.

        The last sign of life of every answer being written is noted, so that silence is measured from now on.
        """
        if self._services.library.notices.delivers:
            self._notices = DistantNotices(self._services.library.notices, self._notifications, self._hear_request)
            self._look = min(_SLOW_LOOK, self._beat)
        self._liveness.watch(await self._read(transactions.list_running))
        self._salvager = asyncio.create_task(self._salvage())

    async def close(self) -> None:
        """Stop every answer, store it as far as it is written, and end the streams of its events."""
        self._closing = True
        for live in self._live.values():
            live.stop()
        if self._tasks:
            await asyncio.wait(list(self._tasks.values()), timeout=3 * GRACE)
        for task in filter(None, (self._watcher, self._salvager)):
            task.cancel()
            await asyncio.wait([task])
        if self._notices:
            self._notices.close()
        await asyncio.gather(*self._settling, self._payments.settle_rest(self._liveness.own), return_exceptions=True)
        self._notifications.notify_all()

    async def _open_context(self, asked: AskedQuestion) -> Context:
        """Open the context in a thread: it reads the database, and may import the SDK of a provider for a second."""
        if self._closing:
            raise Busy("The server is about to stop.", "Ask again in a minute.")
        async with self._opening:  # the SDKs import themselves in circles: one thread at a time
            return await anyio.to_thread.run_sync(self._services.open_context, asked, limiter=self._readers)

    def _start(self, name: str, live: LiveTurn, keep: Keep) -> None:
        self._live[name] = live
        self._tasks[name] = task = asyncio.create_task(live.run(self._answer, keep))
        task.add_done_callback(partial(self._ended, name, live))
        self._notifications.notify(name)
        if self._watcher is None or self._watcher.done():
            self._watcher = asyncio.create_task(self._watch())

    def _ended(self, name: str, live: LiveTurn, task: asyncio.Task[None]) -> None:
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

    async def _watch(self) -> None:
        """While answers are written here, check for requests to stop them and record signs of life."""
        beaten = time.monotonic()
        while self._live:
            await self._wait_for(self._asked)
            self._asked.clear()
            held = {live.message: live for name, live in self._live.items() if not name.startswith(_ONCE)}
            try:
                requests = await self._read(transactions.find_requests, list(held))
                for message in requests.stopping_retrieval:
                    held[message].stop_retrieval()
                for message in requests.stopping:
                    held[message].stop()
                for message in requests.lost:
                    held[message].drop()  # nothing that it says can be stored
                if time.monotonic() - beaten > self._beat:
                    await self._write(transactions.send_heartbeat, list(held))
                    await self._payments.renew()
                    await self._payments.settle_rest(self._liveness.own)
                    beaten = time.monotonic()
            except PinciteError as error:
                log.warning("%s %s", error.message, error.hint)

    async def _salvage(self) -> None:
        """Close the answers whose writers are gone, so that nobody has to open them first."""
        while True:
            await asyncio.sleep(self._stale / 3)
            try:
                for running in await self._read(transactions.list_running):
                    if running.conversation not in self._live:
                        await self._close_abandoned(running)
            except PinciteError as error:
                log.warning("%s %s", error.message, error.hint)

    def _hear_request(self, conversation: str) -> None:
        """Look soon whether an answer was asked to stop; "" stands for any."""
        if not conversation or conversation in self._live:
            self._asked.set()

    async def _wait_for(self, news: asyncio.Event) -> None:
        """Wait for news, or until it is time to look without them."""
        with anyio.move_on_after(self._look):
            await news.wait()

    async def _close_abandoned(self, running: StoredMessage) -> bool:
        """Close a message whose writer is gone; return whether it was closed."""
        if not self._liveness.has_lost_its_writer(running):
            return False
        await self._payments.settle_rest(self._liveness.own)
        await self._writer.write(
            lambda connection: transactions.close_abandoned(connection, running, self._quota, self._clock()),
            lock_credits,
        )
        return True

    async def _read(self, work: Callable[Concatenate[Database, P], R], *given: P.args, **named: P.kwargs) -> R:
        done = partial(work, self._database, *given, **named)
        try:
            return await anyio.to_thread.run_sync(done, limiter=self._readers)
        except DatabaseAway:
            self._liveness.restart()
            raise

    async def _read_patiently(
        self, work: Callable[Concatenate[Database, P], R], *given: P.args, **named: P.kwargs
    ) -> R:
        """Read as `_read` does, and wait for a database that is away: a stream goes on when it is back."""
        until = time.monotonic() + self._away_seconds
        while True:
            try:
                return await self._read(work, *given, **named)
            except DatabaseAway:
                if self._closing or time.monotonic() >= until:
                    raise
            await asyncio.sleep(_AWAY_LOOK)

    async def _write(self, work: Callable[Concatenate[Transaction, P], R], *given: P.args, **named: P.kwargs) -> R:
        return await self._writer.write(lambda connection: work(connection, *given, **named))


def _stop_begun(beginning: "asyncio.Future[LiveTurn]") -> None:
    if not beginning.cancelled() and beginning.exception() is None:
        beginning.result().stop()


def _answer_turn(context: Context) -> AsyncIterator[events.Data]:
    from pincite.answer.pipeline import stream_answer

    return stream_answer(context)
