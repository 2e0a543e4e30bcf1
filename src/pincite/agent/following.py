"""A question in its conversation to how it is understood, and from there to the way it is answered."""

import asyncio
import uuid
from collections.abc import AsyncIterator, Sequence

from pincite import events
from pincite.agent.fallback import finish
from pincite.agent.firefox import firefox
from pincite.agent.need import needs_search
from pincite.agent.rewriting import add_last_subject, correct_spelling, needs_system_model, rewrite_by_model
from pincite.agent.small_talk import small_talk
from pincite.agent.speaking import Heard, Spoken, converse, ordinary, started
from pincite.agent.subagents.decomposition import Subtask, decomposed, may_be_decomposed
from pincite.agent.turn import Prior, Turn
from pincite.web.addresses import addresses


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
        turn.question = asked.question.strip()
    if turn.judged:
        async for heard in _prepared(turn):
            yield heard
        way = _reported(turn) if asked.focus == "research" else _split_or_ordinary(turn)
    else:
        if not page:
            yield _question(turn)
        way = _chat(turn)
    async for heard in way:
        yield heard


async def _prepared(turn: Turn) -> AsyncIterator[Heard]:
    """The pages that the question names are read, and it is found out how the question is to be searched for.

    The first search does not wait for the system model's rewrite: it is made with the last question's subject, and
    again where the model says it better.
    """
    asked, rewriting = turn.asked, None
    is_outside = asked.web and asked.focus != "documents"
    if is_outside:
        turn.engine = await asyncio.to_thread(turn.house.engine, asked.scope.owner)
    await correct_spelling(turn)
    await add_last_subject(turn)
    yield _question(turn)
    try:
        if needs_system_model(turn):
            rewriting = asyncio.create_task(rewrite_by_model(turn))
        if any(addresses(words) for words in (asked.question, *(each.question for each in asked.history))):
            async for heard in _visited(turn, is_outside):
                yield heard
        if rewriting:
            if turn.writes:  # a model that quotes makes its searches itself
                from pincite.agent.lookup import look_up

                async for heard in look_up(turn):
                    yield heard
            rewritten = await rewriting
            if rewritten and rewritten != turn.question:
                turn.question, turn.plain, turn.subject = rewritten, "", ""
                yield _question(turn)
    finally:
        if rewriting:
            rewriting.cancel()


async def _visited(turn: Turn, is_outside: bool) -> AsyncIterator[Heard]:
    """The pages that the question names, read, or noted where it is asked of the documents alone."""
    from pincite.agent.visiting import unvisited, visited

    if is_outside:
        async for heard in visited(turn):
            yield heard
    else:
        for note in unvisited(turn):
            yield note


async def _chat(turn: Turn) -> AsyncIterator[Heard]:
    """An answer without a search; a model that only quotes has a friendly line for small talk."""
    if not turn.writes and (reply := small_talk(turn.asked.question, turn.asked.history)):
        yield Spoken(reply)
        return
    async for heard in converse(turn):
        yield heard


def _reported(turn: Turn) -> AsyncIterator[Heard]:
    from pincite.agent.report import report  # only a report needs it, and it takes a while to import

    return report(turn)


async def _split_or_ordinary(turn: Turn) -> AsyncIterator[Heard]:
    """An answer by subagents to a question that has parts, else by one agent.

    While the system model says whether it has, the whole question is searched.
    """
    made: list[Prior] = []
    unseen = turn.shown.copy()
    planning = asyncio.create_task(decomposed(turn))
    try:
        if turn.models.system and turn.writes and may_be_decomposed(turn):
            from pincite.agent.lookup import look_up

            async for heard in look_up(turn, made):
                yield heard
        subtasks = await planning
    finally:
        planning.cancel()
    if subtasks:
        turn.shown = unseen  # the subagents do not see what was searched meanwhile
    else:
        turn.prior += made
    async for heard in _supervised(turn, subtasks) if subtasks else ordinary(turn):
        yield heard


def _supervised(turn: Turn, subtasks: Sequence[Subtask]) -> AsyncIterator[Heard]:
    from pincite.agent.subagents.supervising import supervise

    return supervise(turn, subtasks)


def _question(turn: Turn) -> events.Question:
    return events.Question(question=turn.question, rewritten=turn.question != turn.asked.question.strip())
