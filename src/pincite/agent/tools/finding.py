"""What a search found to what a tool returns: numbered evidence, as a model reads it."""

from collections.abc import Mapping, Sequence

from pydantic_ai import ToolReturn

from pincite.agent import instructions
from pincite.agent.context_window import count_tokens
from pincite.agent.showing import shown
from pincite.agent.turn import Turn
from pincite.types import Evidence, Hit


async def found(
    turn: Turn, hits: Sequence[Hit], more: str = "", extra: Mapping[str, str] | None = None
) -> ToolReturn[str]:
    """Passages as evidence of the turn, shown to the model; `more` is said after them and cannot be cited.

    `extra` is what the tool tells people of itself, in its event.
    """
    evidence = await turn.collect(hits)
    told = (dict(extra),) if extra else ()
    return ToolReturn(show_new(turn, evidence, more), metadata=(*evidence, *told))


def show_new(turn: Turn, evidence: Sequence[Evidence], more: str = "") -> str:
    """Evidence as the turn's model is told of it: what it was shown before is named alone, what does not fit is cut."""
    turn.shown.tokens += count_tokens(more)
    return "\n\n".join(filter(None, (shown(evidence, turn.shown, instructions.room_left(turn)), more)))
