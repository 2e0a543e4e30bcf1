"""All metrics of a process, those too that are read when Prometheus asks: the queue, the connections, the program."""

import time
from collections.abc import Callable
from functools import cache
from itertools import product
from typing import TYPE_CHECKING

from pincite import __version__
from pincite.commit import find_commit
from pincite.errors import PinciteError
from pincite.store.job_queue import STEPS, Priority
from pincite.store.pool_numbers import count_connections
from pincite.store.queue_numbers import count_queue
from pincite.telemetry.metric_types import Counter, Gauge, Histogram
from pincite.telemetry.metrics import ALL

if TYPE_CHECKING:
    from pincite.library import Library

_KEPT = 5.0  # seconds that the numbers of the queue count: several readers must not each ask the database


class ProcessNumbers:
    """Reads all metrics of a process that uses a library."""

    def __init__(self, library: "Library", clock: Callable[[], float] = time.monotonic) -> None:
        self._library = library
        self._clock = clock
        self._read_at = float("-inf")
        self._queue: list[Gauge] = []

    def read(self) -> list[Counter | Histogram]:
        """Return all metrics. A database that is away costs only the numbers of its queue."""
        return [*ALL, _describe_build(), *self._count_connections(), *self._count_queue()]

    def render(self, accept: str = "") -> tuple[bytes, str]:
        """Return all metrics in the format of Prometheus that its header `Accept` asks for, and the content type."""
        from pincite.telemetry.exposition import render_metrics

        return render_metrics(self.read(), accept)

    def _count_queue(self) -> list[Gauge]:
        if self._clock() - self._read_at < _KEPT:
            return self._queue
        meaning, labels = "Jobs that wait or run, in the whole database.", ("step", "state", "priority")
        priorities = [priority.name.lower() for priority in Priority]
        jobs = Gauge("pincite_jobs", meaning, labels, product(STEPS, ("queued", "running"), priorities))
        oldest = Gauge("pincite_jobs_oldest_seconds", "How long the oldest waiting job has waited.", ("step",))
        answers = Gauge("pincite_database_up", "Whether the database answered.")
        ages = dict.fromkeys(map(str, STEPS), 0.0)
        try:
            with self._library.database.reading() as connection:
                counted = count_queue(connection)
        except PinciteError:
            self._queue = [answers]
        else:
            answers.set(value=1)
            for each in counted:
                jobs.add(each.step, each.state, _name_priority(each.priority), amount=each.jobs)
                if each.state == "queued":
                    ages[each.step] = max(ages.get(each.step, 0.0), each.oldest_seconds)
            for step, seconds in ages.items():
                oldest.set(step, value=seconds)
            self._queue = [answers, jobs, oldest]
        self._read_at = self._clock()
        return self._queue

    def _count_connections(self) -> list[Gauge]:
        found = Gauge("pincite_database_connections", "Connections of this process to the database.", ("state",))
        for state, count in count_connections(self._library.database).items():
            found.set(state, value=count)
        return [found]


@cache
def _describe_build() -> Gauge:
    info = Gauge("pincite_build_info", "The version of this program; always 1.", ("version", "commit"))
    info.set(__version__, find_commit(), value=1)
    return info


def _name_priority(priority: int) -> str:
    try:
        return Priority(priority).name.lower()
    except ValueError:
        return "other"
