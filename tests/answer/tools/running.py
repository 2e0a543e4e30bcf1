"""Tools in a test: one call in a turn of one's own."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from pydantic_ai.usage import RunUsage

from pincite.answer.context import Context
from pincite.answer.question import AskedQuestion
from pincite.answer.services import Services
from pincite.answer.tool_call import RunContext, ToolReturn


def a_turn(services: Services, question: str = "What is there?") -> Context:
    return services.open_context(AskedQuestion(question=question))


def call(context: Context, tool: Callable[..., Awaitable[ToolReturn[str]]], **given: Any) -> str:
    """Return the text that a model gets from one call of a tool."""
    run = RunContext(context, RunUsage())

    async def made() -> ToolReturn[str]:
        return await tool(run, **given)

    return str(asyncio.run(made()).return_value)
