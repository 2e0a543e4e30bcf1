"""Durable background work: jobs are rows with leases, so several processes may work and any of them may be killed."""

import logging
import os
import socket
import threading
import time
import uuid
from collections.abc import Callable, Collection
from dataclasses import dataclass

from pincite.errors import EmbeddingError, LeaseLost, Unreadable
from pincite.index.embed import Embedder
from pincite.library import Library
from pincite.reading.isolate import Isolated
from pincite.store import jobs
from pincite.store.jobs import Job, Step

log = logging.getLogger(__name__)

_PAUSE = 0.1  # seconds between looks when there is nothing to do


@dataclass(frozen=True, slots=True)
class Report:
    """How far a step is: pages for `read`, passages for `embed`; `ended` when the step is over."""

    document: str
    step: Step
    done: int
    total: int
    ended: bool = False


class Worker:
    """Does jobs in a few threads: all of them read, and the first one embeds when nothing is left to read."""

    def __init__(self, library: Library, embedder: Callable[[], Embedder | None], readers: int = 0) -> None:
        self._library = library
        self._settings = library.settings.jobs
        self._make_embedder = embedder
        self._readers = readers or min(2, os.cpu_count() or 1)
        self._name = f"{socket.gethostname()}:{os.getpid()}:{uuid.uuid4().hex[:8]}"
        self._held: dict[int, Job] = {}
        self._stop = threading.Event()
        self._failure: BaseException | None = None
        self._report: Callable[[Report], None] = lambda report: None
        self._embedder: Embedder | None = None
        self._embeds = library.settings.embedding.provider != "none"

    def stop(self) -> None:
        """Ask every thread to leave its work where it is; it is given back unharmed."""
        self._stop.set()

    def run(
        self,
        documents: Collection[str] | None = None,
        until_done: bool = True,
        report: Callable[[Report], None] | None = None,
    ) -> None:
        """Work on these documents (or on everything) until nothing is left, or for ever; Ctrl-C stops it cleanly."""
        self._report = report or self._report
        threads = [
            threading.Thread(target=self._work, args=(number, documents, until_done), name=f"worker-{number}")
            for number in range(self._readers)
        ]
        beat = threading.Thread(target=self._beat, name="leases", daemon=True)
        for thread in (*threads, beat):
            thread.start()
        try:
            for thread in threads:
                while thread.is_alive():
                    thread.join(0.2)
        finally:
            self._stop.set()
            for thread in (*threads, beat):
                thread.join()
        if self._failure:
            raise self._failure

    def _work(self, number: int, documents: Collection[str] | None, until_done: bool) -> None:
        steps: tuple[Step, ...] = ("read", "embed") if number == 0 else ("read",)
        with Isolated(self._library.settings.reading) as reader:
            try:
                while not self._stop.is_set():
                    job = self._claim(steps, documents)
                    if job:
                        self._do(job, reader)
                    elif until_done and not self._left(steps, documents):
                        return
                    else:
                        self._stop.wait(_PAUSE)
            except BaseException as error:  # noqa: BLE001 - a thread's failure is raised by run()
                self._failure = self._failure or error
                self._stop.set()

    def _claim(self, steps: tuple[Step, ...], documents: Collection[str] | None) -> Job | None:
        now = time.time()
        with self._library.database.reading() as connection:
            if not jobs.pending(connection, documents=documents).total:
                return None
            holders = jobs.holders(connection)
        dead = [holder for holder in holders if _is_dead(holder)]
        with self._library.database.writing() as connection:
            for holder in dead:
                jobs.free(connection, holder)
            job = jobs.claim(connection, self._name, self._settings.lease_seconds, now, steps, documents)
        if job:
            self._held[job.id] = job
        return job

    def _left(self, steps: tuple[Step, ...], documents: Collection[str] | None) -> int:
        with self._library.database.reading() as connection:
            pending = jobs.pending(connection, documents=documents)
        return sum(pending.queued[step] + pending.running[step] for step in steps)

    def _do(self, job: Job, reader: Isolated) -> None:
        def progress(done: int, total: int) -> None:
            self._report(Report(job.document, job.step, done, total))
            if self._stop.is_set():
                raise _Interrupted

        try:
            if job.attempts > self._settings.attempts:
                self._library.fail(
                    job,
                    Unreadable(
                        f"The program stopped {job.attempts - 1} times at it.", "Look at the log, then add it again."
                    ),
                )
            elif job.step == "read":
                self._library.read(job, reader, progress, self._embeds)
            elif not self._embed(job, progress):
                raise _Interrupted
            self._report(Report(job.document, job.step, 0, 0, ended=True))
        except LeaseLost as lost:
            log.info("%s", lost.message)
            self._report(Report(job.document, job.step, 0, 0, ended=True))
        except BaseException as error:
            reader.close()
            with self._library.database.writing() as connection:
                jobs.release(connection, job)
            if not isinstance(error, _Interrupted):
                raise
        finally:
            self._held.pop(job.id, None)

    def _embed(self, job: Job, progress: Callable[[int, int], None]) -> bool:
        try:
            self._embedder = self._embedder or self._make_embedder()
        except EmbeddingError as error:
            log.warning("%s %s", error.message, error.hint)
            self._library.leave_without_vectors(job, error)
            return True
        if self._embedder is None:
            self._library.leave_without_vectors(job, EmbeddingError("No embedder is set."))
            return True
        return self._library.embed(job, self._embedder, progress, self._stop.is_set)

    def _beat(self) -> None:
        """Extend the leases of what is held, three times in each lease."""
        while not self._stop.wait(self._settings.lease_seconds / 3):
            for job in list(self._held.values()):
                with self._library.database.writing() as connection:
                    jobs.extend(connection, job, self._settings.lease_seconds, time.time())


class _Interrupted(BaseException):
    """The person asked to stop."""


def _is_dead(worker: str) -> bool:
    """Whether a worker was a process of this machine that is no more; of others only the lease tells."""
    host, _, rest = worker.partition(":")
    pid = rest.partition(":")[0]
    if host != socket.gethostname() or not pid.isdigit() or int(pid) == os.getpid():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False
