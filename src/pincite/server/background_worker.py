"""Run a worker in a thread of the server, and keep the progress of each document."""

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from pincite.embedding import create_embedder
from pincite.errors import PinciteError
from pincite.jobs import StepProgress, Worker
from pincite.library import Library
from pincite.store.job_queue import RunningJob, Step

log = logging.getLogger(__name__)

_PAUSE = 30.0  # seconds before the worker restarts after an error of the disk or the database
_MOST_DISTANT = 1000  # documents whose pace elsewhere is remembered
_SURE = 1.0  # seconds of work before a rate is reported


@dataclass(frozen=True, slots=True)
class WorkPace:
    """The progress of a step: pages or passages done, and the rate and remaining time once known."""

    step: Step
    done: int
    total: int
    rate: float | None = None
    seconds_left: float | None = None


@dataclass(frozen=True, slots=True)
class _StepStart:
    step: Step
    done: int
    at: float


class DistantPaces:
    """The paces of work elsewhere, from the rows of its jobs. Only the latest documents are remembered."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._known: OrderedDict[str, tuple[_StepStart, WorkPace]] = OrderedDict()

    def note(self, running: RunningJob) -> WorkPace:
        """Return the pace of a job. It stays the same until its row changes."""
        with self._lock:
            begun, pace = self._known.pop(running.document, (None, None))
            if begun is None or begun.step != running.step or running.done < begun.done:
                begun, pace = _StepStart(running.step, running.done, self._clock()), None
            if pace is None or (pace.done, pace.total) != (running.done, running.total):
                pace = _make_pace(begun, running.done, running.total, self._clock())
            self._known[running.document] = (begun, pace)
            while len(self._known) > _MOST_DISTANT:
                self._known.popitem(last=False)
            return pace


def _make_pace(begun: _StepStart, done_now: int, total: int, now: float) -> WorkPace:
    done, seconds = done_now - begun.done, now - begun.at
    rate = done / seconds if done and seconds >= _SURE else None
    left = max(total - done_now, 0) / rate if rate else None
    return WorkPace(begun.step, done_now, total, rate, left)


class BackgroundWorker:
    """Runs a worker in a thread of this process, and keeps the progress of the documents it works on."""

    def __init__(self, library: Library, clock: Callable[[], float] = time.monotonic) -> None:
        self._library = library
        self._clock = clock
        self._begun: dict[str, _StepStart] = {}
        self._paces: dict[str, WorkPace] = {}
        self._distant = DistantPaces(clock)
        self._worker = self._new()
        self._thread: threading.Thread | None = None
        self._closing = threading.Event()

    @property
    def closing(self) -> bool:
        """Whether the server is stopping. Streams of progress end then."""
        return self._closing.is_set()

    def start(self) -> None:
        """Start the thread, which reads and embeds documents until `stop`."""
        self._thread = threading.Thread(target=self._run, name="worker")
        self._thread.start()

    def leave(self) -> None:
        """Tell the worker to stop and to return unfinished work to the queue."""
        self._closing.set()
        self._worker.stop()

    def stop(self) -> None:
        """Stop the worker and wait until its thread has ended."""
        self.leave()
        if self._thread:
            self._thread.join()

    def get_progress(self, document: str, running: RunningJob | None = None) -> WorkPace | None:
        """Return the progress of a document: as the worker of this process reports it, or else its job's row.

        `running` is the row, which a worker elsewhere writes. None if nobody works on the document.
        """
        here = self._paces.get(document)
        return here or (self._distant.note(running) if running else None)

    def note(self, report: StepProgress) -> None:
        """Store a worker's progress report until the step ends."""
        document, now = report.document, self._clock()
        if report.ended:
            self._begun.pop(document, None)
            self._paces.pop(document, None)
            return
        begun = self._begun.get(document)
        if begun is None or begun.step != report.step or report.done < begun.done:
            # A step may resume in the middle; the work of an earlier run must not count in the rate.
            begun = self._begun[document] = _StepStart(report.step, report.done, now)
        self._paces[document] = _make_pace(begun, report.done, report.total, now)

    def _run(self) -> None:
        while not self._closing.is_set():
            try:
                self._worker.run(until_done=False, report=self.note)
            except (PinciteError, OSError) as error:
                log.error("The worker stopped and will restart: %s", error)
                self._closing.wait(_PAUSE)
                self._worker = self._new()

    def _new(self) -> Worker:
        settings = self._library.settings
        return Worker(self._library, lambda: create_embedder(settings.embedding, settings.data))
