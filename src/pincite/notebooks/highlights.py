"""Add highlights and comments to documents, and keep them at their words when a document is read again.

A highlight is stored as characters of a document's text. Another reading of the document may have other characters at
these offsets, so the first look at it afterwards searches for the quote, and marks a highlight as lost without it.
"""

from collections.abc import Sequence

from pincite.errors import Misuse, NotReady, PinciteError
from pincite.events.source_names import label_page
from pincite.library import Library
from pincite.notebooks.kept_items import pin_passage
from pincite.store import annotations, document_text, documents
from pincite.store.annotations import AnnotationPlace, Colour, StoredAnnotation
from pincite.store.documents import StoredDocument
from pincite.types import Span

_MOST = 5_000  # highlights of one person in one document


def add_highlight(library: Library, person: str, span: Span, colour: Colour, comment: str = "") -> StoredAnnotation:
    """Highlight characters of a document that a person may see."""
    pin = pin_passage(library, person, span)
    with library.database.writing() as connection:
        stored = documents.get_visible(connection, person, pin.document)
        if len(annotations.find(connection, person, stored.id)) >= _MOST:
            raise Misuse(f"A document has at most {_MOST} highlights.", "Remove some first.", "too_many")
        quote = document_text.read_text(connection, stored.id, pin.start, pin.end)
        place = AnnotationPlace(pin.start, pin.end, pin.page, pin.label, stored.generation)
        return annotations.add(connection, person, stored.id, place, quote, colour, comment)


def list_highlights(library: Library, person: str, document: str | None = None) -> list[StoredAnnotation]:
    """Return a person's highlights of one document or of all, each at its words in the current text."""
    with library.database.reading() as connection:
        found = annotations.find(connection, person, document)
        known = {each.id: each for each in documents.get_many(connection, person, annotations.list_documents(found))}
    if not any(_needs_check(each, known[each.document]) for each in found if each.document in known):
        return found
    _check_places(library, person, [each for each in found if _needs_check(each, known[each.document])], known)
    with library.database.reading() as connection:
        return annotations.find(connection, person, document)


def _needs_check(annotation: StoredAnnotation, document: StoredDocument) -> bool:
    return document.generation is not None and annotation.generation != document.generation


def _check_places(
    library: Library, person: str, moved: Sequence[StoredAnnotation], known: dict[str, StoredDocument]
) -> None:
    """Find the quotes of highlights in the current text of their documents, and store the result."""
    for each in moved:
        document = known[each.document]
        try:
            place = _find_place(library, person, each, document)
        except NotReady:
            continue
        with library.database.writing() as connection:
            if place:
                annotations.set_place(connection, each.id, place)
            else:
                annotations.set_lost(connection, each.id, document.generation)


def _find_place(
    library: Library, person: str, annotation: StoredAnnotation, document: StoredDocument
) -> AnnotationPlace | None:
    """Return the place of a quote in the text of a document, or None if it is not there word for word."""
    with library.database.reading() as connection:
        is_same = document_text.read_text(connection, document.id, annotation.start, annotation.end) == annotation.quote
    start, end = annotation.start, annotation.end
    if not is_same:
        try:
            pages = [annotation.page] if annotation.page else []
            location = library.locate(person, document.id, annotation.quote, pages).location
        except NotReady:
            raise
        except PinciteError:  # the document is too large to be prepared
            return None
        if not location.found or location.how == "approximate":
            return None
        start, end = location.spans[0][0], location.spans[-1][1]
    with library.database.reading() as connection:
        page = document_text.find_page_at(connection, document.id, start)
    number = page.number if page else 0
    label = label_page(document.kind, number, page.label if page else "")
    return AnnotationPlace(start, end, number or None, label, document.generation)
