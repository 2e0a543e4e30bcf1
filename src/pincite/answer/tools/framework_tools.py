"""Make the tools of the agent framework."""

import functools
import inspect
from typing import Any

from pydantic_ai import RunContext, ToolReturn
from pydantic_ai.exceptions import ToolFailed
from pydantic_ai.tools import Tool, ToolDefinition

from pincite.answer import tool_call
from pincite.answer.context import Context
from pincite.answer.tools import TOOLS, call_tool, find_tool, list_offered_tools


def make_toolset() -> list[Tool[Context]]:
    """Return every tool, with the description of its function."""
    return [_make_tool(name) for name in TOOLS]


def _make_tool(name: str) -> Tool[Context]:
    described = find_tool(name)

    @functools.wraps(described)
    async def call(run: RunContext[Context], /, **given: Any) -> ToolReturn[str]:
        try:
            returned = await call_tool(name, tool_call.RunContext(run.deps, run.usage), **given)
        except tool_call.ToolFailed as error:
            raise ToolFailed(str(error)) from error
        return ToolReturn(returned.return_value, metadata=returned.metadata)

    first, *given = inspect.signature(described).parameters.values()
    # The framework accepts only its own context type, or none.
    bare = first.replace(annotation=inspect.Parameter.empty)
    call.__signature__ = inspect.Signature([bare, *given])  # type: ignore[attr-defined]
    # The format is given so that the framework does not spend time to detect it.
    return Tool(call, takes_ctx=True, prepare=_prepare_tool, docstring_format="google")


async def _prepare_tool(run: RunContext[Context], definition: ToolDefinition) -> ToolDefinition | None:
    return definition if definition.name in list_offered_tools(run.deps) else None
