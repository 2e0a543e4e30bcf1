"""A server on a real socket in the test's own event loop, and clients of its `/ws`."""

import asyncio
import contextlib
import itertools
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from fastapi import FastAPI
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from pincite import events
from pincite.answer.context import Context
from pincite.conversations.live import Answerer
from pincite.server import create_app
from pincite.server.idle_connections import IdleConnections
from pincite.server.server_process import Server
from pincite.settings import Settings
from tests.clock import PATIENCE
from tests.server.conftest import quoting

Told = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Serving:
    """A running server and its port."""

    app: FastAPI
    server: Server
    port: int

    @property
    def http(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@asynccontextmanager
async def serving(
    settings: Settings, answer: Answerer = quoting, idle: IdleConnections | None = None, **websocket: Any
) -> AsyncIterator[Serving]:
    """A server, until the block ends; then it has shut down."""
    chosen = settings.websocket.model_copy(update=websocket)
    app = create_app(settings.model_copy(update={"websocket": chosen}), answer=answer)
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(200)
        server = Server(app, idle)
        running = asyncio.create_task(server.serve(sockets=[listener]))
        try:
            yield Serving(app, server, listener.getsockname()[1])
        finally:
            server.should_exit = True
            await running


class Client:
    """A client that has connected. Messages are objects; pings are left out unless they are asked for."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self._ids = map(str, itertools.count(1))

    async def send(self, type: str, **fields: Any) -> None:
        await self.connection.send(json.dumps({"type": type, **fields}))

    async def receive(self, pings: bool = False) -> Told:
        async with asyncio.timeout(PATIENCE):
            while True:
                told: Told = json.loads(await self.connection.recv())
                if pings or told["type"] != "ping":
                    return told

    async def request(self, type: str, **fields: Any) -> Told:
        """The reply to a message; what else arrives first is an error."""
        id = next(self._ids)
        await self.send(type, id=id, **fields)
        told = await self.receive()
        assert told.get("id") == id, told
        return told

    async def act(self, action: str, **data: Any) -> Any:
        """The data of an action's result."""
        told = await self.request("action", action=action, data=data)
        assert (told["type"], told["action"]) == ("result", action), told
        return told["data"]

    async def ask(self, message: str = "How deep?", **given: Any) -> str:
        """The topic in which this was asked."""
        return f"conversation:{(await self.act('ask', message=message, **given))['conversation']}"

    async def subscribe(self, topic: str, after: int = 0) -> None:
        told = await self.request("subscribe", topics=[topic], after={topic: after})
        assert told["type"] == "subscribed", told

    async def take(self, count: int) -> list[Told]:
        """The next events."""
        return [await self._take_event() for _ in range(count)]

    async def finish(self, topic: str) -> list[Told]:
        """The events until a topic is done."""
        found = []
        while (told := await self.receive())["type"] != "done":
            assert (told["type"], told["topic"]) == ("event", topic), told
            assert told["seq"] == told["event"]["seq"]
            found.append(told["event"])
        assert told["topic"] == topic
        return found

    async def _take_event(self) -> Told:
        told = await self.receive()
        assert told["type"] == "event", told
        event: Told = told["event"]
        return event

    def vanish(self) -> None:
        """Be gone without a word, as when a network fails."""
        self.connection.transport.abort()


@asynccontextmanager
async def connected(port: int, identify: bool = True, **given: Any) -> AsyncIterator[Client]:
    """A client, which has identified itself unless it is told not to."""
    address = f"ws://127.0.0.1:{port}/ws"
    async with connect(
        address, proxy=None, ping_interval=None, close_timeout=PATIENCE, open_timeout=PATIENCE, max_size=None, **given
    ) as connection:
        client = Client(connection)
        if identify:
            await client.send("identify", version=1, client="tests")
            assert (await client.receive())["type"] == "identified"
        yield client


@asynccontextmanager
async def not_reading(port: int) -> AsyncIterator[Client]:
    """A client with small buffers, whose library reads nothing more once a message waits."""
    with socket.socket() as narrow:
        narrow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        narrow.setblocking(False)
        await asyncio.get_running_loop().sock_connect(narrow, ("127.0.0.1", port))
        async with connected(port, sock=narrow, max_queue=1) as client:
            yield client


class Stepwise:
    """Answers in steps: a thought and a piece of text each time it is let on, and the end of the answer at last."""

    def __init__(self, steps: int, text: str = "word") -> None:
        self._steps = steps
        self._text = text
        self._let = asyncio.Semaphore(0)

    def let_on(self, steps: int | None = None) -> None:
        """Let the next pieces be said; all of them without a number."""
        for _ in range(self._steps + 1 if steps is None else steps):
            self._let.release()

    async def __call__(self, context: Context) -> AsyncIterator[events.Data]:
        asked = context.asked
        yield events.MessageStarted(
            conversationId=asked.conversation, question=asked.question, model="fake", focus="all"
        )
        for number in range(self._steps):
            if not await self._may_go_on(context):
                return
            # Text that follows text may become one event. A thought between them keeps each apart.
            yield events.Thought(text=f"{number}")
            yield events.Text(delta=f"{self._text} {number} of {asked.question}. ")
        if not await self._may_go_on(context):
            return
        yield events.Answer(
            answer="That is all.",
            refused=False,
            question=asked.question,
            model="fake",
            sentences=[],
            citations=[],
            usage=events.Usage(input_tokens=1, output_tokens=1, requests=1),
        )

    async def _may_go_on(self, context: Context) -> bool:
        """Wait to be let on; False when the answer is stopped."""
        steps = [asyncio.ensure_future(self._let.acquire()), asyncio.ensure_future(context.stop.answer.wait())]
        try:
            await asyncio.wait(steps, return_when=asyncio.FIRST_COMPLETED)
            return steps[0].done()
        finally:
            for step in steps:
                step.cancel()
            await asyncio.gather(*steps, return_exceptions=True)


def list_tasks() -> set[str]:
    """The tasks of this event loop, by what they run."""
    return {getattr(task.get_coro(), "__qualname__", "") for task in asyncio.all_tasks()}


async def read_to_the_end(client: Client) -> tuple[int, str]:
    """The code and reason with which the server closes a connection."""
    with contextlib.suppress(ConnectionClosed):
        while True:
            await client.receive()
    await client.connection.wait_closed()
    return client.connection.close_code or 0, client.connection.close_reason or ""
