import subprocess
import sys

import pytest

from pincite.errors import NotFound
from pincite.store import credits
from pincite.store.credit_schema import referral_codes
from pincite.store.credits import Balance, Booking
from pincite.store.database import Connection, Database
from pincite.store.process_names import get_machine_name, get_process_name
from pincite.store.upsert import insert_if_absent

MONTH = "2031-05"
LEASE = 60.0


def reserve(connection: Connection, account: str, amount: int, holder: str = "1@elsewhere") -> credits.Reservation:
    return credits.add_reservation(connection, account, "member", MONTH, amount, holder, LEASE, 0.0)


def _end_process() -> str:
    """The name of a process of this machine that has ended."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return f"{process.pid}@{get_machine_name()}"


def test_a_dead_process_of_this_machine_loses_its_reservations_at_once(either: Database) -> None:
    with either.writing() as connection:
        lost = reserve(connection, "ada", 5, f"{_end_process()} run")
        reserve(connection, "ada", 7, f"{get_process_name()} run")
        reserve(connection, "bo", 9)
        assert credits.return_abandoned(connection, LEASE) == [lost]
        assert credits.sum_balances(connection, MONTH) == Balance(0, 16)
        assert len(credits.return_abandoned(connection, LEASE + 1)) == 2
        assert credits.sum_balances(connection, MONTH) == Balance()


def test_bookings_are_summed_by_model_the_dearest_first(either: Database) -> None:
    with either.writing() as connection:
        for number in (1, 2):
            held = reserve(connection, "ada", 100)
            bookings = [Booking("cheap", number, 1, 2, 3), Booking("dear", 10 * number)]
            assert credits.settle_reservation(connection, held.id, bookings, 0.0)
        other = reserve(connection, "bo", 100)
        credits.settle_reservation(connection, other.id, [Booking("dear", 50)], 0.0)
        assert credits.list_bookings(connection, "ada", MONTH) == [Booking("dear", 30), Booking("cheap", 3, 2, 4, 6)]
        assert credits.list_bookings(connection, "ada", "2031-06") == []
        assert credits.get_balance(connection, "ada", MONTH) == Balance(33)


def test_a_reservation_is_found_after_its_end_and_an_unknown_one_is_not(either: Database) -> None:
    with either.writing() as connection:
        held = reserve(connection, "ada", 5)
        credits.settle_reservation(connection, held.id, [], 0.0)
        assert credits.get_reservation(connection, held.id) == held
        assert credits.list_open_reservations(connection) == []
        with pytest.raises(NotFound):
            credits.get_reservation(connection, "unknown")
        assert not credits.return_reservation(connection, "unknown")


def test_an_amount_too_large_for_32_bits_is_kept(either: Database) -> None:
    with either.writing() as connection:
        held = reserve(connection, "ada", 10**15)
        assert credits.sum_balances(connection, MONTH) == Balance(0, 10**15)
        assert credits.get_reservation(connection, held.id).amount == 10**15


def test_a_row_is_inserted_once(either: Database) -> None:
    from tests.accounts.credit_rows import add_person

    with either.writing() as connection:
        add_person(connection, "ada")
        add_person(connection, "bo")
        row = {"person": "ada", "code": "A", "created": 0.0}
        assert insert_if_absent(connection, referral_codes, row)
        assert not insert_if_absent(connection, referral_codes, row)
        assert not insert_if_absent(connection, referral_codes, {"person": "bo", "code": "A", "created": 0.0})
        assert insert_if_absent(connection, referral_codes, {"person": "bo", "code": "B", "created": 0.0})
