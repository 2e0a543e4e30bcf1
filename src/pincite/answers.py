"""The heart: a turn in, everything it says out, as it says it. The answer itself always comes last."""

import asyncio
import logging
import uuid
from collections.abc import AsyncIterator

import pydantic_ai
from pydantic_ai.exceptions import AgentRunError, UserError

from pincite import events
from pincite.agent.faults import explained
from pincite.agent.following import speak
from pincite.agent.speaking import Heard
from pincite.agent.telling import Telling
from pincite.agent.turn import Turn
from pincite.errors import PinciteError

log = logging.getLogger(__name__)

pydantic_ai.BANNER_ENABLED = False  # the terminal is the asker's, not the framework's


async def answer(turn: Turn) -> AsyncIterator[events.Data]:
    """What a turn says: how the question is understood, what is looked up and found, the words, and their proof."""
    asked = turn.asked
    yield events.MessageStarted(
        conversationId=asked.conversation,
        questionId=asked.question_id,
        question=asked.question,
        model=turn.models.chat.name,
        focus=asked.focus,
    )
    telling = Telling(turn)
    try:
        async for heard in _until_stopped(turn, speak(turn)):
            async for data in telling.hear(heard):
                yield data
        if not turn.stopped.is_set():
            async for data in telling.end():
                yield data
    except PinciteError as error:
        yield events.Fault(code=error.code, message=error.message, hint=error.hint)
    except (AgentRunError, UserError) as error:
        told = explained(error)
        yield events.Fault(code=told.code, message=told.message, hint=told.hint)
    except Exception:  # the one barrier: whatever is wrong inside, the turn ends with an answer
        id = uuid.uuid4().hex[:8]
        log.exception("A turn failed (%s).", id)
        yield events.Fault(code="fault", message=f"A fault of ours ended this answer ({id}).", hint="Please report it.")
    yield turn.usage
    yield telling.answer(stopped=turn.stopped.is_set())


async def _until_stopped(turn: Turn, source: AsyncIterator[Heard]) -> AsyncIterator[Heard]:
    """The same, until the turn is stopped: then whatever is under way is ended at once."""
    queue: asyncio.Queue[Heard | None] = asyncio.Queue()

    async def listen() -> None:
        # One task from the first word to the last: what the framework opens, it must close in the same.
        try:
            async for heard in source:
                queue.put_nowait(heard)
        finally:
            queue.put_nowait(None)

    async def stop() -> None:
        await turn.stopped.wait()
        listening.cancel()

    listening, stopping = asyncio.create_task(listen()), asyncio.create_task(stop())
    try:
        while (heard := await queue.get()) is not None and not turn.stopped.is_set():
            yield heard
        if not turn.stopped.is_set():
            await listening
    finally:
        for task in (listening, stopping):
            task.cancel()
        await asyncio.gather(listening, stopping, return_exceptions=True)
