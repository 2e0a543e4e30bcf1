"""The context and the result of a tool call, with the names of the agent framework but without importing it.

The extractive answerer calls tools without the framework. `tools.framework_tools` translates for all other models.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from pydantic_ai.usage import RunUsage

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class RunContext(Generic[T]):
    """The context that a call is made for, and the usage of its run, where a model has a cost."""

    deps: T
    usage: "RunUsage | None" = None


@dataclass(frozen=True, slots=True)
class ToolReturn(Generic[T]):
    """The result of a call: the text for the model, and the objects it found, which no model sees."""

    return_value: T
    metadata: tuple[object, ...] = ()


class ToolFailed(Exception):
    """A tool call failed. The message is for the model."""
