"""Topics: whoever follows a conversation gets each of its events once and in order, however often it leaves."""

import asyncio
import json
from contextlib import AsyncExitStack

import httpx2
import pytest

from pincite.server import websocket_subscriptions
from pincite.server.idle_connections import IdleConnections
from pincite.settings import Settings
from tests.clock import PATIENCE
from tests.server.websocket_clients import Serving, Stepwise, Told, connected, list_tasks, not_reading, serving

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(autouse=True)
def _told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make sure that changes in the same process are sent at once: switch off the regular checks for them."""
    monkeypatch.setattr(websocket_subscriptions, "_LOOK", 2 * PATIENCE)


async def read_stored(server: Serving, topic: str) -> list[Told]:
    """All events of a conversation, as HTTP tells them."""
    async with httpx2.AsyncClient(timeout=PATIENCE) as http:
        text = (await http.get(f"{server.http}/api/conversations/{topic.partition(':')[2]}/events")).text
    return [json.loads(line[6:]) for line in text.splitlines() if line.startswith("data: ")]


async def test_two_clients_that_follow_a_conversation_get_the_same_events(settings: Settings) -> None:
    stepwise = Stepwise(5)
    async with serving(settings, stepwise) as server, connected(server.port) as one, connected(server.port) as other:
        topic = await one.ask("words")
        await other.subscribe(topic)
        stepwise.let_on()
        first, second = await one.finish(topic), await other.finish(topic)
        assert first == second == await read_stored(server, topic)
        assert [event["seq"] for event in first] == list(range(1, 13))


async def test_a_client_that_vanishes_at_any_event_and_comes_back_gets_every_event_once(settings: Settings) -> None:
    stepwise = Stepwise(4)
    async with serving(settings, stepwise) as server:
        for cut in range(11):
            async with connected(server.port) as client:
                topic = await client.ask("words")
                stepwise.let_on(2)
                taken = await client.take(min(cut, 5))
                if cut > 5:
                    stepwise.let_on(3)
                    taken += await client.take(cut - 5)
                client.vanish()
            if cut <= 5:
                stepwise.let_on(3)
            async with connected(server.port) as client:
                await client.subscribe(topic, after=cut)
                taken += await client.finish(topic)
            assert [event["seq"] for event in taken] == list(range(1, 11)), cut
            assert taken == await read_stored(server, topic)


async def test_a_client_that_vanishes_again_and_again_gets_every_event_once(settings: Settings) -> None:
    stepwise = Stepwise(20)
    async with serving(settings, stepwise) as server:
        async with connected(server.port) as client:
            topic = await client.ask("words")
            client.vanish()
        taken: list[Told] = []
        while not taken or taken[-1]["type"] != "message_completed":
            stepwise.let_on(1)
            async with connected(server.port) as client:
                await client.subscribe(topic, after=len(taken))
                taken += await client.take(1)
                client.vanish()
        assert [event["seq"] for event in taken] == list(range(1, 43))
        assert taken == await read_stored(server, topic)


async def test_an_answer_goes_on_when_its_client_leaves(settings: Settings) -> None:
    stepwise = Stepwise(3)
    async with serving(settings, stepwise) as server:
        async with connected(server.port) as client:
            topic = await client.ask("words")
        async with connected(server.port) as client:
            topic_of_the_vanished = await client.ask("others")
            client.vanish()
        stepwise.let_on()
        stepwise.let_on()
        async with connected(server.port) as late:
            for each in (topic, topic_of_the_vanished):
                await late.subscribe(each)
                last = (await late.finish(each))[-1]
                assert (last["type"], last["data"]["stopped"]) == ("message_completed", False)


async def test_a_client_that_asks_and_vanishes_at_once_has_asked_or_not_and_nothing_between(settings: Settings) -> None:
    async with serving(settings) as server:
        for _ in range(10):
            async with connected(server.port) as client:
                await client.send("action", id="1", action="ask", data={"message": "How deep?"})
                client.vanish()
        async with httpx2.AsyncClient(timeout=PATIENCE) as http:
            kept = (await http.get(f"{server.http}/api/conversations")).json()["conversations"]
        async with connected(server.port) as client:
            for each in kept:
                await client.subscribe(topic := f"conversation:{each['id']}")
                assert [event["seq"] for event in await client.finish(topic)] == [1, 2, 3, 4]


async def test_a_subscription_stays_for_the_next_question_of_anybody(settings: Settings) -> None:
    async with serving(settings) as server, connected(server.port) as client, connected(server.port) as other:
        topic = await client.ask()
        assert len(await client.finish(topic)) == 4
        await other.ask("And how cold?", conversationId=topic.partition(":")[2])
        assert [event["seq"] for event in await client.finish(topic)] == [5, 6, 7, 8]
        async with httpx2.AsyncClient(timeout=PATIENCE) as http:
            body = {"message": "And how old?", "conversationId": topic.partition(":")[2]}
            assert (await http.post(f"{server.http}/api/chat", json=body)).status_code == 200
        assert [event["seq"] for event in await client.finish(topic)] == [9, 10, 11, 12]


async def test_a_question_that_another_process_answers_is_found_too(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(websocket_subscriptions, "_LOOK", 0.01)
    async with serving(settings) as server, serving(settings) as beside, connected(server.port) as client:
        topic = await client.ask()
        assert len(await client.finish(topic)) == 4
        async with connected(beside.port) as other:
            await other.ask("And how cold?", conversationId=topic.partition(":")[2])
            await other.finish(topic)
        taken = await client.take(4)
        assert [event["seq"] for event in taken] == [5, 6, 7, 8]


async def test_a_client_follows_several_topics_each_from_its_place(settings: Settings) -> None:
    async with serving(settings) as server, connected(server.port) as client:
        topics = [await client.ask(f"Question {number}") for number in range(1)]
        await client.finish(topics[0])
        async with connected(server.port) as other:
            topics.append(await other.ask("Another"))
            await other.finish(topics[1])
            await other.send("unsubscribe", id="u", topics=topics)
            assert (await other.receive())["type"] == "unsubscribed"
            told = await other.request("subscribe", topics=topics, after={topics[1]: 2})
            assert told["topics"] == topics
            taken: dict[str, list[int]] = {topic: [] for topic in topics}
            done: set[str] = set()
            while done != set(topics):
                heard = await other.receive()
                if heard["type"] == "done":
                    done.add(heard["topic"])
                else:
                    taken[heard["topic"]].append(heard["seq"])
        assert list(taken.values()) == [[1, 2, 3, 4], [3, 4]]


async def test_after_unsubscribing_no_event_arrives_and_one_can_come_back(settings: Settings) -> None:
    stepwise = Stepwise(3)
    async with serving(settings, stepwise) as server, connected(server.port) as client, connected(server.port) as other:
        topic = await client.ask("words")
        await other.subscribe(topic)
        await client.take(1)
        told = await client.request("unsubscribe", topics=[topic])
        assert (told["type"], told["topics"]) == ("unsubscribed", [topic])
        stepwise.let_on()
        assert len(await other.finish(topic)) == 8
        await client.send("ping")
        assert await client.receive() == {"type": "pong"}
        await client.subscribe(topic, after=1)
        assert [event["seq"] for event in await client.finish(topic)] == list(range(2, 9))
        assert (await client.request("unsubscribe", topics=["conversation:never-followed"]))["type"] == "unsubscribed"


async def test_a_topic_that_is_followed_already_begins_again_where_it_is_told_to(settings: Settings) -> None:
    async with serving(settings) as server, connected(server.port) as client:
        topic = await client.ask()
        await client.finish(topic)
        for after in (0, 2, 4, 4000):
            await client.subscribe(topic, after)
            assert [event["seq"] for event in await client.finish(topic)] == list(range(after + 1, 5))


async def test_topics_that_cannot_be_followed_are_refused_and_none_of_the_message_is_followed(
    settings: Settings,
) -> None:
    async with serving(settings) as server, connected(server.port) as client:
        topic = await client.ask()
        await client.finish(topic)
        await client.request("unsubscribe", topics=[topic])
        for odd, code, reason in (
            ("conversation:nowhere", "not_found", "conversation"),
            ("conversation:", "invalid", "topic"),
            ("documents", "invalid", "topic"),
            ("", "invalid", "topic"),
            ("conversation:\0' OR 1=1", "not_found", "conversation"),
        ):
            told = await client.request("subscribe", topics=[topic, odd])
            assert (told["code"], told["reason"]) == (code, reason)
        told = await client.request("subscribe", topics=[topic], after={"conversation:another": 1})
        assert (told["code"], told["reason"]) == ("invalid", "fields")
        await client.send("ping")
        assert await client.receive() == {"type": "pong"}


async def test_one_connection_follows_so_many_topics_and_no_more(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(websocket_subscriptions, "_MOST", 2)
    async with serving(settings) as server, connected(server.port) as client:
        topics = []
        for number in range(3):
            async with connected(server.port) as other:
                topics.append(await other.ask(f"{number}"))
                await other.finish(topics[-1])
        for topic in topics[:2]:
            await client.subscribe(topic, after=4)
            assert await client.finish(topic) == []
        told = await client.request("subscribe", topics=[topics[2]])
        assert (told["code"], told["reason"]) == ("busy", "subscriptions")
        await client.subscribe(topics[0], after=3)
        assert len(await client.finish(topics[0])) == 1


async def test_a_follower_of_a_conversation_that_is_removed_is_told(settings: Settings) -> None:
    async with serving(settings) as server, connected(server.port) as client:
        topic = await client.ask()
        await client.finish(topic)
        async with httpx2.AsyncClient(timeout=PATIENCE) as http:
            await http.delete(f"{server.http}/api/conversations/{topic.partition(':')[2]}")
        told = await client.receive()
        assert (told["type"], told["topic"], told["code"]) == ("error", topic, "not_found")
        assert "id" not in told
        assert len(await client.finish(await client.ask())) == 4


async def test_a_client_that_does_not_read_slows_nobody_and_holds_little_memory(settings: Settings) -> None:
    stepwise = Stepwise(80, "word " * 20_000)  # 8 MB, more than the buffers on the way hold
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(serving(settings, stepwise))
        reader = await stack.enter_async_context(connected(server.port))
        slow = await stack.enter_async_context(not_reading(server.port))
        topic = await reader.ask("words")
        await slow.subscribe(topic)
        buffered = 0
        taken = await reader.take(1)
        for _ in range(80):
            stepwise.let_on(1)
            taken += await reader.take(2)
            waiting = [each.transport.get_write_buffer_size() for each in server.server.server_state.connections]
            buffered = max(buffered, *waiting)
        stepwise.let_on(1)
        taken += await reader.finish(topic)
        assert [event["seq"] for event in taken] == list(range(1, 163))
        largest = max(len(json.dumps(event)) for event in taken)
        assert 0 < buffered < 3 * largest
        # And it gets every event when it reads at last.
        late = await slow.finish(topic)
        assert [event["seq"] for event in late] == list(range(1, 163))


async def test_a_client_that_never_reads_is_left_in_the_end(settings: Settings) -> None:
    stepwise = Stepwise(80, "word " * 20_000)
    async with serving(settings, stepwise, IdleConnections(reading=0.0)) as server:
        async with not_reading(server.port) as slow:
            async with connected(server.port) as asking:
                topic = await asking.ask("words")
            await slow.subscribe(topic)
            stepwise.let_on()
            while server.server.server_state.connections:
                await asyncio.sleep(0.01)
            slow.vanish()
        while "WebSocketConnection._serve" in list_tasks():
            await asyncio.sleep(0.01)
