"""How documents are built, over HTTP: a stretch of the text as blocks, and the headings as an outline."""

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from pincite.errors import Misuse
from pincite.library import structure
from pincite.server.content import FAR, Offset
from pincite.server.documents import read
from pincite.server.doors import Id, Owner, TheLibrary
from pincite.text.display import join_in_place
from pincite.types import BlockKind

_USUAL = 50_000  # characters
_LONGEST = 1_000_000


class BlockOf(BaseModel):
    """A piece of structure and its words; the characters from start to end of the document's text."""

    kind: BlockKind
    level: Annotated[int, Field(description="Of a heading, from 1 (highest); else 0.")]
    start: int
    end: int
    text: str


class Blocks(BaseModel):
    """The blocks of a stretch, in order: between them there is white space, and marks such as a heading's."""

    document: str
    length: Annotated[int, Field(description="Characters of the whole text.")]
    start: Annotated[int, Field(description="Of the stretch, which begins where a block does.")]
    end: Annotated[int, Field(description="Of the stretch; where it is less than `length`, ask from here on.")]
    blocks: list[BlockOf]


class Heading(BaseModel):
    """An entry of an outline."""

    title: str
    level: Annotated[int, Field(description="From 1 (highest).")]
    start: Annotated[int, Field(description="The heading's first character in the document's text.")]
    page: Annotated[int | None, Field(description="From 1; null where there are no pages.")]


def router() -> APIRouter:
    """The routes of documents' structure."""
    routes = APIRouter(tags=["documents"])

    @routes.get("/api/documents/{document}/blocks")
    def blocks(
        document: Id,
        owner: Owner,
        library: TheLibrary,
        start: Offset = 0,
        end: Annotated[int | None, Query(ge=0, le=FAR, description="End exclusive; 50,000 characters without.")] = None,
    ) -> Blocks:
        """The text from `start` to `end` as headings, paragraphs, lists, tables and code; no block is cut."""
        known = read(library, owner, document)
        if end is not None and end < start:
            raise Misuse("The stretch ends before it begins.", "Give an `end` that is no less than `start`.")
        last = min(start + _USUAL if end is None else end, start + _LONGEST)
        found = structure.stretch(library.database, known.id, start, last)
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
        """The headings in their order, 2,000 at most, each with where it stands."""
        known = read(library, owner, document)
        return [
            Heading(title=each.title, level=each.level, start=each.start, page=each.page or None)
            for each in structure.outline(library.database, known.id)
        ]

    return routes
