"""Embed the passages of one or several documents in common batches, and store the vectors of each document."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pincite.embedding import Embedder
from pincite.errors import LeaseLost
from pincite.library.interruptible_call import run_watched
from pincite.passages import make_indexed
from pincite.store import document_text, documents, job_queue, stored_passages
from pincite.store.job_queue import Job
from pincite.store.lock_order import lock_documents
from pincite.telemetry.metrics import INGESTION_STEPS
from pincite.types import Document, Passage

if TYPE_CHECKING:
    from pincite.library import Library

_BATCHES = 100  # of vectors that are removed in one transaction

JobProgress = Callable[[Job, int, int], None]  # it raises `LeaseLost` for one job, or something else to stop the work


@dataclass(slots=True)
class _DocumentWork:
    """A document whose passages are embedded; `is_over` when they all are, or its job was lost."""

    job: Job
    name: str
    document: Document
    pieces: dict[int, Passage]
    missing: list[int]
    done: int
    is_over: bool = False

    def make_text(self, passage: int) -> str:
        entry = make_indexed(self.document, self.pieces[passage], self.name)
        return f"{entry.context}\n{entry.body}"


class VectorStep:
    """Embeds the documents of some jobs, `at_once` passages in one call of the embedder."""

    def __init__(self, library: "Library", embedder: Embedder, progress: JobProgress, at_once: int) -> None:
        self._library = library
        self._embedder = embedder
        self._progress = progress
        self._at_once = at_once

    def run(self, jobs: Sequence[Job]) -> None:
        """Embed and store until all documents are ready or the embedder raises. A job that is lost is left out."""
        works = [work for job in jobs if (work := self._open(job))]
        for work in works:
            if not work.missing:
                self._store(work, [], None)
        waiting = [(work, passage) for work in works for passage in work.missing]
        for first in range(0, len(waiting), self._at_once):
            batch = [each for each in waiting[first : first + self._at_once] if not each[0].is_over]
            together = list({work.job.id: work for work, _ in batch}.values())
            self._look(together)
            batch = [each for each in batch if not each[0].is_over]
            if not batch:
                continue
            texts = [work.make_text(passage) for work, passage in batch]
            vectors = run_watched(partial(self._embedder.passages, texts), partial(self._look, together))
            for work in together:
                rows = [row for row, (owner, _) in enumerate(batch) if owner is work]
                if rows and not work.is_over:
                    self._store(work, [batch[row][1] for row in rows], vectors[rows])

    def _open(self, job: Job) -> _DocumentWork | None:
        """Return the passages of a document that have no vectors yet; None if the job was lost."""
        try:
            with self._library.database.writing() as connection:
                lock_documents(connection, [job.document])
                job_queue.hold(connection, job)
                documents.set_status(connection, job.document, "embedding")
            with self._library.database.reading() as connection:
                job_queue.check_held(connection, job)
                stored = documents.get(connection, job.document)
                document = document_text.load_document(connection, job.document)
                ids = stored_passages.list_ids(connection, job.document)
                pieces = {row.id: row.passage for row in stored_passages.get(connection, ids)}
                missing = self._library.index.list_unembedded(
                    connection, job.document, self._embedder.name, len(pieces)
                )
        except LeaseLost:
            return None
        return _DocumentWork(job, stored.name, document, pieces, list(missing), len(pieces) - len(missing))

    def _look(self, works: Sequence[_DocumentWork]) -> None:
        """Report the progress of documents. Raise `LeaseLost` if no job is left of which the vectors are wanted."""
        for work in works:
            if not work.is_over:
                try:
                    self._progress(work.job, work.done, len(work.pieces))
                except LeaseLost:
                    work.is_over = True
        if all(work.is_over for work in works):
            raise LeaseLost("The vectors that are being made are no longer wanted.")

    def _store(self, work: _DocumentWork, passages: list[int], vectors: NDArray[np.float32] | None) -> None:
        """Store the vectors of some passages of a document, and finish it with the last ones."""
        model, job = self._embedder.name, work.job
        is_last = work.done + len(passages) == len(work.pieces)
        is_finished = False
        try:
            while not is_finished:
                with self._library.database.writing() as connection:
                    lock_documents(connection, [job.document] if is_last else [])
                    job_queue.hold(connection, job)
                    if vectors is not None:
                        self._library.index.add_vectors(connection, job.document, model, passages, vectors)
                        work.done += len(passages)
                        vectors = None
                    is_finished = not is_last or self._library.index.remove_vectors(
                        connection, job.document, other_than=model, limit=_BATCHES
                    )
                    if is_last and is_finished:
                        documents.set_status(connection, job.document, "ready")
                        job_queue.finish(connection, job)
        except LeaseLost:
            work.is_over = True
            return
        if is_last:
            work.is_over = True
            INGESTION_STEPS.add("embed", "done")
            with suppress(LeaseLost):  # its job is gone because it is done
                self._progress(job, work.done, len(work.pieces))
