"""The worker inside the server: uploads are read without another program, and how far they are can be told."""

import logging
import threading

from pincite.errors import PinciteError
from pincite.index.embed import embedder
from pincite.jobs import Report, Worker
from pincite.library import Library

log = logging.getLogger(__name__)

_PAUSE = 30.0  # seconds after which a worker that the disk or the database stopped is tried again


class Working:
    """Runs a worker in a thread of this process, and keeps the last report on each document it is at."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._reports: dict[str, Report] = {}
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

    def report(self, document: str) -> Report | None:
        """How far a document is, if this process is at it."""
        return self._reports.get(document)

    def _run(self) -> None:
        while not self._closing.is_set():
            try:
                self._worker.run(until_done=False, report=self._note)
            except (PinciteError, OSError) as error:
                log.error("Documents are not read at the moment: %s", error)
                self._closing.wait(_PAUSE)
                self._worker = self._new()

    def _new(self) -> Worker:
        settings = self._library.settings
        return Worker(self._library, lambda: embedder(settings.embedding, settings.data))

    def _note(self, report: Report) -> None:
        if report.ended:
            self._reports.pop(report.document, None)
        else:
            self._reports[report.document] = report
