"""The supervisor: subtasks in, one answer out; whatever fails, the ordinary agent answers with what was found."""

import re
from collections import deque
from collections.abc import AsyncIterator, Sequence

from pincite.agent import instructions
from pincite.agent.budget import Budget
from pincite.agent.refusal import is_silent
from pincite.agent.speaking import Heard, Spoken, ordinary, write
from pincite.agent.subagents.decomposition import Subtask
from pincite.agent.subagents.definitions import CONTENT_SYNTHESIZER, FILE_ANALYZER
from pincite.agent.subagents.joining import joined
from pincite.agent.subagents.running import Outcome, Running, parallel
from pincite.agent.tools.finding import show_new
from pincite.agent.turn import Prior, Turn
from pincite.errors import PinciteError
from pincite.types import Evidence

_EVIDENCE = 30  # sources that the synthesizer is given, or the ordinary agent from each of the others
_MARK = re.compile(r"\[(\d{1,4})(?=[\].,;])")


async def supervise(turn: Turn, subtasks: Sequence[Subtask]) -> AsyncIterator[Heard]:
    """What is heard of a question in parts: each worked on at the same time, then one answer from all of them."""
    settings = turn.house.settings.research
    turn.budget = Budget.of(settings)
    outcomes: list[Outcome] = []
    async for heard in parallel(turn, subtasks, outcomes, turn.left, settings.seconds):
        yield heard
    way = synthesized(turn, outcomes) if _is_enough(outcomes) else ordinary(_informed(turn, outcomes))
    async for heard in way:
        yield heard


async def synthesized(turn: Turn, outcomes: Sequence[Outcome]) -> AsyncIterator[Heard]:
    """One answer from what the subagents found: written by the chat model, or put together where it only quotes.

    Where that fails before its first word, the ordinary agent answers.
    """
    told: deque[Heard] = deque()
    running = Running(turn, Subtask(CONTENT_SYNTHESIZER, turn.question), told.append)
    yield told.popleft()
    error, has_spoken = "It was stopped.", False
    failed: PinciteError | None = None
    try:
        async for heard in _written(turn, outcomes):
            has_spoken |= isinstance(heard, Spoken)
            yield heard
        error = ""
    except PinciteError as caught:
        failed, error = caught, caught.message
    finally:
        running.end("", error=error)
    yield told.popleft()
    if failed and has_spoken:
        raise failed
    if failed:
        async for heard in ordinary(_informed(turn, outcomes)):
            yield heard


async def _written(turn: Turn, outcomes: Sequence[Outcome]) -> AsyncIterator[Heard]:
    if not turn.writes:
        for part in joined(outcomes, turn.question):
            yield part
        return
    async for heard in write(turn, instructions.synthesis(turn, findings(outcomes), chosen(turn, outcomes))):
        yield heard


def findings(outcomes: Sequence[Outcome]) -> str:
    """What each subagent says it found, under its task."""
    return "\n\n".join(
        f"### {each.subtask.task}\n{each.said.strip() or '(' + (each.error or 'nothing was said') + ')'}"
        for each in outcomes
    )


def chosen(turn: Turn, outcomes: Sequence[Outcome]) -> list[Evidence]:
    """The evidence for one answer: first what the subagents cite, then the best of each in turn, not too much."""
    cited = [int(number) for each in outcomes for number in _MARK.findall(each.said)]
    rounds = max((len(each.found) for each in outcomes), default=0)
    best = [each.found[at].number for at in range(rounds) for each in outcomes if at < len(each.found)]
    before = [number for number in dict.fromkeys([*cited, *best]) if turn.ledger.get(number)][:_EVIDENCE]
    return [found for number in sorted(before) if (found := turn.ledger.get(number))]


def _is_enough(outcomes: Sequence[Outcome]) -> bool:
    """Whether one answer can be made: nothing failed but for want of time, and somebody found something."""
    if any(each.error and not each.late for each in outcomes):
        return False
    return any((each.found or _MARK.search(each.said)) and not is_silent(each.said) for each in outcomes)


def _informed(turn: Turn, outcomes: Sequence[Outcome]) -> Turn:
    """The turn with what was found, as if the ordinary agent had found it."""
    for each in outcomes:
        if found := each.found[:_EVIDENCE]:
            tool = "search_documents" if each.subtask.subagent is FILE_ANALYZER else "web_search"
            turn.prior.append(Prior(tool, {"query": each.subtask.task}, show_new(turn, found), found))
    return turn
