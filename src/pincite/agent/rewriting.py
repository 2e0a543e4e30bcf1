"""A follow-up question to one that stands by itself: by rules, and by the system model where only it can do better."""

from pincite.agent import history
from pincite.agent.helping import replied
from pincite.agent.prompts import render
from pincite.agent.turn import Turn
from pincite.retrieval.reformulate import acceptable, refers_back, rewrite

_TOKENS = 1200  # of the conversation that the rewriter is shown


def rewrite_by_rules(turn: Turn) -> str:
    """The question as it is searched for: itself, or what it means after what was said before."""
    question, past = turn.asked.question.strip(), turn.asked.history
    return rewrite(question, past) if past and refers_back(question, past) else question


def needs_system_model(turn: Turn) -> bool:
    """Whether the system model is to rewrite the question.

    It is not where the question stands alone, nor where the model that answers reads the conversation and words its
    searches itself.
    """
    question, past = turn.asked.question.strip(), turn.asked.history
    reads_conversation = turn.writes and turn.models.chat.tools
    return turn.models.system is not None and not reads_conversation and bool(past) and refers_back(question, past)


async def rewrite_by_model(turn: Turn) -> str:
    """The system model's rewrite; nothing when it fails or is no rewrite, for there are rules to fall back on."""
    question, past = turn.asked.question.strip(), turn.asked.history
    told = render("rewrite", history=history.summary(past, _TOKENS), question=question)
    said = await replied(turn, told, "The question was not rewritten")
    proposed = (said or "").strip().strip('"“”«»').strip()
    return proposed if proposed and acceptable(question, proposed, past) else ""
