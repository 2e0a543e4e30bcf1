"""Run background jobs, which are rows with leases: workers on any machine may work, and any of them may be killed."""

import logging
import os
import threading
import time
import uuid
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from pincite.embedding import Embedder
from pincite.errors import (
    DatabaseAway,
    FilesAway,
    LeaseLost,
    PinciteError,
    RowsLocked,
)
from pincite.isolation.child_process import IsolatedProcess
from pincite.isolation.free_memory import find_free_memory, give_memory_back
from pincite.library import Library
from pincite.library.ingestion import Ingestion
from pincite.library.step_measure import measure_step
from pincite.library.step_runner import StepRunner
from pincite.store import documents as document_rows
from pincite.store import job_queue
from pincite.store.database import Connection
from pincite.store.job_queue import STEPS, Job, Step
from pincite.store.process_names import get_process_name, is_gone

log = logging.getLogger(__name__)

_TICK = 0.1  # seconds between checks for signals, and of the queue of a SQLite file
_NET = 5.0  # seconds between checks of a queue whose changes are announced: an announcement may be lost
_UNANNOUNCED = 1.0  # the same while no announcements arrive
_RELEASE_PAUSE = 1.0  # seconds between two searches for workers that died
_SWEEP = 10.0  # seconds between searches for content that no document has any more
_LOOK = 0.4  # seconds between checks whether the work was cancelled
_STORED = 1.0  # seconds between two reports of progress in the job's row
_STORAGE_PAUSE = 1.0  # seconds before a database that is away is asked again
_ALONE_SECONDS = 60.0  # a job that may kill its worker waits this long for the other jobs of its process to end
_SMALL = 8  # passages of a document that is embedded together with others
_ROOM = 512 * 1024 * 1024  # bytes that must be free before another document is begun beside the running ones
# Errors that pass: the work goes on when the storage is back, or when other work has released the same rows.
_STORAGE_AWAY = (DatabaseAway, FilesAway, RowsLocked)


@dataclass(frozen=True, slots=True)
class StepProgress:
    """The progress of a step: pages for `read`, passages for `embed`; `ended` at the end of the step."""

    document: str
    step: Step
    done: int
    total: int
    ended: bool = False


@dataclass(slots=True)
class _JobState:
    """The last reported progress of a job, in this process and in its row, and the time its row was last read."""

    told: StepProgress | None = None
    stored: StepProgress | None = None
    stored_at: float = field(default_factory=time.monotonic)
    looked_at: float = field(default_factory=time.monotonic)


class Worker:
    """Run jobs in a few threads. All of them read and may embed, but only one embeds at a time."""

    def __init__(self, library: Library, embedder: Callable[[], Embedder | None], readers: int = 0) -> None:
        self._library = library
        self._ingestion = Ingestion(library)
        self._steps = StepRunner(library, self._ingestion, embedder)
        self._settings = library.settings.jobs
        self.readers = readers or min(2, os.cpu_count() or 1)
        self._name = f"{get_process_name()} {uuid.uuid4().hex[:8]}"
        self._held: dict[int, Job] = {}
        self._lost: set[int] = set()
        self._unreturned: list[Job] = []  # jobs that could not be given back, because the database was away
        self._stop = threading.Event()
        self._over = threading.Event()  # set when the threads have ended
        self._drain_until: float | None = None
        self._queue_changed = threading.Condition()
        self._changes = self._idle = 0
        self._claiming = threading.Lock()
        self._embedding = threading.Lock()
        self._alone = threading.Lock()  # held by a job beside which no other is begun
        self._swept = self._patient_until = 0.0
        self._failure: BaseException | None = None
        self._report: Callable[[StepProgress], None] = lambda report: None

    @property
    def is_leaving(self) -> bool:
        """Whether no further jobs are begun."""
        return self._stop.is_set() or self._drain_until is not None

    @property
    def running(self) -> int:
        """The number of jobs that run now."""
        return len(self._held)

    def stop(self) -> None:
        """Ask every thread to stop; its job returns to the queue."""
        self._stop.set()

    def drain(self, seconds: float) -> None:
        """Begin no further jobs, and let the running ones end; after so many seconds they return to the queue."""
        self._drain_until = time.monotonic() + seconds

    def run(
        self,
        documents: Collection[str] | None = None,
        until_done: bool = True,
        report: Callable[[StepProgress], None] | None = None,
    ) -> None:
        """Work on these documents (or on all) until nothing is left, or for ever; Ctrl-C stops it cleanly."""
        self._report = report or self._report
        unsubscribe = self._library.notices.subscribe("jobs", self._note_change)
        self._library.notices.start()
        # Events instead of `Thread.join`: on Python 3.11 a join that Ctrl-C interrupts marks the thread as ended.
        ends = [threading.Event() for _ in range(self.readers)]
        threads = [
            threading.Thread(target=self._work, args=(number, documents, until_done, end), name=f"worker-{number}")
            for number, end in enumerate(ends)
        ]
        watch = threading.Thread(target=self._watch, args=(documents,), name="leases")
        try:
            # Inside the block, because Ctrl-C may come while they start.
            for thread in (*threads, watch):
                thread.start()
            for end in ends:
                # Short waits: a signal that comes just before a wait is handled only when the wait returns.
                while not end.wait(_TICK):
                    pass
        finally:
            self._stop.set()
            for thread, end in zip(threads, ends, strict=True):
                while thread.ident is not None and not end.wait(_TICK):
                    pass
            self._over.set()
            for thread in (*threads, watch):
                if thread.ident is not None:
                    thread.join()
            unsubscribe()
            with suppress(*_STORAGE_AWAY):
                self._return_unreturned()
        if self._failure:
            raise self._failure

    def _work(self, number: int, documents: Collection[str] | None, until_done: bool, end: threading.Event) -> None:
        try:
            with IsolatedProcess(self._library.settings.reading, is_background=True) as reader:
                while not self.is_leaving:
                    changes = self._changes
                    try:
                        is_done = self._do_next(reader, documents)
                        if number == 0:
                            self._sweep()
                        if is_done:
                            continue
                        if until_done and not self._is_any_pending(documents):
                            break
                    except _STORAGE_AWAY as error:
                        self._wait_for_storage(error)
                        continue
                    self._wait(changes, min(self._pause, 0.5) if until_done else _SWEEP if number == 0 else None)
                with suppress(*_STORAGE_AWAY):
                    self._library.sweep(self._stop.is_set)
        except BaseException as error:  # noqa: BLE001 - a thread's failure is raised by run()
            self._failure = self._failure or error
            self._stop.set()
        finally:
            end.set()

    def _do_next(self, reader: IsolatedProcess, documents: Collection[str] | None) -> bool:
        """Claim and do the next job, or small ones together; return False if there is none."""
        self._return_unreturned()
        may_embed = self._embedding.acquire(blocking=False)
        try:
            with self._claiming:
                jobs = self._claim(STEPS if may_embed else ("read",), documents)
            if not jobs:
                return False
            if may_embed and jobs[0].step == "read":
                self._embedding.release()
                may_embed = False
            self._do(jobs, reader)
            give_memory_back()
        finally:
            if may_embed:
                self._embedding.release()
        self._note_change("")  # the other threads may embed now, or see that nothing is left
        return True

    def _claim(self, steps: tuple[Step, ...], documents: Collection[str] | None) -> list[Job]:
        if self._alone.locked() or (self._held and (find_free_memory() or _ROOM) < _ROOM):
            return []
        if self._library.database.sqlite and not self._is_any_claimable(documents):
            return []  # SQLite has one lock for all writers: it is taken only if there is something to claim
        with self._library.database.writing() as connection:
            now = job_queue.read_clock(connection)
            job = job_queue.claim(connection, self._name, self._settings.lease_seconds, now, steps, documents)
            jobs = [job, *self._claim_with(connection, job, now, documents)] if job else []
        for job in jobs:
            self._held[job.id] = job
        return jobs

    def _claim_with(self, connection: Connection, job: Job, now: float, documents: Collection[str] | None) -> list[Job]:
        """Claim the jobs that are done together with this one: those of small documents to embed."""
        if job.step == "read" or job.deaths:
            return []
        passages = document_rows.get(connection, job.document).passages
        if passages > _SMALL or passages >= self._steps.at_once:
            return []
        lease, rest = self._settings.lease_seconds, self._steps.at_once - passages
        return job_queue.claim_small(connection, self._name, lease, now, _SMALL, rest, documents)

    def _do(self, jobs: Sequence[Job], reader: IsolatedProcess) -> None:
        """Do jobs that were claimed together.

        The last try of a job at which workers died runs alone, so that its death is not counted for another job.
        """
        is_last_try = max(1, self._settings.attempts - 1) <= jobs[0].deaths < self._settings.attempts
        try:
            if not is_last_try:
                self._run_jobs(jobs, reader)
            elif self._alone.acquire(blocking=False):
                try:
                    if self._wait_alone():
                        self._run_jobs(jobs, reader)
                    else:
                        self._give_back(jobs, _ALONE_SECONDS)
                finally:
                    self._alone.release()
            else:
                self._give_back(jobs, _ALONE_SECONDS)
        finally:
            for job in jobs:
                self._held.pop(job.id, None)
                self._lost.discard(job.id)

    def _run_jobs(self, jobs: Sequence[Job], reader: IsolatedProcess) -> None:
        states = {job.id: _JobState() for job in jobs}

        def progress(job: Job, done: int, total: int) -> None:
            state, report = states[job.id], StepProgress(job.document, job.step, done, total)
            if report != state.told:
                state.told = report
                self._report(report)
            if self._stop.is_set():
                raise _Interrupted
            if time.monotonic() - state.looked_at >= _LOOK:
                state.looked_at = time.monotonic()
                with suppress(*_STORAGE_AWAY):
                    self._check_held(job, state, report)
            if job.id in self._lost:
                raise LeaseLost(f"The work to {job.step} document {job.document} was cancelled.")

        try:
            with measure_step(jobs):
                self._steps.run(jobs, reader, progress)
        except LeaseLost as lost:
            reader.close()
            self._give_back(jobs)
            log.info("%s", lost.message)
        except (_Interrupted, PinciteError, OSError) as error:
            reader.close()
            self._give_back(jobs)
            if not isinstance(error, _Interrupted):
                raise
            return
        for job in jobs:
            self._report(StepProgress(job.document, job.step, 0, 0, ended=True))

    def _check_held(self, job: Job, state: _JobState, report: StepProgress) -> None:
        """Raise `LeaseLost` if the job was cancelled or taken over; store its progress now and then."""
        if report == state.stored or time.monotonic() - state.stored_at < _STORED:
            with self._library.database.reading() as connection:
                job_queue.check_held(connection, job)
            return
        state.stored, state.stored_at = report, time.monotonic()
        with self._library.database.writing() as connection:
            if not job_queue.report(connection, job, report.done, report.total):
                self._lost.add(job.id)

    def _give_back(self, jobs: Sequence[Job], wait_seconds: float = 0.0) -> None:
        """Return jobs to the queue, as soon as the database is there. Finished and lost ones are left as they are."""
        for job in jobs:
            try:
                self._ingestion.give_back(job, wait_seconds)
            except _STORAGE_AWAY:
                self._unreturned.append(job)

    def _return_unreturned(self) -> None:
        while self._unreturned:
            job = self._unreturned.pop()
            try:
                self._ingestion.give_back(job)
            except _STORAGE_AWAY:
                self._unreturned.append(job)
                raise

    def _sweep(self) -> None:
        if time.monotonic() - self._swept > _SWEEP:
            self._library.sweep(self._stop.is_set)
            self._swept = time.monotonic()

    def _is_any_pending(self, documents: Collection[str] | None) -> bool:
        with self._library.database.reading() as connection:
            return job_queue.is_any_pending(connection, documents)

    def _is_any_claimable(self, documents: Collection[str] | None) -> bool:
        with self._library.database.reading() as connection:
            return job_queue.is_any_claimable(connection, job_queue.read_clock(connection), documents)

    def _wait(self, changes: int, seconds: float | None) -> None:
        """Wait until the queue has changed since there were so many changes, at most so long.

        A job that another process ends is not announced, nor is a document that was removed: callers that wait for the
        end, and the thread that sweeps, look by themselves.
        """
        with self._queue_changed:
            self._idle += 1
            self._queue_changed.wait_for(lambda: self._changes != changes or self.is_leaving, seconds)
            self._idle -= 1

    def _wait_alone(self) -> bool:
        """Wait until this job is the only one of the process; return False if that takes too long."""
        ends = time.monotonic() + _ALONE_SECONDS
        with self._claiming:
            pass  # a claim that began before `_alone` was locked is over now
        while len(self._held) > 1 and not self.is_leaving and time.monotonic() < ends:
            self._stop.wait(_TICK)
        return len(self._held) == 1 and not self.is_leaving

    def _wait_for_storage(self, error: PinciteError) -> None:
        if time.monotonic() > self._patient_until:
            log.warning("%s The worker goes on when it is back.", error.message)
        # Leases expired while nobody could extend them: their holders get one more lease of time to extend them.
        self._patient_until = time.monotonic() + self._settings.lease_seconds
        self._stop.wait(_STORAGE_PAUSE)

    def _note_change(self, _: str) -> None:
        with self._queue_changed:
            self._changes += 1
            self._queue_changed.notify_all()

    @property
    def _pause(self) -> float:
        """The seconds between two checks of the queue."""
        notices = self._library.notices
        return _TICK if not notices.delivers else _NET if notices.is_connected else _UNANNOUNCED

    def _watch(self, documents: Collection[str] | None) -> None:
        """Extend leases, find dead workers, look for new jobs, and end a drain that takes too long, for all threads."""
        extended = time.monotonic()
        released = looked = 0.0
        while not self._over.wait(_TICK):
            now = time.monotonic()
            if self._drain_until is not None and now > self._drain_until:
                self._stop.set()
            try:
                if now - extended >= self._settings.lease_seconds / 3:
                    extended = now
                    self._extend_leases()
                if now - released >= max(_RELEASE_PAUSE, self._pause) and now > self._patient_until:
                    released = now
                    self._release_dead_workers()
                if self.is_leaving:
                    self._note_change("")
                elif self._idle and now - looked >= self._pause:
                    looked = now
                    if self._is_any_claimable(documents):
                        self._note_change("")
            except PinciteError as error:
                if isinstance(error, _STORAGE_AWAY):
                    self._patient_until = now + self._settings.lease_seconds
                else:
                    log.warning("%s It is tried again. %s", error.message, error.hint)

    def _extend_leases(self) -> None:
        """Extend the leases of held jobs, and note lost ones."""
        if held := list(self._held.values()):
            with self._library.database.writing() as connection:
                now = job_queue.read_clock(connection)
                kept = job_queue.extend(connection, held, self._settings.lease_seconds, now)
            self._lost.update({job.id for job in held} - kept)

    def _release_dead_workers(self) -> None:
        """Return the jobs of workers that died to the queue: dead processes of this machine, and silent ones."""
        with self._library.database.reading() as connection:
            now = job_queue.read_clock(connection)
            dead = [name for name in job_queue.list_holders(connection) if is_gone(name.partition(" ")[0])]
            is_any_expired = job_queue.is_any_expired(connection, now)
        if dead or is_any_expired:
            with self._library.database.writing() as connection:
                for name in dead:
                    job_queue.release_worker(connection, name, self._settings.attempts)
                job_queue.release_expired(connection, job_queue.read_clock(connection), self._settings.attempts)


class _Interrupted(BaseException):
    """The user asked to stop."""
