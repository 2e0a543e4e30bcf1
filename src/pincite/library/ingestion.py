"""The two steps of ingestion, as jobs: read a document into passages and words, then embed its passages."""

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING

from pincite.embedding import Embedder
from pincite.embedding.vector_names import make_vector_name
from pincite.errors import PASSWORD_NEEDED, Damaged, Encrypted, NotFound, PinciteError, Unreadable
from pincite.isolation.child_process import IsolatedProcess
from pincite.isolation.document_parts import PagesPart
from pincite.library.content_writer import ContentWriter, show_content, sweep_generations
from pincite.library.vector_step import JobProgress, VectorStep
from pincite.reading.source import Source
from pincite.store import documents, job_queue
from pincite.store.database import Connection
from pincite.store.documents import StoredDocument
from pincite.store.job_queue import Job
from pincite.store.lock_order import lock_documents
from pincite.telemetry.metrics import INGESTION_STEPS, PAGES

if TYPE_CHECKING:
    from pincite.library import Library

_BATCH = 32  # passages that are embedded together: a kill costs at most so many

_FORGOTTEN = "It was not read again, because its password was not kept after the first reading; its earlier text stays."

Progress = Callable[[int, int], None]  # it may raise to stop the work


class Ingestion:
    """Runs the steps of jobs on the documents of a library. Each step may be killed and repeated."""

    def __init__(self, library: "Library") -> None:
        self._library = library

    def read(self, job: Job, reader: IsolatedProcess, progress: Progress, embeds: bool) -> None:
        """Run the first step: make text, passages and words in the isolated process and store them in batches.

        They become visible together; until then the earlier content is searched.
        """
        with self._library.database.writing() as connection:
            lock_documents(connection, [job.document])
            job_queue.hold(connection, job)
            stored = documents.get(connection, job.document)
            if stored.status != "searchable":
                documents.set_status(connection, job.document, "reading")

        def is_over() -> bool:
            progress(0, 0)  # it raises to stop
            return False

        sweep_generations(self._library.database, self._library.index, is_over, job.document)
        while not self._read(job, stored, reader, progress, embeds):
            with self._library.database.reading() as connection:
                stored = documents.get(connection, job.document)  # it was renamed while it was read
        self._library.passwords.drop(job.document)

    def _read(
        self, job: Job, stored: StoredDocument, reader: IsolatedProcess, progress: Progress, embeds: bool
    ) -> bool:
        """Read a document under its current title; return False if its title changed in the meantime."""
        with ExitStack() as stack:
            try:
                source = stack.enter_context(self._library.open_source(stored, self._library.passwords.get(stored.id)))
            except (NotFound, Damaged) as error:
                self.fail(job, error)
                return True
            return self._read_source(job, stored, replace(source, progress=progress), reader, embeds)

    def _read_source(
        self, job: Job, stored: StoredDocument, source: Source, reader: IsolatedProcess, embeds: bool
    ) -> bool:
        recipe = self._library.recipe(name=stored.name, title=stored.given_title)
        database, index = self._library.database, self._library.index
        writer = ContentWriter(database, index, job.document, lambda connection: job_queue.hold(connection, job))
        try:
            pages = 0
            for part in reader.make_contents(source, recipe):
                pages += len(part.pages) if isinstance(part, PagesPart) else 0
                writer.add(part)
                source.progress(pages, pages)  # it raises to stop
            writer.settle()
            is_shown = False
            with self._library.database.writing() as connection:
                lock_documents(connection, [job.document])
                job_queue.hold(connection, job)
                if documents.get(connection, job.document).given_title == stored.given_title:
                    self._show(connection, job, writer, embeds)
                    is_shown = True
            if is_shown:
                INGESTION_STEPS.add("read", "done")
                PAGES.add(amount=pages)
                return True
            writer.abandon()
            return False
        except Unreadable as error:
            writer.abandon()
            if isinstance(error, Encrypted) and stored.passages:
                self._keep(job, error, embeds)
            else:
                self.fail(job, error)
            return True
        except BaseException:
            writer.abandon()
            raise

    def _show(self, connection: Connection, job: Job, writer: ContentWriter, embeds: bool) -> None:
        # A worker that embeds the former text must not go on: the passages of that text are gone.
        job_queue.cancel(connection, job.document, "embed")
        written = writer.finish(connection)
        show_content(connection, job.document, written, self._library.cut)
        more = embeds and written.count.passages > 0
        documents.set_status(connection, job.document, "searchable" if more else "ready")
        job_queue.finish(connection, job)
        if more:
            job_queue.enqueue(connection, job.owner, job.document, "embed", time.time(), job.priority)

    def embed(self, jobs: Sequence[Job], embedder: Embedder, progress: JobProgress, at_once: int = _BATCH) -> None:
        """Run the second step for one or several documents: `at_once` passages in one call of the embedder."""
        VectorStep(self._library, embedder, progress, at_once).run(jobs)

    def leave_without_vectors(self, job: Job, error: PinciteError) -> None:
        """Finish a job without vectors and store the error; the document stays searchable by words."""
        with self._library.database.writing() as connection:
            lock_documents(connection, [job.document])
            job_queue.finish(connection, job)
            documents.set_status(connection, job.document, "searchable", *_describe_error(error))
        INGESTION_STEPS.add("embed", "failed")

    def fail(self, job: Job, error: PinciteError) -> None:
        """Finish a failed job and store the error; earlier content stays searchable."""
        with self._library.database.writing() as connection:
            lock_documents(connection, [job.document])
            job_queue.finish(connection, job)
            documents.set_status(connection, job.document, "failed", *_describe_error(error))
        INGESTION_STEPS.add("read", "failed")
        self._library.passwords.drop(job.document)

    def _keep(self, job: Job, error: PinciteError, embeds: bool) -> None:
        """Keep the earlier content of a document that cannot be read again now, and store the error."""
        model = make_vector_name(self._library.settings.embedding)
        with self._library.database.writing() as connection:
            lock_documents(connection, [job.document])
            job_queue.finish(connection, job)
            if embeds and self._library.index.list_unembedded(connection, job.document, model, 1):
                job_queue.enqueue(connection, job.owner, job.document, "embed", time.time(), job.priority)
                documents.set_status(connection, job.document, "searchable")
            else:
                said, code = _describe_error(error)
                forgotten = f"{_FORGOTTEN} " if error.reason == PASSWORD_NEEDED else ""
                documents.set_status(connection, job.document, "ready", f"{forgotten}{said}", code)

    def give_back(self, job: Job, wait_seconds: float = 0.0) -> None:
        """Return a job to the queue for the next worker. A finished or lost one is left as it is."""
        with self._library.database.writing() as connection:
            lock_documents(connection, [job.document])
            if job_queue.release(connection, job, wait_seconds):
                documents.set_status(connection, job.document, documents.get(connection, job.document).waiting_status)


def _describe_error(error: PinciteError) -> tuple[str, str]:
    """Return the message and the code of an error, as they are stored with a document."""
    return f"{error.message} {error.hint}".strip(), error.code
