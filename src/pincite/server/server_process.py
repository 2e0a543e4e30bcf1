"""The uvicorn server of Pincite: it ends all event streams before it shuts down."""

import socket

import uvicorn
from fastapi import FastAPI

from pincite.isolation.free_memory import keep_loaded_objects
from pincite.server import close_streams
from pincite.server.idle_connections import IdleConnections, is_unread, is_websocket

_GRACE = 10  # seconds before open connections are closed at shutdown


class Server(uvicorn.Server):
    """A server that ends event streams before it waits for connections, so that a slow answer cannot delay the end."""

    def __init__(self, app: FastAPI, idle: IdleConnections | None = None) -> None:
        self._app = app
        self._idle = idle or IdleConnections()
        config = uvicorn.Config(
            app,
            log_level="warning",
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
        await super().startup(sockets)
        keep_loaded_objects()

    async def on_tick(self, counter: int) -> bool:
        if counter % 10 == 0:
            self._idle.close(list(self.server_state.connections))
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await close_streams(self._app)
        for connection in list(self.server_state.connections):
            if is_websocket(connection) and is_unread(connection):
                connection.transport.abort()  # its client would delay the end
        await super().shutdown(sockets)
