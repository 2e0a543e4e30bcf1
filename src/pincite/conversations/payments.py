"""Reserve and book the credits of all answers of one process, also of those that could not be stored."""

import logging
from collections.abc import Callable, Collection, Sequence
from typing import TypeVar

from pincite.accounts.audit import Caller
from pincite.accounts.quota import renew_leases
from pincite.answer.context import Context
from pincite.conversations.answer_payment import AnswerPayment, needs_reservation
from pincite.conversations.stored_events import insert_before_last
from pincite.errors import LeaseLost, PinciteError
from pincite.events import Event
from pincite.settings import Settings
from pincite.store.credits import lock_credits
from pincite.store.group_commit import GroupWriter, Transaction
from pincite.store.messages import MessageOutcome

log = logging.getLogger(__name__)

R = TypeVar("R")


class Payments:
    """The payments of running answers by message. `holder` names the process, and `clock` tells the time of day."""

    def __init__(self, writer: GroupWriter, settings: Settings, holder: str, clock: Callable[[], float]) -> None:
        self._writer = writer
        self._quota = settings.quota
        self._away_seconds = settings.postgres.away_seconds
        self._holder = holder
        self._clock = clock
        self._open: dict[str, AnswerPayment] = {}
        self.is_reserving = needs_reservation(settings)

    async def begin(
        self, context: Context, caller: Caller | None, message: str, store: Callable[[Transaction], R]
    ) -> R:
        """Store a question in the transaction that reserves its credits; raise `QuotaReached` and store nothing."""
        payment = AnswerPayment(context, caller, message, self._holder, self._clock)

        def work(connection: Transaction) -> R:
            if self.is_reserving:
                payment.reserve(connection)
            return store(connection)

        stored = await self._writer.write(work, lock_credits if self.is_reserving else None)
        self._open[message] = payment
        payment.grant()
        return stored

    async def begin_once(self, context: Context, caller: Caller | None, message: str) -> None:
        """Reserve the credits of an answer that is not stored. Where nothing is limited, nothing is written."""
        if self.is_reserving:
            await self.begin(context, caller, message, lambda _: None)
        else:
            self._open[message] = AnswerPayment(context, caller, message, self._holder, self._clock)

    async def end(
        self,
        message: str,
        sent: Sequence[Event],
        ended: MessageOutcome,
        store: Callable[[Transaction, Sequence[Event]], None],
    ) -> Sequence[Event]:
        """Store the last events of an answer in the transaction that books its cost, and return them.

        Warnings about credits come before the last event.
        """
        payment = self._open[message]

        def work(connection: Transaction) -> Sequence[Event]:
            told = insert_before_last(sent, payment.settle(connection, ended))
            store(connection, told)
            return told

        try:
            told = await self._writer.write(work, lock_credits, self._away_seconds)
        except LeaseLost:
            # The message was removed, or another process closed it. The requests were made all the same.
            await self._settle(payment, ended)
            self._open.pop(message, None)
            raise
        self._open.pop(message, None)
        return told

    def has_open(self, message: str) -> bool:
        """Return whether the cost of an answer is not booked yet."""
        return message in self._open

    async def settle_rest(self, running: Collection[str]) -> None:
        """Book the answers that have ended and could not be stored, because the disk was full or the like."""
        for message in [each for each in self._open if each not in running]:
            payment = self._open.pop(message)  # at once, so that no other task books it meanwhile
            try:
                await self._settle(payment, None)
            except PinciteError as error:
                self._open[message] = payment
                log.error("The cost of an answer could not be stored. %s %s", error.message, error.hint)

    async def renew(self) -> None:
        """Extend the leases of the running answers."""
        if self.is_reserving and self._open:
            await self._writer.write(
                lambda connection: renew_leases(connection, self._quota, self._holder, self._clock()), lock_credits
            )

    async def _settle(self, payment: AnswerPayment, ended: MessageOutcome | None) -> None:
        await self._writer.write(lambda connection: payment.settle(connection, ended), lock_credits)
