"""HTTP routes for passages, the units of search: those of a document, and those that match words best."""

from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, Field

from pincite.events.source_names import label_page
from pincite.search.document_mix import mix_documents
from pincite.search.weak_results import drop_weak
from pincite.server.content_routes import FAR
from pincite.server.dependencies import Id, Owner, TheLibrary, Words, get_services
from pincite.server.document_routes import get_readable_document
from pincite.store import document_text, stored_passages, workspaces
from pincite.store.documents import StoredDocument
from pincite.store.stored_passages import StoredPassage
from pincite.text.display import join_broken_words
from pincite.text.token_count import count_tokens
from pincite.types import Hit, Kind, Scope

_USUAL, _MOST = 100, 1000  # passages in one response
_POOL = 20  # passages that those of several documents are chosen from


class PassageMetadata(BaseModel):
    """The place of a passage: its document, the headings above it, and its pages."""

    title: Annotated[str, Field(description="The document's title.")]
    kind: Kind
    language: Annotated[str, Field(description="The document's language, such as `en`; empty if unknown.")]
    headings: Annotated[list[str], Field(description="The headings above it, the highest first.")]
    page: Annotated[int | None, Field(description="The page where it begins, from 1; null without pages.")]
    last_page: Annotated[int | None, Field(description="The page where it ends.")]


class PassageOf(BaseModel):
    """A passage: the characters from `start_char` to `end_char` (exclusive) of the document's text."""

    content: Annotated[str, Field(description="Its words, those whole that a line end broke.")]
    index: Annotated[int, Field(description="Number of the passage in the document, from 0.")]
    start_char: int
    end_char: int
    token_count: Annotated[int, Field(description="Approximate number of tokens for a language model.")]
    metadata: PassageMetadata


class Passages(BaseModel):
    """Passages of a document in order. Neighbouring passages may overlap."""

    document: str
    total: Annotated[int, Field(description="Number of passages of the document.")]
    passages: list[PassageOf]
    next: Annotated[int | None, Field(description="Send it as `first` to get the next passages; null at the end.")]


class MatchingPassage(BaseModel):
    """A passage that matches the words: the characters from `start` to `end` (exclusive) of a document's text."""

    document: str
    title: str
    kind: Kind
    text: Annotated[str, Field(description="Its words, those whole that a line end broke.")]
    start: int
    end: int
    page: Annotated[int | None, Field(description="The page where it begins, from 1; null without pages.")]
    label: Annotated[str, Field(description="The number printed on that page if it differs, or `slide 2`.")]
    headings: Annotated[list[str], Field(description="The headings above it, the highest first.")]


class MatchingPassages(BaseModel):
    """The passages that match the words best, the best first."""

    passages: list[MatchingPassage]


def router() -> APIRouter:
    """Return the routes for passages."""
    routes = APIRouter(tags=["documents"])

    @routes.get("/api/documents/{document}/passages")
    def list_passages(
        document: Id,
        owner: Owner,
        library: TheLibrary,
        first: Annotated[int, Query(ge=0, le=FAR, description="Index of the first passage, from 0.")] = 0,
        limit: Annotated[int, Query(ge=1, le=_MOST, description="Maximum number of passages.")] = _USUAL,
    ) -> Passages:
        """List the passages of a document, with their text range, length in tokens and metadata."""
        with library.database.reading() as connection:
            known = get_readable_document(connection, owner, document)
            found = stored_passages.list_passages(connection, known.id, first, limit)
            listed = [
                _make_passage(
                    known, each, document_text.read_text(connection, known.id, each.passage.start, each.passage.end)
                )
                for each in found
            ]
        after = first + len(listed)
        is_more = bool(listed) and after < known.passages
        return Passages(document=known.id, total=known.passages, passages=listed, next=after if is_more else None)

    @routes.get("/api/passages")
    def search_passages(
        request: Request,
        owner: Owner,
        words: Annotated[Words, Query(min_length=1, max_length=1000, description="A question, or words to find.")],
        limit: Annotated[int, Query(ge=1, le=50, description="Maximum number of passages.")] = 10,
        workspace: Annotated[
            Words | None,
            Query(max_length=300, description="Only those in the libraries of this workspace, by its id or name."),
        ] = None,
        alike: Annotated[
            bool,
            Query(description="Leave out passages, after the first three, that match clearly worse than the best one."),
        ] = False,
    ) -> MatchingPassages:
        """Search all documents that the caller may see for the passages that match these words best.

        At most two of the first five are of one document if others match nearly as well.
        """
        services, scope = get_services(request), Scope(owner=owner)
        if workspace:
            with services.library.database.reading() as connection:
                libraries = workspaces.list_libraries(connection, workspaces.get(connection, owner, workspace))
            scope = replace(scope, libraries=tuple(libraries) or None)
        hits = services.search.search(words, scope, max(limit, _POOL))
        strong = drop_weak(hits)
        found = [*mix_documents(strong), *(() if alike else hits[len(strong) :])]
        return MatchingPassages(passages=[_make_found(each) for each in found[:limit]])

    return routes


def _join_words(kind: Kind, text: str) -> str:
    """Return the text of a passage with the words whole that a line end broke; code stays as it is."""
    return text if kind == "code" else join_broken_words(text)


def _make_found(hit: Hit) -> MatchingPassage:
    return MatchingPassage(
        document=hit.span.document,
        title=hit.title,
        kind=hit.kind,
        text=_join_words(hit.kind, hit.text),
        start=hit.span.start,
        end=hit.span.end,
        page=hit.page or None,
        label=label_page(hit.kind, hit.page, hit.label),
        headings=list(hit.headings),
    )


def _make_passage(document: StoredDocument, stored: StoredPassage, text: str) -> PassageOf:
    """Return a stored passage in the form of the API."""
    passage, content = stored.passage, _join_words(stored.kind, text)
    return PassageOf(
        content=content,
        index=stored.index,
        start_char=passage.start,
        end_char=passage.end,
        token_count=count_tokens(content),
        metadata=PassageMetadata(
            title=document.title,
            kind=stored.kind,
            language=document.language,
            headings=list(passage.headings),
            page=passage.first_page or None,
            last_page=passage.last_page or None,
        ),
    )
