"""Hold the state of one agent while it works: calls made for it, evidence it found, and text it was shown."""

from dataclasses import dataclass, field
from typing import Any

from pincite import events
from pincite.answer.call_order import CallOrder
from pincite.answer.evidence_prompt import ShownEvidence
from pincite.types import Evidence


@dataclass(frozen=True, slots=True)
class PriorCall:
    """A tool call that was made for the model before it was asked. The model sees it as its own call.

    `text` is what the model reads. `found` has the evidence or documents that the call returned besides.
    """

    tool: str
    given: dict[str, Any]
    text: str
    found: tuple[object, ...] = ()


@dataclass(slots=True)
class AgentState:
    """State of the agent that answers a question, or of one subagent. Each agent has its own."""

    shown: ShownEvidence = field(default_factory=ShownEvidence)
    order: CallOrder = field(default_factory=CallOrder)
    prior: list[PriorCall] = field(default_factory=list)
    found: dict[int, Evidence] = field(default_factory=dict)  # by number: evidence that this agent found, new or not
    cut: events.Cut | None = None  # why the model's last text is not complete
    used_location: bool = False
    used_profile: bool = False

    def list_evidence(self) -> list[Evidence]:
        """List the evidence that this agent found or was given."""
        given = {each.number: each for prior in self.prior for each in prior.found if isinstance(each, Evidence)}
        return list((given | self.found).values())
