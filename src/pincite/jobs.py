"""Run background jobs, which are rows with leases: several processes may work, and any of them may be killed."""

import logging
import os
import threading
import time
import uuid
from collections.abc import Callable, Collection
from dataclasses import dataclass

from pincite.embedding import Embedder
from pincite.errors import EmbeddingError, LeaseLost, PinciteError, ReadingFault, Unreachable
from pincite.isolation.child_process import IsolatedProcess
from pincite.isolation.free_memory import give_memory_back
from pincite.library import Library
from pincite.library.ingestion import Ingestion
from pincite.store import job_queue
from pincite.store.job_queue import Job, Step
from pincite.store.process_names import get_process_name, is_gone

log = logging.getLogger(__name__)

_PAUSE = 0.1  # seconds between looks when there is nothing to do
_SWEEP = 10.0  # seconds between looks for content that no document has any more
_LOOK = 0.4  # seconds between looks whether the work was cancelled
_AWAY_SECONDS = 60.0  # how long an embedder that could not be reached is not asked again


@dataclass(frozen=True, slots=True)
class StepProgress:
    """The progress of a step: pages for `read`, passages for `embed`; `ended` at the end of the step."""

    document: str
    step: Step
    done: int
    total: int
    ended: bool = False


class Worker:
    """Run jobs in a few threads: all of them read, and the first one embeds when nothing is left to read."""

    def __init__(self, library: Library, embedder: Callable[[], Embedder | None], readers: int = 0) -> None:
        self._library = library
        self._ingestion = Ingestion(library)
        self._settings = library.settings.jobs
        self._make_embedder = embedder
        self._readers = readers or min(2, os.cpu_count() or 1)
        self._name = f"{get_process_name()} {uuid.uuid4().hex[:8]}"
        self._held: dict[int, Job] = {}
        self._lost: set[int] = set()
        self._stop = threading.Event()
        self._failure: BaseException | None = None
        self._report: Callable[[StepProgress], None] = lambda report: None
        self._embedder: Embedder | None = None
        self._away: Unreachable | None = None
        self._away_since = 0.0

    def stop(self) -> None:
        """Ask every thread to stop; its job returns to the queue."""
        self._stop.set()

    def run(
        self,
        documents: Collection[str] | None = None,
        until_done: bool = True,
        report: Callable[[StepProgress], None] | None = None,
    ) -> None:
        """Work on these documents (or on all) until nothing is left, or for ever; Ctrl-C stops it cleanly."""
        self._report = report or self._report
        # Not `Thread.join` but an event each: on Python 3.11 a join that Ctrl-C interrupts takes the thread for ended.
        ends = [threading.Event() for _ in range(self._readers)]
        threads = [
            threading.Thread(target=self._work, args=(number, documents, until_done, end), name=f"worker-{number}")
            for number, end in enumerate(ends)
        ]
        beat = threading.Thread(target=self._extend_leases, name="leases")
        try:
            # Inside: Ctrl-C may come while they start.
            for thread in (*threads, beat):
                thread.start()
            for end in ends:
                # Not for ever at once: a signal that comes just before the wait is seen only when it returns.
                while not end.wait(_PAUSE):
                    pass
        finally:
            self._stop.set()
            for thread, end in zip(threads, ends, strict=True):
                while thread.ident is not None and not end.wait(_PAUSE):
                    pass
            for thread in (*threads, beat):
                if thread.ident is not None:
                    thread.join()
        if self._failure:
            raise self._failure

    def _work(self, number: int, documents: Collection[str] | None, until_done: bool, end: threading.Event) -> None:
        steps: tuple[Step, ...] = ("read", "embed") if number == 0 else ("read",)
        try:
            with IsolatedProcess(self._library.settings.reading, is_background=True) as reader:
                swept = 0.0
                while not self._stop.is_set():
                    job = self._claim(steps, documents)
                    if job:
                        self._do(job, reader)
                        give_memory_back()
                    if number == 0 and (not job or job.step == "read") and time.monotonic() - swept > _SWEEP:
                        self._library.sweep(self._stop.is_set)
                        swept = time.monotonic()
                    if job:
                        continue
                    if until_done and not self._count_remaining(steps, documents):
                        break
                    self._stop.wait(_PAUSE)
                self._library.sweep(self._stop.is_set)
        except BaseException as error:  # noqa: BLE001 - a thread's failure is raised by run()
            self._failure = self._failure or error
            self._stop.set()
        finally:
            end.set()

    def _claim(self, steps: tuple[Step, ...], documents: Collection[str] | None) -> Job | None:
        with self._library.database.reading() as connection:
            if not job_queue.count_pending(connection, documents=documents).total:
                return None
            holders = job_queue.list_holders(connection)
        dead = [holder for holder in holders if is_gone(holder.partition(" ")[0])]
        with self._library.database.writing() as connection:
            for holder in dead:
                job_queue.release_worker(connection, holder)
            now = job_queue.read_clock(connection)
            job = job_queue.claim(connection, self._name, self._settings.lease_seconds, now, steps, documents)
        if job:
            self._held[job.id] = job
        return job

    def _count_remaining(self, steps: tuple[Step, ...], documents: Collection[str] | None) -> int:
        with self._library.database.reading() as connection:
            pending = job_queue.count_pending(connection, documents=documents)
        return sum(pending.queued[step] + pending.running[step] for step in steps)

    def _do(self, job: Job, reader: IsolatedProcess) -> None:
        told: StepProgress | None = None
        looked = time.monotonic()

        def progress(done: int, total: int) -> None:
            nonlocal told, looked
            report = StepProgress(job.document, job.step, done, total)
            if report != told:
                told = report
                self._report(report)
            if self._stop.is_set():
                raise _Interrupted
            if time.monotonic() - looked >= _LOOK:
                looked = time.monotonic()
                self._check_held(job)
            if job.id in self._lost:
                raise LeaseLost(f"The work to {job.step} document {job.document} was cancelled.")

        try:
            self._step(job, reader, progress)
        except LeaseLost as lost:
            reader.close()
            log.info("%s", lost.message)
        except (_Interrupted, PinciteError, OSError) as error:
            reader.close()
            self._ingestion.give_back(job)
            if not isinstance(error, _Interrupted):
                raise
            return
        finally:
            self._held.pop(job.id, None)
            self._lost.discard(job.id)
        self._report(StepProgress(job.document, job.step, 0, 0, ended=True))

    def _check_held(self, job: Job) -> None:
        """Raise `LeaseLost` if the job was cancelled or taken over."""
        with self._library.database.reading() as connection:
            job_queue.hold(connection, job)

    def _step(self, job: Job, reader: IsolatedProcess, progress: Callable[[int, int], None]) -> None:
        give_up = self._ingestion.fail if job.step == "read" else self._ingestion.leave_without_vectors
        if job.attempts > self._settings.attempts:
            times = job.attempts - 1
            give_up(
                job,
                ReadingFault(
                    f"The program stopped {times} times at it.",
                    "Add it again; if it stops there again, please report it.",
                ),
            )
            return
        try:
            if job.step == "read":
                self._ingestion.read(job, reader, progress, self._library.embeds)
            else:
                self._embed(job, progress)
        except (PinciteError, OSError):
            raise
        except Exception as error:
            # Our fault with one document must not stop the others.
            log.exception("document %s: the step to %s it failed", job.document, job.step)
            reader.close()
            give_up(
                job,
                ReadingFault(f"A fault of ours ({type(error).__name__}).", "Please report it with what was printed."),
            )

    def _embed(self, job: Job, progress: Callable[[int, int], None]) -> None:
        if self._away and time.monotonic() - self._away_since < _AWAY_SECONDS:
            self._ingestion.leave_without_vectors(job, self._away)
            return
        try:
            self._embedder = self._embedder or self._make_embedder()
            if self._embedder is None:
                raise EmbeddingError("No embedder is set.", "Set embedding.provider, then run `pincite reindex`.")
            self._ingestion.embed(job, self._embedder, progress)
        except EmbeddingError as error:
            if isinstance(error, Unreachable):
                self._away, self._away_since = error, time.monotonic()
            self._ingestion.leave_without_vectors(job, error)

    def _extend_leases(self) -> None:
        """Extend the leases of held jobs three times in each lease, and note lost ones."""
        while not self._stop.wait(self._settings.lease_seconds / 3):
            for job in list(self._held.values()):
                try:
                    with self._library.database.writing() as connection:
                        now = job_queue.read_clock(connection)
                        if not job_queue.extend(connection, job, self._settings.lease_seconds, now):
                            self._lost.add(job.id)
                except PinciteError as error:
                    log.warning("%s The lease is extended at the next try. %s", error.message, error.hint)


class _Interrupted(BaseException):
    """The user asked to stop."""
