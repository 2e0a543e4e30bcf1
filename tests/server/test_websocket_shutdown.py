"""A server that stops closes its WebSockets with a reason, and nothing of them is left."""

import asyncio
import signal
import subprocess
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosedError

from pincite.settings import Settings, load_settings
from tests.clock import PATIENCE
from tests.program import environment
from tests.server.test_server_process import SERVER
from tests.server.websocket_clients import Stepwise, connected, not_reading, serving
from tests.thorough import mark_slow
from tests.warm_process import start_script


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def process(tmp_path: Path) -> Iterator[tuple["subprocess.Popen[str]", int]]:
    """A server process that answers for ever, and its port."""
    started = start_script(
        SERVER,
        env=environment(tmp_path / "data", EMBEDDING__PROVIDER="none"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert started.stdout
    yield started, int(started.stdout.readline())
    started.kill()
    started.communicate()


@pytest.mark.anyio
@pytest.mark.parametrize("sent", [signal.SIGTERM, mark_slow(signal.SIGINT)])
async def test_a_server_told_to_stop_sends_the_last_events_and_closes_with_a_reason(
    process: tuple["subprocess.Popen[str]", int], sent: signal.Signals
) -> None:
    server, port = process
    async with connected(port) as client, connected(port) as idle:
        await client.ask("x")
        assert (await client.take(2))[-1]["data"] == {"delta": "Well"}
        server.send_signal(sent)
        (last,) = await client.take(1)
        assert (last["type"], last["data"]["stopped"], last["data"]["answer"]) == ("message_completed", True, "Well")
        for each in (client, idle):
            with pytest.raises(ConnectionClosedError) as closed:
                await each.receive()
            assert closed.value.rcvd
            assert closed.value.rcvd.code == 1012
            assert closed.value.rcvd.reason == "The server stops. Connect again in a moment."
    _, errors = await asyncio.to_thread(server.communicate, timeout=PATIENCE)
    assert errors == ""
    assert server.returncode == (0 if sent == signal.SIGINT else -signal.SIGTERM)


@pytest.mark.slow
@pytest.mark.anyio
async def test_a_client_gets_the_end_of_a_killed_servers_answer_from_the_next_server(
    process: tuple["subprocess.Popen[str]", int], tmp_path: Path
) -> None:
    server, port = process
    async with connected(port) as client:
        topic = await client.ask("x")
        await client.take(2)
        server.kill()
        with pytest.raises(ConnectionClosedError):
            await client.receive()
    await asyncio.to_thread(server.wait)
    settings = load_settings(data=tmp_path / "data", embedding={"provider": "none"})
    async with serving(settings) as later, connected(later.port) as client:
        await client.subscribe(topic, after=2)
        fault, last = await client.finish(topic)
        assert (fault["seq"], fault["data"]["code"]) == (3, "interrupted")
        assert (last["seq"], last["type"], last["data"]["answer"]) == (4, "message_completed", "Well")


@pytest.mark.anyio
async def test_after_a_server_has_stopped_no_task_is_left(settings: Settings) -> None:
    before = asyncio.all_tasks()
    async with AsyncExitStack() as clients, serving(settings, Stepwise(3)) as server:
        await clients.enter_async_context(connected(server.port, identify=False))
        for _ in range(3):
            client = await clients.enter_async_context(connected(server.port))
            await client.ask("words")
            await client.take(1)
    assert asyncio.all_tasks() == before


@pytest.mark.anyio
async def test_a_client_that_does_not_read_does_not_hold_a_server_that_stops(
    settings: Settings, capfd: pytest.CaptureFixture[str]
) -> None:
    before = asyncio.all_tasks()
    stepwise = Stepwise(80, "word " * 20_000)
    async with serving(settings, stepwise) as server:
        async with connected(server.port) as client:
            topic = await client.ask("words")
        slow = not_reading(server.port)
        stuck = await slow.__aenter__()
        await stuck.subscribe(topic)
        stepwise.let_on()
        while not any(each.transport.get_write_buffer_size() for each in server.server.server_state.connections):
            await asyncio.sleep(0.01)
        server.server.should_exit = True
    # uvicorn reports it when it has to cancel a task that would not end.
    assert "graceful shutdown exceeded" not in capfd.readouterr().err
    stuck.vanish()
    await slow.__aexit__(None, None, None)
    assert asyncio.all_tasks() == before
