"""Bookings and reservations always add up, whatever is killed when."""

import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import settings as run_settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, rule

from pincite.accounts import quota
from pincite.accounts.quota import get_month
from pincite.accounts.quota_accounts import QuotaAccount
from pincite.errors import QuotaReached
from pincite.settings_quota import QuotaSettings
from pincite.store import credits
from pincite.store.credits import CREDIT, Balance, Reservation
from pincite.store.database import Database
from tests.accounts.credit_rows import DAY, NOW, read_balances, spend, sum_rows
from tests.clock import PATIENCE
from tests.thorough import keep_some, scale_examples
from tests.warm_process import start_script

SETTINGS = QuotaSettings(person_credits=100, guest_credits=30, server_credits=150, lease_seconds=60)
ACCOUNTS = (QuotaAccount("ada", "member"), QuotaAccount("bo", "member"), QuotaAccount("guest", "guest"))
ALLOWED = 1_000_000  # credits, more than two processes can spend before they are killed
HOLDERS = ("1@here a", "2@here b", "3@there c")


@dataclass(frozen=True)
class Expected:
    """A reservation as the test remembers it."""

    account: str
    month: str
    amount: int
    holder: str
    lease_until: float


class CreditMachine(RuleBasedStateMachine):
    """Does what servers do, in any order, and keeps its own simple books beside them."""

    reservations: Bundle[Reservation] = Bundle("reservations")

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.database = Database(f"sqlite:///{Path(self.folder.name) / 'machine.db'}")
        self.database.migrate()
        self.now = NOW
        self.dead: set[str] = set()
        self.open: dict[str, Expected] = {}
        self.settled: set[str] = set()
        self.spent: dict[tuple[str, str], int] = {}
        self.late: dict[tuple[str, str], int] = {}  # booked after it was given back
        self.patch = patch.object(credits, "is_gone", lambda name: name in self.dead)
        self.patch.start()

    def teardown(self) -> None:
        self.patch.stop()
        self.database.close()
        self.folder.cleanup()

    @rule(
        target=reservations,
        account=st.sampled_from(ACCOUNTS),
        amount=st.integers(0, 60),
        least=st.integers(0, 60),
        holder=st.sampled_from(HOLDERS),
    )
    def ask(self, account: QuotaAccount, amount: int, least: int, holder: str) -> Reservation:
        wanted, needed, before = amount * CREDIT, min(amount, least) * CREDIT, self.open
        if min(self._find_left(account)) < wanted:
            self._give_back_abandoned()
        left = min(self._find_left(account))
        is_refused = left < needed or self._is_reached(account)
        try:
            with self.database.writing() as connection:
                made = quota.reserve(connection, SETTINGS, account, wanted, self.now, holder, least=least * CREDIT)
        except QuotaReached:
            assert is_refused
            self.open = before  # the next transaction gives back what the refused one gave back
            return Reservation("refused", "", "member", "", 0, "", 0.0)
        assert not is_refused
        assert made.amount == min(wanted, left)
        lease_until = self.now + SETTINGS.lease_seconds
        self.open[made.id] = Expected(account.id, get_month(self.now), made.amount, holder, lease_until)
        return made

    @rule(reservation=reservations, share=st.floats(0, 1))
    def end(self, reservation: Reservation, share: float) -> None:
        if reservation.id == "refused":
            return
        cost = int(reservation.amount * share) // 1000 * 1000
        with self.database.writing() as connection:
            done = quota.settle(connection, SETTINGS, reservation, spend(cost / CREDIT), self.now)
        assert done.is_booked == (reservation.id not in self.settled)
        if done.is_booked:
            key = reservation.account, reservation.month
            if self.open.pop(reservation.id, None) is None:
                self.late[key] = self.late.get(key, 0) + cost
            self.settled.add(reservation.id)
            self.spent[key] = self.spent.get(key, 0) + cost

    @rule(reservation=reservations)
    def fail_before_the_commit(self, reservation: Reservation) -> None:
        """The process dies within the transaction that ends the answer."""

        def die() -> None:
            with self.database.writing() as connection:
                quota.settle(connection, SETTINGS, reservation, spend(1), self.now)
                raise KeyError

        if reservation.id != "refused":
            with pytest.raises(KeyError):
                die()

    @rule(reservation=consumes(reservations))
    def cancel(self, reservation: Reservation) -> None:
        with self.database.writing() as connection:
            assert quota.release(connection, reservation) == (reservation.id in self.open)
        self.open.pop(reservation.id, None)

    @rule(holder=st.sampled_from(HOLDERS))
    def kill(self, holder: str) -> None:
        self.dead.add(holder.partition(" ")[0])

    @rule(holder=st.sampled_from(HOLDERS))
    def start(self, holder: str) -> None:
        self.dead.discard(holder.partition(" ")[0])

    @rule(holder=st.sampled_from(HOLDERS))
    def live_on(self, holder: str) -> None:
        with self.database.writing() as connection:
            quota.renew_leases(connection, SETTINGS, holder, self.now)
        lease_until = self.now + SETTINGS.lease_seconds
        for id, held in self.open.items():
            if held.holder == holder:
                self.open[id] = replace(held, lease_until=lease_until)

    @rule(seconds=st.sampled_from([1.0, 40.0, 70.0, 20 * DAY]))
    def wait(self, seconds: float) -> None:
        self.now += seconds

    @rule()
    def clean_up(self) -> None:
        with self.database.writing() as connection:
            returned = {each.id for each in credits.return_abandoned(connection, self.now)}
        before = set(self.open)
        self._give_back_abandoned()
        assert returned == before - set(self.open)

    @invariant()
    def everything_adds_up(self) -> None:
        with self.database.reading() as connection:
            balances = read_balances(connection)
            assert sum_rows(connection) == balances
        expected: dict[tuple[str, str], Balance] = {key: Balance(spent) for key, spent in self.spent.items()}
        for held in self.open.values():
            known = expected.get((held.account, held.month), Balance())
            expected[held.account, held.month] = Balance(known.spent, known.reserved + held.amount)
        assert balances == {key: balance for key, balance in expected.items() if balance.committed}

    @invariant()
    def nobody_overspends(self) -> None:
        with self.database.reading() as connection:
            balances = read_balances(connection)
        for (account, month), balance in balances.items():
            allowed = 30 if account == "guest" else 100
            assert balance.committed <= allowed * CREDIT + self.late.get((account, month), 0)
        for month in {month for _, month in balances}:
            committed = sum(balance.committed for (_, each), balance in balances.items() if each == month)
            late = sum(amount for (_, each), amount in self.late.items() if each == month)
            assert committed <= 150 * CREDIT + late

    def _give_back_abandoned(self) -> None:
        self.open = {
            id: held
            for id, held in self.open.items()
            if held.holder.partition(" ")[0] not in self.dead and held.lease_until >= self.now
        }

    def _find_left(self, account: QuotaAccount) -> tuple[int, int]:
        month = get_month(self.now)
        committed = {each.id: self.spent.get((each.id, month), 0) for each in ACCOUNTS}
        for held in self.open.values():
            if held.month == month:
                committed[held.account] += held.amount
        allowed = 30 if account.id == "guest" else 100
        person = allowed * CREDIT - committed[account.id]
        return max(person, 0), max(150 * CREDIT - sum(committed.values()), 0)

    def _is_reached(self, account: QuotaAccount) -> bool:
        month = get_month(self.now)
        spent = {each.id: self.spent.get((each.id, month), 0) for each in ACCOUNTS}
        allowed = 30 if account.id == "guest" else 100
        return spent[account.id] >= allowed * CREDIT or sum(spent.values()) >= 150 * CREDIT


CreditMachine.TestCase.settings = run_settings(max_examples=scale_examples(40), stateful_step_count=30)
test_the_books_agree_with_simple_ones_whatever_happens_in_which_order = CreditMachine.TestCase

_ASKER = """
import sys, time
from pincite.accounts import quota
from pincite.accounts.quota_accounts import QuotaAccount
from pincite.settings_quota import QuotaSettings
from pincite.store.database import Database
from pincite.store.process_names import get_process_name
from tests.accounts.credit_rows import spend

database = Database(sys.argv[1])
settings = QuotaSettings(person_credits=float(sys.argv[2]))
account, now, number = QuotaAccount("ada", "member"), float(sys.argv[3]), 0
while True:
    with database.writing() as connection:
        held = quota.reserve(connection, settings, account, 5_000_000, now, get_process_name(), least=1)
    print("reserved", held.amount, flush=True)
    if number % 3:  # every third answer never ends
        with database.writing() as connection:
            quota.settle(connection, settings, held, spend(1), now)
        print("settled", flush=True)
    number += 1
"""


@contextmanager
def _asking(address: str, credits_per_month: int) -> Iterator["subprocess.Popen[str]"]:
    process = start_script(_ASKER, address, str(credits_per_month), str(NOW), stdout=subprocess.PIPE, text=True)
    try:
        yield process
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait(PATIENCE)
        assert process.stdout
        process.stdout.close()


@pytest.mark.parametrize("steps", keep_some([1, 2, 3, 5, 8, 13], one_in=6))
def test_a_killed_process_gives_back_what_it_reserved(tmp_path: Path, steps: int) -> None:
    """Two processes are killed at some moment after their n-th step, also in the middle of a transaction."""
    address = f"sqlite:///{tmp_path / 'killed.db'}"
    database = Database(address)
    database.migrate()
    with _asking(address, ALLOWED) as first, _asking(address, ALLOWED) as second:
        for process in (first, second):
            assert process.stdout
            for _ in range(steps):
                assert process.stdout.readline()
    settings, account, month = QuotaSettings(person_credits=ALLOWED), QuotaAccount("ada", "member"), get_month(NOW)
    with database.reading() as connection:
        left_behind = credits.get_balance(connection, "ada", month)
        assert sum_rows(connection) == read_balances(connection)
        assert left_behind.committed <= ALLOWED * CREDIT
    with database.writing() as connection:
        everything = quota.reserve(connection, settings, account, ALLOWED * CREDIT, NOW, "1@elsewhere", least=1)
        assert everything.amount == ALLOWED * CREDIT - left_behind.spent
        assert credits.list_open_reservations(connection) == [everything]
        assert sum_rows(connection) == read_balances(connection)
    database.close()
