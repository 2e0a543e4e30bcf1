"""Finish the deletions that a killed process left, and delete guests who are gone: at the start, and once a day."""

import logging
import threading
import time

from pincite.errors import PinciteError
from pincite.library import Library
from pincite.own_data.person_deletion import delete_lost_guests, resume_deletions
from pincite.store.exclusive_work import work_alone

log = logging.getLogger(__name__)

_DAY = 86_400.0
_AGAIN = 600.0  # seconds until it is tried again after an error, or if another server was at it


class UnfinishedDeletions:
    """A thread of the server that finishes deletions and deletes guests. It ends with the server."""

    def __init__(self, library: Library, seconds: float = _DAY) -> None:
        self._library = library
        self._seconds = seconds
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin, unless the server has no accounts."""
        if self._library.settings.accounts.mode == "team":
            self._thread = threading.Thread(target=self._run, name="deletions")
            self._thread.start()

    def stop(self) -> None:
        """End the thread after its current step."""
        self._stop.set()
        if self._thread:
            self._thread.join()

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                is_done = self._finish()
            except PinciteError as error:
                is_done = False
                if not self._stop.is_set():
                    log.warning("A deletion could not be finished: %s %s", error.message, error.hint)
            self._stop.wait(self._seconds if is_done else min(_AGAIN, self._seconds))

    def _finish(self) -> bool:
        """Return False if another server is at it: it may be killed, so that this one looks again."""
        with work_alone(self._library.database, "deletions") as is_alone:
            if is_alone:
                resume_deletions(self._library, time.time(), self._stop.is_set)
                delete_lost_guests(self._library, time.time(), self._stop.is_set)
            return is_alone
