"""HTTP routes that answer questions, follow answers and stop them."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Annotated, cast

import anyio.to_thread
from fastapi import APIRouter, Header, Query, Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field

from pincite.accounts.audit import Caller
from pincite.accounts.principal import Principal
from pincite.answer.question import AskedQuestion
from pincite.conversations.answer_start import RunningAnswer
from pincite.errors import Damaged, DiskFull, StorageError
from pincite.events import Answer, AnswerFold, Event
from pincite.library import Library
from pincite.llm.providers import is_offered_model
from pincite.llm.stored_models import read_stored_models
from pincite.server.dependencies import Body, Id, Owner, TheCaller, TheConversations, TheLibrary
from pincite.server.error_responses import Trouble, make_problem
from pincite.server.event_stream import EventStream, stream_events
from pincite.server.openapi import describe_stream
from pincite.server.question_bodies import Chat, QuestionBody, Search, needs_lookup, parse_question

_STORAGE = (StorageError.code, DiskFull.code, Damaged.code)
LAST = 2**31 - 1  # the largest number an event can have


class Stop(Body):
    """Choose what to stop."""

    retrieval: Annotated[
        bool,
        Field(description="Stop only searches and reading; the model then answers from the sources found so far."),
    ] = False


class Stopped(BaseModel):
    """Whether an answer was stopped."""

    stopped: bool


class Told(Answer):
    """An answer, with an error if it is incomplete."""

    error: Annotated[
        Trouble | None, Field(description="The error that ended the answer early; absent if there was none.")
    ] = None


def router() -> APIRouter:
    """Return the routes that answer questions."""
    routes = APIRouter(tags=["answers"])

    @routes.post("/api/chat", response_class=EventStream, responses=describe_stream("The answer as it is written."))
    async def chat(asking: Chat, caller: TheCaller, library: TheLibrary, conversations: TheConversations) -> Response:
        """Ask a question in a conversation, or in a new one, and receive the answer as server-sent events.

        Each event is stored before it is sent. After a lost connection, continue with
        `GET /api/conversations/{id}/events?after=N`. Closing the connection does not stop the answer; `POST …/stop`
        does. The response headers `X-Conversation-Id` and `X-Message-Id` name the conversation and the answer.
        """
        asked = await load_question(asking, caller.principal, library)
        running = await conversations.ask(asked, asking.conversation_id, asking.replaces, caller)
        events = conversations.events(caller.principal.user, running.conversation, running.after)
        headers = {"X-Conversation-Id": running.conversation, "X-Message-Id": running.message}
        return EventStream(stream_events(follow_answer(events, running)), headers)

    @routes.get(
        "/api/conversations/{conversation}/events",
        response_class=EventStream,
        responses={
            **describe_stream("The stored events after `after`, then new events as they arrive."),
            204: {"description": "Sent to a reconnecting browser if no event is missing and no answer is running."},
        },
    )
    async def events(
        conversation: Id,
        owner: Owner,
        conversations: TheConversations,
        after: Annotated[int, Query(ge=0, le=LAST, description="Number of the last event you have.")] = 0,
        brief: Annotated[
            bool,
            Query(
                description="Leave out the `text`, `citation` and `usage` events of finished messages; "
                "their `message_completed` event contains the same data."
            ),
        ] = False,
        last_event_id: Annotated[
            str | None, Header(description="The same as `after`; browsers send it when they reconnect.")
        ] = None,
    ) -> Response:
        """Stream the events of a conversation after a number, and new ones until no answer is running."""
        running = await conversations.settle(owner, conversation)
        if last_event_id and last_event_id.isdecimal():
            after = max(after, min(int(last_event_id[:12]), LAST))
            if running is None and after >= await conversations.last(owner, conversation):
                return Response(status_code=204)
        return EventStream(stream_events(conversations.events(owner, conversation, after, brief)))

    @routes.post("/api/conversations/{conversation}/stop")
    async def stop(
        conversation: Id, owner: Owner, conversations: TheConversations, what: Stop | None = None
    ) -> Stopped:
        """Stop the running answer of a conversation and keep the text written so far.

        With `retrieval`, stop only its searches and reading; the model then answers from the sources found so far.
        `retrieval` works only for answers of this server process.
        """
        if what and what.retrieval:
            return Stopped(stopped=await conversations.stop_retrieval(owner, conversation))
        return Stopped(stopped=await conversations.stop(owner, conversation))

    @routes.post(
        "/api/search",
        response_model=Told,
        responses=describe_stream("The answer, or its events with `stream`."),
    )
    async def search(
        asking: Search, caller: TheCaller, library: TheLibrary, conversations: TheConversations, request: Request
    ) -> Response:
        """Ask a question outside any conversation. Nothing is stored but the cost.

        The response is the answer, or its events with `stream`. Closing the connection stops the answer.
        """
        asked = await load_question(asking, caller.principal, library)
        events = await conversations.ask_once(asked, caller)
        return EventStream(stream_events(events)) if asking.stream else await _collect_answer(events, request)

    return routes


async def load_question(asking: QuestionBody, caller: Principal, library: Library) -> AskedQuestion:
    """Return the question of a request, with everything that it names looked up in the database.

    Raise `Denied` if it names a project, which is a folder of the server's machine, or a model that is neither set nor
    priced by the server's owner, without the scope `admin`.
    """
    if asking.project:
        caller.check_scope("admin")
    named = [name for name in (asking.chat_model, asking.system_model) if name]
    if named and "admin" not in caller.scopes:
        stored = await anyio.to_thread.run_sync(read_stored_models, library.settings, library.database)
        if not all(is_offered_model(stored.settings, name, stored.added) for name in named):
            caller.check_scope("admin")
    if not needs_lookup(asking):
        return parse_question(asking, caller.user, library)
    return await anyio.to_thread.run_sync(parse_question, asking, caller.user, library)


def check_project_scope(asked: AskedQuestion, caller: Caller) -> None:
    """Raise `Denied` if a question is about a folder of the server's machine, and its caller may not read those."""
    if asked.project:
        caller.principal.check_scope("admin")


async def follow_answer(events: AsyncIterator[Event], running: RunningAnswer) -> AsyncIterator[Event]:
    """Yield the events of one answer only. The conversation's stream may already contain the next answer."""
    async for event in events:
        yield event
        if event.type == "message_completed" and event.messageId == running.message:
            return


async def _collect_answer(events: AsyncIterator[Event], request: Request) -> Response:
    """Return the answer at the end of a stream, or its error. Stop if the client disconnects."""

    async def last() -> Response:
        folded = AnswerFold()
        async with aclosing(cast("AsyncGenerator[Event]", events)) as stream:
            async for event in stream:
                folded.add(event)
                if folded.completed:
                    break
        answer, fault = folded.completed, folded.fault
        if answer is None:
            message = "The answer ended before it was complete."
            return make_problem(503, "busy", message, "Ask again; the server's log says why.")
        if fault and not answer.answer:
            status = 503 if fault.code in _STORAGE else 502
            return make_problem(status, fault.code, fault.message, fault.hint, reason=fault.reason, params=fault.params)
        return JSONResponse(answer.model_dump() | ({"error": fault.model_dump()} if fault else {}))

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
