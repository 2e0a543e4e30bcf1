"""The heart: a turn in, everything it says out, as it says it. The answer itself always comes last."""

import asyncio
import logging
import uuid
from collections.abc import AsyncIterator, Coroutine
from typing import Any, TypeVar

from pincite import events
from pincite.agent.following import speak
from pincite.agent.hearing import Heard, Spoken
from pincite.agent.judging import Judging, Settled
from pincite.agent.source_log import log_sources
from pincite.agent.telling import Telling
from pincite.agent.turn import Turn
from pincite.errors import PinciteError

log = logging.getLogger(__name__)

T = TypeVar("T")

_Queue = asyncio.Queue[Heard | Settled | None]


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
    queue: _Queue = asyncio.Queue()
    telling = Telling(turn)
    try:
        for stage in (_write(turn, telling, queue), _prove(turn, telling, queue)):
            async for data in _guard(stage):
                yield data
    finally:
        if telling.judging:
            telling.judging.stop()
    async for data in telling.settle_rest():
        yield data
    while turn.said:
        yield turn.said.popleft()
    log_sources(asked.question_id, turn.ledger.listed, turn.outbound.sent)
    yield turn.usage
    yield telling.answer(stopped=turn.stopped.is_set())


async def _write(turn: Turn, telling: Telling, queue: _Queue) -> AsyncIterator[events.Data]:
    """The words of the answer, from the first search to the last sentence."""
    is_open = False
    async for heard in _listen(turn, speak(turn), queue):
        if isinstance(heard, Spoken) and not is_open:
            is_open = True  # only now it is known whether the answer must rest on evidence
            try:
                if judge := await asyncio.to_thread(turn.house.judge, turn):
                    telling.judging = Judging(judge, queue.put_nowait)
            except PinciteError as error:
                yield events.Fault(code=error.code, message=error.message, hint=error.hint)
        async for data in telling.hear(heard):
            yield data
    if not turn.stopped.is_set():
        async for data in telling.end():
            yield data


async def _prove(turn: Turn, telling: Telling, queue: _Queue) -> AsyncIterator[events.Data]:
    """What follows the last word: the verdicts that are still out, the repair, and the end of a refusal."""
    judging = telling.judging
    if judging:
        judging.flush()
        while (judging.open or not queue.empty()) and (settled := await _take(turn, queue)) is not None:
            async for data in telling.hear(settled):
                yield data
    settings = turn.house.settings.answers
    repairs = telling.strict if settings.repair is None else settings.repair
    if repairs and judging and turn.writes and not turn.stopped.is_set() and (flawed := telling.list_flawed()):
        from pincite.agent.repairing import correct_sentences

        corrections = await _unless_stopped(turn, correct_sentences(turn, flawed))
        async for data in telling.repair(corrections or []):
            yield data
    if not turn.stopped.is_set():
        async for data in telling.close():
            yield data


async def _listen(turn: Turn, source: AsyncIterator[Heard], queue: _Queue) -> AsyncIterator[Heard | Settled]:
    """Everything that is heard, with the judge's words among it, until the source ends or the turn is stopped."""

    async def listen() -> None:
        # One task from the first word to the last: what the framework opens, it must close in the same.
        try:
            async for heard in source:
                queue.put_nowait(heard)
        finally:
            queue.put_nowait(None)

    listening = asyncio.create_task(listen())
    try:
        while (heard := await _take(turn, queue)) is not None:
            yield heard
        if not turn.stopped.is_set():
            await listening
    finally:
        listening.cancel()
        await asyncio.gather(listening, return_exceptions=True)
    # Words that were heard before the stop are part of the answer.
    while not queue.empty():
        if (heard := queue.get_nowait()) is not None:
            yield heard


async def _take(turn: Turn, queue: _Queue) -> Heard | Settled | None:
    """The next thing in a queue; None when the turn is stopped before there is one."""
    if turn.stopped.is_set():
        return None
    if not queue.empty():
        return queue.get_nowait()
    return await _unless_stopped(turn, queue.get())


async def _unless_stopped(turn: Turn, work: Coroutine[Any, Any, T]) -> T | None:
    """The result of some work; None when the turn is stopped before it is there."""
    working, stopping = asyncio.ensure_future(work), asyncio.ensure_future(turn.stopped.wait())
    try:
        await asyncio.wait((working, stopping), return_when=asyncio.FIRST_COMPLETED)
        return working.result() if working.done() else None
    finally:
        for task in (working, stopping):
            task.cancel()
        await asyncio.gather(working, stopping, return_exceptions=True)


async def _guard(stage: AsyncIterator[events.Data]) -> AsyncIterator[events.Data]:
    """The events of a stage; an error ends it with a fault that says what happened, and the answer goes on."""
    try:
        async for data in stage:
            yield data
    except PinciteError as error:
        yield events.Fault(code=error.code, message=error.message, hint=error.hint)
    except Exception:  # the one barrier: whatever is wrong inside, the turn ends with an answer
        id = uuid.uuid4().hex[:8]
        log.exception("A turn failed (%s).", id)
        yield events.Fault(code="fault", message=f"A fault of ours ended this answer ({id}).", hint="Please report it.")
