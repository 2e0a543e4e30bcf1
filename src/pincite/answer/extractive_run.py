"""Run the extractive answerer, which quotes passages. It calls the tools without the agent framework.

`framework_run` runs language models; both emit the same events.
"""

import asyncio
import uuid
from collections.abc import Sequence
from functools import partial

import anyio.to_thread

from pincite import events
from pincite.answer.context import Context
from pincite.answer.extractive import ExtractiveAnswerer, decline_chat
from pincite.answer.extractive.tool_calls import Call, CallResult
from pincite.answer.stream_items import TextDelta, make_call_failed, make_call_started, make_call_succeeded
from pincite.answer.tool_call import RunContext, ToolFailed
from pincite.answer.tools import call_tool, list_offered_tools
from pincite.events import Medium
from pincite.llm.model_errors import make_limit_error
from pincite.store.documents import StoredDocument
from pincite.types import Evidence


async def run_extractive(context: Context, prompt: str, has_tools: bool) -> None:
    """Answer a prompt by quoting. The run spends requests and tool calls like a model, within the same limits.

    `context.agent.prior` has the calls that were made before. Without tools there is nothing to quote from.
    """
    emit = context.outbox.emit
    context.agent.cut = None
    if not has_tools:
        context.meter.spend(events.Usage(requests=1))
        emit(TextDelta(decline_chat(prompt)))
        return
    model = ExtractiveAnswerer(context.services.embedder)
    known = model.collect_statistics(context)
    returned = [_read_result(Call(each.tool, tuple(each.given.items())), each.found) for each in context.agent.prior]
    own = context.understood.plain if prompt == context.understood.question else ""
    left, requests, successes = context.meter.left, 0, 0
    try:
        while True:
            if requests >= left.requests:
                raise make_limit_error("requests")
            requests += 1
            respond = partial(model.respond, prompt, list_offered_tools(context), tuple(returned), known, own)
            calls, composed = await anyio.to_thread.run_sync(respond, abandon_on_cancel=True)
            if not calls:
                break
            if successes + len(calls) > left.tool_calls:
                raise make_limit_error("tool_calls")
            results = await _run_calls(context, calls)
            returned += results
            successes += sum(not each.failed for each in results)
        for part in composed:
            emit(part)
    finally:
        context.meter.spend(events.Usage(requests=requests, tool_calls=successes))


async def _run_calls(context: Context, calls: Sequence[Call]) -> list[CallResult]:
    """Run calls at the same time, and return their results in the order of the calls."""
    emit = context.outbox.emit
    ids = [uuid.uuid4().hex for _ in calls]
    for call, id in zip(calls, ids, strict=True):
        emit(make_call_started(call.tool, id, dict(call.given)))

    async def run(call: Call, id: str) -> CallResult:
        result, ended = await _make_call(context, call)
        emit(make_call_failed(id, ended) if isinstance(ended, str) else make_call_succeeded(id, ended))
        return result

    tasks = [asyncio.create_task(run(call, id), name=call.tool) for call, id in zip(calls, ids, strict=True)]
    try:
        return list(await asyncio.gather(*tasks))
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _make_call(context: Context, call: Call) -> tuple[CallResult, tuple[object, ...] | str]:
    """Make a call. Return its result for the answerer, and its findings or its error text for the event."""
    try:
        made = await call_tool(call.tool, RunContext(context), **dict(call.given))
    except ToolFailed as error:
        return CallResult(call, failed=True), str(error)
    return _read_result(call, made.metadata), made.metadata


def _read_result(call: Call, found: Sequence[object]) -> CallResult:
    return CallResult(
        call,
        tuple(one for one in found if isinstance(one, Evidence)),
        tuple(one for one in found if isinstance(one, StoredDocument)),
        sum(isinstance(one, Medium) for one in found),
    )
