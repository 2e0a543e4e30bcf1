"""The third stage: put evidence into the ledger for a writer that does not search itself."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pincite.answer.agent_run import gather_evidence, searches_itself
from pincite.answer.context import Context
from pincite.answer.route import Plan

if TYPE_CHECKING:
    from pincite.answer.split.subagent_run import SubtaskResult


@dataclass(frozen=True, slots=True)
class Gathered:
    """The plan of a question, and the results of its subagents. The evidence itself is in the ledger."""

    plan: Plan
    results: "Sequence[SubtaskResult]" = field(default=())


async def gather(plan: Plan, context: Context) -> Gathered:
    """Gather evidence by subagents, by an agent with tools, or by the searches that such an agent would make.

    A model that calls tools gathers evidence while it writes, and so do the sections of a report. Nothing is gathered
    for them here. Of a project, the files that are relevant to the question are found for every model.
    """
    if plan.kind == "single" and context.project:
        from pincite.answer.relevant_files import gather_relevant_files

        await gather_relevant_files(context.project, context)
        return Gathered(plan)
    if plan.kind == "split":
        from pincite.answer.split.supervisor import run_subtasks

        return Gathered(plan, await run_subtasks(plan.subtasks, context))
    if plan.kind == "single" and not searches_itself(context):
        await gather_evidence(context)
    return Gathered(plan)
