"""Locating in the library's documents and in any file: a document is made ready once, and a few are kept so."""

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
from pincite.evidence.boxes import boxes, touched
from pincite.evidence.concordance import Concordance, build
from pincite.evidence.diagnosis import diagnose
from pincite.evidence.locate import Location, locate
from pincite.isolation.contents import LONGEST_LOCATED
from pincite.isolation.process import Isolated
from pincite.reading.source import Source
from pincite.store import concordances, documents
from pincite.store.database import Database
from pincite.store.documents import StoredDocument
from pincite.store.sources import legible
from pincite.types import Document, Page, PageBoxes

if TYPE_CHECKING:
    from pincite.settings import ReadingSettings

log = logging.getLogger(__name__)

_CHARACTERS = 10_000_000  # of the documents kept ready, together; each takes some 50 bytes once it was searched


@dataclass(frozen=True, slots=True)
class Located:
    """Where a passage stands in a document, its rectangles there, and what is odd about it, in words.

    Of a stored document only the pages it was found on have their boxes, and the blocks are left out.
    """

    document: Document
    location: Location
    boxes: tuple[PageBoxes, ...]
    diagnosis: tuple[str, ...]


def locate_in(
    concordance: Concordance,
    text: str,
    pages: Collection[int] = (),
    load_page: Callable[[int], Page] | None = None,
) -> Located:
    """Where a passage stands in a document made ready; `load_page` gives pages with their boxes when it has none."""
    location = locate(concordance, text, pages)
    document = concordance.document
    if load_page and location.found:
        found = {page.number: load_page(page.number) for page in touched(document.pages, location.spans)}
        document = replace(document, pages=tuple(found.get(page.number, page) for page in document.pages))
    rectangles = boxes(document, location.spans)
    return Located(document, location, tuple(rectangles), tuple(diagnose(concordance, text, location, pages)))


def prepare_file(path: Path, limits: "ReadingSettings", name: str = "", password: str | None = None) -> Concordance:
    """A file that is in no library, read under the limits and made ready for locating."""
    with Isolated(limits) as reader:
        return ready(reader.read(Source(path, name or legible(path.name), password, ocr=limits.ocr)))


def ready(document: Document) -> Concordance:
    """A document just read, made ready for locating; `TooLarge` when that would take too much memory."""
    _check_length(document)
    return build(document)


@dataclass(frozen=True, slots=True)
class _Place:
    """A document on the shelf, as it was at a time; whoever comes while it is made ready waits for it."""

    updated: float
    ready: "Future[Concordance]" = field(default_factory=Future)


@dataclass(frozen=True, slots=True)
class _Rows:
    """What is stored of one document, loaded when it is asked for; all of it as it was at one moment."""

    document: StoredDocument
    load: Callable[..., Document]
    concordance: Callable[[], bytes | None]
    page: Callable[[int], Page]


class Shelf:
    """The documents of one database made ready for locating: the last few are kept until they change."""

    def __init__(self, database: Database, characters: int = _CHARACTERS) -> None:
        self._database = database
        self._characters = characters
        self._lock = threading.Lock()
        self._places: OrderedDict[str, _Place] = OrderedDict()

    def locate(self, owner: str, document: str, text: str, pages: Collection[int] = ()) -> Located:
        """Where a passage stands in one of the owner's documents, as it is now; `document` may be an id's beginning."""
        with self._rows(owner, document) as rows:

            def prepare() -> Concordance:
                # Without what finding does not need: a page's boxes are loaded when something is found there.
                return self._prepared(rows, rows.load(blocks=False))

            return locate_in(self._ready(rows.document, prepare), text, pages, rows.page)

    def whole(self, owner: str, document: str) -> tuple[StoredDocument, Concordance]:
        """The same document with all its boxes, ready for locating; it is not put on the shelf."""
        with self._rows(owner, document) as rows:
            return rows.document, self._prepared(rows, rows.load(boxes=True))

    @contextmanager
    def _rows(self, owner: str, given: str) -> Iterator[_Rows]:
        """The owner's document, if it has been read; one that is gone, or is not read, leaves the shelf."""
        # One connection for all of it, so that the text and the boxes are of one reading.
        with self._database.reading() as connection:
            id = given
            try:
                stored = documents.matching(connection, owner, given)
                id = stored.id
                _check_readable(stored)
            except (NotFound, NotReady, Unreadable):
                self._drop(id)
                raise
            yield _Rows(
                stored,
                load=partial(documents.load, connection, id),
                concordance=partial(concordances.read, connection, id),
                page=partial(documents.page, connection, id),
            )

    def _prepared(self, rows: _Rows, document: Document) -> Concordance:
        """A document as it was loaded, with the concordance that is stored for it, or one made now."""
        _check_length(document)
        data = rows.concordance()
        found = Concordance.from_bytes(data, document) if data else None
        return found or self._made_up(rows.document, document, rows.load(boxes=True))

    def _ready(self, stored: StoredDocument, prepare: Callable[[], Concordance]) -> Concordance:
        """The document from the shelf, put there if need be; of those who ask at once, one prepares it."""
        with self._lock:
            place = self._places.get(stored.id)
            is_mine = place is None or place.updated != stored.updated
            if place is None or is_mine:
                place = self._places[stored.id] = _Place(stored.updated)
            self._places.move_to_end(stored.id)
        if is_mine:
            try:
                place.ready.set_result(prepare())
            except BaseException as error:  # noqa: BLE001 - whoever waits hears of it too, and result() raises it here
                place.ready.set_exception(error)
                self._drop(stored.id, place)
            self._make_room()
        return place.ready.result()

    def _made_up(self, stored: StoredDocument, bare: Document, whole: Document) -> Concordance:
        """A concordance for a document that was read by an older program, kept for the next time."""
        made = ready(whole).to_bytes()
        self._keep(stored, made)
        found = Concordance.from_bytes(made, bare)
        assert found
        return found

    def _keep(self, stored: StoredDocument, made: bytes) -> None:
        """Store what an older program did not, unless the document was read again meanwhile."""
        try:
            with self._database.writing() as connection:
                if documents.get(connection, stored.id).updated == stored.updated:
                    concordances.write(connection, stored.id, made)
        except (StorageError, NotFound) as error:
            log.warning("The concordance of document %s was not kept: %s", stored.id, error.message)

    def _make_room(self) -> None:
        """Let those go that were asked about longest ago, until the rest are not too many characters."""
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

    def _drop(self, document: str, place: _Place | None = None) -> None:
        """Take a document off the shelf; if a place is given, only while it is still that one."""
        with self._lock:
            if place is None or self._places.get(document) is place:
                self._places.pop(document, None)


def _check_readable(stored: StoredDocument) -> None:
    if not stored.analysis and stored.status == "failed":
        raise Unreadable(f"{stored.name} could not be read. {stored.error}", "Mend the file and add it again.")
    if not stored.analysis:
        raise NotReady(
            f"{stored.name} has not been read yet.",
            "Ask again when it is searchable; `pincite worker` reads what waits.",
        )


def _check_length(document: Document) -> None:
    if len(document.text) > LONGEST_LOCATED:
        raise TooLarge(
            f"The document has {len(document.text):,} characters, too many to locate a passage in.", "Split the file."
        )
