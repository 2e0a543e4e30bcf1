"""A WebSocket client in a thread of its own: it answers heartbeats while the command waits at a prompt."""

import asyncio
import threading
from collections.abc import Coroutine
from queue import SimpleQueue
from typing import Any, TypeVar

from pincite.cli.websocket_client import FindAddress, Heard, TokenSource, WebSocketClient

T = TypeVar("T")


class ServerConnection:
    """A connection to a server, for code that is not asynchronous.

    Events arrive in `heard`. A signal handler may put an item there too: a `SimpleQueue` allows that.
    """

    def __init__(self, find_address: FindAddress, token: TokenSource = "") -> None:
        self.heard: SimpleQueue[Heard | None] = SimpleQueue()
        self._find_address = find_address
        self._token = token
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="websocket", daemon=True)
        self._client: WebSocketClient | None = None

    def open(self) -> None:
        """Connect. Raise the error of the first attempt."""
        self._thread.start()
        self._await(self._open())

    def act(self, action: str, **data: Any) -> dict[str, Any]:
        """Send an action and return the data of its result."""
        return self._await(self._get_client().act(action, data))

    def subscribe(self, topic: str, after: int = 0) -> None:
        """Follow a topic; its events arrive in `heard`."""
        self._await(self._get_client().subscribe(topic, after))

    def close(self) -> None:
        """Disconnect and end the thread."""
        if self._thread.is_alive():
            try:
                if self._client:
                    self._await(self._client.close())
            finally:
                self._loop.call_soon_threadsafe(self._loop.stop)
                self._thread.join()
        self._loop.close()

    async def _open(self) -> None:
        self._client = WebSocketClient(self._find_address, self.heard.put, self._token)
        await self._client.open()

    def _get_client(self) -> WebSocketClient:
        assert self._client, "the connection is open"
        return self._client

    def _await(self, work: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine in the thread and wait for it. An interrupt cancels it."""
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_forever()
        self._loop.run_until_complete(self._loop.shutdown_default_executor())


def stay_at(address: str) -> FindAddress:
    """Return a function that always finds the same address."""

    async def find_address() -> str:
        return address

    return find_address
