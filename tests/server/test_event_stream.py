"""A stream of events opens at once in every browser, also while there is nothing to tell."""

import asyncio
from collections.abc import AsyncIterator

from starlette.types import Message

from pincite.server.event_stream import EventStream
from tests.clock import PATIENCE


async def _say_nothing() -> AsyncIterator[bytes]:
    await asyncio.Event().wait()
    yield b""


def test_the_first_bytes_come_with_the_headers() -> None:
    async def run() -> list[Message]:
        sent: asyncio.Queue[Message] = asyncio.Queue()
        gone = asyncio.Event()

        async def receive() -> Message:
            await gone.wait()
            return {"type": "http.disconnect"}

        scope = {"type": "http", "method": "GET", "path": "/", "headers": [], "state": {}}
        task = asyncio.create_task(EventStream(_say_nothing())(scope, receive, sent.put))
        async with asyncio.timeout(PATIENCE):
            first = [await sent.get(), await sent.get()]
            gone.set()
            await task
        return first

    start, body = asyncio.run(run())
    assert start["status"] == 200
    assert body["body"].startswith(b":")
    assert body["more_body"]
