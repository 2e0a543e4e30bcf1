"""Run a worker in a thread of the server, and keep the progress of each document."""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from pincite.embedding import create_embedder
from pincite.errors import PinciteError
from pincite.jobs import StepProgress, Worker
from pincite.library import Library
from pincite.store.job_queue import Step

log = logging.getLogger(__name__)

_PAUSE = 30.0  # seconds before the worker restarts after an error of the disk or the database
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


class BackgroundWorker:
    """Runs a worker in a thread of this process, and keeps the progress of the documents it works on."""

    def __init__(self, library: Library, clock: Callable[[], float] = time.monotonic) -> None:
        self._library = library
        self._clock = clock
        self._begun: dict[str, _StepStart] = {}
        self._paces: dict[str, WorkPace] = {}
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

    def get_progress(self, document: str) -> WorkPace | None:
        """Return the progress of a document if this process works on it, else None."""
        return self._paces.get(document)

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
        done, seconds = report.done - begun.done, now - begun.at
        rate = done / seconds if done and seconds >= _SURE else None
        left = max(report.total - report.done, 0) / rate if rate else None
        self._paces[document] = WorkPace(report.step, report.done, report.total, rate, left)

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
