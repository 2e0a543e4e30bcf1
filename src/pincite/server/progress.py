"""How far the work on documents is, over HTTP: a stream for one until it is over, and one for all until one leaves."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Annotated, cast

import anyio.to_thread
from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, Field

from pincite.errors import PinciteError
from pincite.library import Library
from pincite.server.describing import stream
from pincite.server.documents import stored
from pincite.server.doors import Id, Owner, TheLibrary
from pincite.server.errors import Trouble
from pincite.server.streaming import EventStream, sse
from pincite.server.working import Working
from pincite.store import catalogue
from pincite.store.catalogue import Standing
from pincite.store.jobs import Step
from pincite.types import Status

_LOOK = 0.2  # seconds between two looks at the database, at least
_LONGEST_LOOK = 2.0
_SHARE = 5  # a look that takes long is followed by a pause so many times as long

_SAYS = "`progress` with how far a document is"


class Progress(BaseModel):
    """How far the work on one document is."""

    document: str
    title: str
    status: Status
    step: Annotated[Step | None, Field(description="What is being done by this server, if anything.")]
    done: Annotated[int, Field(description="Pages of `read`, passages of `embed`.")]
    total: int
    rate: Annotated[float | None, Field(description="Of them in a second; null until it is known.")]
    seconds_left: Annotated[float | None, Field(description="For this step; null until it is known.")]
    error: Annotated[str | None, Field(description="Why it failed, or is without vectors.")]


class Removed(BaseModel):
    """A document that is no longer there."""

    document: str


CARRIED = (Progress, Removed)

Standings = dict[str, Standing]
Told = dict[str, Progress]


def router() -> APIRouter:
    """The routes of progress; to be registered before the one of a single document, whose id might be `events`."""
    routes = APIRouter(tags=["documents"])

    @routes.get(
        "/api/documents/events",
        response_class=EventStream,
        responses=stream(f"{_SAYS}; `removed`.", "progress", "removed", "error", carries=(Progress, Removed, Trouble)),
    )
    async def all_events(owner: Owner, library: TheLibrary, request: Request) -> Response:
        """How far all documents are, as it changes, until you leave; first those that are being worked on."""
        return EventStream(all_progress(library, owner, _working(request)))

    @routes.get(
        "/api/documents/{document}/events",
        response_class=EventStream,
        responses=stream(f"{_SAYS}, until the work is over.", "progress", "error", carries=(Progress, Trouble)),
    )
    async def events(document: Id, owner: Owner, library: TheLibrary, request: Request) -> Response:
        """How far the work on a document is, as it goes on, until it is ready, failed or given up."""
        known = await anyio.to_thread.run_sync(stored, library, owner, document)
        return EventStream(progress(library, owner, known.id, _working(request)))

    return routes


async def progress(library: Library, owner: str, document: str, working: Working) -> AsyncIterator[bytes]:
    """One document's progress, whenever it changes, until its work is over or the server leaves."""
    seen: Told = {}
    async for standings in _looks(lambda: _standings(library, owner, document), working):
        if isinstance(standings, bytes):
            yield standings
            return
        told = _told(standings, working)
        for piece in _changes(seen, told):
            yield piece
        seen = told
        if not any(each.waits for each in standings.values()):
            return


async def all_progress(library: Library, owner: str, working: Working) -> AsyncIterator[bytes]:
    """The progress of all an owner's documents, whenever one changes, comes or goes, until the server leaves."""
    seen: Told | None = None
    async for standings in _looks(lambda: _standings(library, owner), working):
        if isinstance(standings, bytes):
            yield standings
            return
        told = _told(standings, working)
        if seen is None:
            seen = {id: each for id, each in told.items() if not standings[id].waits}
        for piece in _changes(seen, told):
            yield piece
        seen = told


async def _looks(look: Callable[[], Standings], working: Working) -> AsyncIterator[Standings | bytes]:
    """What is found, again and again until the server leaves; what goes wrong is an event, and the last."""
    while not working.closing:
        began = time.monotonic()
        try:
            yield await anyio.to_thread.run_sync(look)
        except PinciteError as error:
            yield sse("error", Trouble(code=error.code, message=error.message, hint=error.hint).model_dump_json())
            return
        took = time.monotonic() - began
        await asyncio.sleep(min(max(_LOOK, _SHARE * took), _LONGEST_LOOK))


def _standings(library: Library, owner: str, document: str | None = None) -> Standings:
    with library.database.reading() as connection:
        return catalogue.standings(connection, owner, document)


def _told(standings: Standings, working: Working) -> Told:
    return {id: _one(id, each, working) for id, each in standings.items()}


def _one(document: str, standing: Standing, working: Working) -> Progress:
    pace = working.pace(document)
    return Progress(
        document=document,
        title=standing.title,
        status=standing.status,
        step=pace.step if pace else None,
        done=pace.done if pace else 0,
        total=pace.total if pace else 0,
        rate=pace.rate if pace else None,
        seconds_left=pace.seconds_left if pace else None,
        error=standing.error or None,
    )


def _changes(seen: Told, told: Told) -> Iterator[bytes]:
    for document, each in told.items():
        if seen.get(document) != each:
            yield sse("progress", each.model_dump_json())
    for document in seen.keys() - told.keys():
        yield sse("removed", Removed(document=document).model_dump_json())


def _working(request: Request) -> Working:
    return cast(Working, request.app.state.working)
