"""Answer a question in parts: run a subagent for each part, and write one answer from their results."""

from collections.abc import Sequence

from pincite.answer import instructions
from pincite.answer.agent_run import answer_with_agent, write_answer
from pincite.answer.agent_state import PriorCall
from pincite.answer.budget import Budget
from pincite.answer.context import Context
from pincite.answer.refusal import is_silent
from pincite.answer.split.decomposition import Subtask
from pincite.answer.split.joined_answer import join_results
from pincite.answer.split.subagent_run import SubagentRun, SubtaskResult, run_in_parallel
from pincite.answer.split.subagents import CONTENT_SYNTHESIZER, FILE_ANALYZER
from pincite.answer.tools.found_evidence import show_new_evidence
from pincite.errors import PinciteError
from pincite.text.citation_marks import list_cited
from pincite.types import Evidence

_EVIDENCE = 30  # sources for the synthesizer, or for the single agent from each subagent


async def run_subtasks(subtasks: Sequence[Subtask], context: Context) -> list[SubtaskResult]:
    """Run the subtasks of a question at the same time."""
    settings = context.services.settings.research
    context.meter.budget = Budget.of(settings)
    return await run_in_parallel(context, subtasks, context.meter.left, settings.seconds)


async def write_from_parts(results: Sequence[SubtaskResult], context: Context) -> None:
    """Write one answer from the results of subagents. If they are not enough, a single agent answers with them."""
    if _is_enough(results):
        await _synthesise_answer(results, context)
    else:
        await _answer_alone(results, context)


async def _synthesise_answer(results: Sequence[SubtaskResult], context: Context) -> None:
    """Make one answer of the results: the chat model writes it, or without one they are joined.

    When this fails before its first text, a single agent answers.
    """
    running = SubagentRun(context, Subtask(CONTENT_SYNTHESIZER, context.question))
    error, before = "It was stopped.", context.outbox.text
    failed: PinciteError | None = None
    try:
        await _write_synthesis(results, context)
        error = ""
    except PinciteError as caught:
        failed, error = caught, caught.message
    finally:
        running.end("", error=error)
    if failed and context.outbox.text != before:
        raise failed
    if failed:
        await _answer_alone(results, context)


async def _write_synthesis(results: Sequence[SubtaskResult], context: Context) -> None:
    if not context.has_language_model:
        for part in join_results(results, context.question):
            context.outbox.emit(part)
        return
    evidence = choose_evidence(context, results)
    await write_answer(context, instructions.write_synthesis_prompt(context, write_findings(results), evidence))


async def _answer_alone(results: Sequence[SubtaskResult], context: Context) -> None:
    """Let a single agent answer, with the evidence of the subagents as its own."""
    for each in results:
        if found := each.found[:_EVIDENCE]:
            tool = "search_documents" if each.subtask.subagent is FILE_ANALYZER else "web_search"
            shown = show_new_evidence(context, found)
            context.agent.prior.append(PriorCall(tool, {"query": each.subtask.task}, shown, found))
    await answer_with_agent(context)


def write_findings(results: Sequence[SubtaskResult]) -> str:
    """Return the text of each subagent under its task."""
    return "\n\n".join(
        f"### {each.subtask.task}\n{each.text.strip() or '(' + (each.error or 'it wrote nothing') + ')'}"
        for each in results
    )


def choose_evidence(context: Context, results: Sequence[SubtaskResult]) -> list[Evidence]:
    """Choose the evidence for one answer: first the cited evidence, then the best of each subagent in turn."""
    cited = [number for each in results for number, _ in list_cited(each.text)]
    rounds = max((len(each.found) for each in results), default=0)
    best = [each.found[at].number for at in range(rounds) for each in results if at < len(each.found)]
    before = [number for number in dict.fromkeys([*cited, *best]) if context.ledger.get(number)][:_EVIDENCE]
    return [found for number in sorted(before) if (found := context.ledger.get(number))]


def _is_enough(results: Sequence[SubtaskResult]) -> bool:
    """Whether the results are enough for an answer: none failed except by time, and one has an answer."""
    if any(each.error and not each.late for each in results):
        return False
    return any((each.found or list_cited(each.text)) and not is_silent(each.text) for each in results)
