"""Run one agent with any model: with tools, from gathered evidence, or in a chat."""

from collections.abc import Sequence
from dataclasses import replace

from pincite import events
from pincite.answer import instructions
from pincite.answer.context import Context
from pincite.answer.outbox import OutboxItem, WrappedOutbox
from pincite.answer.run_state import RunState
from pincite.answer.stream_items import RetractText, TextDelta
from pincite.types import Exchange

_LISTING = frozenset({"list_documents"})  # tools that find no evidence and show nothing to the user


def searches_itself(context: Context) -> bool:
    """Whether the model that writes the answer also calls the tools.

    Only a writer may see About Me. A model with tools does not see it, and a model that sees it has no tools.
    """
    return context.models.chat.tools and not (context.asked.profile and context.has_language_model)


async def answer_chat(context: Context) -> None:
    """Answer without a search: a greeting, a chat, or a page that a browser sent."""
    past = instructions.list_history(context)
    await _run_model(context, False, context.asked.question, instructions.write_chat_prompt(context), past)


async def write_single(context: Context) -> None:
    """Write an answer with one agent. It calls the tools itself, or it gets the gathered evidence."""
    if searches_itself(context):
        await run_tool_agent(context, instructions.write_research_prompt(context))
    else:
        await write_answer(context)


async def answer_with_agent(context: Context) -> None:
    """Gather evidence and write an answer with one agent."""
    if not searches_itself(context):
        await gather_evidence(context)
    await write_single(context)


async def run_tool_agent(context: Context, instructed: str) -> None:
    """Run a model that calls the tools itself, with these instructions.

    When it answers without a search, the question is searched, and the model writes again from the evidence.
    """
    state = RunState()
    await _run_with_tools(context, instructed, state)
    if not state.waiting.strip():
        return
    await _search_for_model(context, state)
    if evidence := context.agent.list_evidence():
        context.outbox.emit(events.Thought(text=state.waiting))
        # A model with tools must not see About Me.
        anonymous = replace(context, asked=replace(context.asked, profile=""))
        await write_answer(context, instructions.write_answer_prompt(anonymous, evidence))
    else:
        context.outbox.emit(TextDelta(state.waiting))


async def gather_evidence(context: Context) -> None:
    """Gather evidence with a model that calls tools and does not see About Me, or without one by fixed searches.

    Text that such a model writes is a thought, not a part of the answer.
    """
    if not context.models.chat.tools:
        await _prefetch_evidence(context)
        return
    thought = ""

    def keep_text(item: OutboxItem) -> None:
        nonlocal thought
        if isinstance(item, TextDelta):
            thought += item.text
        elif not isinstance(item, RetractText):
            context.outbox.emit(item)

    state = RunState()
    inner = replace(context, outbox=WrappedOutbox(keep_text))
    await _run_with_tools(inner, instructions.write_research_prompt(context), state)
    if state.waiting.strip():
        await _search_for_model(context, state)
    if thought := thought + state.waiting.strip():
        context.outbox.emit(events.Thought(text=thought))


async def write_answer(context: Context, instructed: str = "") -> None:
    """Write an answer from the evidence with a model without tools. Its prompt summarises the conversation."""
    request = context.asked.request
    prompt = instructions.write_continue_prompt(request, context) if request else instructions.write_question(context)
    await _run_model(context, False, prompt, instructed or instructions.write_answer_prompt(context))


async def _run_with_tools(context: Context, instructed: str, state: RunState) -> None:
    past = instructions.list_history(context)
    if context.asked.request:
        await _run_model(
            context, True, instructions.write_continue_prompt(context.asked.request, context), instructed, past, state
        )
        return
    # A model that sees the conversation gets the question as the user wrote it.
    prompt = context.asked.question if past and context.has_language_model else context.question
    await _run_model(context, True, prompt, instructed, past, state)


async def _search_for_model(context: Context, state: RunState) -> None:
    """Search for a model that wrote an answer without a search, where the answer needs evidence."""
    if context.understood.needs_evidence and context.has_language_model and state.called <= _LISTING:
        await _prefetch_evidence(context)


async def _prefetch_evidence(context: Context) -> None:
    from pincite.answer.prefetch import prefetch_evidence  # it imports the whole web search

    await prefetch_evidence(context)


async def _run_model(
    context: Context,
    has_tools: bool,
    prompt: str,
    instructed: str,
    past: Sequence[Exchange] = (),
    state: RunState | None = None,
) -> None:
    """Run the model of the context once. The agent framework is imported only for language models."""
    if not context.has_language_model:
        from pincite.answer.extractive_run import run_extractive

        await run_extractive(context, prompt, has_tools)
        return
    from pincite.answer.framework_run import run_model

    await run_model(context, has_tools, prompt, instructed, past, state or RunState())
