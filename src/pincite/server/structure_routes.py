"""HTTP routes for the structure of documents: blocks of the text, and the outline of headings."""

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from pincite.errors import Misuse
from pincite.events.source_names import label_page
from pincite.library import document_structure
from pincite.library.suggestions import suggest_document_questions
from pincite.server.content_routes import FAR, Offset
from pincite.server.dependencies import Id, Owner, TheLibrary
from pincite.server.document_routes import find_readable_document
from pincite.text.display import join_in_place
from pincite.types import BlockKind, Kind

_USUAL = 50_000  # characters
_LONGEST = 1_000_000
_OVERVIEW = 12  # headings


class BlockOf(BaseModel):
    """A block of a document: its kind, its text and its range in the document's text."""

    kind: BlockKind
    level: Annotated[int, Field(description="Level of a heading, from 1 (highest); else 0.")]
    start: int
    end: int
    text: str


class Blocks(BaseModel):
    """The blocks of a range of the text, in order. White space and Markdown marks between them belong to no block."""

    document: str
    length: Annotated[int, Field(description="Number of characters of the whole text.")]
    start: Annotated[int, Field(description="Start of the range; a block begins here.")]
    end: Annotated[int, Field(description="End of the range. If it is less than `length`, continue from here.")]
    blocks: list[BlockOf]


class Heading(BaseModel):
    """An entry of an outline."""

    title: str
    level: Annotated[int, Field(description="From 1 (highest).")]
    start: Annotated[int, Field(description="The heading's first character in the document's text.")]
    page: Annotated[int | None, Field(description="From 1; null without pages.")]
    label: Annotated[str, Field(description='The printed page number, or "slide 2"; empty if equal to `page`.')]


class Overview(BaseModel):
    """The overview of a document: the beginning of its outline, and questions in its own language."""

    document: str
    outline: Annotated[list[Heading], Field(description="The first headings, at most 12.")]
    headings: Annotated[int, Field(description="Number of headings of the whole outline.")]
    questions: Annotated[list[str], Field(description="Up to three questions about it. They are untrusted text.")]
    summary: Annotated[str, Field(description="The request for a summary, to send as a question about it.")]


def router() -> APIRouter:
    """Return the routes for the structure of documents."""
    routes = APIRouter(tags=["documents"])

    @routes.get("/api/documents/{document}/blocks")
    def blocks(
        document: Id,
        owner: Owner,
        library: TheLibrary,
        start: Offset = 0,
        end: Annotated[
            int | None, Query(ge=0, le=FAR, description="End (exclusive); default 50,000 characters.")
        ] = None,
    ) -> Blocks:
        """Get the text from `start` to `end` as headings, paragraphs, lists, tables and code. Blocks are not cut."""
        known = find_readable_document(library, owner, document)
        if end is not None and end < start:
            raise Misuse("`end` is before `start`.", "Send an `end` that is not less than `start`.")
        last = min(start + _USUAL if end is None else end, start + _LONGEST)
        found = document_structure.load_stretch(library.database, owner, known.id, start, last)
        return Blocks(
            document=known.id,
            length=found.length,
            start=found.start,
            end=found.end,
            blocks=[
                BlockOf(
                    kind=each.block.kind,
                    level=each.block.level,
                    start=each.block.start,
                    end=each.block.end,
                    text=join_in_place(each.text),
                )
                for each in found.pieces
            ],
        )

    @routes.get("/api/documents/{document}/outline")
    def outline(document: Id, owner: Owner, library: TheLibrary) -> list[Heading]:
        """Get the headings in order, at most 2,000, each with its place."""
        known = find_readable_document(library, owner, document)
        found = document_structure.load_outline(library.database, owner, known.id)
        return [_make_heading(known.kind, each) for each in found]

    @routes.get("/api/documents/{document}/overview")
    def overview(document: Id, owner: Owner, library: TheLibrary) -> Overview:
        """Get the first headings, and questions that headings, figures and tables suggest. No model is needed."""
        known = find_readable_document(library, owner, document)
        found = document_structure.load_outline(library.database, owner, known.id)
        suggested = suggest_document_questions(library.database, known)
        return Overview(
            document=known.id,
            outline=[_make_heading(known.kind, each) for each in found[:_OVERVIEW]],
            headings=len(found),
            questions=list(suggested.questions),
            summary=suggested.summary,
        )

    return routes


def _make_heading(kind: Kind, heading: document_structure.OutlineHeading) -> Heading:
    return Heading(
        title=heading.title,
        level=heading.level,
        start=heading.start,
        page=heading.page or None,
        label=label_page(kind, heading.page, heading.label),
    )
