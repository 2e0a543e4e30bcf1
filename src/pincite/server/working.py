"""The worker inside the server: uploads are read without another program, and how far they are can be told."""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from pincite.errors import PinciteError
from pincite.index.embed import embedder
from pincite.jobs import Report, Worker
from pincite.library import Library
from pincite.store.jobs import Step

log = logging.getLogger(__name__)

_PAUSE = 30.0  # seconds after which a worker that the disk or the database stopped is tried again


_SURE = 1.0  # seconds of work before it is told how fast it goes


@dataclass(frozen=True, slots=True)
class Pace:
    """How far a step is, how many pages or passages it does in a second, and how long it will take, once known."""

    step: Step
    done: int
    total: int
    rate: float | None = None
    seconds_left: float | None = None


@dataclass(frozen=True, slots=True)
class _Beginning:
    step: Step
    done: int
    at: float


class Working:
    """Runs a worker in a thread of this process, and knows how far each document is that it is at."""

    def __init__(self, library: Library, clock: Callable[[], float] = time.monotonic) -> None:
        self._library = library
        self._clock = clock
        self._begun: dict[str, _Beginning] = {}
        self._paces: dict[str, Pace] = {}
        self._worker = self._new()
        self._thread: threading.Thread | None = None
        self._closing = threading.Event()

    @property
    def closing(self) -> bool:
        """Whether the server is about to stop; who listens to progress leaves then."""
        return self._closing.is_set()

    def start(self) -> None:
        """Read and embed what waits and what comes, until `stop`."""
        self._thread = threading.Thread(target=self._run, name="worker")
        self._thread.start()

    def leave(self) -> None:
        """Give back what is under way, unharmed."""
        self._closing.set()
        self._worker.stop()

    def stop(self) -> None:
        """The same, and wait until that is done."""
        self.leave()
        if self._thread:
            self._thread.join()

    def pace(self, document: str) -> Pace | None:
        """How far a document is, if this process is at it."""
        return self._paces.get(document)

    def note(self, report: Report) -> None:
        """Keep what a worker says of a document, until its step is over."""
        document, now = report.document, self._clock()
        if report.ended:
            self._begun.pop(document, None)
            self._paces.pop(document, None)
            return
        begun = self._begun.get(document)
        if begun is None or begun.step != report.step or report.done < begun.done:
            # It may begin in the middle: what an earlier run did says nothing of how fast this one is.
            begun = self._begun[document] = _Beginning(report.step, report.done, now)
        done, seconds = report.done - begun.done, now - begun.at
        rate = done / seconds if done and seconds >= _SURE else None
        left = max(report.total - report.done, 0) / rate if rate else None
        self._paces[document] = Pace(report.step, report.done, report.total, rate, left)

    def _run(self) -> None:
        while not self._closing.is_set():
            try:
                self._worker.run(until_done=False, report=self.note)
            except (PinciteError, OSError) as error:
                log.error("Documents are not read at the moment: %s", error)
                self._closing.wait(_PAUSE)
                self._worker = self._new()

    def _new(self) -> Worker:
        settings = self._library.settings
        return Worker(self._library, lambda: embedder(settings.embedding, settings.data))
