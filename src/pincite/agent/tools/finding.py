"""What a search found to what a tool returns: numbered evidence, as a model reads it."""

from collections.abc import Mapping, Sequence

from pincite.agent import instructions
from pincite.agent.context_window import count_tokens
from pincite.agent.showing import shown
from pincite.agent.tool_call import ToolReturn
from pincite.agent.turn import Turn
from pincite.retrieval.relevance import drop_weak
from pincite.types import Evidence, Hit, Scope

_QUOTED = 8  # passages of one search that are quoted from without a model, and weak ones are left out


def search_passages(turn: Turn, query: str, scope: Scope, limit: int | None = None) -> list[Hit]:
    """Search the documents for what the turn's writer is given.

    A model gets the reranker's choice, or without one the first `answers.evidence` (or `limit`) passages. Without a
    model there are more to quote from.
    """
    usual = turn.house.settings.answers.evidence
    if turn.writes:
        return turn.find(query, scope, limit or usual)
    return drop_weak(turn.find(query, scope, limit or max(usual, _QUOTED)))


async def found(
    turn: Turn, hits: Sequence[Hit], more: str = "", extra: Mapping[str, str] | None = None
) -> ToolReturn[str]:
    """Passages as evidence of the turn, shown to the model; `more` is said after them and cannot be cited.

    `extra` is what the tool tells people of itself, in its event.
    """
    evidence = await turn.collect(hits)
    told = (dict(extra),) if extra else ()
    # What quotes without a model takes its passages from the evidence itself.
    return ToolReturn(show_new(turn, evidence, more) if turn.writes else "", metadata=(*evidence, *told))


def show_new(turn: Turn, evidence: Sequence[Evidence], more: str = "") -> str:
    """Evidence as the turn's model is told of it: what it was shown before is named alone, what does not fit is cut."""
    turn.shown.tokens += count_tokens(more)
    return "\n\n".join(filter(None, (shown(evidence, turn.shown, instructions.room_left(turn)), more)))
