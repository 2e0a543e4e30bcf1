"""HTTP routes for documents as they look: slides, Word documents, and the pictures in them."""

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import replace
from typing import Annotated

import anyio
import anyio.to_thread
from fastapi import APIRouter, Path, Query, Response
from pydantic import BaseModel, Field

from pincite.errors import NotFound
from pincite.library import Library
from pincite.library.document_drawings import DrawnStretch
from pincite.library.document_structure import BlockText, load_stretch, tile_blocks
from pincite.reading.drawing import DrawnBlock, DrawnRun, DrawnSlide, list_block_runs, list_shape_runs
from pincite.server.content_routes import FAR, Number, Offset
from pincite.server.dependencies import Id, Owner, TheLibrary
from pincite.server.document_routes import find_readable_document, get_readable_document
from pincite.server.security_headers import DATA_POLICY
from pincite.server.structure_routes import BlockOf
from pincite.store import document_layout, document_text
from pincite.text.display import join_in_place
from pincite.types import Block

_AT_ONCE = 4  # requests that wait for a drawing in a thread; others wait without one
_PICTURED_KINDS = ("pptx", "docx")
_LONGEST = 200_000  # characters in one response
_PICTURE_HEADERS = {
    "Cache-Control": "private, max-age=86400",
    "Content-Security-Policy": DATA_POLICY,
    "Vary": "Cookie",
}


class SlideOf(BaseModel):
    """A slide as it looks, and the blocks of its text that are not drawn, such as the speaker's notes."""

    document: str
    number: Annotated[int, Field(description="From 1.")]
    start: Annotated[int, Field(description="The slide's first character in the document's text.")]
    end: int
    drawing: Annotated[DrawnSlide | None, Field(description="Null if the slide can only be shown as text.")]
    blocks: Annotated[list[BlockOf], Field(description="All blocks of the slide if `drawing` is null.")]


class DrawnText(BaseModel):
    """A range of a document as it looks, and the blocks of its text that are not drawn, such as footnotes."""

    document: str
    length: Annotated[int, Field(description="Number of characters of the whole text.")]
    start: Annotated[int, Field(description="Start of the range; a block begins here.")]
    end: Annotated[int, Field(description="End of the range. If it is less than `length`, continue from here.")]
    width: Annotated[float, Field(description="Width of the lines on paper, in points.")]
    drawings: Annotated[list[DrawnBlock], Field(description="In order; empty if only the text can be shown.")]
    blocks: list[BlockOf]


def router() -> APIRouter:
    """Return the routes for documents as they look."""
    routes = APIRouter(tags=["documents"])
    limiter = anyio.CapacityLimiter(_AT_ONCE)

    @routes.get("/api/documents/{document}/slides/{number}")
    async def slide(document: Id, number: Number, owner: Owner, library: TheLibrary) -> SlideOf:
        """Get a slide as it looks: its shapes at their places, and where their words are in the document's text.

        Lengths are in points. A slide whose look cannot be read, or whose text was read otherwise, has its text alone.
        """
        return await anyio.to_thread.run_sync(_load_slide, library, owner, document, number, limiter=limiter)

    @routes.get("/api/documents/{document}/drawing")
    async def drawing(
        document: Id,
        owner: Owner,
        library: TheLibrary,
        start: Offset = 0,
        end: Annotated[
            int | None, Query(ge=0, le=FAR, description="End (exclusive); default and most 200,000 characters.")
        ] = None,
    ) -> DrawnText:
        """Get a range of a Word document as it looks: paragraphs, lists and tables at their characters of the text.

        Lengths are in points. Other documents have blocks of text alone.
        """
        last = min(start + _LONGEST if end is None else end, start + _LONGEST)
        return await anyio.to_thread.run_sync(_load_text, library, owner, document, start, last, limiter=limiter)

    @routes.get(
        "/api/documents/{document}/pictures/{number}",
        response_class=Response,
        responses={200: {"description": "A picture.", "content": {"image/webp": {}}}},
    )
    async def picture(
        document: Id,
        number: Annotated[int, Path(ge=0, le=FAR, description="The `number` of a picture in a drawing.")],
        owner: Owner,
        library: TheLibrary,
    ) -> Response:
        """Get a picture of a slide or a Word document, drawn again as WebP."""
        made = await anyio.to_thread.run_sync(_draw_picture, library, owner, document, number, limiter=limiter)
        return Response(made, media_type="image/webp", headers=_PICTURE_HEADERS)

    return routes


def _load_slide(library: Library, person: str, document: str, number: int) -> SlideOf:
    with library.database.reading() as connection:
        known = get_readable_document(connection, person, document)
        page = document_text.get_page(connection, known.id, number)
        text = document_text.read_text(connection, known.id, page.start, page.end)
        blocks = [
            each
            for each in document_layout.load_blocks(connection, known.id)
            if page.start <= each.start < each.end <= page.end
        ]
    drawing = library.drawings.draw_slide(known, number, text, page.start) if known.kind == "pptx" else None
    shapes = drawing.shapes if drawing else ()
    own = [Block(each.kind, each.start - page.start, each.end - page.start, each.level) for each in blocks]
    pieces = [
        BlockText(replace(each, start=page.start + each.start, end=page.start + each.end), text[each.start : each.end])
        for each in tile_blocks(text, own)
    ]
    runs = (run for shape in shapes for run in list_shape_runs(shape))
    return SlideOf(
        document=known.id,
        number=number,
        start=page.start,
        end=page.end,
        drawing=drawing,
        blocks=_list_undrawn(pieces, runs),
    )


def _load_text(library: Library, person: str, document: str, start: int, end: int) -> DrawnText:
    known = find_readable_document(library, person, document)
    found = load_stretch(library.database, person, known.id, start, end)

    def read_text(first: int, last: int) -> str:
        with library.database.reading() as connection:
            return document_text.read_text(connection, known.id, first, last)

    drawn = DrawnStretch(0, [])
    if known.kind == "docx":
        drawn = library.drawings.draw_stretch(known, found.start, found.end, read_text)
    runs = (run for block in drawn.blocks for run in list_block_runs(block))
    return DrawnText(
        document=known.id,
        length=found.length,
        start=found.start,
        end=found.end,
        width=drawn.width,
        drawings=drawn.blocks,
        blocks=_list_undrawn(found.pieces, runs),
    )


def _list_undrawn(pieces: Iterable[BlockText], runs: Iterable[DrawnRun]) -> list[BlockOf]:
    """Return the blocks in which no run begins. The runs are in the order of the text."""
    drawn = [run.start for run in runs if run.start is not None]
    return [
        BlockOf(
            kind=each.block.kind,
            level=each.block.level,
            start=each.block.start,
            end=each.block.end,
            text=join_in_place(each.text),
        )
        for each in pieces
        if bisect_left(drawn, each.block.start) == bisect_left(drawn, each.block.end)
    ]


def _draw_picture(library: Library, person: str, document: str, number: int) -> bytes:
    known = find_readable_document(library, person, document)
    if known.kind not in _PICTURED_KINDS:
        raise NotFound(f"{known.name} has no pictures to show.", "Open the original file.", "picture")
    return library.drawings.draw_picture(known, number)
