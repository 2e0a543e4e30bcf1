"""Passages of a page to a few sentences that say what it says, each with the mark of the evidence it rests on."""

import asyncio
import logging
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pincite.agent.context_window import evidence_room
from pincite.agent.extractive.quoting import quoted
from pincite.agent.extractive.summary import central
from pincite.agent.prompts import render
from pincite.agent.showing import line, list_evidence
from pincite.agent.turn import Turn
from pincite.errors import PinciteError
from pincite.types import Evidence

if TYPE_CHECKING:
    from pydantic_ai.usage import RunUsage

log = logging.getLogger(__name__)

_MARK = re.compile(r"(\[\d{1,4}(?:\.\d{1,4})?\])")
_SENTENCES = 5
_LONGEST = 3000  # characters of a summary
_LEFT = 2  # requests of its question that no summary takes from who answers it


async def summarised(turn: Turn, evidence: Sequence[Evidence], query: str, used: "RunUsage | None") -> str:
    """What the passages say, by the system model; its most central sentences where there is none, or it fails.

    `used` is what the run has cost that asks for it: what a summary costs is counted there.
    """
    if not evidence:
        return ""
    return await _by_model(turn, evidence, query, used) or await asyncio.to_thread(_in_its_words, evidence)


async def _by_model(turn: Turn, evidence: Sequence[Evidence], query: str, used: "RunUsage | None") -> str:
    """The system model's summary; nothing when there is none, it fails, or there is too little left to spend."""
    system = turn.models.system
    if system is None or used is None or turn.left.requests - used.requests - turn.helping <= _LEFT:
        return ""
    from pydantic_ai import Agent
    from pydantic_ai.exceptions import AgentRunError, UserError

    room = evidence_room(turn, render("summary", question=query, evidence="-"), model=system)
    told = render("summary", question=query, evidence=list_evidence(evidence, room=room)[0])
    turn.helping += 1
    try:
        ran = await Agent(system.model).run(told, usage=used, usage_limits=turn.left.limits())
    except (AgentRunError, UserError, PinciteError) as error:
        log.warning("The page was not summarised by %s: %s", system.name, error)
        return ""
    finally:
        turn.helping -= 1
    return _retold(ran.output[:_LONGEST], evidence)


def _in_its_words(evidence: Sequence[Evidence]) -> str:
    return _retold(quoted(*central(evidence, _SENTENCES)), evidence)


def _retold(said: str, evidence: Sequence[Evidence]) -> str:
    """A summary as data: with the marks of its own evidence and no others; nothing when none is left."""
    known = {f"[{each.number}]" for each in evidence} | {
        f"[{each.number}.{number}]" for each in evidence for number in range(1, len(each.sentences) + 1)
    }
    pieces = [piece if piece in known else line(_MARK.sub("", piece)) for piece in _MARK.split(said)]
    return " ".join(filter(None, pieces)) if not known.isdisjoint(pieces) else ""
