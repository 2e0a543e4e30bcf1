"""The two steps of ingestion, as jobs: read a document into passages and words, then embed its passages."""

import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from pincite.embedding import Embedder
from pincite.embedding.vector_names import make_vector_name
from pincite.errors import Encrypted, PinciteError, Unreadable
from pincite.isolation.child_process import IsolatedProcess
from pincite.isolation.document_parts import PagesPart
from pincite.library.content_writer import ContentWriter, show_content, sweep_generations
from pincite.library.interruptible_call import run_watched
from pincite.passages import make_indexed
from pincite.reading.source import Source
from pincite.store import documents, job_queue, stored_passages
from pincite.store.database import Connection
from pincite.store.documents import StoredDocument
from pincite.store.job_queue import Job
from pincite.types import Status

if TYPE_CHECKING:
    from pincite.library import Library

_BATCH = 32  # passages whose vectors are written together: a kill costs at most so many
_BATCHES = 100  # of vectors that are removed in one transaction

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
        self._library.passwords.pop(job.document, None)

    def _read(
        self, job: Job, stored: StoredDocument, reader: IsolatedProcess, progress: Progress, embeds: bool
    ) -> bool:
        """Read a document under its current title; return False if its title changed in the meantime."""
        source = Source(
            self._library.files.path(stored.sha256),
            stored.name,
            password=self._library.passwords.get(stored.id),
            ocr=self._library.settings.reading.ocr,
            progress=progress,
        )
        recipe = self._library.recipe(name=stored.name, title=stored.given_title)
        database, index = self._library.database, self._library.index
        writer = ContentWriter(database, index, job.document, lambda connection: job_queue.hold(connection, job))
        try:
            pages = 0
            for part in reader.make_contents(source, recipe):
                pages += len(part.pages) if isinstance(part, PagesPart) else 0
                writer.add(part)
                progress(pages, pages)  # it raises to stop
            writer.settle()
            with self._library.database.writing() as connection:
                job_queue.hold(connection, job)
                if documents.get(connection, job.document).given_title == stored.given_title:
                    self._show(connection, job, writer, embeds)
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
        # Whoever embeds what stood there before must not go on: its passages are gone.
        job_queue.cancel(connection, job.document, "embed")
        written = writer.finish(connection)
        show_content(connection, job.document, written, self._library.cut)
        more = embeds and written.count.passages > 0
        documents.set_status(connection, job.document, "searchable" if more else "ready")
        job_queue.finish(connection, job)
        if more:
            job_queue.enqueue(connection, job.owner, job.document, "embed", time.time())

    def embed(self, job: Job, embedder: Embedder, progress: Progress) -> None:
        """Run the second step: embed in batches, and store each as it is made, until the embedder raises."""
        with self._library.database.writing() as connection:
            job_queue.hold(connection, job)
            documents.set_status(connection, job.document, "embedding")
        with self._library.database.reading() as connection:
            job_queue.hold(connection, job)
            stored = documents.get(connection, job.document)
            document = documents.load(connection, job.document)
            pieces = {
                row.id: row.passage
                for row in stored_passages.get(connection, stored_passages.list_ids(connection, job.document))
            }
            missing = self._library.index.list_unembedded(connection, job.document, embedder.name, len(pieces))
        done = len(pieces) - len(missing)
        for first in range(0, len(missing), _BATCH):
            progress(done + first, len(pieces))
            batch = missing[first : first + _BATCH]
            entries = [make_indexed(document, pieces[id], stored.name) for id in batch]
            texts = [f"{entry.context}\n{entry.body}" for entry in entries]
            vectors = run_watched(partial(embedder.passages, texts), partial(progress, done + first, len(pieces)))
            with self._library.database.writing() as connection:
                job_queue.hold(connection, job)
                self._library.index.add_vectors(connection, job.document, embedder.name, batch, vectors)
        while not self._remove_other_vectors(job, embedder.name):
            pass
        with self._library.database.writing() as connection:
            documents.set_status(connection, job.document, "ready")
            job_queue.finish(connection, job)
        progress(len(pieces), len(pieces))

    def _remove_other_vectors(self, job: Job, model: str) -> bool:
        with self._library.database.writing() as connection:
            job_queue.hold(connection, job)
            return self._library.index.remove_vectors(connection, job.document, other_than=model, limit=_BATCHES)

    def leave_without_vectors(self, job: Job, error: PinciteError) -> None:
        """Finish a job without vectors and store the error; the document stays searchable by words."""
        with self._library.database.writing() as connection:
            job_queue.finish(connection, job)
            documents.set_status(connection, job.document, "searchable", *_describe_error(error))

    def fail(self, job: Job, error: PinciteError) -> None:
        """Finish a failed job and store the error; earlier content stays searchable."""
        with self._library.database.writing() as connection:
            job_queue.finish(connection, job)
            documents.set_status(connection, job.document, "failed", *_describe_error(error))
        self._library.passwords.pop(job.document, None)

    def _keep(self, job: Job, error: PinciteError, embeds: bool) -> None:
        """Keep the earlier content of a document that cannot be read again now, and store the error."""
        model = make_vector_name(self._library.settings.embedding)
        with self._library.database.writing() as connection:
            job_queue.finish(connection, job)
            if embeds and self._library.index.list_unembedded(connection, job.document, model, 1):
                job_queue.enqueue(connection, job.owner, job.document, "embed", time.time())
                documents.set_status(connection, job.document, "searchable")
            else:
                documents.set_status(connection, job.document, "ready", *_describe_error(error))

    def give_back(self, job: Job) -> None:
        """Return a job to the queue for the next worker."""
        with self._library.database.writing() as connection:
            if job_queue.release(connection, job):
                documents.set_status(
                    connection, job.document, find_waiting_status(documents.get(connection, job.document))
                )


def _describe_error(error: PinciteError) -> tuple[str, str]:
    """Return the message and the code of an error, as they are stored with a document."""
    return f"{error.message} {error.hint}".strip(), error.code


def find_waiting_status(stored: StoredDocument) -> Status:
    """Return the status of a document whose next step waits: searchable content stays searchable."""
    return "searchable" if stored.passages else "queued"
