"""HTTP routes for the content of documents: the file, its pages, its text, and the boxes of characters."""

from collections.abc import Iterator
from typing import Annotated

from fastapi import APIRouter, Header, Path, Query, Response
from pydantic import BaseModel, Field

from pincite.events.source_names import label_page
from pincite.locate.boxes import find_page_boxes
from pincite.server.dependencies import Id, Owner, TheLibrary
from pincite.server.document_routes import find_document, find_readable_document, get_readable_document
from pincite.server.file_responses import make_file_response
from pincite.store import document_layout, document_text
from pincite.text.display import join_in_place
from pincite.types import Page, Span

FAR = 2**31 - 1
_LONGEST = 1_000_000  # characters in one response
_USUAL = 10_000

Rect = tuple[float, float, float, float]
Number = Annotated[int, Path(ge=1, le=FAR, description="Page number, from 1.")]
Offset = Annotated[int, Query(ge=0, le=FAR, description="Character offset in the document's text, from 0.")]


class Line(BaseModel):
    """A line of a page: its range in the document's text, and its rectangles."""

    start: int
    end: int
    rects: list[Rect]


class PageOf(BaseModel):
    """A page: its size in points, its range in the document's text, its text and its lines."""

    number: int
    label: Annotated[str, Field(description='The printed page label, or "slide 2"; empty if equal to `number`.')] = ""
    width: float
    height: float
    start: int
    end: int
    text: str
    lines: list[Line]


class Sheet(BaseModel):
    """A page's displayed size in points, and its range in the document's text."""

    number: Annotated[int, Field(description="From 1.")]
    label: Annotated[str, Field(description='The printed page label, or "slide 2"; empty if equal to `number`.')] = ""
    width: float
    height: float
    start: int
    end: int


class Sheets(BaseModel):
    """All pages of a document in order; empty for a document without pages."""

    document: str
    pages: list[Sheet]


class Stretch(BaseModel):
    """A range of a document's text, end exclusive."""

    document: str
    start: int
    end: int
    text: str


class Placed(BaseModel):
    """The place of characters on one page: a rectangle for each line, in points from the top left."""

    page: int
    width: float
    height: float
    rects: list[Rect]


def router() -> APIRouter:
    """Return the routes for the content of documents."""
    routes = APIRouter(tags=["documents"])

    @routes.head("/api/documents/{document}/file", include_in_schema=False)
    @routes.get(
        "/api/documents/{document}/file",
        response_class=Response,
        responses={
            200: {"description": "The file.", "content": {"*/*": {}}},
            206: {"description": "The part of the file that `Range` asks for."},
            304: {"description": "The file has not changed: its tag is the one in `If-None-Match`."},
        },
    )
    def file(
        document: Id, owner: Owner, library: TheLibrary, if_none_match: Annotated[str | None, Header()] = None
    ) -> Response:
        """Download the original file, or a range of it."""
        return make_file_response(library, find_document(library, owner, document), if_none_match)

    @routes.get("/api/documents/{document}/pages")
    def pages(document: Id, owner: Owner, library: TheLibrary) -> Sheets:
        """List the sizes and text ranges of all pages, to lay them out before they are drawn."""
        with library.database.reading() as connection:
            known = get_readable_document(connection, owner, document)
            found = document_layout.list_pages(connection, known.id)
        return Sheets(
            document=known.id,
            pages=[
                Sheet(
                    number=each.number,
                    label=label_page(known.kind, each.number, each.label),
                    width=each.width,
                    height=each.height,
                    start=each.start,
                    end=each.end,
                )
                for each in found
            ],
        )

    @routes.get("/api/documents/{document}/pages/{number}")
    def page(document: Id, number: Number, owner: Owner, library: TheLibrary) -> PageOf:
        """Get one page: its size, its text and its lines with their rectangles."""
        with library.database.reading() as connection:
            known = get_readable_document(connection, owner, document)
            found = document_text.get_page(connection, known.id, number)
            text = document_text.read_text(connection, known.id, found.start, found.end)
        return PageOf(
            number=number,
            label=label_page(known.kind, number, found.label),
            width=found.width,
            height=found.height,
            start=found.start,
            end=found.end,
            text=join_in_place(text),
            lines=list(_list_lines(found, text)),
        )

    @routes.get("/api/documents/{document}/text")
    def text(document: Id, owner: Owner, library: TheLibrary, start: Offset = 0, end: Offset | None = None) -> Stretch:
        """Get the text from `start` to `end`: 10,000 characters without `end`, at most one million."""
        last = min(start + _USUAL if end is None else end, start + _LONGEST)
        with library.database.reading() as connection:
            known = get_readable_document(connection, owner, document)
            found = document_text.read_text(connection, known.id, start, last)
        # A line of code ends where it ends, whatever its last characters are.
        shown = found if known.kind == "code" else join_in_place(found)
        return Stretch(document=known.id, start=start, end=start + len(found), text=shown)

    @routes.get("/api/documents/{document}/boxes")
    def boxes(document: Id, start: Offset, end: Offset, owner: Owner, library: TheLibrary) -> list[Placed]:
        """Get the rectangles of the characters from `start` to `end`, page by page.

        The list is empty for a document without pages.
        """
        known = find_readable_document(library, owner, document)
        found = library.boxes(owner, Span(known.id, start, min(end, start + _LONGEST)))
        return [Placed(page=each.page, width=each.width, height=each.height, rects=list(each.rects)) for each in found]

    return routes


def _list_lines(page: Page, text: str) -> Iterator[Line]:
    start = page.start
    for piece in text.split("\n"):
        end = start + len(piece)
        if piece.strip():
            placed = find_page_boxes(page, text, [(start, end)])
            yield Line(start=start, end=end, rects=list(placed.rects) if placed else [])
        start = end + 1
