"""Limits of `/ws`: a client that floods, sends too much, says nothing or is one too many loses its own connection."""

import asyncio
import contextlib
import json

import pytest
from starlette.testclient import TestClient, WebSocketDenialResponse
from websockets.exceptions import ConnectionClosed, InvalidStatus

from pincite.server import create_app, open_websockets
from pincite.settings import Settings
from tests.server.conftest import quoting
from tests.server.websocket_clients import (
    Stepwise,
    connected,
    list_tasks,
    not_reading,
    read_to_the_end,
    serving,
)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.mark.anyio
async def test_a_flood_of_messages_ends_its_own_connection_alone(settings: Settings) -> None:
    async with (
        serving(settings, messages_per_second=10) as server,
        connected(server.port) as calm,
        connected(server.port) as flooding,
    ):
        with contextlib.suppress(ConnectionClosed):
            for _ in range(1000):
                await flooding.send("ping")
        code, reason = await read_to_the_end(flooding)
        assert (code, reason) == (4429, "More than 10 messages in a second.")
        assert len(await calm.finish(await calm.ask())) == 4


@pytest.mark.slow
@pytest.mark.anyio
async def test_a_flood_of_a_client_that_does_not_read_ends_too(settings: Settings) -> None:
    async with (
        serving(settings, messages_per_second=1000, heartbeat_seconds=0.1) as server,
        not_reading(server.port) as flooding,
    ):
        sent = json.dumps({"type": "action", "id": "1", "action": "x" * 100})

        async def flood() -> None:
            with contextlib.suppress(ConnectionClosed):
                while True:
                    await flooding.connection.send(sent)

        task = asyncio.create_task(flood())
        while "WebSocketConnection._serve" in list_tasks():
            await asyncio.sleep(0.01)
        flooding.vanish()
        await task


@pytest.mark.anyio
async def test_a_message_that_is_too_large_ends_its_connection_and_a_large_one_does_not(settings: Settings) -> None:
    async with serving(settings, message_mb=1) as server:
        async with connected(server.port) as client:
            told = await client.request("action", action="ask", data={"message": "x" * 900_000})
            assert told["code"] == "invalid"
            with contextlib.suppress(ConnectionClosed):
                await client.connection.send(" " * 1_000_001)
            assert (await read_to_the_end(client))[0] == 1009
        async with connected(server.port) as client:
            with contextlib.suppress(ConnectionClosed):
                await client.connection.send([" " * 300_000] * 4)  # in pieces, each of which would do
            assert (await read_to_the_end(client))[0] == 1009
        async with connected(server.port, identify=False) as client:
            with contextlib.suppress(ConnectionClosed):
                await client.connection.send(b"\0" * 5_000_000)
            assert (await read_to_the_end(client))[0] == 1009


@pytest.mark.anyio
async def test_a_client_that_does_not_identify_in_time_is_let_go(settings: Settings) -> None:
    async with serving(settings, identify_seconds=0.05) as server, connected(server.port, identify=False) as client:
        assert await read_to_the_end(client) == (4408, "The client did not identify itself in time.")


@pytest.mark.anyio
async def test_a_client_that_answers_no_ping_is_let_go_and_one_that_answers_stays(settings: Settings) -> None:
    async with (
        serving(settings, heartbeat_seconds=0.05) as server,
        connected(server.port) as silent,
        connected(server.port) as alive,
    ):

        async def answer_pings() -> None:
            while True:
                assert await alive.receive(pings=True) == {"type": "ping"}
                await alive.send("pong")

        answering = asyncio.create_task(answer_pings())
        assert await read_to_the_end(silent) == (1013, "The client did not answer 3 pings. Connect again.")
        assert not answering.done()
        answering.cancel()


@pytest.mark.anyio
async def test_a_silent_client_that_does_not_read_is_let_go_too(settings: Settings) -> None:
    stepwise = Stepwise(80, "word " * 20_000)
    async with serving(settings, stepwise, heartbeat_seconds=0.1) as server, not_reading(server.port) as slow:
        async with connected(server.port) as other:
            topic = await other.ask("words")
        await slow.subscribe(topic)
        stepwise.let_on()
        while "WebSocketConnection._serve" in list_tasks():
            await asyncio.sleep(0.01)
        slow.vanish()


@pytest.mark.anyio
async def test_one_connection_too_many_is_refused_and_taken_when_another_has_gone(settings: Settings) -> None:
    async with serving(settings, connections=2) as server, connected(server.port):
        async with connected(server.port):
            with pytest.raises(InvalidStatus) as refused:
                async with connected(server.port):
                    pass
            assert refused.value.response.status_code == 503
            error = json.loads(refused.value.response.body)["error"]
            assert (error["code"], error["reason"]) == ("busy", "connections")
            assert "websocket.connections" in error["hint"]
        while True:
            with contextlib.suppress(InvalidStatus):
                async with connected(server.port) as client:
                    await client.finish(await client.ask())
                    break


@pytest.mark.anyio
async def test_connections_that_say_nothing_keep_nobody_out(settings: Settings) -> None:
    async with (
        serving(settings, connections=2) as server,
        connected(server.port, identify=False) as first,
        connected(server.port, identify=False) as second,
        connected(server.port) as known,
    ):
        assert (await read_to_the_end(first))[0] == 4408  # the oldest one made room
        async with connected(server.port) as other:
            assert (await read_to_the_end(second))[0] == 4408
            with pytest.raises(InvalidStatus):  # nobody who has said who they are makes room
                async with connected(server.port):
                    pass
            for each in (known, other):
                await each.finish(await each.ask())


def test_a_server_that_is_stopping_takes_no_connection(client: TestClient) -> None:
    app = client.app
    sockets = app.state.websockets  # type: ignore[attr-defined]
    assert isinstance(sockets, open_websockets.OpenWebSockets)
    sockets.leave()
    with pytest.raises(WebSocketDenialResponse) as refused, client.websocket_connect("/ws"):
        pass
    assert refused.value.status_code == 503


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 421),
        ({"Host": "localhost.evil.example:8000"}, 421),
        ({"Host": "evil.example", "Origin": "http://evil.example"}, 421),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "https://localhost.evil.example"}, 403),
        ({"Origin": "http://localhost:5173"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": ""}, 403),
        ({"Origin": "http://["}, 403),
        ({"Origin": "http://evil.example", "Sec-Fetch-Site": "same-origin"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Origin": "http://localhost"}, 0),
        ({"Origin": "http://localhost", "Sec-Fetch-Site": "cross-site"}, 0),
        ({"Origin": "https://Pincite.example.org"}, 0),
        ({}, 0),
    ],
)
def test_pages_of_other_sites_and_foreign_names_are_refused_before_the_connection_opens(
    settings: Settings, headers: dict[str, str], status: int
) -> None:
    server = settings.server.model_copy(update={"hosts": ("pincite.example.org",)})
    app = create_app(settings.model_copy(update={"server": server}), answer=quoting)
    url = "ws://localhost/ws"
    with TestClient(app) as client:
        if status:
            with pytest.raises(WebSocketDenialResponse) as refused, client.websocket_connect(url, headers=headers):
                pass
            assert refused.value.status_code == status
            assert refused.value.json()["error"]["hint"]
        else:
            with client.websocket_connect(url, headers=headers) as socket:
                socket.send_json({"type": "identify", "version": 1})
                assert socket.receive_json()["type"] == "identified"


@pytest.mark.anyio
async def test_a_real_server_refuses_a_page_of_another_site(settings: Settings) -> None:
    async with serving(settings) as server:
        with pytest.raises(InvalidStatus) as refused:
            async with connected(server.port, origin="http://evil.example"):
                pass
        assert refused.value.response.status_code == 403
        async with connected(server.port, origin=f"http://127.0.0.1:{server.port}") as client:
            await client.send("ping")
            assert await client.receive() == {"type": "pong"}


HANDSHAKE = (
    "GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


@pytest.mark.anyio
@pytest.mark.parametrize(
    "frames",
    [
        b"\x81\x02{}",  # not masked
        b"\x83\x80\0\0\0\0",  # no such opcode
        b"\xf1\x80\0\0\0\0",  # bits that mean nothing here
        b"\x09\x80\0\0\0\0",  # a ping in pieces
        b"\x80\x80\0\0\0\0",  # the end of nothing
        b"\x81\x82\0\0\0\0\xff\xfe",  # a text that is not UTF-8
        b"\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff\0\0\0\0",  # nine exabytes
        b"\x88\x81\0\0\0\0\0",  # half a close code
        b"GET / HTTP/1.1\r\n\r\n",
    ],
    ids=range(9),
)
async def test_bytes_that_are_no_frames_end_their_connection_alone(settings: Settings, frames: bytes) -> None:
    async with serving(settings) as server, connected(server.port) as calm:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(HANDSHAKE.format(port=server.port).encode())
        assert (await reader.readline()).startswith(b"HTTP/1.1 101 ")
        writer.write(frames)
        await reader.read()  # to the end, which comes
        writer.close()
        assert len(await calm.finish(await calm.ask())) == 4
