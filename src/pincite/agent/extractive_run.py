"""A run without a model: the answerer that quotes calls the tools and answers, and the agent framework is not needed.

It is heard as a run of a model is: `framework_run` is the other kind.
"""

import asyncio
import uuid
from collections.abc import AsyncIterator, Sequence
from functools import partial

import anyio.to_thread

from pincite import events
from pincite.agent.extractive import Extractive, decline_chat
from pincite.agent.extractive.calls import Call, Returned
from pincite.agent.faults import over_limit
from pincite.agent.hearing import Heard, Spoken, failed, started, succeeded
from pincite.agent.tool_call import RunContext, ToolFailed
from pincite.agent.tools import call_tool, offered
from pincite.agent.turn import Turn
from pincite.events import Medium
from pincite.store.documents import StoredDocument
from pincite.types import Evidence


async def run_extractive(turn: Turn, prompt: str, has_tools: bool) -> AsyncIterator[Heard]:
    """What is heard of one run. It costs the turn requests and calls as a run of a model does, within the same limits.

    `turn.prior` are calls that were made for it before. Without tools there is nothing to quote from.
    """
    turn.cut = None
    if not has_tools:
        turn.spend(events.Usage(requests=1))
        yield Spoken(decline_chat(prompt))
        return
    model = Extractive(turn.house.embedder)
    known = model.know(turn)
    returned = [_read(Call(each.tool, tuple(each.given.items())), each.found) for each in turn.prior]
    left, requests, successes = turn.left, 0, 0
    try:
        while True:
            if requests >= left.requests:
                raise over_limit("requests")
            requests += 1
            respond = partial(model.respond, prompt, offered(turn), tuple(returned), known)
            calls, composed = await anyio.to_thread.run_sync(respond, abandon_on_cancel=True)
            if not calls:
                break
            if successes + len(calls) > left.tool_calls:
                raise over_limit("tool_calls")
            async for heard in _call(turn, calls, returned):
                successes += isinstance(heard, events.ToolCallSuccess)
                yield heard
        for part in composed:
            yield part
        while turn.said:
            yield turn.said.popleft()
    finally:
        turn.spend(events.Usage(requests=requests, tool_calls=successes))


async def _call(turn: Turn, calls: Sequence[Call], returned: list[Returned]) -> AsyncIterator[Heard]:
    """What is heard of calls that run side by side; what they give is added to `returned`, in their order."""
    ids = [uuid.uuid4().hex for _ in calls]
    for call, id in zip(calls, ids, strict=True):
        yield started(call.tool, id, dict(call.given))
    tasks = [asyncio.create_task(_make(turn, call), name=call.tool) for call in calls]
    waiting = dict(zip(tasks, ids, strict=True))
    try:
        while waiting:
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            for task in [task for task in waiting if task.done()]:
                _, ended = task.result()
                id = waiting.pop(task)
                while turn.said:
                    yield turn.said.popleft()
                yield failed(id, ended) if isinstance(ended, str) else succeeded(id, ended)
    finally:
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
    returned += [task.result()[0] for task in tasks]


async def _make(turn: Turn, call: Call) -> tuple[Returned, tuple[object, ...] | str]:
    """What a call gave, for the answerer and for its event; or why it failed."""
    try:
        made = await call_tool(call.tool, RunContext(turn), **dict(call.given))
    except ToolFailed as error:
        return Returned(call, failed=True), str(error)
    return _read(call, made.metadata), made.metadata


def _read(call: Call, found: Sequence[object]) -> Returned:
    return Returned(
        call,
        tuple(one for one in found if isinstance(one, Evidence)),
        tuple(one for one in found if isinstance(one, StoredDocument)),
        sum(isinstance(one, Medium) for one in found),
    )
