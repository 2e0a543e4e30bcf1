"""The second stage: choose how a question is answered."""

import asyncio
from dataclasses import dataclass
from typing import Literal

from pincite.answer.context import Context
from pincite.answer.question import UnderstoodQuestion
from pincite.answer.split.decomposition import Subtask, may_be_split, split_into_subtasks

Kind = Literal["chat", "single", "split", "research"]


@dataclass(frozen=True, slots=True)
class Plan:
    """The way to answer a question: in a chat, by one agent, in parts, or by a report."""

    kind: Kind
    subtasks: tuple[Subtask, ...] = ()


async def route(understood: UnderstoodQuestion, context: Context) -> Plan:
    """Choose the plan of a question."""
    if not understood.needs_evidence:
        return Plan("chat")
    if context.project:
        return Plan("single")  # one agent sees all files of a project
    if context.asked.focus == "research":
        return Plan("research")
    subtasks = await _split(context)
    return Plan("split", tuple(subtasks)) if subtasks else Plan("single")


async def _split(context: Context) -> list[Subtask]:
    """Return the parts of a question; none when one agent is to answer it.

    While the system model decides, the whole question is searched. One agent sees those results, subagents do not.
    """
    if not may_be_split(context):
        return []
    if not (context.models.system and context.has_language_model):
        return await split_into_subtasks(context)
    from pincite.answer.prefetch import prefetch_evidence

    agent = context.agent
    shown = agent.shown.copy()
    planning = asyncio.create_task(split_into_subtasks(context))
    try:
        made = await prefetch_evidence(context, shows=True)
        subtasks = await planning
    finally:
        planning.cancel()
    if subtasks:
        agent.shown = shown
    else:
        agent.prior += made
    return subtasks
