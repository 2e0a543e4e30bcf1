"""Fifty clients at once, each with its own question, and none of them loses an event or gets another's."""

import asyncio

import pytest

from pincite.settings import Settings
from tests.server.websocket_clients import Stepwise, Told, connected, list_tasks, serving

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.mark.slow
async def test_fifty_clients_at_once_get_their_own_answers_whole(settings: Settings) -> None:
    stepwise = Stepwise(5)

    async def ask(port: int, number: int) -> list[Told]:
        async with connected(port) as client:
            topic = await client.ask(f"question {number}")
            stepwise.let_on()
            return await client.finish(topic)

    async with serving(settings, stepwise) as server:
        answers = await asyncio.gather(*(ask(server.port, number) for number in range(50)))
        for number, sent in enumerate(answers):
            assert [event["seq"] for event in sent] == list(range(1, 13))
            assert sent[0]["data"]["question"] == f"question {number}"
            said = "".join(event["data"]["delta"] for event in sent if event["type"] == "text")
            assert said == "".join(f"word {step} of question {number}. " for step in range(5))
            assert sent[-1]["type"] == "message_completed"
        assert len({event["messageId"] for sent in answers for event in sent}) == 50
        while "WebSocketConnection._serve" in list_tasks():
            await asyncio.sleep(0.01)


@pytest.mark.slow
async def test_fifty_clients_that_all_lose_their_connection_get_every_event_once(settings: Settings) -> None:
    stepwise = Stepwise(5)

    async def ask(port: int, number: int) -> list[int]:
        async with connected(port) as client:
            topic = await client.ask(f"question {number}")
            stepwise.let_on()
            taken = await client.take(number % 11)
            client.vanish()
        async with connected(port) as client:
            await client.subscribe(topic, after=len(taken))
            taken += await client.finish(topic)
        return [event["seq"] for event in taken]

    async with serving(settings, stepwise) as server:
        for seqs in await asyncio.gather(*(ask(server.port, number) for number in range(50))):
            assert seqs == list(range(1, 13))


async def test_fifty_clients_that_follow_one_conversation_get_the_same(settings: Settings) -> None:
    stepwise = Stepwise(5)
    async with serving(settings, stepwise) as server, connected(server.port) as asking:
        topic = await asking.ask("words")

        async def follow() -> list[Told]:
            async with connected(server.port) as client:
                await client.subscribe(topic)
                stepwise.let_on(1)
                return await client.finish(topic)

        first, *others = await asyncio.gather(asking.finish(topic), *(follow() for _ in range(50)))
        assert [event["seq"] for event in first] == list(range(1, 13))
        assert all(other == first for other in others)
