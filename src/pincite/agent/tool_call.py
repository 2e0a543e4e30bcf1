"""What a tool is given and returns, by the names of the agent framework, which is not imported for them.

The model that quotes calls tools without the framework; `tools.framework` translates for all other models.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from pydantic_ai.usage import RunUsage

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class RunContext(Generic[T]):
    """The turn that a call is made for, and what the run of its model has cost so far, where one has a cost."""

    deps: T
    usage: "RunUsage | None" = None


@dataclass(frozen=True, slots=True)
class ToolReturn(Generic[T]):
    """What a call gave: its words for the model, and what it found, which no model is shown."""

    return_value: T
    metadata: tuple[object, ...] = ()


class ToolFailed(Exception):
    """A call came to nothing, for a reason that its model is told."""
