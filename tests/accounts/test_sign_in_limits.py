import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.accounts.sign_in_limits import (
    LOCK,
    admit_attempt,
    clear_attempts,
    compute_delay,
    make_address_key,
    make_name_key,
    remove_old_attempts,
)
from pincite.errors import TooManyAttempts
from pincite.store.database import Database
from tests.accounts.conftest import DAY, NOW, Team, at_once


def _attempt(database: Database, name: str = "ada", address: str = "192.0.2.1", now: float = NOW) -> None:
    with database.writing() as connection:
        admit_attempt(connection, name, address, now)


def _wait(database: Database, name: str = "ada", address: str = "192.0.2.1", now: float = NOW) -> int:
    """The seconds that an attempt has to wait; 0 if it is let in."""
    try:
        _attempt(database, name, address, now)
    except TooManyAttempts as error:
        return error.seconds
    return 0


def test_the_wait_grows_with_each_failure_up_to_the_lock(database: Database) -> None:
    waits, now = [], NOW
    for _ in range(25):
        wait = _wait(database, now=now)
        waits.append(wait)
        now += wait
        if wait:
            assert _wait(database, now=now) == 0
    grown = [wait for wait in waits if wait]
    assert waits[:5] == [0, 0, 0, 0, 0]
    assert grown == sorted(grown)
    assert grown[:4] == [1, 2, 4, 8]
    assert grown[-1] == LOCK


@given(st.integers(0, 10_000), st.integers(0, 50))
def test_no_number_of_failures_waits_longer_than_the_lock(failures: int, free: int) -> None:
    assert 0 <= compute_delay(failures, free) <= LOCK
    assert compute_delay(failures, free) <= compute_delay(failures + 1, free)


def test_many_guesses_at_the_same_moment_are_counted_one_by_one(team: Team) -> None:
    results = at_once([lambda: _attempt(team.database)] * 20)
    assert results.count(None) == 5
    assert sum(isinstance(result, TooManyAttempts) for result in results) == 15


def test_one_address_that_tries_many_names_is_slowed_down_too(database: Database) -> None:
    waits = [_wait(database, name=f"name {number}") for number in range(31)]
    assert waits[:30] == [0] * 30
    assert waits[30] == 1
    assert _wait(database, name="another", address="198.51.100.7") == 0


def test_another_name_and_another_address_are_not_concerned(database: Database) -> None:
    for number in range(6):
        _wait(database, address=f"192.0.2.{number}")
    assert _wait(database, address="192.0.2.99") == 1
    assert _wait(database, name="bob", address="192.0.2.99") == 0


def test_a_success_forgets_the_failures_of_the_name_but_not_of_the_address(database: Database) -> None:
    for _ in range(5):
        _attempt(database)
    with database.writing() as connection:
        clear_attempts(connection, "ada", "192.0.2.1")
    assert _wait(database) == 0
    for number in range(25):
        assert _wait(database, name=f"other {number}") == 0
    assert _wait(database, name="one more") == 1


def test_failures_of_yesterday_do_not_count_and_are_removed(database: Database) -> None:
    for _ in range(6):
        _wait(database)
    assert _wait(database) == 1
    with database.writing() as connection:
        assert remove_old_attempts(connection, NOW + DAY + 1) == 2
    assert _wait(database, now=NOW + DAY + 1) == 0


def test_a_clock_that_was_set_back_locks_nobody_for_longer(database: Database) -> None:
    for _ in range(6):
        _wait(database)
    assert _wait(database, now=NOW - 10 * DAY) <= 1


@pytest.mark.parametrize("spelling", ["ADA", " ada ", "Àda"])
def test_another_spelling_of_a_name_has_no_attempts_of_its_own(spelling: str) -> None:
    assert make_name_key(spelling) == make_name_key("ada")


@given(st.text())
def test_the_key_of_what_was_typed_does_not_show_it(typed: str) -> None:
    key = make_name_key(typed)
    assert len(key) == len("name:") + 64
    assert len(typed) < 12 or typed not in key
    assert make_address_key(typed).isascii()


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2001:db8::1", "2001:db8::ffff", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("fe80::1%eth0", "fe80::2%eth1", True),
        ("192.0.2.1", "192.0.2.2", False),
    ],
)
def test_the_addresses_of_one_machine_count_together(one: str, other: str, same: bool) -> None:
    assert (make_address_key(one) == make_address_key(other)) is same
