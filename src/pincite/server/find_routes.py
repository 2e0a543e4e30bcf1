"""HTTP route that finds words in one document."""

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from pincite.library import word_matches
from pincite.server.content_routes import Placed
from pincite.server.dependencies import Id, Owner, TheLibrary, Words
from pincite.server.document_routes import find_readable_document


class FoundMatch(BaseModel):
    """An occurrence of the words: a range of the document's text, end exclusive."""

    start: int
    end: int
    page: Annotated[int | None, Field(description="Page where it begins, from 1; null without pages.")]
    before: Annotated[str, Field(description="About forty characters before it.")]
    text: Annotated[str, Field(description="The words as the document writes them.")]
    after: Annotated[str, Field(description="About forty characters after it.")]
    boxes: Annotated[list[Placed], Field(description="Its rectangles, page by page.")]


class Matches(BaseModel):
    """The number of occurrences in the document, and the first of them in the order of the text."""

    total: int
    matches: list[FoundMatch]


def router() -> APIRouter:
    """Return the route that finds words in a document."""
    routes = APIRouter(tags=["documents"])

    @routes.get("/api/documents/{document}/find")
    def find_words(
        document: Id,
        owner: Owner,
        library: TheLibrary,
        words: Annotated[Words, Query(min_length=1, max_length=1000, description="The words to find.")],
        limit: Annotated[int, Query(ge=1, le=1000, description="Return at most this many occurrences.")] = 200,
    ) -> Matches:
        """Find every occurrence of these words. Case, accents, quotes, dashes and line breaks may differ."""
        known = find_readable_document(library, owner, document)
        found = word_matches.find_words(library.database, owner, known.id, words, limit)
        return Matches(
            total=found.total,
            matches=[
                FoundMatch(
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
