"""HTTP routes for highlights and comments on documents. Each person sees their own."""

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, Field

from pincite.library import Library
from pincite.notebooks.export.highlight_export import HighlightFormat, export_highlights
from pincite.notebooks.highlights import add_highlight, list_highlights
from pincite.server.content_routes import FAR, Placed
from pincite.server.dependencies import Body, Id, Owner, TheLibrary, Words
from pincite.server.document_routes import find_document, find_readable_document
from pincite.server.file_responses import make_export_response, make_file_name
from pincite.server.notebook_bodies import Comment
from pincite.store import annotations, documents
from pincite.store.annotations import Colour, StoredAnnotation
from pincite.text.display import join_broken_words
from pincite.types import Span

_MEDIA_TYPES: dict[HighlightFormat, str] = {"md": "text/markdown", "csv": "text/csv"}
Offset = Annotated[int, Field(ge=0, le=FAR, description="Character offset in the document's text, from 0.")]


class Annotation(BaseModel):
    """A highlight: a range of a document's text, end exclusive, with a comment or without."""

    id: str
    document: str
    title: Annotated[str, Field(description="The title of the document.")]
    start: int
    end: int
    quote: str
    page: Annotated[int | None, Field(description="Where it begins, from 1; null without pages.")]
    label: Annotated[str, Field(description='The printed page number, or "slide 2"; empty if equal to `page`.')]
    colour: Colour
    comment: str
    state: Annotated[
        Literal["found", "lost"],
        Field(
            description="`lost`: the document was read again and no longer has the quote; `start` and `end` are old."
        ),
    ]
    boxes: Annotated[list[Placed], Field(description="Its rectangles, page by page; empty without pages.")]
    created: float
    updated: float


class GivenAnnotation(Body):
    """A range of the document's text to highlight, end exclusive, and a comment on it."""

    start: Offset
    end: Offset
    colour: Colour = "yellow"
    comment: Comment = ""


class AnnotationChange(Body):
    """Changes of a highlight. Fields that are left out stay."""

    colour: Colour | None = None
    comment: Comment | None = None


def router() -> APIRouter:
    """Return the routes for highlights and comments."""
    routes = APIRouter(tags=["annotations"])

    @routes.get("/api/annotations")
    def find_all(owner: Owner, library: TheLibrary) -> list[Annotation]:
        """List your highlights and comments on all documents, by title and in the order of the text."""
        return _make_annotations(library, owner, list_highlights(library, owner), with_boxes=False)

    @routes.get(
        "/api/annotations/export",
        response_class=Response,
        responses={
            200: {
                "description": "The exported file.",
                "content": {kind: {"schema": {"type": "string"}} for kind in _MEDIA_TYPES.values()},
            }
        },
    )
    def export(
        owner: Owner,
        library: TheLibrary,
        format: Annotated[HighlightFormat, Query(description="Format of the file.")] = "md",
        document: Annotated[Words | None, Query(description="Only those on this document.")] = None,
        language: Annotated[Literal["en", "fr"], Query(description="Language of the labels.")] = "en",
    ) -> Response:
        """Export your highlights and comments as Markdown or CSV."""
        only = find_document(library, owner, document) if document is not None else None
        found = list_highlights(library, owner, only.id if only else None)
        with library.database.reading() as connection:
            known = documents.get_many(connection, owner, annotations.list_documents(found))
        content = export_highlights(found, {each.id: each.title for each in known}, format, language)
        name = make_file_name(only.title, "highlights") if only else "highlights"
        return make_export_response(content, _MEDIA_TYPES[format], f"{name}.{format}")

    @routes.get("/api/documents/{document}/annotations")
    def find(document: Id, owner: Owner, library: TheLibrary) -> list[Annotation]:
        """List your highlights and comments on a document, in the order of its text."""
        known = find_document(library, owner, document)
        return _make_annotations(library, owner, list_highlights(library, owner, known.id))

    @routes.post("/api/documents/{document}/annotations", status_code=201)
    def add(document: Id, given: GivenAnnotation, owner: Owner, library: TheLibrary) -> Annotation:
        """Highlight a range of a document's text. Nobody else sees it."""
        known = find_readable_document(library, owner, document)
        span = Span(known.id, given.start, given.end)
        return _make_annotation(library, owner, add_highlight(library, owner, span, given.colour, given.comment))

    @routes.patch("/api/annotations/{annotation}")
    def change(annotation: Id, given: AnnotationChange, owner: Owner, library: TheLibrary) -> Annotation:
        """Change the colour of a highlight, or its comment."""
        with library.database.writing() as connection:
            known = annotations.get(connection, owner, annotation)
            comment = known.comment if given.comment is None else given.comment
            changed = annotations.change(connection, owner, annotation, given.colour or known.colour, comment)
        return _make_annotation(library, owner, changed)

    @routes.delete("/api/annotations/{annotation}", status_code=204)
    def remove(annotation: Id, owner: Owner, library: TheLibrary) -> None:
        """Remove a highlight with its comment."""
        with library.database.writing() as connection:
            annotations.remove(connection, owner, annotation)

    return routes


def _make_annotation(library: Library, owner: str, stored: StoredAnnotation) -> Annotation:
    return _make_annotations(library, owner, [stored])[0]


def _make_annotations(
    library: Library, owner: str, found: list[StoredAnnotation], with_boxes: bool = True
) -> list[Annotation]:
    with library.database.reading() as connection:
        known = {each.id: each for each in documents.get_many(connection, owner, annotations.list_documents(found))}
    return [
        Annotation(
            id=each.id,
            document=each.document,
            title=known[each.document].title,
            start=each.start,
            end=each.end,
            quote=each.quote if known[each.document].kind == "code" else join_broken_words(each.quote),
            page=each.page,
            label=each.label,
            colour=each.colour,
            comment=each.comment,
            state=each.state,
            boxes=_find_boxes(library, owner, each) if with_boxes and each.state == "found" else [],
            created=each.created,
            updated=each.updated,
        )
        for each in found
        if each.document in known
    ]


def _find_boxes(library: Library, owner: str, stored: StoredAnnotation) -> list[Placed]:
    boxes = library.boxes(owner, Span(stored.document, stored.start, stored.end))
    return [Placed(page=each.page, width=each.width, height=each.height, rects=list(each.rects)) for each in boxes]
