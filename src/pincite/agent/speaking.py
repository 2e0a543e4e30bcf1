"""What is heard while a model works on a turn: its words, its thoughts, its tool calls. The framework ends here."""

import uuid
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field, replace
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
from pincite.agent.finishing import find_cut
from pincite.agent.hearing import COMPOSED, Composed
from pincite.agent.hearing import Folded as Folded
from pincite.agent.hearing import Heard as Heard
from pincite.agent.hearing import Spoken as Spoken
from pincite.agent.hearing import started as started
from pincite.agent.lookup import look_up
from pincite.agent.repetition import Unrepeated
from pincite.agent.tools import toolset
from pincite.agent.turn import Prior, Turn
from pincite.errors import PinciteError
from pincite.events.markup import shortened
from pincite.store.documents import StoredDocument
from pincite.types import Evidence, Exchange

_LISTING = frozenset({"list_documents"})  # the tools that find no evidence and show nothing to the user


@dataclass(slots=True)
class _Ran:
    """The state of a run besides its events: the tools that were called, and words that rest on nothing yet."""

    called: set[str] = field(default_factory=set)
    waiting: str = ""


@cache
def _with_tools() -> Agent[Turn, str]:
    return Agent(deps_type=Turn, tools=toolset(), name="researcher", retries=2)


@cache
def _without_tools() -> Agent[Turn, str]:
    return Agent(deps_type=Turn, name="writer")


async def converse(turn: Turn) -> AsyncIterator[Heard]:
    """An answer without a search: a greeting, a chat, a page that the user has before them."""
    past = instructions.history(turn)
    async for heard in _run(turn, _without_tools(), turn.asked.question, instructions.conversation(turn), past):
        yield heard


async def ordinary(turn: Turn) -> AsyncIterator[Heard]:
    """An answer by one agent: by a model that calls the tools, or from what was looked up for it."""
    if turn.models.chat.tools and not (turn.asked.profile and turn.writes):
        ways = [research]
    else:
        # About Me is for the writer alone: who has tools does not see it, and who sees it has no tools.
        ways = [gather if turn.models.chat.tools else look_up, write]
    for way in ways:
        async for heard in way(turn):
            yield heard


async def research(turn: Turn) -> AsyncIterator[Heard]:
    """An answer by a model that calls the tools itself."""
    async for heard in pursue(turn, instructions.research(turn)):
        yield heard


async def pursue(turn: Turn, instructed: str) -> AsyncIterator[Heard]:
    """Run a model that calls the tools itself, with these instructions.

    Where it answers without a search, its question is searched for it, and it writes again, once, from the evidence.
    """
    ran = _Ran()
    async for heard in _researched(turn, instructed, ran):
        yield heard
    if not ran.waiting.strip():
        return
    async for heard in _searched_for(turn, ran):
        yield heard
    if evidence := _evidence(turn):
        yield events.Thought(text=ran.waiting)
        unknown = replace(turn, asked=replace(turn.asked, profile=""))  # who asks is not for a model with tools
        async for heard in write(turn, instructions.writing(unknown, evidence)):
            yield heard
    else:
        yield Spoken(ran.waiting)


async def _researched(turn: Turn, instructed: str, ran: _Ran) -> AsyncIterator[Heard]:
    past = instructions.history(turn)
    # A model that is shown the conversation reads the question as it was asked.
    prompt = turn.asked.question if past and turn.writes else turn.question
    async for heard in _run(turn, _with_tools(), prompt, instructed, past, ran):
        yield heard


async def _searched_for(turn: Turn, ran: _Ran) -> AsyncIterator[Heard]:
    """The search of a model that wrote an answer without one, where the answer must rest on evidence."""
    if turn.judged and turn.writes and ran.called <= _LISTING:
        async for heard in look_up(turn):
            yield heard


async def gather(turn: Turn) -> AsyncIterator[Heard]:
    """Evidence by a model that calls tools and knows nothing of the person; what it says besides is a thought."""
    said, ran = "", _Ran()
    async for heard in _researched(turn, instructions.research(turn), ran):
        if isinstance(heard, Spoken):
            said += heard.text
        elif not isinstance(heard, Folded):
            yield heard
    if ran.waiting.strip():
        async for heard in _searched_for(turn, ran):
            yield heard
    if said := said + ran.waiting.strip():
        yield events.Thought(text=said)


async def write(turn: Turn, instructed: str = "") -> AsyncIterator[Heard]:
    """An answer from the evidence that is there, by a model that has no tools; its rules sum the conversation up."""
    async for heard in _run(turn, _without_tools(), turn.question, instructed or instructions.writing(turn)):
        yield heard


async def _run(
    turn: Turn,
    agent: Agent[Turn, str],
    prompt: str,
    instructed: str,
    past: Sequence[Exchange] = (),
    ran: _Ran | None = None,
) -> AsyncIterator[Heard]:
    """One run of an agent. Words that a model with tools says before it has found anything are left in `ran`.

    `turn.cut` says why its last words are not whole. Words that repeat without end are not passed on, and end the run.
    """
    ids: dict[str, str] = {}
    has_tools, ran = agent is _with_tools(), ran or _Ran()
    words = Unrepeated()
    has_spoken = False
    messages = _messages(past)
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
                elif composed := _composed(event):
                    has_spoken = True
                    for part in composed:
                        yield part
                elif text := _text(event):
                    shown = words.feed(text)
                    if has_tools and not _evidence(turn):
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
            if rest := _rest(words, ran, has_tools and not _evidence(turn)):
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


def _evidence(turn: Turn) -> list[Evidence]:
    """The evidence that a turn found itself or was given; each part of a question has its own."""
    given = {each.number: each for prior in turn.prior for each in prior.found if isinstance(each, Evidence)}
    return list((given | turn.found).values())


def _rest(words: Unrepeated, ran: _Ran, waits: bool) -> str:
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


def _composed(event: object) -> "Sequence[Composed]":
    """The parts of an answer that was made without a model; none where a model writes."""
    if isinstance(event, PartStartEvent) and isinstance(event.part, TextPart):
        composed: Sequence[Composed] = (event.part.provider_details or {}).get(COMPOSED, ())
        return composed
    return ()


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
        found = part.metadata if isinstance(part.metadata, tuple) else ()
        # What a tool tells of itself stands as a dictionary among what it found.
        extra = {key: value for each in found if isinstance(each, dict) for key, value in each.items()}
        # A list of documents has them, and the evidence by which each can be cited.
        documents = sum(isinstance(each, StoredDocument) for each in found)
        number = documents or sum(not isinstance(each, dict) for each in found)
        return events.ToolCallSuccess(toolCallId=id, extra={"found": str(number), **extra} if found else {})
    said = part.content if isinstance(part.content, str) else part.model_response_str()
    return events.ToolCallError(toolCallId=id, error=shortened(said))


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
