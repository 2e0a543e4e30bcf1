"""HTTP routes for documents as they look: slides, and the pictures in them."""

from bisect import bisect_left
from typing import Annotated

import anyio
import anyio.to_thread
from fastapi import APIRouter, Path, Response
from pydantic import BaseModel, Field

from pincite.errors import NotFound
from pincite.library import Library
from pincite.library.document_structure import tile_blocks
from pincite.reading.drawing import DrawnSlide, list_shape_runs
from pincite.server.content_routes import FAR, Number
from pincite.server.dependencies import Id, Owner, TheLibrary
from pincite.server.document_routes import find_readable_document, get_readable_document
from pincite.server.security_headers import DATA_POLICY
from pincite.server.structure_routes import BlockOf
from pincite.store import document_layout
from pincite.store import documents as rows
from pincite.text.display import join_in_place
from pincite.types import Block

_AT_ONCE = 4  # requests that wait for a drawing in a thread; others wait without one
_DRAWN_KINDS = ("pptx",)
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
        """Get a picture of a slide, drawn again as WebP."""
        made = await anyio.to_thread.run_sync(_draw_picture, library, owner, document, number, limiter=limiter)
        return Response(made, media_type="image/webp", headers=_PICTURE_HEADERS)

    return routes


def _load_slide(library: Library, person: str, document: str, number: int) -> SlideOf:
    with library.database.reading() as connection:
        known = get_readable_document(connection, person, document)
        page = rows.get_page(connection, known.id, number)
        text = rows.read_text(connection, known.id, page.start, page.end)
        blocks = [
            each
            for each in document_layout.load_blocks(connection, known.id)
            if page.start <= each.start < each.end <= page.end
        ]
    drawing = library.drawings.draw_slide(known, number, text, page.start) if known.kind in _DRAWN_KINDS else None
    shapes = drawing.shapes if drawing else ()
    drawn = [run.start for shape in shapes for run in list_shape_runs(shape) if run.start is not None]  # in order
    own = [Block(each.kind, each.start - page.start, each.end - page.start, each.level) for each in blocks]
    return SlideOf(
        document=known.id,
        number=number,
        start=page.start,
        end=page.end,
        drawing=drawing,
        blocks=[
            BlockOf(
                kind=each.kind,
                level=each.level,
                start=page.start + each.start,
                end=page.start + each.end,
                text=join_in_place(text[each.start : each.end]),
            )
            for each in tile_blocks(text, own)
            if bisect_left(drawn, page.start + each.start) == bisect_left(drawn, page.start + each.end)
        ],
    )


def _draw_picture(library: Library, person: str, document: str, number: int) -> bytes:
    known = find_readable_document(library, person, document)
    if known.kind not in _DRAWN_KINDS:
        raise NotFound(f"{known.name} has no pictures to show.", "Open the original file.", "picture")
    return library.drawings.draw_picture(known, number)
