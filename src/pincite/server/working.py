"""The worker inside the server: uploads are read without another program, and how far they are can be told."""

import logging
import threading

from pincite.jobs import Report, Worker
from pincite.library import Library

log = logging.getLogger(__name__)


class Working:
    """Runs a worker in a thread of this process, and keeps the last report on each document it is at."""

    def __init__(self, library: Library) -> None:
        self.closing = False
        self._library = library
        self._reports: dict[str, Report] = {}
        self._worker: Worker | None = None
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Read and embed what waits and what comes, until `stop`."""
        from pincite.index.embed import embedder

        settings = self._library.settings
        self._worker = Worker(self._library, lambda: embedder(settings.embedding, settings.data))
        self._thread = threading.Thread(target=self._run, args=(self._worker,), name="worker")
        self._thread.start()

    def stop(self) -> None:
        """Give back what is under way, unharmed, and wait until that is done."""
        self.closing = True
        if self._worker and self._thread:
            self._worker.stop()
            self._thread.join()

    def report(self, document: str) -> Report | None:
        """How far a document is, if this process is at it."""
        return self._reports.get(document)

    def _run(self, worker: Worker) -> None:
        def noted(report: Report) -> None:
            if report.ended:
                self._reports.pop(report.document, None)
            else:
                self._reports[report.document] = report

        try:
            worker.run(until_done=False, report=noted)
        except BaseException:
            log.exception("the worker in the server ended; `pincite worker` reads what waits")
            raise
