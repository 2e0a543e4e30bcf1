"""A question in its conversation to how it is understood, and from there to the way it is answered."""

import asyncio
import uuid
from collections.abc import AsyncIterator

from pincite import events
from pincite.agent.firefox import firefox
from pincite.agent.need import needs_search
from pincite.agent.rewriting import understood
from pincite.agent.speaking import Heard, converse, gather, look_up, research, started, write
from pincite.agent.turn import Turn
from pincite.agent.visiting import visited


async def speak(turn: Turn) -> AsyncIterator[Heard]:
    """Everything that is heard of a turn, by the way that fits its question and its model."""
    asked, model = turn.asked, turn.models.chat
    page = firefox(asked.question)
    if page:
        # The browser sent a page along: it is answered from that, and no tool is run.
        yield started("firefoxAI", uuid.uuid4().hex, {"query": page.title}, "success")
    else:
        turn.question = await understood(turn)
        yield events.Question(question=turn.question, rewritten=turn.question != asked.question.strip())
    turn.judged = not page and needs_search(asked.question, asked.focus, asked.history)
    if turn.judged and asked.focus != "documents":
        turn.engine = await asyncio.to_thread(turn.house.engine, asked.scope.owner)
        async for heard in visited(turn):
            yield heard
    if not turn.judged:
        ways = [converse]
    elif model.tools and not (asked.profile and turn.writes):
        ways = [research]
    else:
        # About Me is for the writer alone: who has tools does not see it, and who sees it has no tools.
        ways = [gather if model.tools else look_up, write]
    for way in ways:
        async for heard in way(turn):
            yield heard
