"""The routes that a command of the same user calls, so that it need not load anything itself.

They are no part of the public surface: a command shows the secret of the data folder's `server.json` and is otherwise
told that there is nothing here.
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

from pincite.agent.given import Given, find_conversation, list_days, suggest_next
from pincite.agent.turn import Asked
from pincite.conversations import Conversations
from pincite.errors import Encrypted, Misuse, PinciteError
from pincite.events import Answer, Event
from pincite.retrieval.request import SearchRequest, run_search
from pincite.server.doors import TheConversations, house
from pincite.server.streaming import EventStream
from pincite.store.database import Database
from pincite.store.server_file import ServerFile


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid")


class CommandQuestion(_Body):
    """A question as `pincite ask` was given it."""

    question: str
    conversation: str | None = None
    given: Given = Given()


class Interruption(_Body):
    """The message that is being written, and whether ending its searches is enough."""

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
        """Prove that this is the server of the file, before a command tells it anything."""
        mine: ServerFile | None = request.app.state.server_file
        if mine is None or not 16 <= len(nonce) <= 200:
            raise HTTPException(404)
        return {"proof": mine.prove(nonce)}

    @routes.post("/ask", dependencies=guarded, response_model=None)
    async def ask(request: Request, body: CommandQuestion, talks: TheConversations) -> EventStream | JSONResponse:
        """Answer as the command would: the events line by line, and at the end what it shows besides."""
        settings, database = house(request).settings, house(request).library.database
        try:
            asked = await anyio.to_thread.run_sync(body.given.asked, body.question, settings, database)
            if body.conversation is None:
                id, said = None, talks.once(asked)
            else:
                found = await anyio.to_thread.run_sync(find_conversation, database, settings.owner, body.conversation)
                running = await talks.ask(asked, found)
                id, said = running.conversation, talks.events(settings.owner, running.conversation, running.after)
        except PinciteError as error:
            return _refuse(error)
        return EventStream(_lines(_followed(talks, settings.owner, id, said), database, asked, id))

    @routes.post("/stop", dependencies=guarded)
    async def stop(body: Interruption, talks: TheConversations) -> dict[str, str]:
        """End the searches of an answer, or the answer."""
        return {"stopped": talks.interrupt(body.message, body.searches)}

    @routes.post("/search", dependencies=guarded, response_model=None)
    def search(request: Request, body: SearchRequest) -> dict[str, Any] | JSONResponse:
        """Search as the command would."""
        settings, database = house(request).settings, house(request).library.database
        try:
            found = run_search(body, settings.owner, database, house(request).search)
        except PinciteError as error:
            return _refuse(error)
        return asdict(found)

    return routes


def _refuse(error: PinciteError) -> JSONResponse:
    is_misuse = isinstance(error, Misuse | Encrypted)
    return JSONResponse({"message": error.message, "hint": error.hint, "is_misuse": is_misuse}, 422)


async def _followed(
    talks: Conversations, owner: str, conversation: str | None, said: AsyncIterator[Event]
) -> AsyncIterator[Event]:
    """The events of an answer; when the command leaves before the end, the answer is stopped."""
    is_over = False
    try:
        async for event in said:
            is_over = event.type == "message_completed"
            yield event
    finally:
        if conversation and not is_over:
            with anyio.CancelScope(shield=True):
                await talks.stop(owner, conversation)
        elif not conversation:
            await cast("Any", said).aclose()


async def _lines(
    said: AsyncIterator[Event], database: Database, asked: Asked, conversation: str | None
) -> AsyncIterator[bytes]:
    answer: Answer | None = None
    try:
        async for event in said:
            if event.type == "message_completed":
                answer = Answer.model_validate(event.data)
            yield event.model_dump_json().encode() + b"\n"
        end: dict[str, Any] = {"conversation": conversation}
        if answer:
            asked = replace(asked, conversation=conversation or "")
            end["hint"] = await anyio.to_thread.run_sync(suggest_next, database, asked, answer)
            end["days"] = await anyio.to_thread.run_sync(list_days, database, asked.scope.owner, answer)
        yield json.dumps({"end": end}).encode() + b"\n"
    except PinciteError as error:
        refused = {"message": error.message, "hint": error.hint, "is_misuse": isinstance(error, Misuse)}
        yield json.dumps({"refused": refused}).encode() + b"\n"
    finally:
        await cast("Any", said).aclose()
