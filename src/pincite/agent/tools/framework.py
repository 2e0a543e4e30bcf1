"""The tools as the agent framework calls them."""

import functools
import inspect
from typing import Any

from pydantic_ai import RunContext, ToolReturn
from pydantic_ai.exceptions import ToolFailed
from pydantic_ai.tools import Tool, ToolDefinition

from pincite.agent import tool_call
from pincite.agent.tools import TOOLS, call_tool, find_tool, offered
from pincite.agent.turn import Turn


def make_toolset() -> list[Tool[Turn]]:
    """Every tool, with the description that its function has."""
    return [_make_tool(name) for name in TOOLS]


def _make_tool(name: str) -> Tool[Turn]:
    described = find_tool(name)

    @functools.wraps(described)
    async def run(context: RunContext[Turn], /, **given: Any) -> ToolReturn[str]:
        try:
            returned = await call_tool(name, tool_call.RunContext(context.deps, context.usage), **given)
        except tool_call.ToolFailed as error:
            raise ToolFailed(str(error)) from error
        return ToolReturn(returned.return_value, metadata=returned.metadata)

    context, *given = inspect.signature(described).parameters.values()
    # The framework accepts no other type of a context than its own, or none.
    bare = context.replace(annotation=inspect.Parameter.empty)
    run.__signature__ = inspect.Signature([bare, *given])  # type: ignore[attr-defined]
    # Said, so that no time is spent on guessing how each docstring is written.
    return Tool(run, takes_ctx=True, prepare=_prepare, docstring_format="google")


async def _prepare(context: RunContext[Turn], definition: ToolDefinition) -> ToolDefinition | None:
    return definition if definition.name in offered(context.deps) else None
