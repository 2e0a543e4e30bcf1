"""The ways of one agent to an answer, whatever model it has: with tools, from what was looked up, or in a chat."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace

from pincite import events
from pincite.agent import instructions
from pincite.agent.hearing import Folded as Folded
from pincite.agent.hearing import Heard as Heard
from pincite.agent.hearing import Spoken as Spoken
from pincite.agent.hearing import started as started
from pincite.agent.run_state import RunState, list_evidence
from pincite.agent.turn import Turn
from pincite.types import Exchange

_LISTING = frozenset({"list_documents"})  # the tools that find no evidence and show nothing to the user


async def converse(turn: Turn) -> AsyncIterator[Heard]:
    """An answer without a search: a greeting, a chat, a page that the user has before them."""
    past = instructions.history(turn)
    async for heard in _run(turn, False, turn.asked.question, instructions.conversation(turn), past):
        yield heard


async def ordinary(turn: Turn) -> AsyncIterator[Heard]:
    """An answer by one agent: by a model that calls the tools, or from what was looked up for it."""
    if turn.models.chat.tools and not (turn.asked.profile and turn.writes):
        ways = [research]
    else:
        # About Me is for the writer alone: who has tools does not see it, and who sees it has no tools.
        ways = [gather if turn.models.chat.tools else _look_up, write]
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
    ran = RunState()
    async for heard in _researched(turn, instructed, ran):
        yield heard
    if not ran.waiting.strip():
        return
    async for heard in _searched_for(turn, ran):
        yield heard
    if evidence := list_evidence(turn):
        yield events.Thought(text=ran.waiting)
        unknown = replace(turn, asked=replace(turn.asked, profile=""))  # who asks is not for a model with tools
        async for heard in write(turn, instructions.writing(unknown, evidence)):
            yield heard
    else:
        yield Spoken(ran.waiting)


async def _researched(turn: Turn, instructed: str, ran: RunState) -> AsyncIterator[Heard]:
    past = instructions.history(turn)
    # A model that is shown the conversation reads the question as it was asked.
    prompt = turn.asked.question if past and turn.writes else turn.question
    async for heard in _run(turn, True, prompt, instructed, past, ran):
        yield heard


async def _searched_for(turn: Turn, ran: RunState) -> AsyncIterator[Heard]:
    """The search of a model that wrote an answer without one, where the answer must rest on evidence."""
    if turn.judged and turn.writes and ran.called <= _LISTING:
        async for heard in _look_up(turn):
            yield heard


def _look_up(turn: Turn) -> AsyncIterator[Heard]:
    from pincite.agent.lookup import look_up  # with all that searches the web

    return look_up(turn)


async def gather(turn: Turn) -> AsyncIterator[Heard]:
    """Evidence by a model that calls tools and knows nothing of the person; what it says besides is a thought."""
    said, ran = "", RunState()
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
    async for heard in _run(turn, False, turn.question, instructed or instructions.writing(turn)):
        yield heard


def _run(
    turn: Turn,
    has_tools: bool,
    prompt: str,
    instructed: str,
    past: Sequence[Exchange] = (),
    ran: RunState | None = None,
) -> AsyncIterator[Heard]:
    """One run of the turn's model. The framework that runs language models is imported for those alone."""
    if not turn.writes:
        from pincite.agent.extractive_run import run_extractive

        return run_extractive(turn, prompt, has_tools)
    from pincite.agent.framework_run import run_model

    return run_model(turn, has_tools, prompt, instructed, past, ran or RunState())
