"""What a search found to what a tool returns: numbered evidence, as a model reads it."""

from collections.abc import Mapping, Sequence

from pydantic_ai import ToolReturn

from pincite.agent.showing import shown
from pincite.agent.turn import Turn
from pincite.types import Hit


async def found(
    turn: Turn, hits: Sequence[Hit], more: str = "", extra: Mapping[str, str] | None = None
) -> ToolReturn[str]:
    """Passages as evidence of the turn, shown to the model; `more` is said after them and cannot be cited.

    `extra` is what the tool tells people of itself, in its event.
    """
    evidence = await turn.collect(hits)
    told = (dict(extra),) if extra else ()
    return ToolReturn("\n\n".join(filter(None, (shown(evidence), more))), metadata=(*evidence, *told))
