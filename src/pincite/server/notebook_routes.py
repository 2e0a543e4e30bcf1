"""HTTP routes for notebooks and the things kept in them."""

from dataclasses import asdict
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Response

from pincite.errors import Misuse
from pincite.library import Library
from pincite.notebooks import kept_items
from pincite.notebooks.export import notebook_export
from pincite.notebooks.export.exported_notebook import read_notebook
from pincite.notebooks.export.notebook_export import NotebookFormat
from pincite.notebooks.kept_places import refresh_places
from pincite.notebooks.notebook_search import search_notes
from pincite.server.dependencies import Id, Owner, TheLibrary, Words
from pincite.server.document_routes import find_readable_document
from pincite.server.file_responses import make_export_response, make_file_name
from pincite.server.notebook_bodies import (
    FoundNoteOf,
    GivenNotebook,
    ItemChange,
    KeepAnswer,
    KeepBody,
    KeepCitation,
    KeepPassage,
    KeepSentence,
    NotebookItem,
    NotebookSummary,
    NotebookTitle,
    WholeNotebook,
    make_item,
    make_summary,
    make_whole,
)
from pincite.store import documents, notebook_items, notebooks, workspaces
from pincite.store.database import Connection
from pincite.store.notebook_items import NewItem
from pincite.types import Span


def router() -> APIRouter:
    """Return the routes for notebooks."""
    routes = APIRouter(tags=["notebooks"])

    @routes.get("/api/notebooks")
    def find(
        owner: Owner,
        library: TheLibrary,
        workspace: Annotated[
            Words | None, Query(max_length=300, description="Only those in this workspace, by its id or name.")
        ] = None,
    ) -> list[NotebookSummary]:
        """List your notebooks, the one that was changed last first."""
        with library.database.reading() as connection:
            only = workspaces.get(connection, owner, workspace).id if workspace else None
            counts, places = notebooks.count_items(connection, owner), workspaces.map_notebooks(connection, owner)
            return [
                make_summary(each, counts.get(each.id, 0), places.get(each.id, ""))
                for each in notebooks.find(connection, owner)
                if only is None or places.get(each.id) == only
            ]

    @routes.post("/api/notebooks", status_code=201)
    def create(given: GivenNotebook, owner: Owner, library: TheLibrary) -> NotebookSummary:
        """Begin a notebook, in a workspace or in none."""
        with library.database.writing() as connection:
            place = workspaces.get(connection, owner, given.workspace).id if given.workspace else ""
            made = notebooks.create(connection, owner, given.title)
            if place:
                workspaces.add_notebook(connection, owner, place, made.id)
            return make_summary(made, 0, place)

    @routes.get("/api/notebooks/search")
    def search(
        owner: Owner,
        library: TheLibrary,
        q: Annotated[Words, Query(min_length=1, max_length=300, description="All these words. Case is ignored.")],
        limit: Annotated[int, Query(ge=1, le=200, description="At most this many of each kind.")] = 20,
    ) -> list[FoundNoteOf]:
        """Find notebooks by title, kept things by their words, and highlights by quote and comment."""
        return [FoundNoteOf(**asdict(each)) for each in search_notes(library.database, owner, q, limit)]

    @routes.get("/api/notebooks/{notebook}")
    def get(notebook: Id, owner: Owner, library: TheLibrary) -> WholeNotebook:
        """Get a notebook with everything in it, in its order. Pins follow a document that was read again."""
        refresh_places(library, owner, notebook)
        with library.database.reading() as connection:
            return _read_notebook(connection, owner, notebook)

    @routes.get(
        "/api/notebooks/{notebook}/export",
        response_class=Response,
        responses={
            200: {
                "description": "The exported file.",
                "content": {kind: {"schema": {"type": "string"}} for kind in notebook_export.MEDIA_TYPES.values()},
            }
        },
    )
    def export(
        notebook: Id,
        owner: Owner,
        library: TheLibrary,
        format: Annotated[NotebookFormat, Query(description="Format of the file.")] = "md",
        language: Annotated[Literal["en", "fr"], Query(description="Language of verdicts and labels.")] = "en",
    ) -> Response:
        """Export a notebook as a file. Footnotes give the title, page and quote of each source."""
        refresh_places(library, owner, notebook)
        found = read_notebook(library.database, owner, notebook)
        content = notebook_export.export_notebook(found, format, language)
        return make_export_response(
            content, notebook_export.MEDIA_TYPES[format], f"{make_file_name(found.about.title, 'notebook')}.{format}"
        )

    @routes.patch("/api/notebooks/{notebook}")
    def rename(notebook: Id, given: NotebookTitle, owner: Owner, library: TheLibrary) -> NotebookSummary:
        """Change the title of a notebook."""
        with library.database.writing() as connection:
            renamed = notebooks.rename(connection, owner, notebook, given.title)
            counts, places = notebooks.count_items(connection, owner), workspaces.map_notebooks(connection, owner)
            return make_summary(renamed, counts.get(renamed.id, 0), places.get(renamed.id, ""))

    @routes.delete("/api/notebooks/{notebook}", status_code=204)
    def delete(notebook: Id, owner: Owner, library: TheLibrary) -> None:
        """Remove a notebook with everything in it. Answers and documents stay."""
        with library.database.writing() as connection:
            notebooks.remove(connection, owner, notebook)

    @routes.post(
        "/api/notebooks/{notebook}/items",
        status_code=201,
        responses={200: {"model": NotebookItem, "description": "The same thing was in the notebook already."}},
    )
    def keep(notebook: Id, given: KeepBody, owner: Owner, library: TheLibrary, response: Response) -> NotebookItem:
        """Keep a sentence, an answer, a passage or your own words, with pins and verdicts as they are now."""
        with library.database.reading() as connection:
            notebooks.get(connection, owner, notebook)
        made = _make_new_item(library, owner, given)
        with library.database.writing() as connection:
            notebooks.get(connection, owner, notebook, lock=True)
            same = kept_items.find_same(notebook_items.find(connection, owner, notebook), made)
            added = same or notebook_items.add(connection, owner, notebook, made)
        if same:
            response.status_code = 200
        refresh_places(library, owner, notebook)
        return make_item(added)

    @routes.patch("/api/notebooks/{notebook}/items/{item}")
    def change(notebook: Id, item: Id, given: ItemChange, owner: Owner, library: TheLibrary) -> NotebookItem:
        """Change a comment or your own words, move a kept thing, or give it to another notebook."""
        with library.database.writing() as connection:
            known = notebook_items.get(connection, owner, notebook, item)
            if given.text is not None and known.kind != "text":
                raise Misuse(
                    "Only your own words can be changed: what was kept stays as it was.", "Write a comment.", "kept"
                )
            if given.text is not None or given.comment is not None:
                text = known.text if given.text is None else given.text
                comment = known.comment if given.comment is None else given.comment
                notebook_items.change(connection, owner, notebook, item, text, comment)
            if given.notebook is not None and given.notebook != notebook:
                notebook_items.transfer(connection, owner, notebook, item, given.notebook)
                notebook = given.notebook
            if given.place is not None:
                notebook_items.move(connection, owner, notebook, item, given.place)
            return make_item(notebook_items.get(connection, owner, notebook, item))

    @routes.delete("/api/notebooks/{notebook}/items/{item}", status_code=204)
    def remove(notebook: Id, item: Id, owner: Owner, library: TheLibrary) -> None:
        """Remove a thing from a notebook."""
        with library.database.writing() as connection:
            notebook_items.remove(connection, owner, notebook, item)

    return routes


def _read_notebook(connection: Connection, owner: str, notebook: str) -> WholeNotebook:
    stored = notebooks.get(connection, owner, notebook)
    items = [make_item(each) for each in notebook_items.find(connection, owner, notebook)]
    # A citation of a project's file has no document in a library.
    cited = list(dict.fromkeys(pin.document for item in items for pin in item.citations if not pin.path))
    known = {each.id for each in documents.get_many(connection, owner, cited)} if cited else set()
    place = workspaces.map_notebooks(connection, owner).get(stored.id, "")
    return make_whole(stored, items, [document for document in cited if document not in known], place)


def _make_new_item(library: Library, owner: str, given: KeepBody) -> NewItem:
    match given:
        case KeepAnswer():
            return kept_items.make_answer_item(library.database, owner, given.message, given.comment)
        case KeepSentence():
            return kept_items.make_sentence_item(library.database, owner, given.message, given.sentence, given.comment)
        case KeepCitation():
            return kept_items.make_citation_item(library.database, owner, given.message, given.citation, given.comment)
        case KeepPassage():
            known = find_readable_document(library, owner, given.document)
            span = Span(known.id, given.start, given.end)
            return kept_items.make_passage_item(library, owner, span, given.comment)
        case _:
            return kept_items.make_text_item(given.text, given.comment)
