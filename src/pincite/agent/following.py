"""A question in its conversation to how it is understood, and from there to the way it is answered."""

import asyncio
import uuid
from collections.abc import AsyncIterator

from pincite import events
from pincite.agent.firefox import firefox
from pincite.agent.need import needs_search
from pincite.agent.report import report
from pincite.agent.rewriting import understood
from pincite.agent.speaking import Heard, converse, ordinary, started
from pincite.agent.subagents.decomposition import decomposed
from pincite.agent.subagents.supervising import supervise
from pincite.agent.turn import Turn
from pincite.agent.visiting import visited


async def speak(turn: Turn) -> AsyncIterator[Heard]:
    """Everything that is heard of a turn, by the way that fits its question and its model."""
    asked = turn.asked
    page = firefox(asked.question)
    if page:
        # The browser sent a page along: it is answered from that, and no tool is run.
        yield started("firefoxAI", uuid.uuid4().hex, {"query": page.title}, "success")
    else:
        turn.question = await understood(turn)
        yield events.Question(question=turn.question, rewritten=turn.question != asked.question.strip())
    turn.judged = not page and needs_search(asked.question, asked.focus, asked.history)
    if turn.judged and asked.web and asked.focus != "documents":
        turn.engine = await asyncio.to_thread(turn.house.engine, asked.scope.owner)
        async for heard in visited(turn):
            yield heard
    if not turn.judged:
        way = converse(turn)
    elif asked.focus == "research":
        way = report(turn)
    elif subtasks := await decomposed(turn):
        way = supervise(turn, subtasks)
    else:
        way = ordinary(turn)
    async for heard in way:
        yield heard
