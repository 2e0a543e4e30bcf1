"""HTTP routes that stream the progress of one document until its work ends, or of all until the client disconnects."""

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Annotated, cast

import anyio
import anyio.to_thread
from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, Field

from pincite.errors import PinciteError
from pincite.library import Library
from pincite.server.background_worker import BackgroundWorker, WorkPace
from pincite.server.dependencies import Id, Owner, TheLibrary
from pincite.server.document_news import DocumentNews
from pincite.server.document_routes import find_document
from pincite.server.error_responses import Trouble, describe_trouble
from pincite.server.event_stream import EventStream, encode_event
from pincite.server.openapi import describe_stream
from pincite.store import catalogue, job_queue
from pincite.store.catalogue import DocumentProgress
from pincite.store.job_queue import Step
from pincite.types import Status

_LOOK = 0.2  # minimum seconds between two queries of the database
_LONGEST_LOOK = 2.0
_SHARE = 5  # the pause is this many times as long as the query took

_SAYS = "`progress` events with the state of a document, `removed` when it was removed"
_TYPES = ("progress", "removed", "error")


class ProgressInfo(BaseModel):
    """The progress of the work on one document."""

    document: str
    title: str
    status: Status
    step: Annotated[Step | None, Field(description="The step that a worker is working on; null if none.")]
    done: Annotated[int, Field(description="Pages done in the step `read`, passages in `embed`.")]
    total: int
    rate: Annotated[float | None, Field(description="Pages or passages per second; null until known.")]
    seconds_left: Annotated[float | None, Field(description="Remaining seconds of this step; null until known.")]
    error: Annotated[str | None, Field(description="Why the document failed or has no vectors.")]
    error_code: Annotated[str, Field(description="Code of the error, as in a document.")]


class Removed(BaseModel):
    """A document that was removed."""

    document: str


CARRIED = (ProgressInfo, Removed)

Seen = dict[str, tuple[DocumentProgress, WorkPace | None]]


class ProgressWatcher:
    """Watches an owner's documents, or one of them, and remembers the states already reported."""

    def __init__(self, library: Library, owner: str, working: BackgroundWorker, document: str | None = None) -> None:
        self._library = library
        self.owner = owner
        self._working = working
        self._document = document
        self._mark: catalogue.Mark | None = None
        self._standings: dict[str, DocumentProgress] = {}
        self._seen: Seen | None = None

    @property
    def over(self) -> bool:
        """Whether the watched document has no work left. Always false if all documents are watched."""
        return self._document is not None and not any(each.waits for each in self._standings.values())

    def look(self) -> list[bytes]:
        """Return the events for all changes since the last look; the first time, for all documents with work left."""
        with self._library.database.reading() as connection:
            # For all documents, the states are only fetched if the mark has changed. One document costs no more.
            mark = catalogue.compute_mark(connection, self.owner) if self._document is None else None
            if mark is None or mark != self._mark:
                self._standings = catalogue.list_progress(connection, self.owner, self._document)
                self._mark = mark
            waiting = any(standing.waits for standing in self._standings.values())
            running = {each.document: each for each in job_queue.list_running(connection)} if waiting else {}
        now = {
            id: (standing, self._working.get_progress(id, running.get(id))) for id, standing in self._standings.items()
        }
        seen = self._seen
        if seen is None:
            seen = {} if self._document else {id: each for id, each in now.items() if not each[0].waits}
        self._seen = now
        changed = [
            encode_event("progress", _encode_progress(id, *each)) for id, each in now.items() if seen.get(id) != each
        ]
        gone = [encode_event("removed", Removed(document=id).model_dump_json()) for id in seen if id not in now]
        return changed + gone


def router() -> APIRouter:
    """Return the routes for progress. Register them before `/api/documents/{document}`, which would match `events`."""
    routes = APIRouter(tags=["documents"])

    @routes.get(
        "/api/documents/events",
        response_class=EventStream,
        responses=describe_stream(f"{_SAYS}.", *_TYPES, carries=(*CARRIED, Trouble)),
    )
    async def all_events(owner: Owner, library: TheLibrary, request: Request) -> Response:
        """Stream the progress of all documents until you disconnect, beginning with those that have work left."""
        working = _get_worker(request)
        return EventStream(stream_progress(ProgressWatcher(library, owner, working), working, _get_news(request)))

    @routes.get(
        "/api/documents/{document}/events",
        response_class=EventStream,
        responses=describe_stream(f"{_SAYS}; the stream ends with the work.", *_TYPES, carries=(*CARRIED, Trouble)),
    )
    async def events(document: Id, owner: Owner, library: TheLibrary, request: Request) -> Response:
        """Stream the progress of a document until it is ready, failed or cancelled."""
        known = await anyio.to_thread.run_sync(find_document, library, owner, document)
        working = _get_worker(request)
        watcher = ProgressWatcher(library, owner, working, known.id)
        return EventStream(stream_progress(watcher, working, _get_news(request)))

    return routes


async def stream_progress(
    watch: ProgressWatcher, working: BackgroundWorker, news: DocumentNews
) -> AsyncIterator[bytes]:
    """Yield the events of a watcher until its work is over or the server stops. An error becomes the last event."""
    while not working.closing:
        began = time.monotonic()
        told = news.listen(watch.owner)
        try:
            found = await anyio.to_thread.run_sync(watch.look)
        except PinciteError as error:
            yield encode_event("error", describe_trouble(error).model_dump_json())
            return
        for event in found:
            yield event
        if watch.over:
            return
        took = time.monotonic() - began
        pause = min(max(_LOOK, _SHARE * took), _LONGEST_LOOK)
        await asyncio.sleep(pause)
        if news.delivers:
            # Those of documents that others share with this person are not told, and wait for the next look.
            with anyio.move_on_after(_LONGEST_LOOK - pause):
                await told.wait()


def _encode_progress(document: str, standing: DocumentProgress, pace: WorkPace | None) -> str:
    return ProgressInfo(
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


def _get_news(request: Request) -> DocumentNews:
    return cast(DocumentNews, request.app.state.document_news)


def _get_worker(request: Request) -> BackgroundWorker:
    return cast(BackgroundWorker, request.app.state.working)
