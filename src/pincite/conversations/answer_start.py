"""Start an answer: store its question, reserve its credits, and say how its events are stored."""

import logging
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pincite.accounts.audit import Caller
from pincite.answer.context import Context
from pincite.conversations import transactions
from pincite.conversations.admission import Admission
from pincite.conversations.database_access import DatabaseAccess
from pincite.conversations.live import Keep, LiveTurn
from pincite.conversations.live_turns import LiveTurns, name_once
from pincite.conversations.live_watch import LiveWatch
from pincite.conversations.liveness import Liveness
from pincite.conversations.notifications import Notifications
from pincite.conversations.payments import Payments
from pincite.conversations.shutdown import Shutdown
from pincite.errors import PinciteError
from pincite.events import Event
from pincite.store.group_commit import Transaction
from pincite.store.messages import MessageOutcome

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RunningAnswer:
    """An answer that is being written; its events have numbers above `after`."""

    conversation: str
    message: str
    after: int


class AnswerStarter:
    """Starts the answers of one process, whose name is `process`."""

    def __init__(
        self,
        process: str,
        turns: LiveTurns,
        watch: LiveWatch,
        database: DatabaseAccess,
        payments: Payments,
        liveness: Liveness,
        notifications: Notifications,
        shutdown: Shutdown,
    ) -> None:
        self._process = process
        self._turns = turns
        self._watch = watch
        self._database = database
        self._payments = payments
        self._liveness = liveness
        self._notifications = notifications
        self._shutdown = shutdown
        self._admission = Admission()

    async def start(
        self,
        context: Context,
        caller: Caller | None,
        new: bool = False,
        replaced: str | None = None,
        before: Callable[[Transaction], object] = lambda _: None,
    ) -> RunningAnswer:
        """Store a question in one transaction with the work `before` it, and begin to answer."""
        with self._shutdown.take_question():
            asked, message = context.asked, uuid.uuid4().hex
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
                await self._database.writer.write(
                    lambda connection: store(connection, sent), away_seconds=self._database.away_seconds
                )
                return sent

            self._run(asked.conversation, LiveTurn(message, after, context, self._admission), keep)
            return RunningAnswer(asked.conversation, message, after)

    async def start_once(self, context: Context, caller: Caller | None) -> LiveTurn:
        """Begin an answer outside any conversation. Only its cost is stored."""
        with self._shutdown.take_question():
            asked, message = context.asked, uuid.uuid4().hex
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
                except PinciteError as error:  # the client gets the answer all the same
                    log.error("The cost of an answer could not be stored. %s %s", error.message, error.hint)
                    return sent

            live = LiveTurn(message, 0, context, self._admission)
            self._run(name_once(message), live, keep)
            return live

    def _run(self, name: str, live: LiveTurn, keep: Keep) -> None:
        self._turns.start(name, live, keep)
        self._notifications.notify(name)
        self._watch.start()
