import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.accounts.rate_limits import MemoryBuckets, RateLimits, make_refusal_headers, open_rate_limits
from pincite.errors import RateLimited
from pincite.settings_quota import QuotaSettings
from pincite.store import rate_buckets
from pincite.store.database import Database

SETTINGS = QuotaSettings(questions_per_minute=6, uploads_per_minute=60, sign_ins_per_minute=0, address_factor=2)


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_a_person_may_use_the_whole_minute_at_once_and_then_waits() -> None:
    clock = Clock()
    limits = RateLimits(SETTINGS, MemoryBuckets(clock))
    remaining = []
    for _ in range(6):
        state = limits.take("questions", "ada")
        assert state
        remaining.append(state.remaining)
    assert remaining == [5, 4, 3, 2, 1, 0]
    with pytest.raises(RateLimited) as caught:
        limits.take("questions", "ada")
    assert make_refusal_headers(caught.value) == {
        "Retry-After": "10",
        "RateLimit-Limit": "6",
        "RateLimit-Remaining": "0",
        "RateLimit-Reset": "60",
    }
    assert (caught.value.reason, dict(caught.value.params)) == ("questions", {"seconds": 10})
    assert limits.take("questions", "bo")
    assert limits.take("uploads", "ada")
    clock.now += caught.value.seconds
    state = limits.take("questions", "ada")
    assert state
    assert state.make_headers() == {"RateLimit-Limit": "6", "RateLimit-Remaining": "0", "RateLimit-Reset": "60"}


def test_people_behind_one_address_share_a_larger_limit() -> None:
    limits = RateLimits(SETTINGS, MemoryBuckets(Clock()))
    for number in range(12):
        assert limits.take("questions", f"person {number}", "203.0.113.9")
    with pytest.raises(RateLimited):
        limits.take("questions", "another", "203.0.113.9")
    assert limits.take("questions", "another", "203.0.113.10")


def test_an_address_of_a_whole_network_is_one_address() -> None:
    limits = RateLimits(SETTINGS, MemoryBuckets(Clock()))
    for number in range(12):
        assert limits.take("questions", address=f"2001:db8::{number:x}")
    with pytest.raises(RateLimited):
        limits.take("questions", address="2001:db8::ffff")
    assert limits.take("questions", address="2001:db8:0:1::1")


def test_a_refused_request_counts_for_nobody() -> None:
    clock = Clock()
    limits = RateLimits(SETTINGS, MemoryBuckets(clock))
    for _ in range(6):
        limits.take("questions", "ada", "203.0.113.9")
    for _ in range(20):
        with pytest.raises(RateLimited):
            limits.take("questions", "ada", "203.0.113.9")
    for _ in range(6):
        assert limits.take("questions", "bo", "203.0.113.9")
    clock.now += 10
    assert limits.take("questions", "ada", "203.0.113.9")


def test_zero_is_no_limit() -> None:
    buckets = MemoryBuckets(Clock())
    limits = RateLimits(SETTINGS, buckets)
    for _ in range(1000):
        assert limits.take("sign_ins", "ada", "203.0.113.9") is None
    assert buckets.count() == 0


def test_memory_is_bounded_and_the_longest_unused_goes_first() -> None:
    buckets = MemoryBuckets(Clock(), most_buckets=10)
    limits = RateLimits(SETTINGS, buckets)
    for _ in range(6):
        limits.take("questions", "ada")
    for number in range(9):
        limits.take("questions", f"person {number}")
    assert buckets.count() == 10
    with pytest.raises(RateLimited):
        limits.take("questions", "ada")
    for number in range(10_000):
        limits.take("questions", f"other {number}")
    assert buckets.count() == 10


def test_threads_cannot_share_a_place() -> None:
    limits, start = RateLimits(QuotaSettings(questions_per_minute=50), MemoryBuckets(Clock())), threading.Barrier(20)

    def ask(_: int) -> int:
        start.wait()
        taken = 0
        for _ in range(10):
            try:
                limits.take("questions", "ada", "203.0.113.9")
                taken += 1
            except RateLimited:
                pass
        return taken

    with ThreadPoolExecutor(20) as pool:
        assert sum(pool.map(ask, range(20))) == 50


@given(
    st.integers(1, 200),
    st.lists(st.floats(0, 90, allow_nan=False), min_size=1, max_size=200),
)
def test_in_no_minute_are_there_more_than_a_full_bucket_and_its_refill(limit: int, pauses: list[float]) -> None:
    clock = Clock()
    limits = RateLimits(QuotaSettings(questions_per_minute=limit), MemoryBuckets(clock))
    taken: list[float] = []
    for pause in pauses:
        clock.now += pause
        try:
            state = limits.take("questions", "ada")
        except RateLimited as refused:
            clock.now += refused.seconds
            state = limits.take("questions", "ada")  # after the announced time there is a place
        assert state
        assert 0 <= state.remaining < limit
        assert 0 <= state.reset_seconds <= 60
        taken.append(clock.now)
    for first, begins in enumerate(taken):
        within = [at for at in taken[first:] if at <= begins + 60]
        assert len(within) <= 2 * limit


def test_servers_on_one_postgresql_count_together(postgres: Database) -> None:
    other = Database(postgres.engine.url)
    here, there = open_rate_limits(SETTINGS, postgres), open_rate_limits(SETTINGS, other)

    def ask(number: int) -> bool:
        try:
            return (here, there)[number % 2].take("questions", "ada", "203.0.113.9") is not None
        except RateLimited:
            return False

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(ask, range(40))) == 6
    with pytest.raises(RateLimited) as caught:
        there.take("questions", "ada")
    assert 1 <= caught.value.seconds <= 10
    assert (caught.value.limit, caught.value.reset_seconds) == (6, 60)
    state = there.take("questions", "bo", "203.0.113.9")  # of the address, 6 of 12 are left: refused ones do not count
    assert state
    assert state.remaining == 5
    other.close()


def test_full_buckets_of_all_servers_are_removed(postgres: Database) -> None:
    with postgres.writing() as connection:
        rate_buckets.take(connection, {"soon full": -1.0, "not yet": 30.0})
        assert rate_buckets.remove_full(connection) == 1
        assert rate_buckets.take(connection, {"not yet": 5.0})["not yet"] > 30


def test_on_sqlite_each_process_counts_for_itself(database: Database) -> None:
    here, there = open_rate_limits(SETTINGS, database), open_rate_limits(SETTINGS, database)
    for limits in (here, there):
        for _ in range(6):
            assert limits.take("questions", "ada")
