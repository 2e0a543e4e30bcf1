"""Counters, gauges and histograms of this process.

They are numbers in memory, without a library: commands count too, and should not wait for the import of one.
`telemetry/exposition.py` writes them in the format of Prometheus.
"""

import threading
import time
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

Labels = tuple[str, ...]


class Counter:
    """A number that only grows, one for each combination of labels. Those of `begin` are there from the beginning."""

    def __init__(self, name: str, meaning: str, labels: Labels = (), begin: Iterable[Labels] = ()) -> None:
        self.name = name
        self.meaning = meaning
        self.labels = labels
        self._lock = threading.Lock()
        self._values: dict[Labels, float] = dict.fromkeys(begin if labels else [()], 0.0)

    def add(self, *labels: str, amount: float = 1) -> None:
        with self._lock:
            self._values[labels] = self._values.get(labels, 0.0) + amount

    def read(self) -> dict[Labels, float]:
        """Return the numbers, by the values of the labels."""
        with self._lock:
            return dict(self._values)


class Gauge(Counter):
    """A number that grows and shrinks, such as of open connections."""

    def set(self, *labels: str, value: float) -> None:
        with self._lock:
            self._values[labels] = value

    @contextmanager
    def count(self, *labels: str) -> Iterator[None]:
        """Count one more for as long as the block lasts."""
        self.add(*labels)
        try:
            yield
        finally:
            self.add(*labels, amount=-1)


class Histogram:
    """How many values were at most as large as each of the `buckets`, and their sum."""

    def __init__(self, name: str, meaning: str, buckets: Sequence[float], labels: Labels = ()) -> None:
        self.name = name
        self.meaning = meaning
        self.labels = labels
        self.buckets = tuple(buckets)
        self._lock = threading.Lock()
        self._values: dict[Labels, tuple[list[int], list[float]]] = {}
        if not labels:
            self._values[()] = self._make_empty()

    def observe(self, value: float, *labels: str) -> None:
        at = bisect_left(self.buckets, value)
        with self._lock:
            counts, total = self._values.get(labels) or self._values.setdefault(labels, self._make_empty())
            counts[at] += 1
            total[0] += value

    @contextmanager
    def time(self, *labels: str) -> Iterator[None]:
        """Observe the seconds that the block takes, also when it fails."""
        begun = time.perf_counter()
        try:
            yield
        finally:
            self.observe(time.perf_counter() - begun, *labels)

    def read(self) -> dict[Labels, tuple[list[int], float]]:
        """Return the counts of the buckets, the last one of all larger values, and the sum, by the labels."""
        with self._lock:
            return {labels: (list(counts), total[0]) for labels, (counts, total) in self._values.items()}

    def _make_empty(self) -> tuple[list[int], list[float]]:
        return [0] * (len(self.buckets) + 1), [0.0]
