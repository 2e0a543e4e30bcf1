"""What documents say, over HTTP: the file, its pages, its text, and where characters stand."""

from collections.abc import Iterator
from typing import Annotated

from fastapi import APIRouter, Header, Path, Query, Response
from pydantic import BaseModel, Field

from pincite.events.source_names import label_page
from pincite.evidence.boxes import on_page
from pincite.server.documents import read, stored
from pincite.server.doors import Id, Owner, TheLibrary
from pincite.server.serving import file_of
from pincite.store import documents as rows
from pincite.store import layout
from pincite.text.display import join_in_place
from pincite.types import Page, Span

FAR = 2**31 - 1
_LONGEST = 1_000_000  # characters in one answer
_USUAL = 10_000

Rect = tuple[float, float, float, float]
Number = Annotated[int, Path(ge=1, le=FAR, description="From 1.")]
Offset = Annotated[int, Query(ge=0, le=FAR, description="A character of the document's text, from 0.")]


class Line(BaseModel):
    """A line of a page: its characters in the document's text, and its rectangles."""

    start: int
    end: int
    rects: list[Rect]


class PageOf(BaseModel):
    """A page: its size in points, the slice of the document's text that it is, and its lines."""

    number: int
    label: Annotated[str, Field(description='As it is printed, or "slide 2"; empty where it is `number`.')] = ""
    width: float
    height: float
    start: int
    end: int
    text: str
    lines: list[Line]


class Sheet(BaseModel):
    """A page's size in points, as it is displayed, and the slice of the document's text that it is."""

    number: Annotated[int, Field(description="From 1.")]
    label: Annotated[str, Field(description='As it is printed, or "slide 2"; empty where it is `number`.')] = ""
    width: float
    height: float
    start: int
    end: int


class Sheets(BaseModel):
    """All pages of a document in order; none where it has none."""

    document: str
    pages: list[Sheet]


class Stretch(BaseModel):
    """Characters of a document's text, end exclusive."""

    document: str
    start: int
    end: int
    text: str


class Placed(BaseModel):
    """Where characters stand on one page: a rectangle for each line, in points from its top left."""

    page: int
    width: float
    height: float
    rects: list[Rect]


def router() -> APIRouter:
    """The routes of what documents say."""
    routes = APIRouter(tags=["documents"])

    @routes.head("/api/documents/{document}/file", include_in_schema=False)
    @routes.get(
        "/api/documents/{document}/file",
        response_class=Response,
        responses={
            200: {"description": "The file.", "content": {"application/octet-stream": {}}},
            206: {"description": "The part of it that `Range` asks for."},
            304: {"description": "It is still the one with the tag in `If-None-Match`."},
        },
    )
    def file(
        document: Id, owner: Owner, library: TheLibrary, if_none_match: Annotated[str | None, Header()] = None
    ) -> Response:
        """The file as it was added, whole or a range of it."""
        return file_of(library, stored(library, owner, document), if_none_match)

    @routes.get("/api/documents/{document}/pages")
    def pages(document: Id, owner: Owner, library: TheLibrary) -> Sheets:
        """The sizes of all pages and which characters each holds, to lay them out before any is drawn."""
        known = read(library, owner, document)
        with library.database.reading() as connection:
            found = layout.sheets(connection, known.id)
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
        """One page: its size, its text and its lines with their rectangles."""
        known = read(library, owner, document)
        with library.database.reading() as connection:
            found = rows.page(connection, known.id, number)
            text = rows.text(connection, known.id, found.start, found.end)
        return PageOf(
            number=number,
            label=label_page(known.kind, number, found.label),
            width=found.width,
            height=found.height,
            start=found.start,
            end=found.end,
            text=join_in_place(text),
            lines=list(_lines(found, text)),
        )

    @routes.get("/api/documents/{document}/text")
    def text(document: Id, owner: Owner, library: TheLibrary, start: Offset = 0, end: Offset | None = None) -> Stretch:
        """The characters from `start` to `end`; 10,000 of them unless `end` says otherwise, a million at most."""
        known = read(library, owner, document)
        last = min(start + _USUAL if end is None else end, start + _LONGEST)
        with library.database.reading() as connection:
            found = rows.text(connection, known.id, start, last)
        return Stretch(document=known.id, start=start, end=start + len(found), text=join_in_place(found))

    @routes.get("/api/documents/{document}/boxes")
    def boxes(document: Id, start: Offset, end: Offset, owner: Owner, library: TheLibrary) -> list[Placed]:
        """Where the characters from `start` to `end` stand, page by page; nothing where a document has no pages."""
        known = read(library, owner, document)
        found = library.boxes(Span(known.id, start, min(end, start + _LONGEST)))
        return [Placed(page=each.page, width=each.width, height=each.height, rects=list(each.rects)) for each in found]

    return routes


def _lines(page: Page, text: str) -> Iterator[Line]:
    start = page.start
    for piece in text.split("\n"):
        end = start + len(piece)
        if piece.strip():
            placed = on_page(page, text, [(start, end)])
            yield Line(start=start, end=end, rects=list(placed.rects) if placed else [])
        start = end + 1
