"""Tool calls that run side by side number their evidence in the order of the calls."""

import asyncio
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from pydantic_ai import Agent
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from pincite.answer.call_order import CallOrder
from pincite.answer.context import Context
from pincite.answer.question import AskedQuestion
from pincite.answer.tools import load_toolset
from pincite.types import Hit
from tests.clock import PATIENCE
from tests.turns import open_test_services

TEXTS = {
    "alpha.md": "# Alpha\n\nThe alpha dam is 33 m high.",
    "beta.md": "# Beta\n\nThe beta bridge is 44 m long.",
    "gamma.md": "# Gamma\n\nThe gamma tower is 55 m high.",
}
QUERIES = ("gamma tower", "beta bridge", "alpha dam")


def test_the_first_call_numbers_first_though_it_ends_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    services = open_test_services(tmp_path, TEXTS)
    search, others = services.search.search, threading.Barrier(3)

    def slow(query: str, *given: Any) -> Sequence[Hit]:
        found = search(query, *given)
        others.wait(PATIENCE)  # none returns before all have searched
        if query == QUERIES[0]:
            last.wait(PATIENCE)
        elif query == QUERIES[2]:
            last.set()
        return found

    last = threading.Event()
    monkeypatch.setattr(services.search, "search", slow)

    def model(messages: list[ModelMessage], _: AgentInfo) -> ModelResponse:
        if len(messages) == 1:
            return ModelResponse([ToolCallPart("search_documents", {"query": query}) for query in QUERIES])
        return ModelResponse([TextPart("Done.")])

    context = services.open_context(AskedQuestion(question="What is there?"))
    asyncio.run(
        Agent(FunctionModel(model), deps_type=Context, tools=load_toolset()).run("What is there?", deps=context)
    )
    assert [each.title for each in context.ledger.listed] == ["Gamma", "Beta", "Alpha"]


def test_a_call_that_fails_holds_up_no_other() -> None:
    order, numbered = CallOrder(), []

    async def fails(begun: asyncio.Event) -> None:
        async with order.call(30):
            await begun.wait()
            raise ValueError

    async def works(begun: asyncio.Event) -> None:
        async with order.call(30):
            begun.set()
            await order.wait_for_earlier()
            numbered.append("second")

    async def both() -> None:
        begun = asyncio.Event()
        await asyncio.gather(fails(begun), works(begun), return_exceptions=True)

    asyncio.run(both())
    assert numbered == ["second"]


def test_the_time_a_call_waits_for_earlier_ones_is_not_its_own() -> None:
    order = CallOrder()

    async def first(asked: asyncio.Event) -> None:
        async with order.call(30):
            await asked.wait()
            await asyncio.sleep(0)  # longer than the other may take

    async def second(asked: asyncio.Event) -> str:
        async with order.call(0):
            asked.set()
            await order.wait_for_earlier()
        return "in time"

    async def both() -> str:
        asked = asyncio.Event()
        return (await asyncio.gather(first(asked), second(asked)))[1]

    assert asyncio.run(both()) == "in time"


def test_a_call_that_takes_too_long_is_ended() -> None:
    async def endless() -> None:
        async with CallOrder().call(0):
            await asyncio.Event().wait()

    with pytest.raises(TimeoutError):
        asyncio.run(endless())
