"""Tools in a test: one call in a turn of one's own."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from pydantic_ai.usage import RunUsage

from pincite.agent.house import House
from pincite.agent.tool_call import RunContext, ToolReturn
from pincite.agent.turn import Asked, Turn


def a_turn(house: House, question: str = "What is there?") -> Turn:
    return house.turn(Asked(question=question))


def call(turn: Turn, tool: Callable[..., Awaitable[ToolReturn[str]]], **given: Any) -> str:
    """What a model is told by one call of a tool."""
    context = RunContext(turn, RunUsage())

    async def made() -> ToolReturn[str]:
        return await tool(context, **given)

    return str(asyncio.run(made()).return_value)
