"""Bookings and reservations of conversations add up, whatever ends, is removed or is killed when."""

import asyncio
import tempfile
from collections.abc import Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast
from unittest.mock import patch

from hypothesis import settings as run_settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from pincite import conversations as talking
from pincite.accounts.quota import forget_account, get_month
from pincite.conversations import Conversations
from pincite.errors import QuotaReached, StorageError
from pincite.library import open_library
from pincite.settings import load_settings
from pincite.store import credits
from pincite.store.credits import CREDIT
from tests.accounts.credit_rows import NOW, read_balances, sum_rows
from tests.clock import PATIENCE
from tests.conversations.conftest import ask
from tests.conversations.paying import PaidServices, Spender, make_caller
from tests.thorough import scale_examples

if TYPE_CHECKING:
    from pincite.answer.services import Services

LIMIT = 20  # credits of a person
PEOPLE = ("ada", "bo")


T = TypeVar("T")


class Server:
    """A server process whose answers wait, and which can die without a word."""

    def __init__(self, services: "Services", name: str) -> None:
        self.name = name
        self.spender = Spender(None, waits=True)
        with patch.object(talking, "get_process_name", lambda: name):
            self.runner = Conversations(services, self.spender, clock=lambda: NOW)
        self.answers: list[tuple[str, str]] = []  # person and conversation

    async def kill(self) -> None:
        """Nothing that it does from now on is stored."""

        def fail(*_: Any) -> None:
            raise StorageError("The process is dead.")

        with patch.object(self.runner._database.writer, "_write_all", fail):
            await self.runner.close()


class PaymentMachine(RuleBasedStateMachine):
    """People ask on two servers with one database."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        settings = load_settings(data=Path(self.folder.name) / "data", embedding={"provider": "none"})
        self.loop = asyncio.new_event_loop()
        self.library = open_library(settings)
        self.services = cast("Services", PaidServices(self.library, 5000, person_credits=LIMIT, server_credits=30))
        self.dead: set[str] = set()
        self.made = 0
        self.patch = patch.object(credits, "is_gone", lambda name: name in self.dead)
        self.patch.start()
        self.servers = [self._start(), self._start()]

    def _start(self) -> Server:
        self.made += 1

        async def make() -> Server:
            return Server(self.services, f"{self.made}@here")

        return self._run(make())

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        return self.loop.run_until_complete(asyncio.wait_for(work, PATIENCE))

    def teardown(self) -> None:
        for server in self.servers:
            self._run(server.runner.close())
        with self.library.database.writing() as connection:
            credits.return_abandoned(connection, NOW)
        with self.library.database.reading() as connection:
            assert not credits.list_open_reservations(connection)
            assert sum_rows(connection) == read_balances(connection)
        self.patch.stop()
        self.library.close()
        self.loop.close()
        self.folder.cleanup()

    @rule(server=st.integers(0, 1), person=st.sampled_from(PEOPLE))
    def ask_question(self, server: int, person: str) -> None:
        chosen = self.servers[server]

        async def begin() -> None:
            before = chosen.spender.begun
            try:
                running = await chosen.runner.ask(ask(owner=person), caller=make_caller(person))
            except QuotaReached:
                return
            chosen.answers.append((person, running.conversation))
            while chosen.spender.begun == before:
                await asyncio.sleep(0)

        self._run(begin())

    @rule(server=st.integers(0, 1), way=st.sampled_from(("stop", "delete")))
    def end_one(self, server: int, way: str) -> None:
        chosen = self.servers[server]
        if chosen.answers:
            person, conversation = chosen.answers.pop()
            self._run(getattr(chosen.runner, way)(person, conversation))

    @rule(server=st.integers(0, 1))
    def end_all(self, server: int) -> None:
        chosen = self.servers[server]

        async def end() -> None:
            chosen.spender.may_end.set()
            while chosen.runner.running:
                await asyncio.sleep(0.001)
            chosen.spender.may_end.clear()

        self._run(end())
        chosen.answers.clear()

    @rule(server=st.integers(0, 1))
    def kill_process(self, server: int) -> None:
        killed = self.servers[server]
        self._run(killed.kill())
        self.dead.add(killed.name)
        self.servers[server] = self._start()

    @precondition(lambda self: any(server.answers for server in self.servers))
    @rule(person=st.sampled_from(PEOPLE))
    def remove_account(self, person: str) -> None:
        with self.library.database.writing() as connection:
            forget_account(connection, person)

    @invariant()
    def sums_agree_and_nobody_is_over_the_limit(self) -> None:
        with self.library.database.reading() as connection:
            assert sum_rows(connection) == read_balances(connection)
            for person in PEOPLE:
                assert credits.get_balance(connection, person, get_month(NOW)).committed <= LIMIT * CREDIT
            assert credits.sum_balances(connection, get_month(NOW)).committed <= 30 * CREDIT


TestPaymentSums = PaymentMachine.TestCase
TestPaymentSums.settings = run_settings(max_examples=scale_examples(12), stateful_step_count=12)
