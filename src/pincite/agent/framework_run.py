"""A run of a language model: its words, its thoughts, its tool calls. The agent framework ends here."""

import uuid
from collections.abc import AsyncIterator, Sequence
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
    UserPromptPart,
)

from pincite import events
from pincite.agent import instructions
from pincite.agent.faults import explained
from pincite.agent.finishing import find_cut
from pincite.agent.hearing import Folded, Heard, Spoken, failed, started, succeeded
from pincite.agent.repetition import Unrepeated
from pincite.agent.run_state import RunState, list_evidence
from pincite.agent.tools import toolset
from pincite.agent.turn import Prior, Turn
from pincite.errors import PinciteError
from pincite.types import Exchange


@cache
def _with_tools() -> Agent[Turn, str]:
    return Agent(deps_type=Turn, tools=toolset(), name="researcher", retries=2)


@cache
def _without_tools() -> Agent[Turn, str]:
    return Agent(deps_type=Turn, name="writer")


async def run_model(
    turn: Turn, has_tools: bool, prompt: str, instructed: str, past: Sequence[Exchange], ran: RunState
) -> AsyncIterator[Heard]:
    """One run. Words that a model with tools says before it has found anything are left in `ran`.

    `turn.cut` says why its last words are not whole. Words that repeat without end are not passed on, and end the run.
    Errors of the framework are raised as ours.
    """
    try:
        async for heard in _run(turn, has_tools, prompt, instructed, past, ran):
            yield heard
    except (AgentRunError, UserError) as error:
        raise explained(error, model=turn.models.chat.name) from error


async def _run(
    turn: Turn, has_tools: bool, prompt: str, instructed: str, past: Sequence[Exchange], ran: RunState
) -> AsyncIterator[Heard]:
    ids: dict[str, str] = {}
    words = Unrepeated()
    has_spoken = False
    messages = _messages(past)
    agent = _with_tools() if has_tools else _without_tools()
    turn.cut = None
    if turn.prior and has_tools:
        messages += _made(prompt, turn.prior)
    async with agent.run_stream_events(
        None if messages and isinstance(messages[-1], ModelRequest) else prompt,
        deps=turn,
        model=turn.models.chat.model,
        instructions=instructed,
        message_history=messages,
        # Whoever wrote nothing yet may write: what was found is worth one request more.
        usage_limits=(turn.left if has_tools else turn.left.at_least(1)).limits(),
        model_settings=instructions.model_settings(turn),
    ) as stream:
        try:
            async for event in stream:
                while turn.said:
                    yield turn.said.popleft()
                if thought := _thought(event):
                    # Who knows About Me may think aloud of it: those thoughts are not told, nor kept.
                    if not turn.used_profile:
                        yield events.Thought(text=thought)
                elif text := _text(event):
                    shown = words.feed(text)
                    if has_tools and not list_evidence(turn):
                        ran.waiting += shown
                    elif shown:
                        has_spoken = True
                        yield Spoken(shown)
                    if words.is_endless:
                        turn.cut = "repetition"
                        break
                elif isinstance(event, PartStartEvent) and isinstance(event.part, ToolCallPart):
                    if (waiting := ran.waiting + words.end()).strip():
                        yield Spoken(waiting) if has_spoken else events.Thought(text=waiting)
                    if has_spoken:
                        yield Folded()
                    words, ran.waiting, has_spoken = Unrepeated(), "", False
                elif isinstance(event, FunctionToolCallEvent):
                    # Providers number the calls of one answer; ours must differ from all others.
                    ids[event.part.tool_call_id] = id = uuid.uuid4().hex
                    ran.called.add(event.part.tool_name)
                    yield started(event.part.tool_name, id, _given(event.part))
                elif isinstance(event, FunctionToolResultEvent):
                    yield _ended(event, ids.get(event.tool_call_id, event.tool_call_id))
                elif isinstance(event, AgentRunResultEvent):
                    turn.cut = find_cut(event.result.response)
            if rest := _rest(words, ran, has_tools and not list_evidence(turn)):
                yield Spoken(rest)
            while turn.said:
                yield turn.said.popleft()
        except (AgentRunError, UserError, PinciteError):
            # What was said before a stream broke is kept.
            if rest := _rest(words, ran, False):
                yield Spoken(rest)
            raise
        finally:
            _account(turn, stream)


def _rest(words: Unrepeated, ran: RunState, waits: bool) -> str:
    """The words of a run that were not passed on yet; none where they wait in `ran`."""
    held = ran.waiting + words.end()
    ran.waiting = held if waits else ""
    return "" if waits else held


def _thought(event: object) -> str:
    if isinstance(event, PartStartEvent) and isinstance(event.part, ThinkingPart):
        return event.part.content
    if isinstance(event, PartDeltaEvent) and isinstance(event.delta, ThinkingPartDelta):
        return event.delta.content_delta or ""
    return ""


def _text(event: object) -> str:
    # The first piece of a text comes with its beginning.
    if isinstance(event, PartStartEvent) and isinstance(event.part, TextPart):
        return event.part.content
    if isinstance(event, PartDeltaEvent) and isinstance(event.delta, TextPartDelta):
        return event.delta.content_delta
    return ""


def _given(part: ToolCallPart) -> dict[str, Any]:
    try:
        return part.args_as_dict()
    except (ValueError, AssertionError):
        return {}


def _ended(event: FunctionToolResultEvent, id: str) -> events.ToolCallSuccess | events.ToolCallError:
    part = event.part
    if part.outcome == "success":
        return succeeded(id, part.metadata if isinstance(part.metadata, tuple) else ())
    return failed(id, part.content if isinstance(part.content, str) else part.model_response_str())


def _account(turn: Turn, stream: Any) -> None:
    """Add what a run cost to what the turn has cost, also when it was cut short."""
    try:
        used = stream.usage
    except UserError:  # it never began
        return
    turn.spend(
        events.Usage(
            input_tokens=used.input_tokens,
            output_tokens=used.output_tokens,
            requests=used.requests,
            tool_calls=used.tool_calls,
        )
    )


def _messages(history: Sequence[Exchange]) -> list[ModelMessage]:
    found: list[ModelMessage] = []
    for exchange in history:
        found.append(ModelRequest(parts=[UserPromptPart(content=exchange.question)]))
        if exchange.answer:
            found.append(ModelResponse(parts=[TextPart(content=exchange.answer)]))
    return found


def _made(prompt: str, prior: Sequence[Prior]) -> list[ModelMessage]:
    """A question, and the calls that were made for it before the model was asked, as if it had made them."""
    ids = [f"prior_{number}" for number in range(1, len(prior) + 1)]
    calls = [ToolCallPart(each.tool, each.given, tool_call_id=id) for id, each in zip(ids, prior, strict=True)]
    said = [
        ToolReturnPart(each.tool, each.said, tool_call_id=id, metadata=each.found)
        for id, each in zip(ids, prior, strict=True)
    ]
    return [
        ModelRequest(parts=[UserPromptPart(content=prompt)]),
        ModelResponse(parts=calls),
        ModelRequest(parts=said),
    ]
