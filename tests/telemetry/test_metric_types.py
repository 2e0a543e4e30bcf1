import threading

import pytest

from pincite.telemetry import metrics
from pincite.telemetry.metric_types import Counter, Gauge, Histogram


def test_a_counter_counts_by_its_labels() -> None:
    counter = Counter("eggs", "Eggs.", ("colour",))
    counter.add("brown")
    counter.add("brown", amount=2)
    counter.add("white")
    assert counter.read() == {("brown",): 3.0, ("white",): 1.0}


def test_a_counter_shows_zero_where_that_is_known_before_anything_happens() -> None:
    assert Counter("eggs", "Eggs.").read() == {(): 0.0}
    assert Counter("eggs", "Eggs.", ("colour",)).read() == {}
    assert Counter("eggs", "Eggs.", ("colour",), [("brown",)]).read() == {("brown",): 0.0}


def test_a_gauge_counts_what_is_open_also_when_it_fails() -> None:
    gauge = Gauge("doors", "Doors.", ("kind",))
    with gauge.count("front"):
        assert gauge.read() == {("front",): 1.0}
    with pytest.raises(ValueError), gauge.count("front"):
        raise ValueError
    assert gauge.read() == {("front",): 0.0}


def test_a_histogram_puts_a_value_into_the_first_bucket_that_holds_it() -> None:
    histogram = Histogram("waits", "Waits.", (1, 5))
    for value in (0.5, 1, 1.1, 5, 6):
        histogram.observe(value)
    assert histogram.read() == {(): ([2, 2, 1], 13.6)}


def test_a_block_is_timed_also_when_it_fails() -> None:
    histogram = Histogram("waits", "Waits.", (60,), ("what",))
    with pytest.raises(ValueError), histogram.time("work"):
        raise ValueError
    [(counts, seconds)] = histogram.read().values()
    assert counts == [1, 0]
    assert 0 <= seconds < 60


def test_no_count_is_lost_between_threads() -> None:
    counter, histogram = Counter("eggs", "Eggs."), Histogram("waits", "Waits.", (1,), ("what",))

    def work() -> None:
        for _ in range(5000):
            counter.add()
            histogram.observe(2, "x")

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counter.read() == {(): 20_000.0}
    assert histogram.read() == {("x",): ([0, 20_000], 40_000.0)}


def test_every_metric_has_a_name_of_its_own_and_is_listed() -> None:
    defined = [each for each in vars(metrics).values() if isinstance(each, Counter | Histogram)]
    assert len({each.name for each in defined}) == len(defined)
    assert set(map(id, defined)) == set(map(id, metrics.ALL))
    assert all(each.name.startswith("pincite_") and each.meaning.endswith(".") for each in defined)
