"""Passages of a page to a few sentences that say what it says, each with the mark of the evidence it rests on."""

import logging
import re
from collections.abc import Sequence

from pydantic_ai import Agent
from pydantic_ai.exceptions import AgentRunError, UserError

from pincite import events
from pincite.agent.extractive.quoting import quoted
from pincite.agent.extractive.summary import central
from pincite.agent.prompts import render
from pincite.agent.showing import line, one
from pincite.agent.turn import Turn
from pincite.errors import PinciteError
from pincite.types import Evidence

log = logging.getLogger(__name__)

_MARK = re.compile(r"(\[\d{1,4}(?:\.\d{1,4})?\])")
_SENTENCES = 5
_LONGEST = 3000  # characters of a summary


async def summarised(turn: Turn, evidence: Sequence[Evidence], query: str = "") -> str:
    """What the passages say, by the system model; its most central sentences where there is none, or it fails."""
    if not evidence:
        return ""
    said = await _by_model(turn, evidence, query) if turn.models.system else ""
    return said or _retold(quoted(*central(evidence, _SENTENCES)), evidence)


async def _by_model(turn: Turn, evidence: Sequence[Evidence], query: str) -> str:
    assert turn.models.system
    told = render("summary", question=query, evidence="\n\n".join(map(one, evidence)))
    try:
        ran = await Agent(turn.models.system.model).run(told, usage_limits=turn.budget.limits())
    except (AgentRunError, UserError, PinciteError) as error:
        log.warning("The page was not summarised by %s: %s", turn.models.system.name, error)
        return ""
    used = ran.usage
    turn.spend(events.Usage(input_tokens=used.input_tokens, output_tokens=used.output_tokens, requests=used.requests))
    return _retold(ran.output[:_LONGEST], evidence)


def _retold(said: str, evidence: Sequence[Evidence]) -> str:
    """A summary as data: with the marks of its own evidence and no others; nothing when none is left."""
    known = {f"[{each.number}]" for each in evidence} | {
        f"[{each.number}.{number}]" for each in evidence for number in range(1, len(each.sentences) + 1)
    }
    pieces = [piece if piece in known else line(_MARK.sub("", piece)) for piece in _MARK.split(said)]
    return " ".join(filter(None, pieces)) if not known.isdisjoint(pieces) else ""
