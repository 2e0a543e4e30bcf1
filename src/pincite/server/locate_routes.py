"""HTTP route `POST /api/locate`: find a passage in a stored document, an upload or a file at an address."""

import os
from collections.abc import AsyncIterator, Callable
from typing import Annotated, Literal

import anyio.to_thread
from fastapi import APIRouter, Depends, Request
from pydantic import BaseModel, Field

from pincite.errors import Busy
from pincite.library import Library
from pincite.library.passage_locator import LocatedPassage, locate_passage, prepare_file
from pincite.locate.result import describe_location
from pincite.server.dependencies import Owner
from pincite.server.uploads import LocateRequest, describe_body, receive_passage
from pincite.settings import Settings

_SEARCHES = 16  # in stored documents at once; fewer than the server's threads, so that other routes get one
_WAITING = 50  # requests that may wait in each queue

Rect = tuple[float, float, float, float]
Stretch = tuple[int, int]


class LocatedMatch(BaseModel):
    """The part of the passage on one page: a box for each line, in points from the top left of the page."""

    page: Annotated[int | None, Field(description="From 1; null for a document without pages.")]
    boxes: list[Rect]
    width: float | None
    height: float | None
    score: float
    spans: Annotated[list[Stretch], Field(description="Ranges of the document's text, end exclusive.")]


class Metrics(BaseModel):
    """How well the blocks of the passage were found: shares from 0 to 1, and the counts of `block_match_rate`."""

    block_match_rate: float
    average_score: float
    coverage: float
    matched: int
    total: int


class BlockMatch(BaseModel):
    """A paragraph or line of the passage, and its place in the document."""

    text: str
    score: float
    spans: list[Stretch]


class NearestPassage(BaseModel):
    """The most similar place for a passage that was not found. Show it for review only; do not highlight it."""

    pages: list[int]
    spans: list[Stretch]
    score: float


class LocateResult(BaseModel):
    """The place of a passage. If it was not found, there are no matches and the diagnosis says why."""

    found: bool
    how: Literal["exact", "normalised", "approximate"] | None
    matches: list[LocatedMatch]
    metrics: Metrics
    blocks: list[BlockMatch]
    nearest: NearestPassage | None
    diagnosis: list[str]


def router(settings: Settings) -> APIRouter:
    """Return the route that locates passages."""
    routes = APIRouter()
    # Each file is read by its own process: run at most one per core.
    readers = _SearchLimiter(os.cpu_count() or 1)
    searches = _SearchLimiter(_SEARCHES)

    async def receive_request(request: Request) -> AsyncIterator[LocateRequest]:
        async with receive_passage(request, settings) as received:
            yield received

    @routes.post("/api/locate", tags=["documents"], openapi_extra={"requestBody": describe_body()})
    async def locate(
        request: Request, owner: Owner, asked: Annotated[LocateRequest, Depends(receive_request)]
    ) -> LocateResult:
        """Find a passage in a stored document, an uploaded file, or a file at an address.

        If the passage is not found, `found` is false and there are no matches; this is not an error.
        """
        library: Library = request.app.state.library

        def in_file() -> LocatedPassage:
            assert asked.file
            prepared = prepare_file(asked.file, settings.reading, asked.name, asked.password)
            return locate_passage(prepared, asked.text, asked.pages)

        def in_library() -> LocatedPassage:
            return library.locate(owner, asked.document, asked.text, asked.pages)

        return await (readers.take(in_file) if asked.file else searches.take(in_library))

    return routes


class _SearchLimiter:
    """Limits one kind of search: some run at once in threads, and some more wait without occupying a thread."""

    def __init__(self, at_once: int) -> None:
        self._limiter = anyio.CapacityLimiter(at_once)
        self._most = at_once + _WAITING
        self._inside = 0

    async def take(self, find: Callable[[], LocatedPassage]) -> LocateResult:
        """Run a search in a thread and return its result. Raise `Busy` if too many requests are waiting."""
        if self._inside >= self._most:
            raise Busy("Too many locate requests are waiting.", "Try again in a minute.")

        def make_result() -> LocateResult:
            found = find()
            return LocateResult.model_validate(
                describe_location(found.document, found.location, found.boxes, found.diagnosis)
            )

        self._inside += 1
        try:
            return await anyio.to_thread.run_sync(make_result, limiter=self._limiter)
        finally:
            self._inside -= 1
