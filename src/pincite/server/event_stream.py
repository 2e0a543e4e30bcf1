"""Send events to a client as server-sent events, until the stream ends or the client disconnects."""

import json
from collections.abc import AsyncIterator, Mapping

import anyio
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from pincite.errors import PinciteError
from pincite.events import Event, describe_error
from pincite.server.caller_watch import watch_caller
from pincite.telemetry.metrics import OPEN_STREAMS

PING_SECONDS = 15.0
_HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


def encode_event(type: str, data: str, id: int | None = None) -> bytes:
    """Return one event as bytes. `data` is JSON without line breaks."""
    number = "" if id is None else f"id: {id}\n"
    return f"{number}event: {type}\ndata: {data}\n\n".encode()


async def stream_events(events: AsyncIterator[Event]) -> AsyncIterator[bytes]:
    """Yield events as bytes. An error becomes the last event, without a number."""
    try:
        async for event in events:
            yield encode_event(event.type, event.model_dump_json(), event.seq or None)
    except PinciteError as error:
        data = describe_error(error).model_dump()
        yield encode_event("error", json.dumps({"seq": 0, "type": "error", "messageId": "", "data": data}))


class EventStream(Response):
    """A response that sends a stream as it arrives, with regular ping comments.

    It ends when the client disconnects, and when the session or token of the caller is revoked.
    """

    media_type = "text/event-stream"

    def __init__(
        self, stream: AsyncIterator[bytes], headers: Mapping[str, str] | None = None, status_code: int = 200
    ) -> None:
        self.status_code = status_code
        self.background = None
        self._stream = stream
        self._sending = anyio.Lock()
        self.init_headers({**_HEADERS, **(headers or {})})
        del self.headers["content-length"]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        await self._send(send, b": open\n\n")  # Firefox reports a response only with the first bytes of its body
        with OPEN_STREAMS.count("events"), watch_caller(scope) as revoked:
            async with anyio.create_task_group() as group:
                group.start_soon(self._listen, receive, group.cancel_scope)
                group.start_soon(self._ping, send)
                group.start_soon(self._end_when_revoked, revoked, group.cancel_scope)
                async for piece in self._stream:
                    await self._send(send, piece)
                await self._send(send, b"", more=False)
                group.cancel_scope.cancel()
            if revoked.is_set():
                await self._send(send, b"", more=False)

    async def _end_when_revoked(self, revoked: anyio.Event, scope: anyio.CancelScope) -> None:
        await revoked.wait()
        scope.cancel()

    async def _listen(self, receive: Receive, scope: anyio.CancelScope) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        scope.cancel()

    async def _ping(self, send: Send) -> None:
        while True:
            await anyio.sleep(PING_SECONDS)
            await self._send(send, b": ping\n\n")

    async def _send(self, send: Send, body: bytes, more: bool = True) -> None:
        async with self._sending:
            await send({"type": "http.response.body", "body": body, "more_body": more})
