"""Run the step of a job, and decide what its failure means for the document: failed, set aside, or without vectors."""

import logging
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

from pincite.embedding import Embedder
from pincite.errors import EmbeddingError, LeaseLost, PinciteError, ReadingFault, SetAside, Unreachable
from pincite.isolation.child_process import IsolatedProcess
from pincite.library import Library
from pincite.library.ingestion import Ingestion
from pincite.library.vector_step import JobProgress
from pincite.store.job_queue import Job

log = logging.getLogger(__name__)

_AWAY_SECONDS = 60.0  # how long an embedder that could not be reached is not asked again
_AT_ONCE = 32  # passages in one call of a model on this machine


class StepRunner:
    """Runs the steps of jobs for one worker. `make_embedder` is called when vectors are first needed."""

    def __init__(self, library: Library, ingestion: Ingestion, make_embedder: Callable[[], Embedder | None]) -> None:
        self._library = library
        self._ingestion = ingestion
        self._attempts = library.settings.jobs.attempts
        self._make_embedder = make_embedder
        self._embedder: Embedder | None = None
        self._away: Unreachable | None = None
        self._away_since = 0.0

    @property
    def at_once(self) -> int:
        """The number of passages that are embedded in one call."""
        chosen = self._library.settings.embedding
        return chosen.batch * chosen.parallel if chosen.provider in ("openai", "tei") else _AT_ONCE

    def run(self, jobs: Sequence[Job], reader: IsolatedProcess, progress: JobProgress) -> None:
        """Do the step of jobs that were claimed together: read one document, or embed one or several.

        A document at fault is marked as failed, or stays without vectors. Errors that pass are raised: a lost lease, a
        database that is away, a full disk.
        """
        job = jobs[0]
        give_up = self._ingestion.fail if job.step == "read" else self._ingestion.leave_without_vectors
        if job.deaths >= self._attempts:
            give_up(job, _make_set_aside_error(job))
            return
        try:
            if job.step == "read":
                self._ingestion.read(job, reader, lambda done, total: progress(job, done, total), self._library.embeds)
            else:
                self._embed(jobs, progress)
        except (PinciteError, OSError):
            raise
        except Exception as error:
            # A bug that one document triggers must not stop the others.
            log.exception("document %s: the step to %s it failed", job.document, job.step)
            reader.close()
            fault = ReadingFault(
                f"A fault of ours ({type(error).__name__}).", "Please report it with what was printed."
            )
            if len(jobs) == 1:
                give_up(job, fault)
            else:
                self._embed_each(jobs, progress, fault)

    def _embed(self, jobs: Sequence[Job], progress: JobProgress) -> None:
        if self._away and time.monotonic() - self._away_since < _AWAY_SECONDS:
            self._leave_without_vectors(jobs, self._away)
            return
        try:
            self._embedder = self._embedder or self._make_embedder()
            if self._embedder is None:
                raise EmbeddingError("No embedder is set.", "Set embedding.provider, then run `pincite reindex`.")
            self._ingestion.embed(jobs, self._embedder, progress, self.at_once)
        except Unreachable as error:
            self._away, self._away_since = error, time.monotonic()
            self._leave_without_vectors(jobs, error)
        except EmbeddingError as error:
            self._embed_each(jobs, progress, error)

    def _embed_each(self, jobs: Sequence[Job], progress: JobProgress, error: PinciteError) -> None:
        """Embed documents one by one after their common batch failed, so that only those at fault are left out."""
        if len(jobs) == 1:
            self._leave_without_vectors(jobs, error)
            return
        for job in jobs:
            with suppress(LeaseLost):  # also if it was finished before the failure
                self._embed([job], progress)

    def _leave_without_vectors(self, jobs: Sequence[Job], error: PinciteError) -> None:
        for job in jobs:
            with suppress(LeaseLost):
                self._ingestion.leave_without_vectors(job, error)


def _make_set_aside_error(job: Job) -> SetAside:
    doing = "reading it" if job.step == "read" else "making its vectors"
    return SetAside(
        f"The worker process died {job.deaths} times while {doing}: it ran out of memory, was killed or crashed. "
        "The document was set aside so that the others go on.",
        f"See the log of the worker, give it more memory if it ran out, then run `pincite retry {job.document}`.",
    )
