"""What a question may cost: requests to models, tool calls and tokens, for all that works on it together."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pincite import events
from pincite.settings import ModelSettings, ResearchSettings

if TYPE_CHECKING:
    from pydantic_ai.usage import UsageLimits


@dataclass(frozen=True, slots=True)
class Budget:
    """So much may be spent."""

    requests: int = 12
    tool_calls: int = 24
    tokens: int = 200_000

    @classmethod
    def of(cls, settings: ModelSettings | ResearchSettings) -> "Budget":
        """What the settings allow for a question, or for one that is taken apart."""
        return cls(settings.requests, settings.tool_calls, settings.tokens)

    def after(self, used: events.Usage) -> "Budget":
        """What is left of it when this much was used."""
        return Budget(
            max(self.requests - used.requests, 0),
            max(self.tool_calls - used.tool_calls, 0),
            max(self.tokens - used.input_tokens - used.output_tokens, 0),
        )

    def shared(self, among: int) -> "Budget":
        """An equal share of it for each of so many: together they cannot spend more than there is."""
        return Budget(self.requests // among, self.tool_calls // among, self.tokens // among)

    def at_least(self, requests: int) -> "Budget":
        """The same, with no fewer requests than these."""
        return Budget(max(self.requests, requests), self.tool_calls, self.tokens)

    def at_most(self, requests: int) -> "Budget":
        """The same, with no more requests than these."""
        return Budget(min(self.requests, requests), self.tool_calls, self.tokens)

    def limits(self) -> "UsageLimits":
        """As the agent framework counts it."""
        from pincite.agent.limits import Limits

        return Limits(request_limit=self.requests, tool_calls_limit=self.tool_calls, total_tokens_limit=self.tokens)
