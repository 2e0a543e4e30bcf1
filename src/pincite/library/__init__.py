"""Add, remove, re-index: files to documents that can be found. Each step may be killed and repeated."""

import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pincite.errors import Encrypted, Misuse, PinciteError, Unreadable
from pincite.evidence.boxes import on_page
from pincite.evidence.concordance import VERSION, Concordance
from pincite.index import Index
from pincite.index.analysis import ANALYSIS
from pincite.index.embed import Embedder
from pincite.index.embed.naming import vector_name
from pincite.index.sqlite import SqliteIndex
from pincite.isolation.contents import Recipe, SomePages, make_entry
from pincite.isolation.process import Isolated, check_size
from pincite.isolation.web import IsolatedWebParser
from pincite.library.ingestion import ContentWriter, show, sweep
from pincite.library.watching import run_watched
from pincite.passages import indexed
from pincite.reading.finish import clean
from pincite.reading.source import Source
from pincite.settings import Settings
from pincite.store import concordances, documents, jobs, passages, sources
from pincite.store.database import Connection, Database, open_database
from pincite.store.documents import StoredDocument
from pincite.store.files import Files
from pincite.store.jobs import Job, Step
from pincite.store.sources import StoredSource
from pincite.types import Page, PageBoxes, Span, Status

if TYPE_CHECKING:
    from pincite.library.locating import Located, Shelf

DEFAULT = "default"
_CANCELLED = "cancelled"  # the code of what no error stopped
_LONGEST_TITLE = 300  # characters
_BATCH = 32  # passages whose vectors are written together: what a kill can cost
_BATCHES = 100  # of vectors that are removed in one transaction
_REWORDED_AT_ONCE = 200  # passages at most whose words are changed in the transaction that renames a document

Progress = Callable[[int, int], None]  # it may raise to stop the work
Outcome = Literal["new", "updated", "known", "again"]


@dataclass(frozen=True, slots=True)
class Added:
    """What `add` found: new bytes, a known place with other bytes, known bytes, or some that failed before."""

    document: str
    outcome: Outcome


class Library:
    """The documents of one data folder: rows, bytes and index together, so that they change together."""

    def __init__(self, database: Database, files: Files, index: Index, settings: Settings) -> None:
        self.database = database
        self.index = index
        self.settings = settings
        self.files = files
        self.web_parser = IsolatedWebParser(settings.reading)  # starts no process before it is used
        self._passwords: dict[str, str] = {}

    @cached_property
    def _shelf(self) -> "Shelf":
        from pincite.library.locating import Shelf  # searching and answering do without it

        return Shelf(self.database)

    def close(self) -> None:
        self.web_parser.close()
        self.database.close()

    def add(
        self, path: Path, library: str = DEFAULT, password: str | None = None, name: str = "", place: str = ""
    ) -> Added:
        """Keep a file's bytes and ask for it to be read; bytes that are known already are not stored again.

        `name` and `place` are those of the original where the file is but a copy of it that came from elsewhere.
        """
        owner, location = self.settings.owner, place or sources.location(path)
        seen = check_size(path, self.settings.reading)
        with self.database.reading() as connection:
            known = sources.at(connection, owner, library, location)
            former = documents.get(connection, known.document) if known else None
        outcome: Outcome = "known"
        if known and former and (known.size, known.modified) == (seen.st_size, seen.st_mtime):
            stored = former
        else:
            kept = self.files.keep(path)
            with self.database.writing() as connection:
                if not self.files.path(kept.sha256).exists():
                    # Somebody removed the last document with these bytes since they were kept.
                    kept = self.files.keep(path)
                named = name or sources.legible(path.name)
                stored, new = documents.create(connection, owner, kept.sha256, named, kept.bytes)
                if new:
                    jobs.enqueue(connection, owner, stored.id, "read", time.time())
                source = StoredSource(owner, library, location, stored.id, seen.st_size, seen.st_mtime)
                replaced = sources.add(connection, source)
            if replaced and former:
                self._forget_bytes(former.sha256)
            outcome = "updated" if replaced else "new" if new else "known"
        if stored.error:
            self.retry(stored.id, password)
            outcome = "again"
        elif password:
            self._passwords[stored.id] = password
        return Added(stored.id, outcome)

    def retry(self, document: str, password: str | None = None) -> bool:
        """Ask once more for what failed, or for what could not be read completely, such as a scan without OCR.

        That is the reading, or the vectors of what was read; False when nothing failed and nothing was left out.
        """
        if password:
            self._passwords[document] = password
        with self.database.writing() as connection:
            stored = documents.get(connection, document)
            if not stored.error and (not stored.problems or stored.status != "ready"):
                return False
            step: Step = "embed" if stored.status == "searchable" else "read"
            jobs.enqueue(connection, stored.owner, document, step, time.time())
            documents.set_status(connection, document, _waiting(stored))
        return True

    def rename(self, document: str, title: str) -> StoredDocument:
        """Give a document another title, which is kept when it is read again; it is found by it at once.

        Its vectors know the old title: they are made again, and until then it is found by its words. A document of
        many passages is made again as a whole; it is found by the new title when that is done.
        """
        title = " ".join(clean(title).split())
        if not title:
            raise Misuse("A title needs at least one character.", "Give the words that the document is to be called.")
        if len(title) > _LONGEST_TITLE:
            raise Misuse(f"A title has at most {_LONGEST_TITLE} characters.", "Give a shorter one.")
        while True:
            with self.database.reading() as connection:
                known = documents.get(connection, document)
                at_once = known.title != title and 0 < known.passages <= _REWORDED_AT_ONCE
                rows = passages.get(connection, passages.ids(connection, document)) if at_once else []
                content = replace(documents.load(connection, document), title=title) if at_once else None
            # The words are made before the lock is taken.
            contexts = [(make_entry(content, row.passage, known.name).context, row.id) for row in rows if content]
            with self.database.writing() as connection:
                now = documents.get(connection, document)
                if (now.generation, now.title) == (known.generation, known.title):
                    return self._rename(connection, now, title, contexts)

    def _rename(
        self, connection: Connection, known: StoredDocument, title: str, contexts: Sequence[tuple[str, int]]
    ) -> StoredDocument:
        """Give the title, and the new words of where its passages stand; a long document is made again for them."""
        documents.set_title(connection, known.id, title)
        if known.title != title and known.passages:
            if contexts:
                self.index.change_context(connection, known.id, contexts)
                if self.embeds and known.status != "failed":
                    jobs.cancel(connection, known.id, "embed")
                    jobs.enqueue(connection, known.owner, known.id, "embed", time.time())
                    documents.set_status(connection, known.id, "searchable")
            else:
                jobs.enqueue(connection, known.owner, known.id, "read", time.time())
                documents.set_status(connection, known.id, _waiting(known))
        return documents.get(connection, known.id)

    def cancel(self, document: str) -> None:
        """Stop work on a document: what was read stays searchable, and adding it again goes on."""
        with self.database.writing() as connection:
            stored = documents.get(connection, document)
            if not jobs.cancel(connection, document):
                return
            read = stored.passages > 0
            told = "Cancelled before its vectors were made." if read else "Cancelled before it was read."
            status: Status = "searchable" if read else "failed"
            documents.set_status(connection, document, status, f"{told} Add it again to go on.", _CANCELLED)

    def remove(self, document: str) -> StoredDocument:
        """Forget a document: its row, text, words, vectors, and its bytes when nobody else has them.

        It is gone at once; what a large one leaves behind goes with `sweep`, which a worker does now and then.
        """
        with self.database.writing() as connection:
            stored = documents.get(connection, document)
            jobs.cancel(connection, document)
            documents.remove(connection, document)
        self._forget_bytes(stored.sha256)
        return stored

    def remove_place(self, location: str, library: str = DEFAULT) -> StoredDocument | None:
        """Forget a place a document was found at; the document comes out when that was its last and it is gone."""
        with self.database.writing() as connection:
            place = sources.at(connection, self.settings.owner, library, location)
            if place is None:
                return None
            stored = documents.get(connection, place.document)
            gone = sources.remove(connection, self.settings.owner, library, location)
        if not gone:
            return None
        self._forget_bytes(stored.sha256)
        return stored

    def reindex(self, model: str | None, again: bool = False, password: str | None = None) -> list[str]:
        """Ask for what the present settings and model still lack, or for everything again; the documents concerned."""
        self._sweep()
        asked = []
        with self.database.writing() as connection:
            unprepared = concordances.lacking(connection, self.settings.owner, VERSION)
            for stored in documents.find(connection, self.settings.owner):
                step: Step | None = None
                is_as_set = (stored.analysis, stored.cut) == (ANALYSIS, self.cut) and stored.id not in unprepared
                if again or stored.status == "failed" or stored.problems or not is_as_set:
                    step = "read"
                elif model and self.index.unembedded(connection, stored.id, model, 1):
                    step = "embed"
                if step:
                    jobs.enqueue(connection, stored.owner, stored.id, step, time.time())
                    documents.set_status(connection, stored.id, _waiting(stored))
                    asked.append(stored.id)
        if password:
            self._passwords.update(dict.fromkeys(asked, password))
        return asked

    def read(self, job: Job, reader: Isolated, progress: Progress, embeds: bool) -> None:
        """The first step: bytes to text, passages and words, made in the isolated process and stored in batches.

        They become visible together; until then it is searched as it was before.
        """
        with self.database.writing() as connection:
            jobs.hold(connection, job)
            stored = documents.get(connection, job.document)
            if stored.status != "searchable":
                documents.set_status(connection, job.document, "reading")

        def is_over() -> bool:
            progress(0, 0)  # it raises to stop
            return False

        sweep(self.database, self.index, is_over, job.document)
        while not self._read(job, stored, reader, progress, embeds):
            with self.database.reading() as connection:
                stored = documents.get(connection, job.document)  # it was renamed while it was read

    def _read(self, job: Job, stored: StoredDocument, reader: Isolated, progress: Progress, embeds: bool) -> bool:
        """Read a document as it is called now; False when it was given another title meanwhile."""
        source = Source(
            self.files.path(stored.sha256),
            stored.name,
            password=self._passwords.get(stored.id),
            ocr=self.settings.reading.ocr,
            progress=progress,
        )
        recipe = self.recipe(name=stored.name, title=stored.given_title)
        writer = ContentWriter(self.database, self.index, job.document, lambda connection: jobs.hold(connection, job))
        try:
            pages = 0
            for part in reader.make_contents(source, recipe):
                pages += len(part.pages) if isinstance(part, SomePages) else 0
                writer.add(part)
                progress(pages, pages)  # it raises to stop
            writer.settle()
            with self.database.writing() as connection:
                jobs.hold(connection, job)
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
        jobs.cancel(connection, job.document, "embed")
        written = writer.finish(connection)
        show(connection, job.document, written, self.cut)
        more = embeds and written.count.passages > 0
        documents.set_status(connection, job.document, "searchable" if more else "ready")
        jobs.finish(connection, job)
        if more:
            jobs.enqueue(connection, job.owner, job.document, "embed", time.time())

    def recipe(self, **given: str) -> Recipe:
        """How contents are made here of a document with this name, title or language."""
        chosen = self.settings.passages
        return Recipe(chosen.size, chosen.overlap, hidden=chosen.hidden, **given)

    def sweep(self, should_stop: Callable[[], bool] = lambda: False) -> None:
        """Remove content that no document has any more, a little at a time."""
        sweep(self.database, self.index, should_stop)

    def embed(self, job: Job, embedder: Embedder, progress: Progress) -> None:
        """The second step: vectors in batches, each kept as it is made, until the embedder raises."""
        with self.database.writing() as connection:
            jobs.hold(connection, job)
            documents.set_status(connection, job.document, "embedding")
        with self.database.reading() as connection:
            jobs.hold(connection, job)
            stored = documents.get(connection, job.document)
            document = documents.load(connection, job.document)
            pieces = {row.id: row.passage for row in passages.get(connection, passages.ids(connection, job.document))}
            missing = self.index.unembedded(connection, job.document, embedder.name, len(pieces))
        done = len(pieces) - len(missing)
        for first in range(0, len(missing), _BATCH):
            progress(done + first, len(pieces))
            batch = missing[first : first + _BATCH]
            entries = [indexed(document, pieces[id], stored.name) for id in batch]
            texts = [f"{entry.context}\n{entry.body}" for entry in entries]
            vectors = run_watched(partial(embedder.passages, texts), partial(progress, done + first, len(pieces)))
            with self.database.writing() as connection:
                jobs.hold(connection, job)
                self.index.add_vectors(connection, job.document, embedder.name, batch, vectors)
        while not self._remove_other_vectors(job, embedder.name):
            pass
        with self.database.writing() as connection:
            documents.set_status(connection, job.document, "ready")
            jobs.finish(connection, job)
        progress(len(pieces), len(pieces))

    def _remove_other_vectors(self, job: Job, model: str) -> bool:
        with self.database.writing() as connection:
            jobs.hold(connection, job)
            return self.index.remove_vectors(connection, job.document, other_than=model, limit=_BATCHES)

    def locate(self, document: str, text: str, pages: Collection[int] = ()) -> "Located":
        """Where a passage stands in a document; `pages` say where to look first."""
        return self._shelf.locate(self.settings.owner, document, text, pages)

    def boxes(self, span: Span) -> tuple[PageBoxes, ...]:
        """Where a stretch of one of the owner's documents stands on its pages; nothing when it is gone."""
        with self.database.reading() as connection:
            pages = documents.pages_between(connection, span.document, span.start, span.end)
            texts = [documents.text(connection, span.document, page.start, page.end) for page in pages]
        stretch = [(span.start, span.end)]
        found = (on_page(page, text, stretch) for page, text in zip(pages, texts, strict=True))
        return tuple(boxes for boxes in found if boxes)

    def page_at(self, span: Span) -> Page | None:
        """The page on which a stretch of a document begins; None where the document has no pages."""
        with self.database.reading() as connection:
            return documents.page_at(connection, span.document, span.start)

    def file(self, stored: StoredDocument) -> Path:
        """Where a document's bytes are."""
        return self.files.path(stored.sha256)

    def prepared(self, document: str) -> tuple[Concordance, Source]:
        """A document with all its boxes, ready for locating, and the file it was read from."""
        stored, concordance = self._shelf.whole(self.settings.owner, document)
        return concordance, Source(self.files.path(stored.sha256), stored.name, ocr=self.settings.reading.ocr)

    def leave_without_vectors(self, job: Job, error: PinciteError) -> None:
        """Give up on a document's vectors and say why; it stays searchable by its words."""
        with self.database.writing() as connection:
            jobs.finish(connection, job)
            documents.set_status(connection, job.document, "searchable", *_why(error))

    def fail(self, job: Job, error: PinciteError) -> None:
        """Give up on a document and say why; what was readable of it before stays searchable."""
        with self.database.writing() as connection:
            jobs.finish(connection, job)
            documents.set_status(connection, job.document, "failed", *_why(error))

    def _keep(self, job: Job, error: PinciteError, embeds: bool) -> None:
        """Leave a document as it was read before, for it cannot be read again now, and say why."""
        model = vector_name(self.settings.embedding)
        with self.database.writing() as connection:
            jobs.finish(connection, job)
            if embeds and self.index.unembedded(connection, job.document, model, 1):
                jobs.enqueue(connection, job.owner, job.document, "embed", time.time())
                documents.set_status(connection, job.document, "searchable")
            else:
                documents.set_status(connection, job.document, "ready", *_why(error))

    def give_back(self, job: Job) -> None:
        """Leave a step where it is, for whoever works next."""
        with self.database.writing() as connection:
            if jobs.release(connection, job):
                documents.set_status(connection, job.document, _waiting(documents.get(connection, job.document)))

    @property
    def embeds(self) -> bool:
        """Whether vectors are made of what is read."""
        return self.settings.embedding.provider != "none"

    @property
    def cut(self) -> str:
        """How passages are cut here, as it is kept with a document."""
        chosen = self.settings.passages
        return f"{chosen.size}:{chosen.overlap}{':hidden' if chosen.hidden else ''}"

    def _sweep(self) -> None:
        """Remove bytes and content that no document has: a kill may leave some."""
        self.sweep()
        # In a transaction that writes, as below.
        with self.database.writing() as connection:
            for sha256 in self.files.old() - documents.hashes(connection):
                self.files.remove(sha256)

    def _forget_bytes(self, sha256: str) -> None:
        # In a transaction that writes: nobody can add the same bytes between the question and the deed.
        with self.database.writing() as connection:
            if not documents.bytes_in_use(connection, sha256):
                self.files.remove(sha256)


def _why(error: PinciteError) -> tuple[str, str]:
    """What went wrong with a document as it is kept: in words, and as a code."""
    return f"{error.message} {error.hint}".strip(), error.code


def _waiting(stored: StoredDocument) -> Status:
    """The status of a document whose next step waits: what is searchable stays so, and says so."""
    return "searchable" if stored.passages else "queued"


def open_library(settings: Settings) -> Library:
    """The library in the settings' data folder, made on first use."""
    if settings.database.startswith("postgres"):
        raise Misuse(
            "The index on PostgreSQL is not there yet.", "Leave --database and `database` out: SQLite is the default."
        )
    files = Files(settings.data / "files")
    files.sweep()
    return Library(open_database(settings), files, SqliteIndex(), settings)
