"""How far the work on documents is, over HTTP: a stream for one until it is over, and one for all until one leaves."""

import asyncio
import time
from collections.abc import AsyncIterator
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
from pincite.server.working import Pace, Working
from pincite.store import catalogue
from pincite.store.catalogue import Standing
from pincite.store.jobs import Step
from pincite.types import Status

_LOOK = 0.2  # seconds between two looks at the database, at least
_LONGEST_LOOK = 2.0
_SHARE = 5  # a look that takes long is followed by a pause so many times as long

_SAYS = "`progress` with how far a document is, `removed` when it is gone"
_TYPES = ("progress", "removed", "error")


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
    error_code: Annotated[str, Field(description="The same for programs, as a document has it.")]


class Removed(BaseModel):
    """A document that is no longer there."""

    document: str


CARRIED = (Progress, Removed)

Seen = dict[str, tuple[Standing, Pace | None]]


class Watch:
    """Looks at an owner's documents, or at one of them, and knows what it has told of them already."""

    def __init__(self, library: Library, owner: str, working: Working, document: str | None = None) -> None:
        self._library = library
        self._owner = owner
        self._working = working
        self._document = document
        self._mark: catalogue.Mark | None = None
        self._standings: dict[str, Standing] = {}
        self._seen: Seen | None = None

    @property
    def over(self) -> bool:
        """Whether the one document that is looked at has no work left; of all, one never knows."""
        return self._document is not None and not any(each.waits for each in self._standings.values())

    def look(self) -> list[bytes]:
        """The events of what has changed since the last look; at the first, all that is being worked on."""
        with self._library.database.reading() as connection:
            # What every look would find is not fetched at every look; one document is fetched as soon as marked.
            mark = catalogue.mark(connection, self._owner) if self._document is None else None
            if mark is None or mark != self._mark:
                self._standings = catalogue.standings(connection, self._owner, self._document)
                self._mark = mark
        now = {id: (standing, self._working.pace(id)) for id, standing in self._standings.items()}
        seen = self._seen
        if seen is None:
            seen = {} if self._document else {id: each for id, each in now.items() if not each[0].waits}
        self._seen = now
        changed = [sse("progress", _told(id, *each)) for id, each in now.items() if seen.get(id) != each]
        gone = [sse("removed", Removed(document=id).model_dump_json()) for id in seen if id not in now]
        return changed + gone


def router() -> APIRouter:
    """The routes of progress; to be registered before the one of a single document, whose id might be `events`."""
    routes = APIRouter(tags=["documents"])

    @routes.get(
        "/api/documents/events",
        response_class=EventStream,
        responses=stream(f"{_SAYS}.", *_TYPES, carries=(*CARRIED, Trouble)),
    )
    async def all_events(owner: Owner, library: TheLibrary, request: Request) -> Response:
        """How far all documents are, as it changes, until you leave; first those that are being worked on."""
        working = _working(request)
        return EventStream(told(Watch(library, owner, working), working))

    @routes.get(
        "/api/documents/{document}/events",
        response_class=EventStream,
        responses=stream(f"{_SAYS}; until the work is over.", *_TYPES, carries=(*CARRIED, Trouble)),
    )
    async def events(document: Id, owner: Owner, library: TheLibrary, request: Request) -> Response:
        """How far the work on a document is, as it goes on, until it is ready, failed or given up."""
        known = await anyio.to_thread.run_sync(stored, library, owner, document)
        working = _working(request)
        return EventStream(told(Watch(library, owner, working, known.id), working))

    return routes


async def told(watch: Watch, working: Working) -> AsyncIterator[bytes]:
    """What a watch finds, look by look, until it is over or the server leaves; what goes wrong is the last event."""
    while not working.closing:
        began = time.monotonic()
        try:
            found = await anyio.to_thread.run_sync(watch.look)
        except PinciteError as error:
            yield sse("error", Trouble(code=error.code, message=error.message, hint=error.hint).model_dump_json())
            return
        for event in found:
            yield event
        if watch.over:
            return
        took = time.monotonic() - began
        await asyncio.sleep(min(max(_LOOK, _SHARE * took), _LONGEST_LOOK))


def _told(document: str, standing: Standing, pace: Pace | None) -> str:
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
        error_code=standing.error_code,
    ).model_dump_json()


def _working(request: Request) -> Working:
    return cast(Working, request.app.state.working)
