"""A client of a server's `/ws` address: it sends actions, follows topics, and resumes after a lost connection."""

import asyncio
import itertools
import json
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidURI

from pincite import __version__
from pincite.cli.connection_failures import explain_failure, is_final, make_error
from pincite.errors import Busy, Misuse, PinciteError

VERSION = 1  # of the protocol
_CLIENT = f"pincite code {__version__}"
_LARGEST = 64_000_000  # bytes of a message; changes hold whole diffs
_PATIENCE = 15.0  # seconds for a handshake and for `identified`
_PATIENCE_HERE = 120.0  # the same for a server on this machine, which may still be starting
_HEARTBEAT = 20.0  # seconds, where the server names none
UNCONFIRMED = "unconfirmed"  # the reason of an error: it is not known whether the server did it
_SILENCE = 3.0  # heartbeats without a message until a connection is lost
# An action that may be sent again: the second time changes nothing more.
_REPEATABLE = frozenset({"stop", "stop_retrieval", "projects", "tree", "read_file", "search", "changes", "usage"})


@dataclass(frozen=True, slots=True)
class TopicEvent:
    """An event of a topic. Each number arrives once, in order."""

    topic: str
    seq: int
    event: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class TopicDone:
    """No answer is being written in the topic."""

    topic: str


@dataclass(frozen=True, slots=True)
class ConnectionLost:
    """The connection was lost; the client tries to connect again."""

    reason: str


@dataclass(frozen=True, slots=True)
class ConnectionBack:
    """The connection is there again, and the topics are followed from the last event on."""


@dataclass(frozen=True, slots=True)
class ConnectionEnded:
    """The client gave up, or the server refused it. Nothing more arrives."""

    error: PinciteError


@dataclass(frozen=True, slots=True)
class ServerNotice:
    """An error that the server reported outside any action; with a topic, the topic is followed no longer."""

    error: PinciteError
    topic: str = ""


Heard = TopicEvent | TopicDone | ConnectionLost | ConnectionBack | ConnectionEnded | ServerNotice
FindAddress = Callable[[], Awaitable[str]]
# A token, or a function that returns the token for the address that was found last.
TokenSource = str | Callable[[], str]


@dataclass(slots=True)
class _Pending:
    """An action that waits for its reply."""

    message: str
    is_repeatable: bool
    reply: "asyncio.Future[dict[str, Any]]"


def list_delays() -> Iterator[float]:
    """Yield the seconds to wait before each new attempt, about two minutes in all."""
    yield from (0.2, 0.5, 1.0, 2.0, 4.0)
    yield from itertools.repeat(8.0, 14)


class WebSocketClient:
    """One session with a server. Every method belongs to the event loop that called `open`."""

    def __init__(
        self,
        find_address: FindAddress,
        hear: Callable[[Heard], None],
        token: TokenSource = "",
        delays: Callable[[], Iterator[float]] = list_delays,
    ) -> None:
        self._find_address = find_address
        self._hear = hear
        self._token = token
        self._delays = delays
        self._ids = map(str, itertools.count(1))
        self._pending: dict[str, _Pending] = {}
        self._seen: dict[str, int] = {}  # the last number of each topic that is followed
        self._socket: ClientConnection | None = None
        self._patience = _PATIENCE
        self._connected = asyncio.Event()
        self._ended: PinciteError | None = None
        self._staying: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Connect and identify. Raise the error of the first attempt; later ones are tried again."""
        first: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._staying = asyncio.create_task(self._stay_connected(first))
        self._staying.add_done_callback(lambda task: self._release_waiters(task, first))
        await first

    def _release_waiters(self, task: "asyncio.Task[None]", first: "asyncio.Future[None]") -> None:
        """Let nobody wait for a connection whose task has ended by a fault of ours."""
        error = None if task.cancelled() else task.exception()
        if error and not first.done():
            first.set_exception(error)
        elif error:
            self._end(PinciteError(f"The connection failed: {error!r}."))

    async def close(self) -> None:
        """Leave. Actions that wait for a reply are cancelled."""
        if self._staying:
            self._staying.cancel()
            with suppress(asyncio.CancelledError):
                await self._staying
        for waiting in self._pending.values():
            waiting.reply.cancel()

    async def act(self, action: str, data: Mapping[str, Any]) -> dict[str, Any]:
        """Send an action and return the data of its result. Raise the error that the server reports."""
        message = {"type": "action", "action": action, "data": dict(data)}
        return await self._send_request(message, action in _REPEATABLE)

    async def subscribe(self, topic: str, after: int = 0) -> None:
        """Follow a topic from the event after number `after` on."""
        self._seen[topic] = after
        await self._send_request({"type": "subscribe", "topics": [topic], "after": {topic: after}}, True)

    async def _send_request(self, message: Mapping[str, Any], is_repeatable: bool) -> dict[str, Any]:
        id = next(self._ids)
        text = json.dumps({**message, "id": id})
        reply: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        await self._connected.wait()
        if self._ended:
            raise self._ended
        self._pending[id] = _Pending(text, is_repeatable, reply)
        try:
            if self._socket:
                with suppress(ConnectionClosed):  # the loss is handled where messages are read
                    await self._socket.send(text)
            return await reply
        finally:
            self._pending.pop(id, None)

    async def _stay_connected(self, first: "asyncio.Future[None]") -> None:
        delays = self._delays()
        while True:
            try:
                async with await self._connect() as socket:
                    heartbeat = await self._identify(socket)
                    delays = self._delays()
                    await self._resume(socket, is_first=not first.done())
                    if not first.done():
                        first.set_result(None)
                    await self._read(socket, heartbeat)
            except (OSError, TimeoutError, ConnectionClosed, InvalidHandshake, InvalidURI, PinciteError) as error:
                self._socket = None
                problem = explain_failure(error)
                if not first.done():
                    first.set_exception(problem)
                    return
                delay = None if is_final(error) else next(delays, None)
                if delay is None:
                    self._end(problem)
                    return
                self._lose(problem)
                await asyncio.sleep(delay)

    async def _connect(self) -> connect:
        address = await self._find_address()
        parts = urlsplit(address)
        if parts.scheme not in ("http", "https", "ws", "wss") or not parts.hostname:
            raise Misuse(f"{address} is not the address of a server.", "Give it as http://127.0.0.1:8000.")
        scheme = "wss" if parts.scheme in ("https", "wss") else "ws"
        is_local = parts.hostname in ("localhost", "::1") or parts.hostname.startswith("127.")
        self._patience = _PATIENCE_HERE if is_local else _PATIENCE
        return connect(
            f"{scheme}://{parts.netloc}{parts.path.rstrip('/')}/ws",
            max_size=_LARGEST,
            open_timeout=self._patience,
            close_timeout=1,
            ping_interval=None,  # the protocol has heartbeats of its own
            proxy=None if is_local else True,
        )

    async def _identify(self, socket: ClientConnection) -> float:
        """Introduce this client. Return the seconds between two heartbeats."""
        token = self._token if isinstance(self._token, str) else self._token()
        hello = {"type": "identify", "version": VERSION, "token": token, "client": _CLIENT}
        await socket.send(json.dumps(hello))
        async with asyncio.timeout(self._patience):
            while True:
                message = _parse_message(await socket.recv())
                if message.get("type") == "error":
                    raise make_error(message)
                if message.get("type") == "identified":
                    break
        if message.get("version") != VERSION:
            raise PinciteError(
                f"The server speaks version {message.get('version')} of the protocol; this command speaks {VERSION}.",
                "Install the same version of Pincite on both sides.",
            )
        heartbeat = message.get("heartbeat")
        return float(heartbeat) if isinstance(heartbeat, int | float) and heartbeat > 0 else _HEARTBEAT

    async def _resume(self, socket: ClientConnection, is_first: bool) -> None:
        """Follow the topics again, and send again what may be sent twice."""
        if self._seen:
            message = {"type": "subscribe", "id": next(self._ids), "topics": [*self._seen], "after": self._seen}
            await socket.send(json.dumps(message))
        for waiting in list(self._pending.values()):
            if not waiting.reply.done():
                await socket.send(waiting.message)
        self._socket = socket
        self._connected.set()
        if not is_first:
            self._hear(ConnectionBack())

    async def _read(self, socket: ClientConnection, heartbeat: float) -> None:
        """Handle messages until the connection is lost."""
        beating = asyncio.create_task(_send_heartbeats(socket, heartbeat))
        try:
            while True:
                async with asyncio.timeout(heartbeat * _SILENCE):
                    received = await socket.recv()
                message = _parse_message(received)
                if message.get("type") == "ping":
                    await socket.send('{"type":"pong"}')
                else:
                    self._handle_message(message)
        finally:
            beating.cancel()

    def _handle_message(self, message: Mapping[str, Any]) -> None:
        id = message.get("id")
        waiting = self._pending.get(id) if isinstance(id, str) else None
        match message:
            case {"type": "event", "topic": str(topic), "seq": int(seq), "event": dict(event)}:
                if seq > self._seen.get(topic, 0):
                    self._seen[topic] = seq
                    self._hear(TopicEvent(topic, seq, event))
            case {"type": "done", "topic": str(topic)}:
                self._hear(TopicDone(topic))
            case {"type": "error"} if waiting:
                if not waiting.reply.done():
                    waiting.reply.set_exception(make_error(message))
            case {"type": "error"}:
                topic = str(message.get("topic") or "")
                self._seen.pop(topic, None)
                self._hear(ServerNotice(make_error(message), topic))
            case {"type": "result" | "subscribed"} if waiting and not waiting.reply.done():
                data = message.get("data")
                self._note_begun(data)
                waiting.reply.set_result(data if isinstance(data, dict) else {})
            case _:
                pass  # a pong, or a message of a later version

    def _note_begun(self, data: object) -> None:
        """Remember the topic of an answer that an action began: the server sends its events from now on."""
        match data:
            case {"conversation": str(conversation), "message": str(), "after": int(after)}:
                self._seen.setdefault(f"conversation:{conversation}", after)

    def _lose(self, problem: PinciteError) -> None:
        if self._connected.is_set():
            self._connected.clear()
            self._hear(ConnectionLost(problem.message))
        for waiting in self._pending.values():
            if not waiting.is_repeatable and not waiting.reply.done():
                waiting.reply.set_exception(
                    Busy(
                        "The connection was lost before the server confirmed the request.",
                        "Look whether it was done before you ask for it again.",
                        UNCONFIRMED,
                    )
                )

    def _end(self, problem: PinciteError) -> None:
        self._ended = problem
        self._connected.set()  # a caller that waits for the connection gets the error
        for waiting in self._pending.values():
            if not waiting.reply.done():
                waiting.reply.set_exception(problem)
        self._hear(ConnectionEnded(problem))


async def _send_heartbeats(socket: ClientConnection, seconds: float) -> None:
    with suppress(ConnectionClosed):
        while True:
            await asyncio.sleep(seconds)
            await socket.send('{"type":"ping"}')


def _parse_message(received: str | bytes) -> dict[str, Any]:
    try:
        message = json.loads(received)
    except ValueError:
        message = None
    if not isinstance(message, dict):
        raise PinciteError("The server sent a message that is no JSON object.", "Is it a Pincite server?")
    return message
