"""The uvicorn server of Pincite: it tells proxies that it stops, lets answers end, and ends all event streams."""

import signal
import socket
import time
from collections.abc import Callable
from types import FrameType

import uvicorn
from fastapi import FastAPI
from uvicorn.config import LOGGING_CONFIG

from pincite.isolation.free_memory import keep_loaded_objects
from pincite.server import close_streams
from pincite.server.idle_connections import IdleConnections, is_unread, is_websocket

_GRACE = 10  # seconds before open connections are closed at shutdown
_NOTICED = 5.0  # seconds after which a proxy has seen that the server is not ready, if no answer takes longer


class Server(uvicorn.Server):
    """A server that ends event streams before it waits for connections, so that a slow answer cannot delay the end.

    On SIGTERM it is first not ready, for `server.drain_seconds` at most, while it goes on answering. A second signal,
    or Ctrl-C, ends that.
    """

    def __init__(
        self, app: FastAPI, idle: IdleConnections | None = None, announce: Callable[[], None] = lambda: None
    ) -> None:
        self._app = app
        self._announce = announce
        self._idle = idle or IdleConnections()
        self._drain_seconds = app.state.settings.server.drain_seconds
        self._drain_begun: float | None = None
        config = uvicorn.Config(
            app,
            log_level="warning",
            # Without a configuration of uvicorn's own, its lines are written as ours are.
            log_config=None if app.state.settings.telemetry.logs == "json" else LOGGING_CONFIG,
            lifespan="on",
            server_header=False,
            forwarded_allow_ips=list(app.state.settings.server.proxies),
            timeout_graceful_shutdown=_GRACE,
            ws_max_size=app.state.settings.websocket.message_mb * 1_000_000,
            ws_ping_interval=None,  # connections have a heartbeat of their own, which proves more than an open socket
            ws_per_message_deflate=False,  # it costs memory for each connection, and most are local
        )
        super().__init__(config)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        self._announce()
        await super().startup(sockets)
        keep_loaded_objects()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if sig == signal.SIGTERM and self._drain_seconds and self._drain_begun is None and self.started:
            self._drain_begun = time.monotonic()
            self._app.state.readiness.drain()
            return
        super().handle_exit(sig, frame)

    async def on_tick(self, counter: int) -> bool:
        if self._drain_begun is not None and self._is_drained(time.monotonic() - self._drain_begun):
            self.should_exit = True
        if counter % 10 == 0:
            self._idle.close(list(self.server_state.connections))
        return await super().on_tick(counter)

    def _is_drained(self, seconds: float) -> bool:
        return seconds >= self._drain_seconds or (seconds >= _NOTICED and not self._app.state.conversations.running)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await close_streams(self._app)
        for connection in list(self.server_state.connections):
            if is_websocket(connection) and is_unread(connection):
                connection.transport.abort()  # its client would delay the end
        await super().shutdown(sockets)
