"""HTTP routes for commands of the same user, which then need not load the models themselves.

They are not part of the public API. A command sends the secret from `server.json` in the data folder; without it, the
routes return 404.
"""

import hmac
import json
from collections.abc import AsyncIterator
from dataclasses import asdict, replace
from typing import Annotated, Any, cast

import anyio
import anyio.to_thread
from fastapi import APIRouter, Depends, Header, HTTPException, Request
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict

from pincite.answer.question import AskedQuestion
from pincite.answer.question_options import QuestionOptions, find_conversation, list_fetch_days, suggest_next
from pincite.conversations import Conversations
from pincite.errors import Encrypted, Misuse, PinciteError
from pincite.events import Answer, Event
from pincite.notebooks.asked_notebook import add_notebook
from pincite.search.request import SearchRequest, run_search
from pincite.server.dependencies import TheConversations, get_services
from pincite.server.event_stream import EventStream
from pincite.store.database import Database
from pincite.store.server_file import ServerFile


class _CommandBody(BaseModel):
    model_config = ConfigDict(extra="forbid")


class CommandQuestion(_CommandBody):
    """The question and options of a `pincite ask` command."""

    question: str
    conversation: str | None = None
    given: QuestionOptions = QuestionOptions()


class Interruption(_CommandBody):
    """The running message, and whether to stop only its searches."""

    message: str
    searches: bool = True


def _check_token(request: Request, authorization: Annotated[str, Header()] = "") -> None:
    mine: ServerFile | None = request.app.state.server_file
    if mine is None or not hmac.compare_digest(authorization.encode(), f"Bearer {mine.token}".encode()):
        raise HTTPException(404)


def router() -> APIRouter:
    routes = APIRouter(prefix="/api/command", include_in_schema=False)
    guarded = [Depends(_check_token)]

    @routes.get("/hello")
    def hello(request: Request, nonce: str) -> dict[str, str]:
        """Prove that this server knows the secret, before a command sends it anything."""
        mine: ServerFile | None = request.app.state.server_file
        if mine is None or not 16 <= len(nonce) <= 200:
            raise HTTPException(404)
        return {"proof": mine.prove(nonce)}

    @routes.post("/ask", dependencies=guarded, response_model=None)
    async def ask(
        request: Request, body: CommandQuestion, conversations: TheConversations
    ) -> EventStream | JSONResponse:
        """Answer a question for a command: one event per line, then the other data that the command shows."""
        settings, library = get_services(request).settings, get_services(request).library
        database = library.database

        def make_question() -> AskedQuestion:
            return add_notebook(library, body.given.asked(body.question, settings, database), body.given.notebook)

        try:
            asked = await anyio.to_thread.run_sync(make_question)
            if body.conversation is None:
                id, events = None, await conversations.ask_once(asked)
            else:
                found = await anyio.to_thread.run_sync(find_conversation, database, settings.owner, body.conversation)
                running = await conversations.ask(asked, found)
                id, events = (
                    running.conversation,
                    conversations.events(settings.owner, running.conversation, running.after),
                )
        except PinciteError as error:
            return _make_refusal(error)
        return EventStream(
            _encode_lines(_follow_events(conversations, settings.owner, id, events), database, asked, id)
        )

    @routes.post("/stop", dependencies=guarded)
    async def stop(request: Request, body: Interruption, conversations: TheConversations) -> dict[str, str]:
        """Stop the searches of an answer, or the answer."""
        owner = get_services(request).settings.owner
        return {"stopped": conversations.interrupt(owner, body.message, body.searches)}

    @routes.post("/search", dependencies=guarded, response_model=None)
    def search(request: Request, body: SearchRequest) -> dict[str, Any] | JSONResponse:
        """Search for a command."""
        settings, database = get_services(request).settings, get_services(request).library.database
        try:
            found = run_search(body, settings.owner, database, get_services(request).search)
        except PinciteError as error:
            return _make_refusal(error)
        return asdict(found)

    return routes


def _make_refusal(error: PinciteError) -> JSONResponse:
    is_misuse = isinstance(error, Misuse | Encrypted)
    return JSONResponse({"message": error.message, "hint": error.hint, "is_misuse": is_misuse}, 422)


async def _follow_events(
    conversations: Conversations, owner: str, conversation: str | None, events: AsyncIterator[Event]
) -> AsyncIterator[Event]:
    """Yield the events of an answer. Stop the answer if the command disconnects early."""
    is_over = False
    try:
        async for event in events:
            is_over = event.type == "message_completed"
            yield event
    finally:
        if conversation and not is_over:
            with anyio.CancelScope(shield=True):
                await conversations.stop(owner, conversation)
        elif not conversation:
            await cast("Any", events).aclose()


async def _encode_lines(
    events: AsyncIterator[Event], database: Database, asked: AskedQuestion, conversation: str | None
) -> AsyncIterator[bytes]:
    answer: Answer | None = None
    try:
        async for event in events:
            if event.type == "message_completed":
                answer = Answer.model_validate(event.data)
            yield event.model_dump_json().encode() + b"\n"
        end: dict[str, Any] = {"conversation": conversation}
        if answer:
            asked = replace(asked, conversation=conversation or "")
            end["hint"] = suggest_next(asked, answer)
            end["days"] = await anyio.to_thread.run_sync(list_fetch_days, database, asked.scope.owner, answer)
        yield json.dumps({"end": end}).encode() + b"\n"
    except PinciteError as error:
        refused = {"message": error.message, "hint": error.hint, "is_misuse": isinstance(error, Misuse)}
        yield json.dumps({"refused": refused}).encode() + b"\n"
    finally:
        await cast("Any", events).aclose()
