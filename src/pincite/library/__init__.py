"""The library: add, rename, re-index and remove documents. `ingestion` reads and embeds them, as jobs."""

import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pincite.errors import Misuse
from pincite.index import Index
from pincite.index.sqlite_index import SqliteIndex
from pincite.index.terms import ANALYSIS
from pincite.isolation.child_process import check_size
from pincite.isolation.document_parts import Recipe, make_entry
from pincite.isolation.isolated_web_parser import IsolatedWebParser
from pincite.library.content_writer import sweep_generations
from pincite.library.ingestion import find_waiting_status
from pincite.locate.boxes import find_page_boxes
from pincite.locate.concordance import VERSION, Concordance
from pincite.reading.finish import clean_text
from pincite.reading.source import Source
from pincite.settings import Settings
from pincite.store import concordances, document_sources, documents, job_queue, stored_passages
from pincite.store.database import Connection, Database, open_database
from pincite.store.document_sources import StoredSource
from pincite.store.documents import StoredDocument
from pincite.store.files import Files
from pincite.store.job_queue import Step
from pincite.store.scratch import sweep_scratch
from pincite.types import Page, PageBoxes, Span, Status

if TYPE_CHECKING:
    from pincite.library.passage_locator import ConcordanceCache, LocatedPassage

DEFAULT = "default"
_CANCELLED = "cancelled"  # the code of what no error stopped
_LONGEST_TITLE = 300  # characters
_REWORDED_AT_ONCE = 200  # passages at most whose words are changed in the transaction that renames a document

Outcome = Literal["new", "updated", "known", "again"]


@dataclass(frozen=True, slots=True)
class AdditionResult:
    """The result of `add`: new bytes, a known location with other bytes, known bytes, or an earlier failure."""

    document: str
    outcome: Outcome


class Library:
    """The documents of one data folder: rows, files and index, which change together."""

    def __init__(self, database: Database, files: Files, index: Index, settings: Settings) -> None:
        self.database = database
        self.index = index
        self.settings = settings
        self.files = files
        self.web_parser = IsolatedWebParser(settings.reading)  # starts no process before it is used
        self.passwords: dict[str, str] = {}  # of documents that wait to be read; dropped when that is over

    @cached_property
    def _concordance_cache(self) -> "ConcordanceCache":
        from pincite.library.passage_locator import ConcordanceCache  # searching and answering do without it

        return ConcordanceCache(self.database)

    def close(self) -> None:
        self.web_parser.close()
        self.database.close()

    def add(
        self, path: Path, library: str = DEFAULT, password: str | None = None, name: str = "", place: str = ""
    ) -> AdditionResult:
        """Store a file and enqueue its reading; bytes that are known already are not stored again.

        `name` and `place` are those of the original if the file is a copy from elsewhere.
        """
        owner, location = self.settings.owner, place or document_sources.make_path_location(path)
        seen = check_size(path, self.settings.reading)
        with self.database.reading() as connection:
            known = document_sources.get_source(connection, owner, library, location)
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
                named = name or document_sources.make_name_legible(path.name)
                stored, new = documents.create(connection, owner, kept.sha256, named, kept.bytes)
                if new:
                    job_queue.enqueue(connection, owner, stored.id, "read", time.time())
                if password and new:
                    self.passwords[stored.id] = password  # before the job can be seen
                source = StoredSource(owner, library, location, stored.id, seen.st_size, seen.st_mtime)
                replaced = document_sources.add(connection, source)
            if replaced and former:
                self._forget_bytes(former.sha256)
            outcome = "updated" if replaced else "new" if new else "known"
        if stored.error:
            self.retry(stored.id, password)
            outcome = "again"
        elif password and stored.status in ("queued", "reading"):
            self.passwords[stored.id] = password
        return AdditionResult(stored.id, outcome)

    def retry(self, document: str, password: str | None = None) -> bool:
        """Retry a document that failed or was read incompletely, such as a scan without OCR.

        This repeats the reading, or only the vectors; return False if nothing failed and nothing was left out.
        """
        with self.database.writing() as connection:
            stored = documents.get(connection, document)
            if not stored.error and (not stored.problems or stored.status != "ready"):
                return False
            step: Step = "embed" if stored.status == "searchable" else "read"
            if password and step == "read":
                self.passwords[document] = password  # before the job can be seen
            job_queue.enqueue(connection, stored.owner, document, step, time.time())
            documents.set_status(connection, document, find_waiting_status(stored))
        return True

    def rename(self, document: str, title: str) -> StoredDocument:
        """Change the title of a document, which stays when it is read again.

        Searches find it under the new title at once.

        Its vectors contain the old title, so they are made again; until then only its words are searched. A document
        with many passages is read again, and found under the new title when that is done.
        """
        title = " ".join(clean_text(title).split())
        if not title:
            raise Misuse("A title needs at least one character.", "Give the words that the document is to be called.")
        if len(title) > _LONGEST_TITLE:
            raise Misuse(f"A title has at most {_LONGEST_TITLE} characters.", "Give a shorter one.")
        while True:
            with self.database.reading() as connection:
                known = documents.get(connection, document)
                at_once = known.title != title and 0 < known.passages <= _REWORDED_AT_ONCE
                rows = (
                    stored_passages.get(connection, stored_passages.list_ids(connection, document)) if at_once else []
                )
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
        """Set the title and the new context terms of the passages; a long document is read again instead."""
        documents.set_title(connection, known.id, title)
        if known.title != title and known.passages:
            if contexts:
                self.index.change_context(connection, known.id, contexts)
                if self.embeds and known.status != "failed":
                    job_queue.cancel(connection, known.id, "embed")
                    job_queue.enqueue(connection, known.owner, known.id, "embed", time.time())
                    documents.set_status(connection, known.id, "searchable")
            else:
                job_queue.enqueue(connection, known.owner, known.id, "read", time.time())
                documents.set_status(connection, known.id, find_waiting_status(known))
        return documents.get(connection, known.id)

    def cancel(self, document: str) -> None:
        """Stop work on a document; its content stays searchable, and adding it again continues the work."""
        with self.database.writing() as connection:
            stored = documents.get(connection, document)
            if not job_queue.cancel(connection, document):
                return
            read = stored.passages > 0
            told = "Cancelled before its vectors were made." if read else "Cancelled before it was read."
            status: Status = "searchable" if read else "failed"
            documents.set_status(connection, document, status, f"{told} Add it again to go on.", _CANCELLED)
        self.passwords.pop(document, None)

    def remove(self, document: str) -> StoredDocument:
        """Remove a document: its row, text, words, vectors, and its bytes if no other document has them.

        It disappears at once; `sweep`, which a worker runs now and then, removes what remains of a large one.
        """
        with self.database.writing() as connection:
            stored = documents.get(connection, document)
            job_queue.cancel(connection, document)
            documents.remove(connection, document)
        self.passwords.pop(document, None)
        self._forget_bytes(stored.sha256)
        return stored

    def remove_place(self, location: str, library: str = DEFAULT) -> StoredDocument | None:
        """Remove a source of a document; if it was the last one, remove the document and return it."""
        with self.database.writing() as connection:
            place = document_sources.get_source(connection, self.settings.owner, library, location)
            if place is None:
                return None
            stored = documents.get(connection, place.document)
            gone = document_sources.remove(connection, self.settings.owner, library, location)
        if not gone:
            return None
        self._forget_bytes(stored.sha256)
        return stored

    def reindex(self, model: str | None, again: bool = False, password: str | None = None) -> list[str]:
        """Enqueue the steps that the current settings and model still require, or all.

        Return the documents concerned.
        """
        self._sweep()
        asked = []
        with self.database.writing() as connection:
            unprepared = concordances.list_lacking(connection, self.settings.owner, VERSION)
            for stored in documents.find(connection, self.settings.owner):
                step: Step | None = None
                is_as_set = (stored.analysis, stored.cut) == (ANALYSIS, self.cut) and stored.id not in unprepared
                if again or stored.status == "failed" or stored.problems or not is_as_set:
                    step = "read"
                elif model and self.index.list_unembedded(connection, stored.id, model, 1):
                    step = "embed"
                if step:
                    job_queue.enqueue(connection, stored.owner, stored.id, step, time.time())
                    documents.set_status(connection, stored.id, find_waiting_status(stored))
                    asked.append(stored.id)
                    if password and step == "read":
                        self.passwords[stored.id] = password  # before the job can be seen
        return asked

    def recipe(self, **given: str) -> Recipe:
        """Return how to make the contents of a document with this name, title or language."""
        chosen = self.settings.passages
        return Recipe(chosen.size, chosen.overlap, hidden=chosen.hidden, **given)

    def sweep(self, should_stop: Callable[[], bool] = lambda: False) -> None:
        """Remove content that no document refers to, in small steps."""
        sweep_generations(self.database, self.index, should_stop)

    def locate(self, document: str, text: str, pages: Collection[int] = ()) -> "LocatedPassage":
        """Locate a passage in a document; `pages` are searched first."""
        return self._concordance_cache.locate(self.settings.owner, document, text, pages)

    def boxes(self, span: Span) -> tuple[PageBoxes, ...]:
        """Return the rectangles of a span of one of the owner's documents; nothing if it was removed."""
        with self.database.reading() as connection:
            pages = documents.list_pages_between(connection, span.document, span.start, span.end)
            texts = [documents.read_text(connection, span.document, page.start, page.end) for page in pages]
        stretch = [(span.start, span.end)]
        found = (find_page_boxes(page, text, stretch) for page, text in zip(pages, texts, strict=True))
        return tuple(boxes for boxes in found if boxes)

    def page_at(self, span: Span) -> Page | None:
        """Return the page on which a span begins, or None if the document has no pages."""
        with self.database.reading() as connection:
            return documents.find_page_at(connection, span.document, span.start)

    def file(self, stored: StoredDocument) -> Path:
        """Return the path of a document's bytes."""
        return self.files.path(stored.sha256)

    def prepared(self, document: str) -> tuple[Concordance, Source]:
        """Return a document with all its boxes, prepared for locating, and its original file."""
        stored, concordance = self._concordance_cache.whole(self.settings.owner, document)
        return concordance, Source(self.files.path(stored.sha256), stored.name, ocr=self.settings.reading.ocr)

    @property
    def embeds(self) -> bool:
        """Whether the documents are embedded."""
        return self.settings.embedding.provider != "none"

    @property
    def cut(self) -> str:
        """The passage settings, as they are stored with a document."""
        chosen = self.settings.passages
        return f"{chosen.size}:{chosen.overlap}{':hidden' if chosen.hidden else ''}"

    def _sweep(self) -> None:
        """Remove bytes and content without a document, which a killed process may leave."""
        self.sweep()
        # In a transaction that writes, as below.
        with self.database.writing() as connection:
            for sha256 in self.files.old() - documents.list_hashes(connection):
                self.files.remove(sha256)

    def _forget_bytes(self, sha256: str) -> None:
        # In a transaction that writes: nobody can add the same bytes between the question and the deed.
        with self.database.writing() as connection:
            if not documents.is_hash_in_use(connection, sha256):
                self.files.remove(sha256)


def open_library(settings: Settings) -> Library:
    """Open the library in the settings' data folder, creating it on first use."""
    if settings.database.startswith("postgres"):
        raise Misuse(
            "The index on PostgreSQL is not there yet.", "Leave --database and `database` out: SQLite is the default."
        )
    files = Files(settings.data / "files")
    files.sweep()
    sweep_scratch(settings.data)
    return Library(open_database(settings), files, SqliteIndex(), settings)
