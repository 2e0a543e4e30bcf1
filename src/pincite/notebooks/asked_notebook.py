"""Give a question the notebook that it is about: the passages that are kept in it, and its notes."""

from dataclasses import replace

from pincite.answer.question import AskedNotebook, AskedQuestion
from pincite.library import Library
from pincite.notebooks.kept_items import read_proof
from pincite.notebooks.kept_places import refresh_places
from pincite.store import documents, notebook_items, notebooks
from pincite.store.notebook_items import StoredItem
from pincite.text.citation_marks import strip_marks
from pincite.types import Scope, Span

_QUOTED = 200  # characters of a passage that a comment is about


def add_notebook(library: Library, asked: AskedQuestion, given: str) -> AskedQuestion:
    """Return a question as one about a notebook of the person, by its id or title; raise `NotFound` without one.

    The documents that the notebook cites are searched, unless the question names a library or documents itself. If
    nothing is given, the question stays as it is.
    """
    if not given:
        return asked
    person = asked.scope.owner
    with library.database.reading() as connection:
        id = notebooks.get_by_name(connection, person, given).id
    refresh_places(library, person, id)
    with library.database.reading() as connection:
        found = notebooks.get(connection, person, id)
        items = notebook_items.find(connection, person, id)
        places = [place for item in items for place in _list_places(item)]
        cited = list(dict.fromkeys(place.document for place in places))
        known = {each.id for each in documents.get_many(connection, person, cited)} if cited else set[str]()
    notebook = AskedNotebook(
        found.title,
        tuple(place for place in places if place.document in known),
        tuple(note for item in items for note in _list_notes(item)),
    )
    scope = _narrow_scope(asked.scope, tuple(document for document in cited if document in known))
    return replace(asked, notebook=notebook, scope=scope)


def _list_places(item: StoredItem) -> list[Span]:
    """List the places of a kept thing in documents, without those whose words are no longer there."""
    proof = read_proof(item)
    return [
        Span(pin.document, pin.start, pin.end)
        for pin in proof.citations
        if not pin.path and pin.n not in proof.lost and pin.start < pin.end
    ]


def _list_notes(item: StoredItem) -> list[str]:
    """List the texts of a kept thing that are no source: own words, sentences of an answer, and the comment."""
    notes = []
    if item.kind == "text":
        notes.append(f"Own words: {item.text}")
    elif item.kind != "passage":
        notes.append(f"Kept from an answer: {strip_marks(item.text)}")
    if item.comment.strip():
        quoted = " ".join(strip_marks(item.text).split())
        about = quoted if len(quoted) <= _QUOTED else f"{quoted[:_QUOTED]}…"
        notes.append(f"Comment on “{about}”: {item.comment}")
    return notes


def _narrow_scope(scope: Scope, cited: tuple[str, ...]) -> Scope:
    """Return the scope of the cited documents. The libraries of a workspace give way, those that are named do not."""
    if not cited or scope.library is not None or scope.documents is not None:
        return scope
    return replace(scope, libraries=None, documents=cited)
