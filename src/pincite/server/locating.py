"""`POST /api/locate`: a passage, and a stored document, an upload or an address, to where it stands there."""

import os
from collections.abc import AsyncIterator, Callable
from typing import Annotated, Literal

import anyio.to_thread
from fastapi import APIRouter, Depends, Request
from pydantic import BaseModel, Field

from pincite.errors import Busy
from pincite.evidence.account import account
from pincite.library import Library
from pincite.library.locating import Located, locate_in, prepare_file
from pincite.server.receiving import Received, received, request_body
from pincite.settings import Settings

_SEARCHES = 16  # at once in stored documents: fewer than the server's threads, so that other routes find one
_WAITING = 50  # requests that may wait for either

Rect = tuple[float, float, float, float]
Stretch = tuple[int, int]


class Match(BaseModel):
    """What of the passage stands on one page: a box for each line, in points from the page's top left."""

    page: Annotated[int | None, Field(description="From 1; null where a document has no pages.")]
    boxes: list[Rect]
    width: float | None
    height: float | None
    score: float
    spans: Annotated[list[Stretch], Field(description="Of the document's text, end exclusive.")]


class Metrics(BaseModel):
    """How well the passage's blocks were found: shares from 0 to 1, and the counts behind the first."""

    block_match_rate: float
    average_score: float
    coverage: float
    matched: int
    total: int


class BlockMatch(BaseModel):
    """A paragraph or line of the passage, and what stands for it."""

    text: str
    score: float
    spans: list[Stretch]


class Nearest(BaseModel):
    """The place most like a passage that was not found: to be looked at, never to be lit."""

    pages: list[int]
    spans: list[Stretch]
    score: float


class Answer(BaseModel):
    """Where a passage stands. One that is not found has no matches, and the diagnosis says why."""

    found: bool
    how: Literal["exact", "normalised", "approximate"] | None
    matches: list[Match]
    metrics: Metrics
    blocks: list[BlockMatch]
    nearest: Nearest | None
    diagnosis: list[str]


def router(settings: Settings) -> APIRouter:
    """The route, over the application's library."""
    routes = APIRouter()
    # Each file is read by a process of its own: no more of them at once than there are cores.
    readers = _Turns(os.cpu_count() or 1)
    searches = _Turns(_SEARCHES)

    async def asked(request: Request) -> AsyncIterator[Received]:
        async with received(request, settings) as understood:
            yield understood

    @routes.post("/api/locate", tags=["documents"], openapi_extra={"requestBody": request_body()})
    async def locate(request: Request, asked: Annotated[Received, Depends(asked)]) -> Answer:
        """Where a passage stands in a stored document, in an uploaded file, or in a file at an address.

        Finding nothing is an answer too: `found` is false and there are no matches.
        """
        library: Library = request.app.state.library

        def in_file() -> Located:
            assert asked.file
            prepared = prepare_file(asked.file, settings.reading, asked.name, asked.password)
            return locate_in(prepared, asked.text, asked.pages)

        def in_library() -> Located:
            return library.locate(asked.document, asked.text, asked.pages)

        return await (readers.take(in_file) if asked.file else searches.take(in_library))

    return routes


class _Turns:
    """Threads for one kind of search: so many at once, and a few more wait for theirs without holding one."""

    def __init__(self, at_once: int) -> None:
        self._limiter = anyio.CapacityLimiter(at_once)
        self._most = at_once + _WAITING
        self._inside = 0

    async def take(self, find: Callable[[], Located]) -> Answer:
        """What is found, told; `Busy` when too many wait already."""
        if self._inside >= self._most:
            raise Busy("Too many requests to locate something wait already.", "Ask again in a minute.")

        def told() -> Answer:
            found = find()
            return Answer.model_validate(account(found.document, found.location, found.boxes, found.diagnosis))

        self._inside += 1
        try:
            return await anyio.to_thread.run_sync(told, limiter=self._limiter)
        finally:
            self._inside -= 1
