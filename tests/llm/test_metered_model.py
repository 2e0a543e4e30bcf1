"""Each request to a model is recorded once: whole, broken off, refused, or without figures from the server."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from pydantic_ai import Agent
from pydantic_ai.exceptions import ModelHTTPError
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.models.test import TestModel
from pydantic_ai.usage import RequestUsage

from pincite.accounts.spending_record import SpendingRecord
from pincite.errors import LimitReached
from pincite.llm.metered_model import MeteredModel
from pincite.settings_quota import QuotaSettings
from pincite.store.credits import CREDIT

NAME = "test:model"
pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def _reply(usage: RequestUsage | None = None, text: str = "Twelve metres.") -> FunctionModel:
    def answer(_: list[ModelMessage], __: AgentInfo) -> ModelResponse:
        return ModelResponse(parts=[TextPart(text)], usage=usage or RequestUsage())

    return FunctionModel(answer)


async def test_a_reply_is_recorded_with_the_tokens_that_the_server_reports() -> None:
    record = SpendingRecord()
    model = MeteredModel(_reply(RequestUsage(input_tokens=40, output_tokens=7)), NAME, record)
    ran = await Agent(model).run("How high is it?")
    assert ran.output == "Twelve metres."
    (spent,) = record.list_spendings()
    assert (spent.model, spent.input_tokens, spent.output_tokens, spent.requests) == (NAME, 40, 7, 1)


async def test_a_stream_is_recorded_too() -> None:
    record = SpendingRecord()
    async with Agent(MeteredModel(TestModel(), NAME, record)).run_stream("How high is it?") as run:
        await run.get_output()
        usage = run.usage
    (spent,) = record.list_spendings()
    assert (spent.input_tokens, spent.output_tokens) == (usage.input_tokens, usage.output_tokens)
    assert spent.output_tokens


async def test_a_stream_that_is_stopped_costs_what_was_sent_and_received() -> None:
    async def talk(_: list[ModelMessage], __: AgentInfo) -> AsyncIterator[str]:
        yield "one two three "
        await asyncio.Event().wait()

    record = SpendingRecord()
    agent = Agent(MeteredModel(FunctionModel(stream_function=talk), NAME, record))

    async def listen() -> None:
        async with agent.run_stream("word " * 300) as run:
            async for _ in run.stream_text(debounce_by=None):
                heard.set()

    heard = asyncio.Event()
    listening = asyncio.create_task(listen())
    await heard.wait()
    listening.cancel()
    await asyncio.gather(listening, return_exceptions=True)
    (spent,) = record.list_spendings()
    assert spent.input_tokens > 0
    assert spent.output_tokens == 3
    assert spent.requests == 1


async def test_a_request_that_was_cancelled_costs_what_was_sent() -> None:
    async def never(_: list[ModelMessage], __: AgentInfo) -> ModelResponse:
        begun.set()
        await asyncio.Event().wait()
        raise AssertionError

    begun, record = asyncio.Event(), SpendingRecord()
    running = asyncio.create_task(Agent(MeteredModel(FunctionModel(never), NAME, record)).run("word " * 300))
    await begun.wait()
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    (spent,) = record.list_spendings()
    assert spent.input_tokens >= 300


async def test_a_request_that_the_server_refuses_counts_as_a_request_without_tokens() -> None:
    def refuse(_: list[ModelMessage], __: AgentInfo) -> ModelResponse:
        raise ModelHTTPError(500, "test")

    record = SpendingRecord()
    with pytest.raises(ModelHTTPError):
        await Agent(MeteredModel(FunctionModel(refuse), NAME, record)).run("How high?")
    (spent,) = record.list_spendings()
    assert (spent.input_tokens, spent.output_tokens, spent.requests) == (0, 0, 1)


async def test_a_reply_without_figures_is_estimated() -> None:
    class Bare(FunctionModel):
        async def request(self, *given: Any, **named: Any) -> ModelResponse:
            response = await super().request(*given, **named)
            response.usage = RequestUsage()
            return response

    def answer(_: list[ModelMessage], __: AgentInfo) -> ModelResponse:
        return ModelResponse(parts=[TextPart("x" * 300)])

    record = SpendingRecord()
    await Agent(MeteredModel(Bare(answer), NAME, record)).run("y" * 900)
    (spent,) = record.list_spendings()
    assert (spent.input_tokens, spent.output_tokens) == (300, 100)


async def test_near_the_limit_the_reply_is_cut_and_after_it_nothing_is_asked() -> None:
    asked: list[int | None] = []

    def answer(_: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        asked.append((info.model_settings or {}).get("max_tokens"))
        return ModelResponse(parts=[TextPart("x")], usage=RequestUsage(input_tokens=10, output_tokens=1890))

    record = SpendingRecord(QuotaSettings(request_tokens=4000))
    record.limit = 2 * CREDIT
    agent = Agent(MeteredModel(FunctionModel(answer), NAME, record))
    await agent.run("y" * 30)
    assert asked == [1990]
    with pytest.raises(LimitReached):
        await agent.run("y" * 30)
    assert len(asked) == 1
