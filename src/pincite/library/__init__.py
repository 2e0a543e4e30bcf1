"""The library: add, rename, re-index and remove documents. `ingestion` reads and embeds them, as jobs."""

import threading
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pincite.errors import QueueFull
from pincite.index import Index
from pincite.index.sqlite_index import SqliteIndex
from pincite.index.terms import ANALYSIS
from pincite.library.graph_builder import GraphBuilder
from pincite.library.unused_content import UnusedContent
from pincite.library.waiting_passwords import WaitingPasswords
from pincite.locate.boxes import cut_out_furniture, find_page_boxes
from pincite.settings import Settings
from pincite.store import (
    audit_log,
    concordances,
    document_layout,
    document_sources,
    document_tags,
    document_text,
    documents,
    job_queue,
)
from pincite.store.audit_log import AuditEntry
from pincite.store.database import Connection, Database, open_database
from pincite.store.document_sources import StoredSource
from pincite.store.documents import StoredDocument
from pincite.store.files import FileStore, open_files
from pincite.store.job_queue import Step
from pincite.store.library_access import resolve_library
from pincite.store.lock_order import lock_documents
from pincite.store.notices import NoticeListener
from pincite.store.scratch import sweep_scratch
from pincite.store.unused_files import lock_file
from pincite.types import Page, PageBoxes, Span, Status

if TYPE_CHECKING:  # searching and answering do without these, so each is imported by the method that needs it
    from pincite.isolation.document_parts import Recipe
    from pincite.isolation.isolated_web_parser import IsolatedWebParser
    from pincite.library.document_drawings import DocumentDrawings
    from pincite.library.passage_locator import ConcordanceCache, LocatedPassage
    from pincite.locate.concordance import Concordance
    from pincite.reading.source import Source

DEFAULT = "default"
WEB = "web"  # the library of pages from the web
_LAST_LOOK = 2  # seconds in which a thread finds that there is no graph to build
_CANCELLED = "cancelled"  # the code of what no error stopped

Outcome = Literal["new", "updated", "known", "again"]


@dataclass(frozen=True, slots=True)
class AdditionResult:
    """The result of `add`: new bytes, a known location with other bytes, known bytes, or an earlier failure."""

    document: str
    outcome: Outcome


class Library:
    """The documents of one data folder: rows, files and index, which change together.

    `person` is the id of the person on whose behalf a method works.
    """

    def __init__(self, database: Database, files: FileStore, index: Index, settings: Settings) -> None:
        self.database = database
        self.index = index
        self.settings = settings
        self.files = files
        self.notices = NoticeListener(database)  # hears nothing before it is started
        self.graph_builder = GraphBuilder(database, index)
        self._unused = UnusedContent(database, files, index, self.graph_builder)
        self.notices.subscribe("files", self._unused.forget_copies)
        self.passwords = WaitingPasswords(database)
        # Made by one thread when they are first used: a command that needs none of them does not import them.
        self._first_use = threading.Lock()
        self._web_parser: IsolatedWebParser | None = None
        self._drawings: DocumentDrawings | None = None
        self._concordances: ConcordanceCache | None = None

    @property
    def web_parser(self) -> "IsolatedWebParser":
        """The parser of web pages. Its processes are started when they are first needed."""
        with self._first_use:
            if self._web_parser is None:
                from pincite.isolation.isolated_web_parser import IsolatedWebParser

                self._web_parser = IsolatedWebParser(self.settings.reading)
            return self._web_parser

    @property
    def drawings(self) -> "DocumentDrawings":
        """The drawings of documents. Their processes are started when they are first needed."""
        with self._first_use:
            if self._drawings is None:
                from pincite.library.document_drawings import DocumentDrawings

                self._drawings = DocumentDrawings(self.settings.reading, self.open_source)
            return self._drawings

    @property
    def _concordance_cache(self) -> "ConcordanceCache":
        with self._first_use:
            if self._concordances is None:
                from pincite.library.passage_locator import ConcordanceCache

                self._concordances = ConcordanceCache(self.database)
            return self._concordances

    def close(self) -> None:
        self.graph_builder.wait(_LAST_LOOK)
        self.notices.close()
        if self._web_parser:
            self._web_parser.close()
        if self._drawings:
            self._drawings.close()
        self.database.close()

    def add(
        self,
        person: str,
        path: Path,
        library: str = DEFAULT,
        password: str | None = None,
        name: str = "",
        place: str = "",
        is_bulk: bool = False,
    ) -> AdditionResult:
        """Store a file and enqueue its reading; bytes that are known already are not stored again.

        The document belongs to the owner of the library, in which the person must be allowed to write. `name` and
        `place` are those of the original if the file is a copy from elsewhere. A file of a folder or site `is_bulk`:
        it is read after what people wait for.
        """
        from pincite.isolation.child_process import check_size

        location = place or document_sources.make_path_location(path)
        seen = check_size(path, self.settings.reading)
        with self.database.reading() as connection:
            key = resolve_library(connection, person, library, "writer", may_be_new=True)
            known = document_sources.get_source(connection, key.owner, key.name, location)
            former = documents.get(connection, known.document) if known else None
            is_full = job_queue.is_full(connection, key.owner, self.settings.jobs.most_queued)
        outcome: Outcome = "known"
        was_hidden = False
        if known and former and (known.size, known.modified) == (seen.st_size, seen.st_mtime):
            stored = former
        else:
            if is_full:
                raise QueueFull(self.settings.jobs.most_queued)
            kept = self.files.keep(path)
            with self.database.writing() as connection:
                # Again: somebody may have taken back the share of the library while the file was copied.
                key = resolve_library(connection, person, library, "writer", may_be_new=True)
                lock_file(connection, kept.sha256)
                if not self.files.has(kept.sha256):
                    # Somebody removed the last document with these bytes since they were kept.
                    kept = self.files.keep(path)
                named = name or document_sources.make_name_legible(path.name)
                stored, new = documents.create(connection, key.owner, kept.sha256, named, kept.bytes)
                current = document_sources.get_source(connection, key.owner, key.name, location)
                involved = [stored.id, *([current.document] if current else [])]
                if stored.id not in lock_documents(connection, involved, removes=True):
                    # Somebody has just removed it.
                    stored, new = documents.create(connection, key.owner, kept.sha256, named, kept.bytes)
                was_hidden = not documents.get_many(connection, person, [stored.id])
                if new:
                    priority = job_queue.BULK if is_bulk else job_queue.choose_priority(connection, key.owner)
                    job_queue.enqueue(connection, key.owner, stored.id, "read", time.time(), priority)
                if password and new:
                    self.passwords.put(connection, stored.id, password)
                source = StoredSource(key.owner, key.name, location, stored.id, seen.st_size, seen.st_mtime)
                # A file that is uploaded again from another folder stays where it is.
                is_there = document_sources.has_other_upload(connection, source)
                replaced = None if is_there else document_sources.add(connection, source)
            if replaced and former:
                self._unused.forget_bytes(former.sha256)
            # Somebody else is not told whether the owner has the former bytes elsewhere.
            is_changed = former is not None and former.id != stored.id
            is_updated = replaced is not None if person == key.owner else is_changed
            outcome = "updated" if is_updated else "new" if new else "known"
        if stored.error:
            self._retry(stored.id, password)
            outcome = "again"
        elif password and stored.status in ("queued", "reading"):
            with self.database.writing() as connection:
                self.passwords.put(connection, stored.id, password)
        if was_hidden and outcome != "updated":
            outcome = "new"  # the owner has these bytes where the person may not look
        return AdditionResult(stored.id, outcome)

    def retry(self, person: str, document: str, password: str | None = None) -> bool:
        """Retry a document that failed or was read incompletely, such as a scan without OCR.

        This repeats the reading, or only the vectors; return False if nothing failed and nothing was left out.
        """
        with self.database.writing() as connection:
            found = documents.get_changeable(connection, person, document)
            return self._retry_stored(connection, found.id, password)

    def _retry(self, document: str, password: str | None) -> None:
        """Retry a document that was just added again."""
        with self.database.writing() as connection:
            self._retry_stored(connection, document, password)

    def _retry_stored(self, connection: Connection, document: str, password: str | None) -> bool:
        lock_documents(connection, [document])
        stored = documents.get(connection, document)
        if not stored.error and (not stored.problems or stored.status != "ready"):
            return False
        step: Step = "embed" if stored.status == "searchable" else "read"
        if password and step == "read":
            self.passwords.put(connection, stored.id, password)
        priority = job_queue.choose_priority(connection, stored.owner)
        job_queue.enqueue(connection, stored.owner, stored.id, step, time.time(), priority)
        documents.set_status(connection, stored.id, stored.waiting_status)
        return True

    def rename(self, person: str, document: str, title: str) -> StoredDocument:
        """Change the title of a document, which stays when it is read again. Searches find it under the new title."""
        from pincite.library.document_titles import rename_document

        return rename_document(self.database, self.index, person, document, title, self.embeds)

    def change_tags(self, person: str, ids: Sequence[str], add: Collection[str], remove: Collection[str]) -> None:
        """Add tags to documents and remove others, in the libraries in which a person may write.

        Raise `Misuse` if a tag to add is empty.
        """
        added = [document_tags.clean_tag(each) for each in add]
        with self.database.writing() as connection:
            found = [documents.get_changeable(connection, person, document).id for document in ids]
            lock_documents(connection, found)
            for document in found:
                document_tags.change(connection, person, document, added, remove)

    def move(self, person: str, ids: Sequence[str], library: str) -> None:
        """Move documents to a library of their owner, out of the others in which a person may write."""
        with self.database.writing() as connection:
            key = resolve_library(connection, person, library, "writer", may_be_new=True)
            found = [documents.get_changeable(connection, person, document).id for document in ids]
            lock_documents(connection, found)
            for document in found:
                document_sources.move(connection, person, document, key)

    def cancel(self, person: str, document: str) -> None:
        """Stop work on a document; its content stays searchable, and adding it again continues the work."""
        with self.database.writing() as connection:
            lock_documents(connection, [documents.get_changeable(connection, person, document).id])
            stored = documents.get_changeable(connection, person, document)
            if not job_queue.cancel(connection, stored.id):
                return
            read = stored.passages > 0
            told = "Cancelled before its vectors were made." if read else "Cancelled before it was read."
            status: Status = "searchable" if read else "failed"
            documents.set_status(connection, stored.id, status, f"{told} Add it again to go on.", _CANCELLED)
        self.passwords.drop(stored.id)

    def remove(self, person: str, document: str, address: str = "") -> StoredDocument:
        """Remove a document from the libraries in which a person may write; from all if it is their own.

        Without a library, its row, text, words and vectors are removed, and its bytes if no other document has them. It
        disappears at once; `sweep`, which a worker runs now and then, removes what remains of a large one. The audit
        log records who removed the document of somebody else, and from which network address.
        """
        with self.database.writing() as connection:
            stored = documents.get_changeable(connection, person, document)
            before = _list_places(connection, stored)
            is_gone = document_sources.remove_writable(connection, person, stored.id) is not None
            if stored.owner != person:
                left = len(before - _list_places(connection, stored))  # their names would outlive their owner here
                audit_log.append(
                    connection,
                    AuditEntry(
                        time.time(), person, "document.remove", stored.owner, stored.id, address, {"libraries": left}
                    ),
                )
        if is_gone:
            self.passwords.drop(stored.id)
            self._unused.forget_bytes(stored.sha256)
        return stored

    def remove_place(self, person: str, location: str, library: str = DEFAULT) -> StoredDocument | None:
        """Remove a source of a document; if it was the last one, remove the document and return it."""
        with self.database.writing() as connection:
            key = resolve_library(connection, person, library, "writer", may_be_new=True)
            place = document_sources.get_source(connection, key.owner, key.name, location)
            if place is None:
                return None
            stored = documents.get(connection, place.document)
            gone = document_sources.remove(connection, key.owner, key.name, location)
        if not gone:
            return None
        self._unused.forget_bytes(stored.sha256)
        return stored

    def reindex(
        self, owner: str | None, model: str | None, again: bool = False, password: str | None = None
    ) -> list[str]:
        """Enqueue the steps that the current settings and model still require, or all.

        This concerns the documents of one owner, or of all without one. Return the documents concerned.
        """
        from pincite.locate.concordance import VERSION

        self.sweep()
        self.sweep_files()
        asked: list[tuple[StoredDocument, Step]] = []
        with self.database.writing() as connection:
            unprepared = concordances.list_lacking(connection, owner, VERSION)
            for stored in documents.find_owned(connection, owner):
                step: Step | None = None
                is_as_set = (stored.analysis, stored.cut) == (ANALYSIS, self.cut) and stored.id not in unprepared
                if again or stored.status == "failed" or stored.problems or not is_as_set:
                    step = "read"
                elif model and self.index.list_unembedded(connection, stored.id, model, 1):
                    step = "embed"
                if step:
                    asked.append((stored, step))
            lock_documents(connection, [stored.id for stored, _ in asked])
            for stored, step in asked:
                job_queue.enqueue(connection, stored.owner, stored.id, step, time.time(), job_queue.BULK)
                documents.set_status(connection, stored.id, stored.waiting_status)
                if password and step == "read":
                    self.passwords.put(connection, stored.id, password)
        return [stored.id for stored, _ in asked]

    def recipe(self, **given: str) -> "Recipe":
        """Return how to make the contents of a document with this name, title or language."""
        from pincite.isolation.document_parts import Recipe

        chosen = self.settings.passages
        return Recipe(chosen.size, chosen.overlap, hidden=chosen.hidden, **given)

    def sweep(self, should_stop: Callable[[], bool] = lambda: False) -> None:
        """Remove content that no document refers to, in small steps, and tidy the index."""
        self._unused.sweep(should_stop)

    def sweep_files(self, should_stop: Callable[[], bool] = lambda: False) -> None:
        """Remove bytes without a document, which a killed process may leave, and copies of bytes that are gone."""
        self._unused.sweep_files(should_stop)

    def locate(self, person: str, document: str, text: str, pages: Collection[int] = ()) -> "LocatedPassage":
        """Locate a passage in a document that a person may see; `pages` are searched first."""
        return self._concordance_cache.locate(person, document, text, pages)

    def boxes(self, person: str, span: Span) -> tuple[PageBoxes, ...]:
        """Return the rectangles of a span of a document; nothing if it was removed, or the person may not see it.

        Headers and footers of the pages that a span goes on over do not belong to it.
        """
        with self.database.reading() as connection:
            is_seen = documents.get_many(connection, person, [span.document])
            pages = document_text.list_pages_between(connection, span.document, span.start, span.end) if is_seen else []
            texts = [document_text.read_text(connection, span.document, page.start, page.end) for page in pages]
            blocks = document_layout.load_blocks(connection, span.document) if len(pages) > 1 else ()
        stretches = cut_out_furniture(span.start, span.end, blocks)
        found = (find_page_boxes(page, text, stretches) for page, text in zip(pages, texts, strict=True))
        return tuple(boxes for boxes in found if boxes)

    def page_at(self, person: str, span: Span) -> Page | None:
        """Return the page on which a span begins; None without pages, or if the person may not see the document."""
        with self.database.reading() as connection:
            if not documents.get_many(connection, person, [span.document]):
                return None
            return document_text.find_page_at(connection, span.document, span.start)

    def prepared(self, person: str, document: str) -> "tuple[Concordance, StoredDocument]":
        """Return a document with all its boxes, prepared for locating, and its row."""
        stored, concordance = self._concordance_cache.whole(person, document)
        return concordance, stored

    @contextmanager
    def open_source(self, stored: StoredDocument, password: str | None = None) -> "Iterator[Source]":
        """Return the original file of a document, ready to be read or drawn until the block ends."""
        from pincite.reading.source import Source

        with self.files.local(stored.sha256) as path:
            yield Source(path, stored.name, password, ocr=self.settings.reading.ocr)

    @property
    def embeds(self) -> bool:
        """Whether the documents are embedded."""
        return self.settings.embedding.provider != "none"

    @property
    def cut(self) -> str:
        """The passage settings, as they are stored with a document."""
        chosen = self.settings.passages
        return f"{chosen.size}:{chosen.overlap}{':hidden' if chosen.hidden else ''}"


def _list_places(connection: Connection, stored: StoredDocument) -> set[str]:
    """Return the libraries of its owner in which a document is."""
    return {each.library for each in document_sources.find(connection, stored.owner, document=stored.id)}


def open_library(settings: Settings) -> Library:
    """Open the library in the settings' data folder, creating it on first use."""
    files = open_files(settings)
    files.sweep()
    sweep_scratch(settings.data)
    database = open_database(settings)
    return Library(database, files, _open_index(database), settings)


def _open_index(database: Database) -> Index:
    if database.sqlite:
        return SqliteIndex()
    from pincite.index.postgres_index import PostgresIndex  # slow to import, and most databases are SQLite

    return PostgresIndex()
