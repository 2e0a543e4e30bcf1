"""Limit and count the cost of a question: requests to models, tool calls and tokens, of all agents together."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pincite import events
from pincite.settings import ResearchSettings
from pincite.settings_models import ModelSettings

if TYPE_CHECKING:
    from pydantic_ai.usage import UsageLimits


@dataclass(frozen=True, slots=True)
class Budget:
    """The requests, tool calls and tokens that may be spent."""

    requests: int = 12
    tool_calls: int = 24
    tokens: int = 200_000

    @classmethod
    def of(cls, settings: ModelSettings | ResearchSettings) -> "Budget":
        """Return the budget that the settings allow."""
        return cls(settings.requests, settings.tool_calls, settings.tokens)

    def after(self, used: events.Usage) -> "Budget":
        """Return the budget that is left after this usage."""
        return Budget(
            max(self.requests - used.requests, 0),
            max(self.tool_calls - used.tool_calls, 0),
            max(self.tokens - used.input_tokens - used.output_tokens, 0),
        )

    def shared(self, among: int) -> "Budget":
        """Return an equal share for each of so many agents."""
        return Budget(self.requests // among, self.tool_calls // among, self.tokens // among)

    def at_least(self, requests: int) -> "Budget":
        """Return the same budget with at least this many requests."""
        return Budget(max(self.requests, requests), self.tool_calls, self.tokens)

    def at_most(self, requests: int) -> "Budget":
        """Return the same budget with at most this many requests."""
        return Budget(min(self.requests, requests), self.tool_calls, self.tokens)

    def limits(self) -> "UsageLimits":
        """Return the budget as limits of the agent framework."""
        from pincite.llm.usage_limits import QuietUsageLimits

        return QuietUsageLimits(
            request_limit=self.requests, tool_calls_limit=self.tool_calls, total_tokens_limit=self.tokens
        )


_COUNTED = ("input_tokens", "output_tokens", "requests", "tool_calls")


@dataclass(slots=True)
class Meter:
    """Counts the cost of a question against its budget."""

    budget: Budget = field(default_factory=Budget)
    granted: Budget | None = None  # the part that the credits of the person pay for; None is all
    usage: events.Usage = field(default_factory=events.Usage)
    system_requests_running: int = 0  # running requests of tools to the system model

    @property
    def left(self) -> Budget:
        """The part of the budget that is left."""
        left = self.budget.after(self.usage)
        if self.granted is None:
            return left
        paid = self.granted.after(self.usage)
        return Budget(
            min(left.requests, paid.requests), min(left.tool_calls, paid.tool_calls), min(left.tokens, paid.tokens)
        )

    def spend(self, usage: events.Usage) -> None:
        """Add the cost of a request."""
        self.usage = events.Usage(**{name: getattr(self.usage, name) + getattr(usage, name) for name in _COUNTED})
