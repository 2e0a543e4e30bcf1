"""The time for a document grows with the pages that were read, never with those that it claims to have."""

import time
from collections.abc import Callable
from functools import partial

import pytest

from pincite.isolation import time_allowance as module
from pincite.isolation.time_allowance import TimeAllowance
from pincite.settings import ReadingSettings


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(module, "time", type("Time", (), {"monotonic": staticmethod(lambda: made.now)}))
    return made


def make(**given: float) -> TimeAllowance:
    return TimeAllowance(ReadingSettings.model_validate({"seconds": 100, "page_seconds": 60, **given}))


def waits(allowance: TimeAllowance, clock: Clock, seconds: float) -> None:
    wait: Callable[[], None] = partial(clock.sleep, seconds)
    allowance.wait(wait)


def test_only_a_page_that_was_read_adds_to_the_time(clock: Clock) -> None:
    allowance = make()
    allowance.begin_page()
    waits(allowance, clock, 50)
    assert allowance.left() == pytest.approx(10)  # of the page's own
    allowance.begin_page()
    waits(allowance, clock, 50)
    allowance.end_pages()
    assert allowance.left() == pytest.approx(10)  # one page was read, and that is all


def test_no_number_of_pages_adds_more_than_the_longest_time(clock: Clock) -> None:
    allowance = make(longest_seconds=150)
    for _ in range(1000):
        allowance.begin_page()
    allowance.end_pages()
    assert allowance.left() == pytest.approx(150)
    waits(allowance, clock, 150)
    assert allowance.is_over()


def test_a_page_that_hangs_ends_its_own_time_first(clock: Clock) -> None:
    allowance = make()
    waits(allowance, clock, 20)
    allowance.begin_page()
    waits(allowance, clock, 60)
    assert allowance.left() <= 0
    assert not allowance.is_over()


def test_time_in_which_the_parent_stores_is_not_the_childs(clock: Clock) -> None:
    allowance = make()
    waits(allowance, clock, 40)
    clock.sleep(1000)
    assert allowance.left() == pytest.approx(60)


def test_waiting_is_counted_when_nothing_comes() -> None:
    allowance = make()
    before = allowance.left()

    def fail() -> None:
        time.sleep(0.001)
        raise TimeoutError

    with pytest.raises(TimeoutError):
        allowance.wait(fail)
    assert allowance.left() < before
