"""Whether a question is taken apart, and into what: by the system model where there is one, else by rules."""

import asyncio
import logging
import re
from dataclasses import dataclass

from pydantic import BaseModel, Field, ValidationError

from pincite.agent import egress, history
from pincite.agent.extractive.asking import understand
from pincite.agent.extractive.calls import SEARCH, Call, Returned
from pincite.agent.extractive.composing import suffices
from pincite.agent.helping import replied
from pincite.agent.ledger import Ledger
from pincite.agent.prompts import render
from pincite.agent.subagents import rules
from pincite.agent.subagents.definitions import DEEP_RESEARCH, FILE_ANALYZER, Subagent
from pincite.agent.turn import Turn
from pincite.errors import Leak
from pincite.retrieval import browse

log = logging.getLogger(__name__)

_FEWEST, _MOST = 2, 3  # subtasks
_PASSAGES = 8  # looked at to see whether the documents know something
_TOKENS = 800  # of the conversation that the planner is shown
_JSON = re.compile(r"\A[^{]*(\{.*\})", re.S)
# A question with several parts compares, enumerates, is long, or joins clauses that each ask something.
_SEVERAL = re.compile(
    r"\b(?:both|versus|vs|compar\w+|differ\w*|between|as well as|against|ainsi que|diff[ée]r\w+|entre|"
    r"d['’]une part|par rapport)\b|;|,.+,|\?.+\?",
    re.I | re.S,
)
_SHORTEST, _LONG = 5, 25  # words


@dataclass(frozen=True, slots=True)
class Subtask:
    """A part of a question and who works on it; `heading` is what the part is called where it must be named."""

    subagent: Subagent
    task: str
    heading: str = ""


class _Part(BaseModel):
    subagent: str
    task: str = Field(min_length=3, max_length=1000)


class _Plan(BaseModel):
    needsDecomposition: bool  # noqa: N815
    reasoning: str = ""
    subtasks: list[_Part] = []


async def decomposed(turn: Turn) -> list[Subtask]:
    """The two or three subtasks of a question; none when one agent is to answer it."""
    if not may_be_decomposed(turn):
        return []
    if turn.models.system is None:
        return await asyncio.to_thread(_by_rules, turn)
    return await _by_model(turn)


def may_be_decomposed(turn: Turn) -> bool:
    """Whether taking a question apart can matter: it may have parts, and there is a subagent to work on them."""
    is_allowed = turn.house.settings.research.subagents and turn.asked.focus in ("all", "documents", "web")
    return is_allowed and bool(available(turn)) and _may_have_parts(turn)


def available(turn: Turn) -> dict[str, Subagent]:
    """The subagents that can work on a turn's question: by where it may be looked."""
    found = {}
    if turn.asked.focus != "web":
        found[FILE_ANALYZER.name] = FILE_ANALYZER
    if turn.engine and turn.asked.focus != "documents":
        found[DEEP_RESEARCH.name] = DEEP_RESEARCH
    return found


def _may_have_parts(turn: Turn) -> bool:
    """Not for a greeting, nor for a simple question: asking a model whether it is one costs more than its answer."""
    words = len(turn.question.split())
    has_signs = bool(_SEVERAL.search(turn.question) or rules.parts(turn.question))
    return words >= _LONG or (words >= _SHORTEST and has_signs)


async def _by_model(turn: Turn) -> list[Subtask]:
    """The system model's plan; none when it fails or is no plan, for there is an agent to fall back on."""
    there = available(turn)
    told = render(
        "decompose",
        subagents="\n".join(f"- `{each.name}` {each.description}" for each in there.values()),
        history=history.summary(turn.asked.history, _TOKENS) or "(none)",
        question=turn.question,
    )
    said = await replied(turn, told, "The question was not taken apart")
    plan = planned(said, there) if said is not None else []
    if plan is None:
        log.warning("What the system model said is no plan: the question is not taken apart.")
    return plan if plan and _may_leave(turn, plan) else []


def _may_leave(turn: Turn, plan: list[Subtask]) -> bool:
    """Whether the tasks say nothing of About Me: a subagent searches in the words of its own, as of a question."""
    try:
        for each in plan:
            egress.outgoing(each.task, turn.asked.profile, turn.allowed())
    except Leak:
        log.warning("A plan had words of About Me: the question is not taken apart.")
        return False
    return True


def planned(said: str, there: dict[str, Subagent]) -> list[Subtask] | None:
    """The subtasks of a plan as a model writes it, none when it needs none; None when it is not a plan to follow."""
    match = _JSON.search(said)
    try:
        plan = _Plan.model_validate_json(match[1]) if match else None
    except ValidationError:
        plan = None
    if plan is None:
        return None
    if not plan.needsDecomposition:
        return []
    unique = {" ".join(part.task.split()).casefold(): part for part in plan.subtasks}
    if not _FEWEST <= len(unique) <= _MOST or any(part.subagent not in there for part in unique.values()):
        return None
    return [Subtask(there[part.subagent], " ".join(part.task.split())) for part in unique.values()]


def _by_rules(turn: Turn) -> list[Subtask]:
    there = available(turn)
    found = rules.parts(turn.question)
    if not there:
        return []
    asked = zip(found, rules.places(found), strict=True)
    return [Subtask(_whose(turn, heading, task, where, there), task, heading) for (heading, task), where in asked]


def _whose(turn: Turn, heading: str, task: str, where: rules.Place, there: dict[str, Subagent]) -> Subagent:
    """Who works on a part: by what it says, else by whether the documents know it, else the web where it can be."""
    if len(there) == 1:
        return next(iter(there.values()))
    if not where:
        is_called_so = browse.named(turn.house.library.database, turn.shelves, heading)
        where = "documents" if is_called_so or _is_known(turn, task) else "web"
    return FILE_ANALYZER if where == "documents" else DEEP_RESEARCH


def _is_known(turn: Turn, task: str) -> bool:
    """Whether the documents answer a part, as far as words and meaning tell."""
    ledger = Ledger()
    hits = turn.house.search.search(task, turn.shelves, _PASSAGES)
    found = tuple(ledger.add(hit)[0] for hit in hits)
    return suffices(understand(task), [Returned(Call(SEARCH, ()), found)], turn.house.embedder)
