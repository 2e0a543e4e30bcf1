"""A question in its conversation to how it is understood, and from there to the way it is answered."""

import asyncio
import uuid
from collections.abc import AsyncIterator

from pincite import events
from pincite.agent.fallback import finish
from pincite.agent.firefox import firefox
from pincite.agent.lookup import look_up
from pincite.agent.need import needs_search
from pincite.agent.report import report
from pincite.agent.rewriting import needs_system_model, rewrite_by_model, rewrite_by_rules
from pincite.agent.speaking import Heard, converse, ordinary, started
from pincite.agent.subagents.decomposition import decomposed, may_be_decomposed
from pincite.agent.subagents.supervising import supervise
from pincite.agent.turn import Prior, Turn
from pincite.agent.visiting import visited


async def speak(turn: Turn) -> AsyncIterator[Heard]:
    """Everything that is heard of a turn, by the way that fits its question and its model, to a good end."""
    async for heard in finish(turn, _answered(turn)):
        yield heard


async def _answered(turn: Turn) -> AsyncIterator[Heard]:
    asked = turn.asked
    page = firefox(asked.question)
    turn.judged = not page and needs_search(asked.question, asked.focus, asked.history)
    if page:
        # The browser sent a page along: it is answered from that, and no tool is run.
        yield started("firefoxAI", uuid.uuid4().hex, {"query": page.title}, "success")
    else:
        turn.question = rewrite_by_rules(turn) if turn.judged else asked.question.strip()
        yield _question(turn)
    if turn.judged:
        async for heard in _prepared(turn):
            yield heard
        way = report(turn) if asked.focus == "research" else _split_or_ordinary(turn)
    else:
        way = converse(turn)
    async for heard in way:
        yield heard


async def _prepared(turn: Turn) -> AsyncIterator[Heard]:
    """The pages that the question names are read, while the system model rewrites the question where it must.

    The first search does not wait for the rewrite: it is made with the question as the rules rewrite it, and again
    where the model says it better.
    """
    asked = turn.asked
    rewriting = asyncio.create_task(rewrite_by_model(turn)) if needs_system_model(turn) else None
    try:
        if asked.web and asked.focus != "documents":
            turn.engine = await asyncio.to_thread(turn.house.engine, asked.scope.owner)
            async for heard in visited(turn):
                yield heard
        if rewriting:
            if turn.writes:  # a model that quotes makes its searches itself
                async for heard in look_up(turn):
                    yield heard
            rewritten = await rewriting
            if rewritten and rewritten != turn.question:
                turn.question = rewritten
                yield _question(turn)
    finally:
        if rewriting:
            rewriting.cancel()


async def _split_or_ordinary(turn: Turn) -> AsyncIterator[Heard]:
    """An answer by subagents to a question that has parts, else by one agent.

    While the system model says whether it has, the whole question is searched.
    """
    made: list[Prior] = []
    unseen = turn.shown.copy()
    planning = asyncio.create_task(decomposed(turn))
    try:
        if turn.models.system and turn.writes and may_be_decomposed(turn):
            async for heard in look_up(turn, made):
                yield heard
        subtasks = await planning
    finally:
        planning.cancel()
    if subtasks:
        turn.shown = unseen  # the subagents do not see what was searched meanwhile
    else:
        turn.prior += made
    async for heard in supervise(turn, subtasks) if subtasks else ordinary(turn):
        yield heard


def _question(turn: Turn) -> events.Question:
    return events.Question(question=turn.question, rewritten=turn.question != turn.asked.question.strip())
