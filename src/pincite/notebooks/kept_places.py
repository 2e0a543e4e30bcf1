"""Keep the pins of kept things at their words when a document is read again, or removed and added again.

A pin is stored as characters of a document's text. Another reading of the document may have other characters at these
offsets, so the first look at a notebook afterwards searches for the quote of each pin, and marks a pin as lost without
it. `kept_documents` finds a document that was added again. The quote and the verdict stay as they were kept.
"""

from collections.abc import Mapping
from typing import Any

from pincite.errors import NotReady, PinciteError
from pincite.events import Boxes, Citation
from pincite.events.source_names import label_page
from pincite.library import Library
from pincite.notebooks.kept_documents import describe_files, follow_documents
from pincite.notebooks.kept_items import read_proof
from pincite.store import document_text, documents, notebook_items
from pincite.store.documents import StoredDocument
from pincite.store.notebook_items import StoredItem
from pincite.text.display import join_broken_words


def refresh_places(library: Library, person: str, notebook: str) -> None:
    """Move the pins in a notebook to the words that they quote, and store which of them are lost."""
    with library.database.reading() as connection:
        items = notebook_items.find(connection, person, notebook)
        cited = {pin.document for item in items for pin in read_proof(item).citations if not pin.path}
        known = {each.id: each for each in documents.get_many(connection, person, list(cited))} if cited else {}
        files = describe_files(connection, person, known.values())
        followed = [follow_documents(connection, person, item, known, files) for item in items]
    for stored, item in zip(items, followed, strict=True):
        proof = _check_item(library, person, item, known)
        if proof != stored.proof:
            with library.database.writing() as connection:
                notebook_items.set_proof(connection, item.id, proof)


def _check_item(
    library: Library, person: str, item: StoredItem, known: Mapping[str, StoredDocument]
) -> Mapping[str, Any]:
    """Return the proof of a kept thing with its pins at their words in the current texts."""
    checked: dict[str, int | None] = dict(item.proof.get("checked", {}))
    lost = set(item.proof.get("lost", ()))
    citations = list(read_proof(item).citations)
    is_moved = False
    for place, pin in enumerate(citations):
        document = known.get(pin.document)
        if pin.path or document is None or document.generation is None:
            continue
        number, generation = str(pin.n), document.generation
        if checked.get(number) == generation:
            continue
        if not _has_quote(library, pin):
            if number not in checked:
                continue  # the quote is put together from several places, and never stood here as it is
            try:
                found = _find_quote(library, person, pin, document)
            except NotReady:
                continue
            if found is None:
                lost.add(pin.n)
                checked[number] = generation
                continue
            citations[place], is_moved = found, True
        lost.discard(pin.n)
        checked[number] = generation
    if checked == item.proof.get("checked", {}) and not is_moved:
        return item.proof
    moved = {"citations": [each.model_dump(mode="json") for each in citations]} if is_moved else {}
    return {**item.proof, **moved, "checked": checked, "lost": sorted(lost)}


def _has_quote(library: Library, pin: Citation) -> bool:
    """Whether the quote of a pin stands at its place in the current text."""
    with library.database.reading() as connection:
        text = document_text.read_text(connection, pin.document, pin.start, pin.end)
    return _squeeze(text) == _squeeze(pin.quote)


def _squeeze(text: str) -> str:
    return " ".join(join_broken_words(text).split())


def _find_quote(library: Library, person: str, pin: Citation, document: StoredDocument) -> Citation | None:
    """Return a pin at its quote in the text of a document, or None if the quote is not there word for word."""
    try:
        located = library.locate(person, document.id, pin.quote, [pin.page] if pin.page else [])
    except NotReady:
        raise
    except PinciteError:  # the document is too large to be prepared
        return None
    location = located.location
    if not location.found or location.how == "approximate":
        return None
    start, end = location.spans[0][0], location.spans[-1][1]
    with library.database.reading() as connection:
        page = document_text.find_page_at(connection, document.id, start)
    number = page.number if page else 0
    boxes = [
        Boxes(page=each.page, width=each.width, height=each.height, rects=list(each.rects)) for each in located.boxes
    ]
    return pin.model_copy(
        update={
            "start": start,
            "end": end,
            "page": number or None,
            "label": label_page(document.kind, number, page.label if page else ""),
            "boxes": boxes,
            "lit": [],
            "heads": [],
        }
    )
