"""A follow-up question to one that stands by itself: by the system model where there is one, else by rules."""

from pincite.agent import history
from pincite.agent.helping import replied
from pincite.agent.prompts import render
from pincite.agent.turn import Turn
from pincite.retrieval.reformulate import acceptable, refers_back, rewrite

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
    told = render("rewrite", history=history.summary(turn.asked.history, _TOKENS), question=question)
    said = await replied(turn, told, "The question was not rewritten")
    return (said or "").strip().strip('"“”«»').strip()
