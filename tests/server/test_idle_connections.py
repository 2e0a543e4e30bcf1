"""Connections that nobody uses are closed; those at work stay."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import SimpleNamespace
from typing import Any

import anyio
import pytest
from fastapi import HTTPException
from starlette.types import Message

from pincite.server import create_app
from pincite.server.idle_connections import IdleConnections
from pincite.server.middleware import _limit_wait
from pincite.server.server_process import Server
from pincite.settings import Settings
from tests.clock import PATIENCE


class Connection:
    """A stand-in for uvicorn's state of a connection."""

    def __init__(self, cycle: Any = None, paused: bool = False, unread: int = 0) -> None:
        self.cycle = cycle
        self.flow = SimpleNamespace(write_paused=paused)
        self.aborted = False
        self.unread = unread
        self.transport = self

    def get_write_buffer_size(self) -> int:
        return self.unread

    def abort(self) -> None:
        self.aborted = True


def at_work() -> Any:
    return SimpleNamespace(response_complete=False)


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_connection_without_a_request_is_closed_and_one_at_work_is_not() -> None:
    clock = Clock()
    idle, silent, working = IdleConnections(request=30, clock=clock), Connection(), Connection(at_work())
    for clock.now in (0.0, 15.0, 29.0):
        assert idle.close([silent, working]) == 0
    clock.now = 30.0
    assert idle.close([silent, working]) == 1
    assert (silent.aborted, working.aborted) == (True, False)
    clock.now = 10_000.0
    assert idle.close([working]) == 0


def test_time_spent_on_an_answer_is_not_counted_as_idle() -> None:
    clock = Clock()
    idle, connection = IdleConnections(request=30, clock=clock), Connection()
    idle.close([connection])
    connection.cycle, clock.now = at_work(), 20.0
    idle.close([connection])
    connection.cycle.response_complete, clock.now = True, 45.0
    assert idle.close([connection]) == 0
    clock.now = 75.0
    assert idle.close([connection]) == 1


def test_a_stream_that_nobody_reads_is_closed_and_one_that_is_read_slowly_is_not() -> None:
    clock = Clock()
    idle = IdleConnections(reading=120, clock=clock)
    unread, slow = Connection(at_work(), True, 70_000), Connection(at_work(), True, 70_000)
    for clock.now in (0.0, 60.0, 119.0):
        slow.unread -= 100
        assert idle.close([unread, slow]) == 0
    clock.now, slow.unread = 121.0, slow.unread - 100
    assert idle.close([unread, slow]) == 1
    assert (unread.aborted, slow.aborted) == (True, False)


class WebSocketConnection:
    """A stand-in for uvicorn's state of a WebSocket."""

    def __init__(self, unread: int) -> None:
        self.writable = threading.Event()
        if not unread:
            self.writable.set()
        self.aborted = False
        self.unread = unread
        self.transport = self

    def get_write_buffer_size(self) -> int:
        return self.unread

    def abort(self) -> None:
        self.aborted = True


def test_a_websocket_that_nobody_reads_is_closed_and_a_silent_or_slow_one_is_not() -> None:
    clock = Clock()
    idle = IdleConnections(request=30, reading=120, clock=clock)
    unread, slow, silent = (WebSocketConnection(size) for size in (70_000, 70_000, 0))
    for clock.now in (0.0, 60.0, 119.0):
        slow.unread -= 100
        assert idle.close([unread, slow, silent]) == 0
    clock.now, slow.unread = 121.0, slow.unread - 100
    assert idle.close([unread, slow, silent]) == 1
    assert (unread.aborted, slow.aborted, silent.aborted) == (True, False, False)


@contextmanager
def serving(settings: Settings, idle: IdleConnections) -> Iterator[int]:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        server = Server(create_app(settings), idle)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield listener.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join(PATIENCE)


@pytest.mark.parametrize("sent", [b"", b"GET /health HTTP/1.1\r\nHost: 127"])
def test_a_real_server_closes_a_connection_on_which_no_request_arrives(settings: Settings, sent: bytes) -> None:
    with (
        serving(settings, IdleConnections(request=0.0)) as port,
        socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection,
    ):
        connection.sendall(sent)
        with suppress(ConnectionResetError):
            assert connection.recv(1) == b""  # the end, and no time-out


@pytest.mark.anyio
async def test_a_body_that_does_not_arrive_ends_the_request_and_a_client_may_stay_as_long_as_it_likes() -> None:
    async def never() -> Message:
        await anyio.sleep_forever()
        raise AssertionError

    with pytest.raises(HTTPException) as refused:
        await _limit_wait(never, 0.0)()
    assert refused.value.status_code == 408

    pieces: list[Message] = [{"type": "http.request", "body": b"all", "more_body": False}]

    async def then_stays() -> Message:
        if pieces:
            return pieces.pop()
        await anyio.sleep(0.05)
        return {"type": "http.disconnect"}

    receive = _limit_wait(then_stays, 0.01)
    assert (await receive())["body"] == b"all"
    assert (await receive())["type"] == "http.disconnect"


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
