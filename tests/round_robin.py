"""A proxy that gives every connection to another server, as a balancer without sticky sessions does."""

import asyncio
import contextlib
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass
class RoundRobin:
    """The servers by port, whose turn it is, and the port of the proxy. `last` is the server of the last connection."""

    servers: list[int]
    port: int = 0
    last: int = -1
    taken: list[int] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.last = (self.last + 1) % len(self.servers)
        self.taken.append(self.last)
        there_reader, there_writer = await asyncio.open_connection("127.0.0.1", self.servers[self.last])
        try:
            await asyncio.gather(_copy(reader, there_writer), _copy(there_reader, writer))
        finally:
            writer.close()
            there_writer.close()


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while piece := await reader.read(65_536):
            writer.write(piece)
            await writer.drain()
    with contextlib.suppress(OSError):
        writer.close()


@contextlib.contextmanager
def balancing(servers: list[int]) -> Iterator[RoundRobin]:
    """A proxy in front of these servers, until the block ends."""
    proxy = RoundRobin(servers)
    loop = asyncio.new_event_loop()
    ready, stopping = threading.Event(), asyncio.Event()

    async def serve() -> None:
        server = await asyncio.start_server(proxy.forward, "127.0.0.1", 0)
        proxy.port = server.sockets[0].getsockname()[1]
        ready.set()
        await stopping.wait()
        server.close()
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),), name="proxy")
    thread.start()
    ready.wait()
    try:
        yield proxy
    finally:
        loop.call_soon_threadsafe(stopping.set)
        thread.join()
        loop.run_until_complete(asyncio.sleep(0.01))
        loop.close()
