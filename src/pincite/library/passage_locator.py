"""Locate passages in documents of the library and in any file, with a cache of prepared documents."""

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.errors import NotFound, NotReady, StorageError, TooLarge, Unreadable
from pincite.isolation.child_process import IsolatedProcess
from pincite.isolation.document_parts import LONGEST_LOCATED
from pincite.locate.boxes import find_boxes, list_touched_pages
from pincite.locate.concordance import Concordance, build_concordance
from pincite.locate.diagnosis import diagnose
from pincite.locate.locate import locate
from pincite.locate.location import Location
from pincite.reading.source import Source
from pincite.store import concordances, document_text, documents
from pincite.store.database import Database
from pincite.store.document_sources import make_name_legible
from pincite.store.documents import StoredDocument
from pincite.types import Document, Page, PageBoxes

if TYPE_CHECKING:
    from pincite.settings import ReadingSettings

log = logging.getLogger(__name__)

_CHARACTERS = 10_000_000  # of all cached documents; each character takes some 50 bytes after the first search


@dataclass(frozen=True, slots=True)
class LocatedPassage:
    """The location of a passage in a document, its rectangles, and a diagnosis in words.

    For a stored document, only the pages with the passage have boxes, and the blocks are left out.
    """

    document: Document
    location: Location
    boxes: tuple[PageBoxes, ...]
    diagnosis: tuple[str, ...]


def locate_passage(
    concordance: Concordance,
    text: str,
    pages: Collection[int] = (),
    load_page: Callable[[int], Page] | None = None,
) -> LocatedPassage:
    """Locate a passage in a prepared document; `load_page` loads a page with its boxes if the document has none."""
    location = locate(concordance, text, pages)
    document = concordance.document
    if load_page and location.found:
        found = {page.number: load_page(page.number) for page in list_touched_pages(document.pages, location.spans)}
        document = replace(document, pages=tuple(found.get(page.number, page) for page in document.pages))
    rectangles = find_boxes(document, location.spans)
    return LocatedPassage(document, location, tuple(rectangles), tuple(diagnose(concordance, text, location, pages)))


def prepare_file(path: Path, limits: "ReadingSettings", name: str = "", password: str | None = None) -> Concordance:
    """Read a file that is in no library, within the limits, and prepare it for locating."""
    with IsolatedProcess(limits) as reader:
        return prepare_document(
            reader.read(Source(path, name or make_name_legible(path.name), password, ocr=limits.ocr))
        )


def prepare_document(document: Document) -> Concordance:
    """Prepare a document that was just read for locating; raise `TooLarge` if that would take too much memory."""
    _check_length(document)
    return build_concordance(document)


@dataclass(frozen=True, slots=True)
class _CacheEntry:
    """A cached document of a certain version; other threads wait while it is being prepared."""

    updated: float
    ready: "Future[Concordance]" = field(default_factory=Future)


@dataclass(frozen=True, slots=True)
class _StoredRows:
    """The stored data of one document, loaded on demand, all from one moment."""

    document: StoredDocument
    load: Callable[..., Document]
    concordance: Callable[[], bytes | None]
    page: Callable[[int], Page]


class ConcordanceCache:
    """Prepare the documents of one database for locating, and cache the last few until they change."""

    def __init__(self, database: Database, characters: int = _CHARACTERS) -> None:
        self._database = database
        self._characters = characters
        self._lock = threading.Lock()
        self._places: OrderedDict[str, _CacheEntry] = OrderedDict()

    def locate(self, owner: str, document: str, text: str, pages: Collection[int] = ()) -> LocatedPassage:
        """Locate a passage in the current version of one of the owner's documents.

        `document` may be a prefix of an id.
        """
        with self._rows(owner, document) as rows:

            def prepare() -> Concordance:
                # Without the boxes: those of a page are loaded if the passage is found there.
                return self._load_concordance(rows, rows.load(blocks=False))

            return locate_passage(self._ready(rows.document, prepare), text, pages, rows.page)

    def whole(self, owner: str, document: str) -> tuple[StoredDocument, Concordance]:
        """Return the document with all its boxes, prepared for locating; it is not cached."""
        with self._rows(owner, document) as rows:
            return rows.document, self._load_concordance(rows, rows.load(boxes=True))

    @contextmanager
    def _rows(self, owner: str, given: str) -> Iterator[_StoredRows]:
        """Open the stored data of the owner's document; drop it from the cache if it is removed or was not read."""
        # One connection for everything, so that the text and the boxes are from one reading.
        with self._database.reading() as connection:
            id = given
            try:
                stored = documents.get_by_prefix(connection, owner, given)
                id = stored.id
                _check_readable(stored)
            except (NotFound, NotReady, Unreadable):
                self._drop(id)
                raise
            yield _StoredRows(
                stored,
                load=partial(document_text.load_document, connection, id),
                concordance=partial(concordances.read, connection, id),
                page=partial(document_text.get_page, connection, id),
            )

    def _load_concordance(self, rows: _StoredRows, document: Document) -> Concordance:
        """Return a loaded document with its stored concordance, or with a new one."""
        _check_length(document)
        data = rows.concordance()
        found = Concordance.from_bytes(data, document) if data else None
        return found or self._rebuild_concordance(rows.document, document, rows.load(boxes=True))

    def _ready(self, stored: StoredDocument, prepare: Callable[[], Concordance]) -> Concordance:
        """Return the document from the cache, prepared if needed; of concurrent callers, one prepares it."""
        with self._lock:
            place = self._places.get(stored.id)
            prepares = place is None or place.updated != stored.updated
            if place is None or prepares:
                place = self._places[stored.id] = _CacheEntry(stored.updated)
            self._places.move_to_end(stored.id)
        if prepares:
            try:
                place.ready.set_result(prepare())
            except BaseException as error:  # noqa: BLE001 - waiting threads get it too, and result() raises it here
                place.ready.set_exception(error)
                self._drop(stored.id, place)
            self._evict_oldest()
        return place.ready.result()

    def _rebuild_concordance(self, stored: StoredDocument, bare: Document, whole: Document) -> Concordance:
        """Make and store a concordance for a document that an older program read."""
        made = prepare_document(whole).to_bytes()
        self._keep(stored, made)
        found = Concordance.from_bytes(made, bare)
        assert found
        return found

    def _keep(self, stored: StoredDocument, made: bytes) -> None:
        """Store a concordance, unless the document was read again in the meantime."""
        try:
            with self._database.writing() as connection:
                if documents.get(connection, stored.id).updated == stored.updated:
                    concordances.write(connection, stored.id, made)
        except (StorageError, NotFound) as error:
            log.warning("The concordance of document %s was not stored: %s", stored.id, error.message)

    def _evict_oldest(self) -> None:
        """Drop the least recently used documents until the others fit into the limit."""
        with self._lock:
            sizes = {
                document: len(place.ready.result().document.text)
                for document, place in self._places.items()
                if place.ready.done() and place.ready.exception() is None
            }
            total = sum(sizes.values())
            newest = next(reversed(self._places), "")
            for document, size in sizes.items():
                if total > self._characters and document != newest:
                    total -= size
                    del self._places[document]

    def _drop(self, document: str, place: _CacheEntry | None = None) -> None:
        """Drop a document from the cache; if an entry is given, only if it is still the current one."""
        with self._lock:
            if place is None or self._places.get(document) is place:
                self._places.pop(document, None)


def _check_readable(stored: StoredDocument) -> None:
    if not stored.analysis and stored.status == "failed":
        raise Unreadable(f"{stored.name} could not be read. {stored.error}", "Repair the file and add it again.")
    if not stored.analysis:
        raise NotReady(
            f"{stored.name} has not been read yet.",
            "Ask again when it is searchable; `pincite worker` reads what waits.",
            "waiting",
        )


def _check_length(document: Document) -> None:
    if len(document.text) > LONGEST_LOCATED:
        raise TooLarge(
            f"The document has {len(document.text):,} characters, too many to locate a passage in.", "Split the file."
        )
