"""What a search found to what a tool returns: numbered evidence, as a model reads it."""

from collections.abc import Sequence

from pydantic_ai import ToolReturn

from pincite.agent.showing import shown
from pincite.agent.turn import Turn
from pincite.types import Hit


async def found(turn: Turn, hits: Sequence[Hit], more: str = "") -> ToolReturn[str]:
    """Passages as evidence of the turn, shown to the model; `more` is said after them and cannot be cited."""
    evidence = await turn.collect(hits)
    return ToolReturn("\n\n".join(filter(None, (shown(evidence), more))), metadata=evidence)
