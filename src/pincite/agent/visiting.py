"""Pages whose addresses stand in a question: read before the model is asked, without being told to."""

from collections.abc import AsyncIterator

from pincite.agent.speaking import Heard
from pincite.agent.turn import Turn


async def visited(turn: Turn) -> AsyncIterator[Heard]:
    """What is heard while the pages that a question names are read; what they say becomes `turn.prior`."""
    return
    yield
