"""What a run of a model leaves behind besides its events."""

from dataclasses import dataclass, field

from pincite.agent.turn import Turn
from pincite.types import Evidence


@dataclass(slots=True)
class RunState:
    """The tools that were called, and words that rest on nothing yet."""

    called: set[str] = field(default_factory=set)
    waiting: str = ""


def list_evidence(turn: Turn) -> list[Evidence]:
    """The evidence that a turn found itself or was given; each part of a question has its own."""
    given = {each.number: each for prior in turn.prior for each in prior.found if isinstance(each, Evidence)}
    return list((given | turn.found).values())
