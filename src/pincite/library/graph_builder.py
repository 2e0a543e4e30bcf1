"""Build the graphs of the index in a thread: at a million vectors it takes many minutes, and nothing waits for it."""

import logging
import threading
import time

from pincite.errors import PinciteError
from pincite.index import Index
from pincite.store.database import Database

log = logging.getLogger(__name__)

_PAUSE = 60.0  # seconds from one look to the next: to count the vectors of a model takes a while


class GraphBuilder:
    """Start a build, and no second one while it runs. A process that ends leaves the work to the database server."""

    def __init__(self, database: Database, index: Index) -> None:
        self._database, self._index = database, index
        self._thread: threading.Thread | None = None
        self._looked_at: float | None = None

    def start(self) -> None:
        """Build what is missing, unless that was done a moment ago; on SQLite there is never anything to build."""
        if self._database.sqlite or (self._thread is not None and self._thread.is_alive()):
            return
        if self._looked_at is not None and time.monotonic() - self._looked_at < _PAUSE:
            return
        self._thread = threading.Thread(target=self._build, name="graphs", daemon=True)
        self._thread.start()

    def wait(self, seconds: float | None = None) -> None:
        """Wait until the build that runs is over, at most so long."""
        if self._thread is not None:
            self._thread.join(seconds)

    def _build(self) -> None:
        try:
            for name in self._index.build_graphs(self._database):
                log.info("The graph of the vectors of %s is built.", name)
        except PinciteError as error:
            log.warning("%s %s", error.message, error.hint)
        finally:
            self._looked_at = time.monotonic()
