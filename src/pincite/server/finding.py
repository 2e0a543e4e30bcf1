"""Words looked for in one document, over HTTP."""

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from pincite.library.finding import find
from pincite.server.content import Placed
from pincite.server.documents import read
from pincite.server.doors import Id, Owner, TheLibrary, Words


class Match(BaseModel):
    """A place where the words stand: the characters from start to end of the document's text, end exclusive."""

    start: int
    end: int
    page: Annotated[int | None, Field(description="Where it begins, from 1; null where there are no pages.")]
    before: Annotated[str, Field(description="The characters before it, some forty.")]
    text: Annotated[str, Field(description="The words as the document writes them.")]
    after: Annotated[str, Field(description="The characters after it, some forty.")]
    boxes: Annotated[list[Placed], Field(description="Its rectangles, page by page.")]


class Matches(BaseModel):
    """How often the words stand in the document, and the first of these places, in the order of the text."""

    total: int
    matches: list[Match]


def router() -> APIRouter:
    """The route that finds words in a document."""
    routes = APIRouter(tags=["documents"])

    @routes.get("/api/documents/{document}/find")
    def find_words(
        document: Id,
        owner: Owner,
        library: TheLibrary,
        words: Annotated[Words, Query(min_length=1, max_length=1000, description="What stands there, word for word.")],
        limit: Annotated[int, Query(ge=1, le=1000, description="How many places are told.")] = 200,
    ) -> Matches:
        """Every place where these words stand, whatever their case, accents, quotes, dashes and line ends there."""
        known = read(library, owner, document)
        found = find(library.database, known.id, words, limit)
        return Matches(
            total=found.total,
            matches=[
                Match(
                    start=each.start,
                    end=each.end,
                    page=each.page or None,
                    before=each.before,
                    text=each.text,
                    after=each.after,
                    boxes=[
                        Placed(page=one.page, width=one.width, height=one.height, rects=list(one.rects))
                        for one in each.boxes
                    ],
                )
                for each in found.matches
            ],
        )

    return routes
