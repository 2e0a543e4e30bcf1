"""The client of `/ws` does what it is told once, follows its topics without a gap, and comes back after a loss."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.asyncio.server import Server, ServerConnection, serve

from pincite.cli.websocket_client import (
    ConnectionBack,
    ConnectionEnded,
    ConnectionLost,
    Heard,
    ServerNotice,
    TopicDone,
    TopicEvent,
    WebSocketClient,
)
from pincite.errors import Busy, Misuse, PinciteError
from tests.clock import PATIENCE

TOPIC = "conversation:c1"
BEGUN = {"conversation": "c1", "message": "m", "after": 0}
Script = Callable[["Peer"], Awaitable[None]]


class Peer:
    """The server's end of one connection: it has heard `identify` and says what the test makes it say."""

    def __init__(self, socket: ServerConnection) -> None:
        self._socket = socket

    async def say(self, **message: Any) -> None:
        await self._socket.send(json.dumps(message))

    async def hear(self) -> Any:
        """The next message that is no sign of life."""
        while True:
            message = json.loads(await self._socket.recv())
            if message["type"] not in ("ping", "pong"):
                return message

    async def hear_all(self) -> Any:
        return json.loads(await self._socket.recv())

    async def event(self, seq: int, text: str = "") -> None:
        await self.say(type="event", topic=TOPIC, seq=seq, event={"seq": seq, "type": "text", "data": {"delta": text}})

    async def close(self, code: int = 1012, reason: str = "") -> None:
        await self._socket.close(code, reason)

    async def stay(self) -> None:
        await self._socket.wait_closed()


class ScriptedServer:
    """A scripted server: the first connection follows the first script, the next the next."""

    def __init__(self, scripts: list[Script], heartbeat: float = 20.0) -> None:
        self._scripts = iter(scripts)
        self._heartbeat = heartbeat
        self.identified: list[Any] = []

    async def handle(self, socket: ServerConnection) -> None:
        self.identified.append(json.loads(await socket.recv()))
        peer = Peer(socket)
        await peer.say(type="identified", version=1, session="s", owner="local", heartbeat=self._heartbeat)
        await next(self._scripts)(peer)


@asynccontextmanager
async def connected(
    *scripts: Script, heartbeat: float = 20.0, delays: Callable[[], Iterator[float]] = lambda: iter([0.0] * 5)
) -> AsyncIterator[tuple[WebSocketClient, "asyncio.Queue[Heard]"]]:
    """A client of a scripted server, and what it heard."""
    heard: asyncio.Queue[Heard] = asyncio.Queue()
    async with listening(ScriptedServer([*scripts], heartbeat)) as address:
        client = WebSocketClient(at(address), heard.put_nowait, delays=delays)
        try:
            async with asyncio.timeout(PATIENCE):
                await client.open()
                yield client, heard
        finally:
            await client.close()


@asynccontextmanager
async def listening(scripted: ScriptedServer) -> AsyncIterator[str]:
    server: Server
    async with serve(scripted.handle, "127.0.0.1", 0) as server:
        yield f"http://127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}"


def at(address: str) -> Callable[[], Awaitable[str]]:
    async def find() -> str:
        return address

    return find


async def stay(peer: Peer) -> None:
    await peer.stay()


def test_it_says_who_it_is_before_anything_else() -> None:
    scripted = ScriptedServer([stay])

    async def work() -> None:
        async with listening(scripted) as address:
            client = WebSocketClient(at(address), lambda _: None, token="secret")
            await client.open()
            await client.close()

    asyncio.run(work())
    (said,) = scripted.identified
    assert said["type"] == "identify"
    assert (said["version"], said["token"]) == (1, "secret")
    assert said["client"].startswith("pincite code ")


def test_each_action_gets_its_own_reply_whatever_their_order() -> None:
    async def swap(peer: Peer) -> None:
        first, second = await peer.hear(), await peer.hear()
        for asked in (second, first):
            await peer.say(type="result", id=asked["id"], action=asked["action"], data={"was": asked["data"]})
        await peer.stay()

    async def work() -> Any:
        async with connected(swap) as (client, _):
            return await asyncio.gather(client.act("tree", {"n": 1}), client.act("projects", {"n": 2}))

    assert asyncio.run(work()) == [{"was": {"n": 1}}, {"was": {"n": 2}}]


def test_an_error_of_the_server_has_its_code_its_reason_and_its_hint() -> None:
    async def refuse(peer: Peer) -> None:
        asked = await peer.hear()
        told = {"code": "misuse", "message": "No.", "hint": "Do.", "reason": "file_changed", "params": {"path": "a.py"}}
        await peer.say(type="error", id=asked["id"], **told)
        await peer.stay()

    async def work() -> PinciteError:
        async with connected(refuse) as (client, _):
            with pytest.raises(PinciteError, match=r"No\.") as refused:
                await client.act("apply", {})
            return refused.value

    error = asyncio.run(work())
    assert (error.code, error.hint, error.reason, error.params) == ("misuse", "Do.", "file_changed", {"path": "a.py"})


def test_an_error_about_nothing_that_was_asked_is_a_notice() -> None:
    async def complain(peer: Peer) -> None:
        await peer.say(type="error", code="storage", message="The disk is full.", topic=TOPIC)
        await peer.stay()

    async def work() -> Heard:
        async with connected(complain) as (_, heard):
            return await heard.get()

    notice = asyncio.run(work())
    assert isinstance(notice, ServerNotice)
    assert (notice.error.message, notice.topic) == ("The disk is full.", TOPIC)


def test_after_a_loss_a_topic_goes_on_where_it_was_without_a_gap_or_a_double() -> None:
    async def break_off(peer: Peer) -> None:
        asked = await peer.hear()
        await peer.say(type="result", id=asked["id"], action="ask", data=BEGUN)
        await peer.event(1)
        await peer.event(2)
        await peer.close()

    async def go_on(peer: Peer) -> None:
        asked = await peer.hear()
        assert asked["after"] == {TOPIC: 2}
        await peer.say(type="subscribed", id=asked["id"], topics=asked["topics"])
        for seq in (2, 3, 3, 4):  # a server that repeats itself
            await peer.event(seq)
        await peer.say(type="done", topic=TOPIC)
        await peer.stay()

    async def work() -> list[Heard]:
        async with connected(break_off, go_on) as (client, heard):
            await client.act("ask", {})
            return [await heard.get() for _ in range(7)]

    said = asyncio.run(work())
    assert [each.seq for each in said if isinstance(each, TopicEvent)] == [1, 2, 3, 4]
    assert [type(each) for each in said] == [
        *(TopicEvent, TopicEvent, ConnectionLost, ConnectionBack, TopicEvent, TopicEvent, TopicDone)
    ]


def test_a_topic_that_was_begun_is_followed_again_even_if_no_event_had_come() -> None:
    async def break_off(peer: Peer) -> None:
        asked = await peer.hear()
        await peer.say(type="result", id=asked["id"], action="ask", data={**BEGUN, "after": 7})
        await peer.close()

    async def go_on(peer: Peer) -> None:
        assert (await peer.hear())["after"] == {TOPIC: 7}
        await peer.event(8)
        await peer.stay()

    async def work() -> list[Heard]:
        async with connected(break_off, go_on) as (client, heard):
            await client.act("ask", {})
            return [await heard.get() for _ in range(3)]

    assert isinstance(asyncio.run(work())[-1], TopicEvent)


def test_a_harmless_action_is_sent_again_after_a_loss_and_another_one_is_not() -> None:
    async def take_both(peer: Peer) -> None:
        await peer.hear()
        await peer.hear()
        await peer.close()

    async def answer(peer: Peer) -> None:
        asked = await peer.hear()
        assert asked["action"] == "tree"
        await peer.say(type="result", id=asked["id"], action="tree", data={"text": "a.py"})
        await peer.stay()

    async def work() -> Any:
        async with connected(take_both, answer) as (client, _):
            return await asyncio.gather(client.act("tree", {}), client.act("apply", {}), return_exceptions=True)

    tree, applied = asyncio.run(work())
    assert tree == {"text": "a.py"}
    assert isinstance(applied, Busy)
    assert applied.reason == "unconfirmed"


def test_an_action_waits_while_the_connection_is_away() -> None:
    async def close(peer: Peer) -> None:
        await peer.close()

    async def answer(peer: Peer) -> None:
        asked = await peer.hear()
        await peer.say(type="result", id=asked["id"], action="apply", data={"applied": True})
        await peer.stay()

    async def work() -> Any:
        async with connected(close, answer) as (client, heard):
            assert isinstance(await heard.get(), ConnectionLost)
            return await client.act("apply", {})

    assert asyncio.run(work()) == {"applied": True}


def test_a_server_that_does_not_come_back_is_given_up_and_every_wait_ends() -> None:
    async def close(peer: Peer) -> None:
        await peer.close()

    async def work() -> tuple[list[Heard], list[Any]]:
        heard: asyncio.Queue[Heard] = asyncio.Queue()
        async with listening(ScriptedServer([close])) as address:
            client = WebSocketClient(at(address), heard.put_nowait, delays=lambda: iter([0.0, 0.0]))
            await client.open()
            lost = await heard.get()
        waiting = asyncio.gather(client.act("tree", {}), return_exceptions=True)
        told = [lost, await heard.get()]
        return told, [*await waiting, *await asyncio.gather(client.act("tree", {}), return_exceptions=True)]

    told, failed = asyncio.run(work())
    assert [type(each) for each in told] == [ConnectionLost, ConnectionEnded]
    assert all(isinstance(error, Busy) for error in failed)


@pytest.mark.parametrize("code", [1008, 4401, 4429])
def test_a_server_that_refuses_the_client_is_not_asked_again(code: int) -> None:
    async def refuse(peer: Peer) -> None:
        await peer.close(code, "Too many messages")

    async def work() -> Heard:
        async with connected(refuse) as (_, heard):
            return await heard.get()

    ended = asyncio.run(work())
    assert isinstance(ended, ConnectionEnded)
    assert "Too many messages" in ended.error.message


def test_it_answers_a_ping_and_sends_its_own() -> None:
    heard_of: list[str] = []

    async def beat(peer: Peer) -> None:
        await peer.say(type="ping")
        while len(set(heard_of)) < 2:
            heard_of.append((await peer.hear_all())["type"])
        await peer.event(1)
        await peer.stay()

    async def work() -> Heard:
        async with connected(beat, heartbeat=0.05) as (_, heard):
            return await heard.get()

    assert isinstance(asyncio.run(work()), TopicEvent)
    assert set(heard_of) == {"ping", "pong"}


def test_a_server_that_falls_silent_is_left_and_connected_to_again() -> None:
    async def speak(peer: Peer) -> None:
        await peer.event(1)
        await peer.stay()

    async def work() -> list[Heard]:
        async with connected(stay, speak, stay, heartbeat=0.05) as (_, heard):
            return [await heard.get() for _ in range(3)]

    assert [type(each) for each in asyncio.run(work())] == [ConnectionLost, ConnectionBack, TopicEvent]


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        ({"type": "error", "code": "unsupported_version", "message": "Not version 1.", "hint": "Identify."}, "Not ver"),
        ({"type": "identified", "version": 2, "heartbeat": 20}, "speaks version 2"),
        ([1, 2], "no JSON object"),
    ],
)
def test_a_server_that_does_not_take_the_client_is_an_error_at_once(reply: Any, told: str) -> None:
    async def handle(socket: ServerConnection) -> None:
        await socket.recv()
        await socket.send(json.dumps(reply))
        await socket.wait_closed()

    async def work() -> None:
        async with serve(handle, "127.0.0.1", 0) as server:
            port = next(iter(server.sockets)).getsockname()[1]
            client = WebSocketClient(at(f"http://127.0.0.1:{port}"), lambda _: None)
            with pytest.raises(PinciteError, match=told):
                await client.open()
            await client.close()

    asyncio.run(work())


@pytest.mark.parametrize("address", ["ftp://127.0.0.1", "nowhere", "http://"])
def test_an_address_of_another_kind_is_a_mistake(address: str) -> None:
    async def work() -> None:
        with pytest.raises(Misuse, match="not the address of a server"):
            await WebSocketClient(at(address), lambda _: None).open()

    asyncio.run(work())


def test_a_fault_while_the_address_is_looked_for_is_raised_and_nobody_waits() -> None:
    async def fail() -> str:
        raise AssertionError("no address")

    async def work() -> None:
        with pytest.raises(AssertionError, match="no address"):
            await WebSocketClient(fail, lambda _: None).open()

    asyncio.run(work())


def test_a_fault_while_it_connects_again_ends_every_wait() -> None:
    async def close(peer: Peer) -> None:
        await peer.close()

    async def work() -> None:
        async with listening(ScriptedServer([close])) as address:
            addresses = iter([address])

            async def find() -> str:
                return next(addresses, None) or fail()

            def fail() -> str:
                raise AssertionError("no address")

            client = WebSocketClient(find, lambda _: None, delays=lambda: iter([0.0] * 5))
            await client.open()
            with pytest.raises(PinciteError, match="no address"):
                await client.act("tree", {})

    asyncio.run(work())


def test_a_port_where_nobody_listens_is_said_at_once() -> None:
    async def work() -> None:
        async with listening(ScriptedServer([])) as address:
            pass
        with pytest.raises(Busy, match="cannot be reached"):
            await WebSocketClient(at(address), lambda _: None).open()

    asyncio.run(work())


@given(st.lists(st.integers(min_value=1, max_value=40), max_size=40), st.integers(min_value=0, max_value=40))
def test_however_events_are_repeated_each_number_is_heard_once_and_in_order(sent: list[int], after: int) -> None:
    heard: list[Heard] = []

    async def work() -> None:
        client = WebSocketClient(at(""), heard.append)
        client._seen[TOPIC] = after
        for seq in sent:
            client._handle_message({"type": "event", "topic": TOPIC, "seq": seq, "event": {}})

    asyncio.run(work())
    numbers = [each.seq for each in heard if isinstance(each, TopicEvent)]
    assert numbers == sorted({*numbers})
    assert all(number > after for number in numbers)
    assert max([after, *sent]) == max([after, *numbers])


messages = st.dictionaries(
    st.sampled_from(["type", "id", "topic", "seq", "event", "data", "code", "message", "hint", "reason", "params"]),
    st.one_of(
        st.sampled_from(["event", "done", "error", "result", "subscribed", "pong"]),
        st.none(),
        st.text(),
        st.integers(),
        st.lists(st.integers()),
        st.dictionaries(st.text(), st.text()),
    ),
)


@given(messages)
def test_no_message_of_a_server_breaks_the_client(message: dict[str, Any]) -> None:
    async def work() -> None:
        WebSocketClient(at(""), lambda _: None)._handle_message(message)

    asyncio.run(work())
