"""Decide whether a question is split into parts, and split it: by the system model, or by rules without one."""

import asyncio
import logging
import re
from dataclasses import dataclass

from pydantic import BaseModel, Field

from pincite.answer import history, privacy
from pincite.answer.context import Context
from pincite.answer.extractive.composition import is_sufficient
from pincite.answer.extractive.question_kind import parse_question
from pincite.answer.extractive.tool_calls import SEARCH, Call, CallResult
from pincite.answer.ledger import Ledger
from pincite.answer.prompts import render
from pincite.answer.split import split_rules
from pincite.answer.split.subagents import DEEP_RESEARCH, FILE_ANALYZER, Subagent
from pincite.answer.system_model import ask_system_model
from pincite.errors import Leak
from pincite.search import browse
from pincite.text.model_json import parse_model_json

log = logging.getLogger(__name__)

_FEWEST, _MOST = 2, 3  # subtasks
_PASSAGES = 8  # searched to see whether the documents answer a part
_TOKENS = 800  # tokens of the conversation in the planner's prompt
# A question with several parts compares, enumerates, is long, or joins clauses that each ask something.
_SEVERAL = re.compile(
    r"\b(?:both|versus|vs|compar\w+|differ\w*|between|as well as|against|ainsi que|diff[ée]r\w+|entre|"
    r"d['’]une part|par rapport)\b|;|,.+,|\?.+\?",
    re.I | re.S,
)
_SHORTEST, _LONG = 5, 25  # words


@dataclass(frozen=True, slots=True)
class Subtask:
    """A part of a question and the subagent that works on it. `heading` names the part in the answer."""

    subagent: Subagent
    task: str
    heading: str = ""


class _SubtaskEntry(BaseModel):
    subagent: str
    task: str = Field(min_length=3, max_length=1000)


class _SplitReply(BaseModel):
    needsDecomposition: bool  # noqa: N815
    reasoning: str = ""
    subtasks: list[_SubtaskEntry] = []


async def split_into_subtasks(context: Context) -> list[Subtask]:
    """Return the two or three subtasks of a question; none when one agent is to answer it."""
    if not may_be_split(context):
        return []
    if context.models.system is None:
        return await asyncio.to_thread(_split_by_rules, context)
    return await _split_by_model(context)


def may_be_split(context: Context) -> bool:
    """Whether a question may be split: it may have parts, and there is a subagent to work on them."""
    is_allowed = context.services.settings.research.subagents and context.asked.focus in ("all", "documents", "web")
    return is_allowed and bool(list_available_subagents(context)) and _may_have_parts(context)


def list_available_subagents(context: Context) -> dict[str, Subagent]:
    """Return the subagents that can work on a question, by the sources that its focus allows."""
    found = {}
    if context.asked.focus != "web":
        found[FILE_ANALYZER.name] = FILE_ANALYZER
    if context.engine and context.asked.focus != "documents":
        found[DEEP_RESEARCH.name] = DEEP_RESEARCH
    return found


def _may_have_parts(context: Context) -> bool:
    """Whether a question may have several parts. Asking a model about a simple question costs more than its answer."""
    words = len(context.question.split())
    has_signs = bool(_SEVERAL.search(context.question) or split_rules.split_question(context.question))
    return words >= _LONG or (words >= _SHORTEST and has_signs)


async def _split_by_model(context: Context) -> list[Subtask]:
    """Return the system model's plan; an empty list when the model fails or its reply is no plan."""
    available = list_available_subagents(context)
    prompt = render(
        "decompose",
        subagents="\n".join(f"- `{each.name}` {each.description}" for each in available.values()),
        history=history.summarise_history(context.asked.history, _TOKENS) or "(none)",
        question=context.question,
    )
    reply = await ask_system_model(context, prompt, "The question was not split")
    plan = read_plan(reply, available) if reply is not None else []
    if plan is None:
        log.warning("The system model's reply is no plan: the question is not split.")
    return plan if plan and _may_leave(context, plan) else []


def _may_leave(context: Context, plan: list[Subtask]) -> bool:
    """Whether the tasks have nothing of About Me: a subagent searches with the words of its task."""
    try:
        for each in plan:
            privacy.check_outgoing(each.task, context.asked.profile, context.list_allowed_words())
    except Leak:
        log.warning("A plan had words of About Me: the question is not split.")
        return False
    return True


def read_plan(reply: str, available: dict[str, Subagent]) -> list[Subtask] | None:
    """Return the subtasks of a model's plan, empty when it needs none; None when the reply is no valid plan."""
    plan = parse_model_json(reply, _SplitReply)
    if plan is None:
        return None
    if not plan.needsDecomposition:
        return []
    unique = {" ".join(part.task.split()).casefold(): part for part in plan.subtasks}
    if not _FEWEST <= len(unique) <= _MOST or any(part.subagent not in available for part in unique.values()):
        return None
    return [Subtask(available[part.subagent], " ".join(part.task.split())) for part in unique.values()]


def _split_by_rules(context: Context) -> list[Subtask]:
    available = list_available_subagents(context)
    found = split_rules.split_question(context.question)
    if not available:
        return []
    asked = zip(found, split_rules.choose_sources(found), strict=True)
    return [
        Subtask(_choose_subagent(context, heading, task, where, available), task, heading)
        for (heading, task), where in asked
    ]


def _choose_subagent(
    context: Context, heading: str, task: str, where: split_rules.PartSource, available: dict[str, Subagent]
) -> Subagent:
    """Choose the subagent for a part: by its words, else by whether the documents answer it, else the web."""
    if len(available) == 1:
        return next(iter(available.values()))
    if not where:
        named = browse.find_documents_by_name(context.services.library.database, context.search_scope, heading)
        where = "documents" if named or _is_in_documents(context, task) else "web"
    return FILE_ANALYZER if where == "documents" else DEEP_RESEARCH


def _is_in_documents(context: Context, task: str) -> bool:
    """Whether the documents answer a part, as far as words and meaning show."""
    ledger = Ledger()
    hits = context.services.search.search(task, context.search_scope, _PASSAGES)
    found = tuple(ledger.add(hit)[0] for hit in hits)
    return is_sufficient(parse_question(task), [CallResult(Call(SEARCH, ()), found)], context.services.embedder)
