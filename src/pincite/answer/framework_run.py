"""Run a language model with the agent framework. No other module of the answer handles framework events."""

import uuid
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from pydantic_ai import Agent, AgentRunResultEvent
from pydantic_ai.exceptions import AgentRunError, UserError
from pydantic_ai.messages import (
    FunctionToolCallEvent,
    FunctionToolResultEvent,
    ModelMessage,
    ModelRequest,
    ModelResponse,
    PartDeltaEvent,
    PartStartEvent,
    TextPart,
    TextPartDelta,
    ThinkingPart,
    ThinkingPartDelta,
    ToolCallPart,
    ToolReturnPart,
    UserContent,
    UserPromptPart,
)

from pincite import events
from pincite.answer import instructions
from pincite.answer.agent_state import PriorCall
from pincite.answer.context import Context
from pincite.answer.outbox import BufferedOutbox
from pincite.answer.run_state import RunState
from pincite.answer.stream_items import (
    RetractText,
    TextDelta,
    make_call_failed,
    make_call_started,
    make_call_succeeded,
)
from pincite.answer.tools import load_toolset
from pincite.errors import PinciteError
from pincite.llm.finish_reason import find_cut
from pincite.llm.model_errors import explain_error
from pincite.llm.repetition import RepetitionFilter
from pincite.llm.screenshots import make_image_content
from pincite.types import Exchange


@cache
def _make_tool_agent() -> Agent[Context, str]:
    return Agent(deps_type=Context, tools=load_toolset(), name="researcher", retries=2)


@cache
def _make_writer_agent() -> Agent[Context, str]:
    return Agent(deps_type=Context, name="writer")


async def run_model(
    context: Context, has_tools: bool, prompt: str, instructed: str, past: Sequence[Exchange], state: RunState
) -> None:
    """Run the model once. Text that a model with tools writes before it found evidence stays in `state`.

    `context.agent.cut` says why the last text is not complete. Text that repeats without end is not passed on and ends
    the run. Errors of the framework are raised as ours.
    """
    try:
        await _run_agent(context, has_tools, prompt, instructed, past, state)
    except (AgentRunError, UserError) as error:
        raise explain_error(error, model=context.models.chat.name) from error


async def _run_agent(
    context: Context, has_tools: bool, prompt: str, instructed: str, past: Sequence[Exchange], state: RunState
) -> None:
    ids: dict[str, str] = {}
    words = RepetitionFilter()
    has_spoken = False
    messages = _make_messages(past, context.models.chat.name.partition(":")[0])
    agent = _make_tool_agent() if has_tools else _make_writer_agent()
    emit, meter = context.outbox.emit, context.meter
    # Events of a tool wait for the next event of the framework, so that they follow the start of their call.
    from_tools = BufferedOutbox(context.outbox)
    context.agent.cut = None
    has_prior = bool(context.agent.prior) and has_tools
    if has_prior:
        messages += _make_prior_messages(prompt, context.agent.prior)
    async with agent.run_stream_events(
        None if has_prior else prompt,
        deps=replace(context, outbox=from_tools),
        model=context.models.chat.model,
        instructions=instructed,
        message_history=messages,
        # A writer that wrote nothing yet gets one request more: the evidence is worth it.
        usage_limits=(meter.left if has_tools else meter.left.at_least(1)).limits(),
        model_settings=instructions.make_model_settings(context),
    ) as stream:
        try:
            async for event in stream:
                from_tools.flush()
                if thought := _read_thought(event):
                    # A model that sees About Me may repeat it in a thought: such thoughts are neither shown nor stored.
                    if not context.agent.used_profile:
                        emit(events.Thought(text=thought))
                elif text := _read_text(event):
                    shown = words.feed(text)
                    if has_tools and not context.agent.list_evidence():
                        state.waiting += shown
                    elif shown:
                        has_spoken = True
                        emit(TextDelta(shown))
                    if words.is_endless:
                        context.agent.cut = "repetition"
                        break
                elif isinstance(event, PartStartEvent) and isinstance(event.part, ToolCallPart):
                    if (waiting := state.waiting + words.end()).strip():
                        emit(TextDelta(waiting) if has_spoken else events.Thought(text=waiting))
                    if has_spoken:
                        emit(RetractText())
                    words, state.waiting, has_spoken = RepetitionFilter(), "", False
                elif isinstance(event, FunctionToolCallEvent):
                    # Providers number the calls of one answer from 1; our ids must be unique.
                    ids[event.part.tool_call_id] = id = uuid.uuid4().hex
                    state.called.add(event.part.tool_name)
                    emit(make_call_started(event.part.tool_name, id, _read_arguments(event.part)))
                elif isinstance(event, FunctionToolResultEvent):
                    emit(_make_result_event(event, ids.get(event.tool_call_id, event.tool_call_id)))
                elif isinstance(event, AgentRunResultEvent):
                    context.agent.cut = find_cut(event.result.response)
            if rest := _take_rest(words, state, has_tools and not context.agent.list_evidence()):
                emit(TextDelta(rest))
        except (AgentRunError, UserError, PinciteError):
            # Text that came before the stream broke belongs to the answer.
            if rest := _take_rest(words, state, False):
                emit(TextDelta(rest))
            raise
        finally:
            from_tools.flush()
            _count_usage(context, stream)


def _take_rest(words: RepetitionFilter, state: RunState, waits: bool) -> str:
    """Return the text of a run that was not passed on yet; leave it in `state` where it still waits."""
    held = state.waiting + words.end()
    state.waiting = held if waits else ""
    return "" if waits else held


def _read_thought(event: object) -> str:
    if isinstance(event, PartStartEvent) and isinstance(event.part, ThinkingPart):
        return event.part.content
    if isinstance(event, PartDeltaEvent) and isinstance(event.delta, ThinkingPartDelta):
        return event.delta.content_delta or ""
    return ""


def _read_text(event: object) -> str:
    # The first piece of a text comes with the start event of its part.
    if isinstance(event, PartStartEvent) and isinstance(event.part, TextPart):
        return event.part.content
    if isinstance(event, PartDeltaEvent) and isinstance(event.delta, TextPartDelta):
        return event.delta.content_delta
    return ""


def _read_arguments(part: ToolCallPart) -> dict[str, Any]:
    try:
        return part.args_as_dict()
    except (ValueError, AssertionError):
        return {}


def _make_result_event(event: FunctionToolResultEvent, id: str) -> events.ToolCallSuccess | events.ToolCallError:
    part = event.part
    if part.outcome == "success":
        return make_call_succeeded(id, part.metadata if isinstance(part.metadata, tuple) else ())
    return make_call_failed(id, part.content if isinstance(part.content, str) else part.model_response_str())


def _count_usage(context: Context, stream: Any) -> None:
    """Add the cost of a run to the cost of the question, also when the run was cut short."""
    try:
        used = stream.usage
    except UserError:  # the run never began
        return
    context.meter.spend(
        events.Usage(
            input_tokens=used.input_tokens,
            output_tokens=used.output_tokens,
            requests=used.requests,
            tool_calls=used.tool_calls,
        )
    )


def _make_messages(history: Sequence[Exchange], provider: str = "") -> list[ModelMessage]:
    found: list[ModelMessage] = []
    for exchange in history:
        found.append(ModelRequest(parts=[UserPromptPart(content=exchange.question)]))
        if exchange.answer:
            found.append(ModelResponse(parts=[TextPart(content=exchange.answer)]))
        if exchange.reported or exchange.pictures:
            pictures = [part for each in exchange.pictures for part in make_image_content(each, provider)]
            told: list[UserContent] = [exchange.reported or "Result:", *pictures]
            found.append(ModelRequest(parts=[UserPromptPart(content=told if pictures else exchange.reported)]))
    return found


def _make_prior_messages(prompt: str, prior: Sequence[PriorCall]) -> list[ModelMessage]:
    """Return a question and the calls made for it in advance, as messages of a model that made the calls itself."""
    ids = [f"prior_{number}" for number in range(1, len(prior) + 1)]
    calls = [ToolCallPart(each.tool, each.given, tool_call_id=id) for id, each in zip(ids, prior, strict=True)]
    returns = [
        ToolReturnPart(each.tool, each.text, tool_call_id=id, metadata=each.found)
        for id, each in zip(ids, prior, strict=True)
    ]
    return [
        ModelRequest(parts=[UserPromptPart(content=prompt)]),
        ModelResponse(parts=calls),
        ModelRequest(parts=returns),
    ]
