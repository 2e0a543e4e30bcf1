"""Questions over HTTP: asked, followed, stopped; in a conversation, or without one."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Annotated, cast

import anyio.to_thread
from fastapi import APIRouter, Header, Query, Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field

from pincite.agent.turn import Asked
from pincite.conversations import Running
from pincite.errors import Damaged, DiskFull, StorageError
from pincite.events import Answer, Event
from pincite.server.asking import Chat, Question, Search, names_stored, understood
from pincite.server.describing import stream
from pincite.server.doors import Body, Id, Owner, TheConversations, TheLibrary
from pincite.server.errors import Trouble, problem
from pincite.server.streaming import EventStream, told
from pincite.store.database import Database

_STORAGE = (StorageError.code, DiskFull.code, Damaged.code)
LAST = 2**31 - 1  # the largest number an event can have


class Stop(Body):
    """What is to be stopped."""

    retrieval: Annotated[
        bool, Field(description="Only searches and reading; the model then answers from what was found.")
    ] = False


class Stopped(BaseModel):
    """Whether there was an answer to stop."""

    stopped: bool


class Told(Answer):
    """An answer, and what went wrong if it is not whole."""

    error: Annotated[Trouble | None, Field(description="What ended it before its end; left out where nothing did.")] = (
        None
    )


def router() -> APIRouter:
    """The routes that answer."""
    routes = APIRouter(tags=["answers"])

    @routes.post("/api/chat", response_class=EventStream, responses=stream("The answer as it is written."))
    async def chat(asking: Chat, owner: Owner, library: TheLibrary, talk: TheConversations) -> Response:
        """Ask in a conversation, or begin one, and follow the answer as it is written.

        Each event is stored before it is sent: a client that lost its connection goes on with
        `GET /api/conversations/{id}/events?after=N`. Leaving does not stop the answer; `POST …/stop` does.
        """
        asked = await _understood(asking, owner, library.database)
        running = await talk.ask(asked, asking.conversation_id, asking.replaces)
        events = talk.events(owner, running.conversation, running.after)
        headers = {"X-Conversation-Id": running.conversation, "X-Message-Id": running.message}
        return EventStream(told(until_answered(events, running)), headers)

    @routes.get(
        "/api/conversations/{conversation}/events",
        response_class=EventStream,
        responses={
            **stream("What was missed, then the rest as it comes."),
            204: {"description": "To a browser that comes back by itself: nothing is missing, and nothing runs."},
        },
    )
    async def events(
        conversation: Id,
        owner: Owner,
        talk: TheConversations,
        after: Annotated[int, Query(ge=0, le=LAST, description="The last event that is known.")] = 0,
        brief: Annotated[
            bool,
            Query(
                description="Leave out `text`, `citation` and `usage` of messages that are over: "
                "their `message_completed` has it all."
            ),
        ] = False,
        last_event_id: Annotated[str | None, Header(description="The same, as browsers say it.")] = None,
    ) -> Response:
        """The events of a conversation after a number, and those that are still to come until nothing runs."""
        running = await talk.settle(owner, conversation)
        if last_event_id and last_event_id.isdecimal():
            after = max(after, min(int(last_event_id[:12]), LAST))
            if running is None and after >= await talk.last(owner, conversation):
                return Response(status_code=204)
        return EventStream(told(talk.events(owner, conversation, after, brief)))

    @routes.post("/api/conversations/{conversation}/stop")
    async def stop(conversation: Id, owner: Owner, talk: TheConversations, what: Stop | None = None) -> Stopped:
        """Stop the answer that is being written; what was written until then is kept.

        With `retrieval` only searches and reading end, and the model answers from what was found. This reaches answers
        of this process alone.
        """
        if what and what.retrieval:
            return Stopped(stopped=await talk.stop_retrieval(owner, conversation))
        return Stopped(stopped=await talk.stop(owner, conversation))

    @routes.post(
        "/api/search",
        response_model=Told,
        responses=stream("The answer, or with `stream` its events."),
    )
    async def search(
        asking: Search, owner: Owner, library: TheLibrary, talk: TheConversations, request: Request
    ) -> Response:
        """Ask without a conversation: one answer, or with `stream` its events. Closing the connection stops it."""
        asked = await _understood(asking, owner, library.database)
        said = talk.once(asked)
        return EventStream(told(said)) if asking.stream else await _whole(said, request)

    return routes


async def _understood(asking: Question, owner: str, database: Database) -> Asked:
    if not names_stored(asking):
        return understood(asking, owner, database)
    return await anyio.to_thread.run_sync(understood, asking, owner, database)


async def until_answered(events: AsyncIterator[Event], running: Running) -> AsyncIterator[Event]:
    """The events of one answer: somebody may ask the next question before this stream has ended."""
    async for event in events:
        yield event
        if event.type == "message_completed" and event.messageId == running.message:
            return


async def _whole(said: AsyncIterator[Event], request: Request) -> Response:
    """The answer at the end of a stream, or what went wrong; a client that leaves ends both."""

    async def last() -> Response:
        fault: Event | None = None
        async with aclosing(cast("AsyncGenerator[Event]", said)) as events:
            async for event in events:
                fault = event if event.type == "error" else fault
                if event.type == "message_completed":
                    if fault and not event.data["answer"]:
                        status = 503 if fault.data["code"] in _STORAGE else 502
                        return problem(status, fault.data["code"], fault.data["message"], fault.data["hint"])
                    return JSONResponse({**event.data, "error": fault.data} if fault else event.data)
        return problem(503, "busy", "The answer ended before its end.", "Ask again; the server's log says why.")

    async def gone() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass

    answer, left = asyncio.create_task(last()), asyncio.create_task(gone())
    try:
        await asyncio.wait([answer, left], return_when=asyncio.FIRST_COMPLETED)
        return answer.result() if answer.done() else Response(status_code=499)
    finally:
        for task in (answer, left):
            task.cancel()
        await asyncio.gather(answer, left, return_exceptions=True)
