"""The passages of a document, over HTTP: the units that are searched, each with its place, length and surroundings."""

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from pincite.agent.context_window import count_tokens
from pincite.server.content import FAR
from pincite.server.documents import read
from pincite.server.doors import Id, Owner, TheLibrary
from pincite.store import documents as rows
from pincite.store import passages as stored_passages
from pincite.store.documents import StoredDocument
from pincite.store.passages import StoredPassage
from pincite.types import Kind

_USUAL, _MOST = 100, 1000  # passages in one answer


class PassageMetadata(BaseModel):
    """Where a passage stands: its document, the headings above it, and its pages."""

    title: Annotated[str, Field(description="The document's title.")]
    kind: Kind
    language: Annotated[str, Field(description="The document's language, such as `en`; empty where it is not known.")]
    headings: Annotated[list[str], Field(description="The headings it stands under, the highest first.")]
    page: Annotated[int | None, Field(description="The page it begins on, from 1; null where there are no pages.")]
    last_page: Annotated[int | None, Field(description="The page it ends on.")]


class PassageOf(BaseModel):
    """A passage: the characters from start_char to end_char (exclusive) of the document's text."""

    content: str
    index: Annotated[int, Field(description="Its number in the document, from 0.")]
    start_char: int
    end_char: int
    token_count: Annotated[int, Field(description="About how many tokens a language model reads for it.")]
    metadata: PassageMetadata


class Passages(BaseModel):
    """Passages of a document in their order. Neighbours may share characters."""

    document: str
    total: Annotated[int, Field(description="How many passages the document has.")]
    passages: list[PassageOf]
    next: Annotated[int | None, Field(description="Give it as `first` for those that follow; null after the last.")]


def router() -> APIRouter:
    """The route of a document's passages."""
    routes = APIRouter(tags=["documents"])

    @routes.get("/api/documents/{document}/passages")
    def list_passages(
        document: Id,
        owner: Owner,
        library: TheLibrary,
        first: Annotated[int, Query(ge=0, le=FAR, description="The index of the first one, from 0.")] = 0,
        limit: Annotated[int, Query(ge=1, le=_MOST, description="How many at most.")] = _USUAL,
    ) -> Passages:
        """The passages that a search finds, with index, characters, length in tokens and metadata."""
        known = read(library, owner, document)
        with library.database.reading() as connection:
            found = stored_passages.of_document(connection, known.id, first, limit)
            listed = [
                _describe(known, each, rows.text(connection, known.id, each.passage.start, each.passage.end))
                for each in found
            ]
        after = first + len(listed)
        is_more = bool(listed) and after < known.passages
        return Passages(document=known.id, total=known.passages, passages=listed, next=after if is_more else None)

    return routes


def _describe(document: StoredDocument, stored: StoredPassage, text: str) -> PassageOf:
    """Build the wire form of one passage."""
    passage = stored.passage
    return PassageOf(
        content=text,
        index=stored.index,
        start_char=passage.start,
        end_char=passage.end,
        token_count=count_tokens(text),
        metadata=PassageMetadata(
            title=document.title,
            kind=stored.kind,
            language=document.language,
            headings=list(passage.headings),
            page=passage.first_page or None,
            last_page=passage.last_page or None,
        ),
    )
