"""Answer questions in conversations: take a question, store its events, and stream them to clients.

An answer belongs to the program, not to the connection that asked. A client that loses its connection can follow the
rest later, also through another process on the same database.
"""

import asyncio
import time
import uuid
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from pincite import events
from pincite.accounts.audit import Caller
from pincite.answer.context import Context
from pincite.answer.question import AskedQuestion, GivenFile
from pincite.conversations import client_results, transactions
from pincite.conversations.abandoned_answers import AbandonedAnswers
from pincite.conversations.answer_start import AnswerStarter, RunningAnswer
from pincite.conversations.client_results import PictureStore, ReportedResult
from pincite.conversations.database_access import DatabaseAccess
from pincite.conversations.distant_notices import DistantNotices
from pincite.conversations.event_follower import EventFollower
from pincite.conversations.live import GRACE, Answerer, LiveTurn
from pincite.conversations.live_turns import Interrupted, LiveTurns
from pincite.conversations.live_watch import LiveWatch
from pincite.conversations.liveness import Liveness
from pincite.conversations.notifications import Notifications
from pincite.conversations.payments import Payments
from pincite.conversations.shutdown import Shutdown
from pincite.conversations.transcript import Conversation, read_conversation
from pincite.errors import Misuse
from pincite.events import Event
from pincite.store.messages import StoredMessage
from pincite.store.process_names import get_process_name

if TYPE_CHECKING:
    from pincite.answer.services import Services

_STALE = 30.0  # seconds of silence after which a writer of another machine counts as gone


class Conversations:
    """Runs the answers of one process, one at a time in each conversation."""

    def __init__(
        self,
        services: "Services",
        answer: Answerer | None = None,
        stale: float = _STALE,
        clock: Callable[[], float] = time.time,
    ) -> None:
        settings = services.settings
        process = f"{get_process_name()} {uuid.uuid4().hex[:8]}"
        liveness = Liveness(process, stale)
        self._services = services
        self._shutdown = shutdown = Shutdown()
        self._database = database = DatabaseAccess(
            services.library.database, settings.postgres.away_seconds, liveness, shutdown
        )
        self._pictures = PictureStore(settings)
        self._notifications = notifications = Notifications()
        self._notices: DistantNotices | None = None
        payments = Payments(database.writer, settings, process, clock)
        self._turns = turns = LiveTurns(answer or _answer_turn, liveness, payments)
        self._watch = LiveWatch(turns, database, payments, liveness, notifications, settings.quota.lease_seconds)
        self._starter = AnswerStarter(
            process, turns, self._watch, database, payments, liveness, notifications, shutdown
        )
        self._abandoned = AbandonedAnswers(turns, database, payments, liveness, settings.quota, clock, stale / 3)
        self._follower = EventFollower(turns, database, self._abandoned, notifications, shutdown)
        self._opening = asyncio.Lock()

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
        return await asyncio.shield(self._starter.start(context, caller, new, replaced))

    async def _add_history(self, asked: AskedQuestion, conversation: str, replaced: str | None) -> AskedQuestion:
        """Return a question with the exchanges of its conversation before it."""
        past = await self._database.read(
            transactions.load_history, asked.scope.owner, conversation, replaced, self._pictures
        )
        if not asked.workspace:
            asked = await self._database.read(transactions.load_workspace, asked, conversation)
        return replace(asked, conversation=conversation, history=past)

    async def ask_once(self, asked: AskedQuestion, caller: Caller | None = None) -> AsyncIterator[Event]:
        """Answer outside any conversation and store nothing; closing the stream of events stops the answer.

        The `caller` pays for the answer, as in `ask`.
        """
        # Shielded: a client that disconnects now must not leave credits reserved.
        beginning = asyncio.ensure_future(self._starter.start_once(await self._open_context(asked), caller))
        try:
            live = await asyncio.shield(beginning)
        except asyncio.CancelledError:
            beginning.add_done_callback(_stop_begun)
            raise

        async def follow_answer() -> AsyncIterator[Event]:
            try:
                async for event in live.follow(0):
                    yield event
            finally:
                live.stop()

        return follow_answer()

    async def report(
        self,
        owner: str,
        conversation: str,
        reported: ReportedResult,
        files: Sequence[GivenFile] = (),
        check: Callable[[AskedQuestion], None] | None = None,
        caller: Caller | None = None,
    ) -> tuple[int, RunningAnswer | None]:
        """Store the result that a client reports for a call of an answer; return the number of its event.

        The status `continue` begins the next turn on the request, which is returned too. `files` are those of a client
        that holds the folder itself, as they are now. `check` raises an error if the request may not go on. The
        `caller` pays for that turn, as in `ask`.
        """
        await self.settle(owner, conversation)
        answer, call = await self._database.read(client_results.find_call, owner, conversation, reported.call)
        client_results.check_status(call, reported.status)
        taken = await self._database.run_in_thread(self._pictures.take, conversation, reported)
        context: Context | None = None
        if reported.status == "continue":
            # Opened before the result is stored: a request that cannot go on now can be continued later.
            asked = await self._database.read(client_results.load_continued, answer, files)
            if check:
                check(asked)
            asked = replace(await self._add_history(asked, conversation, None), question_id=uuid.uuid4().hex)
            context = await self._open_context(asked)
        store = partial(
            client_results.store_result, owner=owner, conversation=conversation, answer=answer, call=call, taken=taken
        )
        if context is None:
            seq = await self._database.write(store)
            self._notifications.notify(conversation)
            return seq, None
        # One transaction, and shielded: a result that is stored has its turn, though the client disconnects now.
        running = await asyncio.shield(self._starter.start(context, caller, before=store))
        return running.after, running

    def events(self, owner: str, conversation: str, after: int = 0, brief: bool = False) -> AsyncIterator[Event]:
        """Return a stream of the events after a number: first the stored ones, then new ones.

        It ends when no answer is being written. `brief` leaves out events whose data the last event of a finished
        message repeats.
        """
        return self._follower.follow(owner, conversation, after, brief)

    def listen(self, conversation: str) -> asyncio.Event:
        """Return an event that is set at the next news of a conversation, or when this process closes.

        News are an answer that begins, a result of a client, and the removal of the conversation: in this process, and
        on PostgreSQL, where processes send notices, in any process.

        Call it before `events`, so that nothing that happens in between is missed.
        """
        return self._notifications.listen(conversation)

    async def stop(self, owner: str, conversation: str) -> bool:
        """Stop the answer of a conversation, in any process, and wait for its end; False when there is none."""
        if await self.settle(owner, conversation) is None:
            return False
        if await self._turns.stop(conversation):
            return True
        asked = await self._database.write(transactions.ask_to_stop, owner, conversation)
        until = time.monotonic() + 2 * GRACE
        while asked and time.monotonic() < until:
            news = self._notifications.listen(conversation)
            if await self.settle(owner, conversation) is None:
                break
            await self._notifications.wait(news)
        return asked

    async def stop_owner(self, owner: str) -> None:
        """Stop all answers of an owner that this process writes, and wait for their end."""
        await self._turns.stop_owner(owner)

    async def stop_retrieval(self, owner: str, conversation: str) -> bool:
        """End the searches and reading of an answer, in any process; it is written from what was found.

        Return False when there is no answer. Another process is asked, and its end is not waited for.
        """
        if await self.settle(owner, conversation) is None:
            return False
        live = self._turns.find(conversation)
        if live is None:
            return await self._database.write(transactions.ask_to_stop_retrieval, owner, conversation)
        live.stop_retrieval()
        return True

    @property
    def running(self) -> int:
        """The number of answers that this process is writing."""
        return len(self._turns)

    def stop_all_retrieval(self) -> bool:
        """End the searches and reading of every answer of this process; they are written from what was found."""
        return self._turns.stop_all_retrieval()

    def interrupt(self, owner: str, message: str, searches: bool = True) -> Interrupted:
        """End the searches of an owner's answer of this process, else the answer; return what was ended, or ""."""
        return self._turns.interrupt(owner, message, searches)

    async def delete(self, owner: str, conversation: str) -> None:
        """Remove a conversation with all its messages, also while an answer is being written."""
        await self._database.write(transactions.remove_conversation, owner, conversation)
        await self._database.run_in_thread(self._pictures.remove, conversation)
        if live := self._turns.find(conversation):
            live.drop()
        self._notifications.notify(conversation)

    async def choose(self, owner: str, message: str) -> None:
        """Show a version of a question, with what follows it; raise `Answering` while an answer is being written."""
        self._notifications.notify(await self._database.write(transactions.choose_version, owner, message))

    async def settle(self, owner: str, conversation: str) -> StoredMessage | None:
        """Return the message that is being written, after closing one whose writer is gone."""
        return await self._abandoned.find_running(owner, conversation)

    async def read(self, owner: str, conversation: str) -> Conversation:
        """Return a conversation with all its messages."""
        return await self._database.read(read_conversation, owner, conversation)

    async def last(self, owner: str, conversation: str) -> int:
        """Return the number of a conversation's last event, 0 when it has none."""
        return await self._database.read(transactions.find_last_seq, owner, conversation)

    async def start(self) -> None:
        """Begin to hear of other processes, and to close the answers of those that are gone."""
        if self._services.library.notices.delivers:
            self._notices = DistantNotices(
                self._services.library.notices, self._notifications, self._watch.hear_request
            )
            self._notifications.look_rarely(self._watch.beat)
        await self._abandoned.start()

    async def close(self) -> None:
        """Stop every answer, store it as far as it is written, and end the streams of its events."""
        await self._shutdown.begin(GRACE)
        await self._turns.stop_all()
        await self._watch.close()
        await self._abandoned.close()
        if self._notices:
            self._notices.close()
        await self._turns.settle_payments()
        self._notifications.notify_all()

    async def _open_context(self, asked: AskedQuestion) -> Context:
        """Open the context in a thread: it reads the database, and may import the SDK of a provider for a second."""
        self._shutdown.check()
        async with self._opening:  # the SDKs have circular imports: one thread at a time
            return await self._database.run_in_thread(self._services.open_context, asked)


def _stop_begun(beginning: "asyncio.Future[LiveTurn]") -> None:
    if not beginning.cancelled() and beginning.exception() is None:
        beginning.result().stop()


def _answer_turn(context: Context) -> AsyncIterator[events.Data]:
    from pincite.answer.pipeline import stream_answer

    return stream_answer(context)
