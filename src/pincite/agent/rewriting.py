"""A follow-up question to one that stands by itself: by the system model where there is one, else by rules."""

import logging

from pydantic_ai import Agent
from pydantic_ai.exceptions import AgentRunError, UserError

from pincite import events
from pincite.agent import history
from pincite.agent.prompts import render
from pincite.agent.turn import Turn
from pincite.errors import PinciteError
from pincite.retrieval.reformulate import acceptable, refers_back, rewrite

log = logging.getLogger(__name__)

_TOKENS = 1200  # of the conversation that the rewriter is shown


async def understood(turn: Turn) -> str:
    """The question as it is looked for: itself, or what it means after what was said before."""
    question, past = turn.asked.question.strip(), turn.asked.history
    if not past or not refers_back(question, past):
        return question
    if turn.models.system is not None:
        proposed = await _by_model(turn, question)
        if proposed and acceptable(question, proposed, past):
            return proposed
    return rewrite(question, past)


async def _by_model(turn: Turn, question: str) -> str:
    """The system model's rewrite; nothing when it fails, for there are rules to fall back on."""
    assert turn.models.system
    told = render("rewrite", history=history.summary(turn.asked.history, _TOKENS), question=question)
    try:
        ran = await Agent(turn.models.system.model).run(told, usage_limits=turn.left.limits())
    except (AgentRunError, UserError, PinciteError) as error:
        log.warning("The question was not rewritten by %s: %s", turn.models.system.name, error)
        return ""
    used = ran.usage
    turn.spend(events.Usage(input_tokens=used.input_tokens, output_tokens=used.output_tokens, requests=used.requests))
    return ran.output.strip().strip('"“”«»').strip()
