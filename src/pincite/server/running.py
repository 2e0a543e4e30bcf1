"""The server as a process: it listens until it is told to stop, and then lets everybody go first."""

import socket

import uvicorn
from fastapi import FastAPI

from pincite.server import leave
from pincite.server.connections import IdleConnections

_GRACE = 10  # seconds for connections that do not end by themselves


class Server(uvicorn.Server):
    """Ends streams before it waits for connections: otherwise one slow answer would keep the process."""

    def __init__(self, app: FastAPI, idle: IdleConnections | None = None) -> None:
        self._app = app
        self._idle = idle or IdleConnections()
        config = uvicorn.Config(app, log_level="warning", lifespan="on", timeout_graceful_shutdown=_GRACE)
        super().__init__(config)

    async def on_tick(self, counter: int) -> bool:
        if counter % 10 == 0:
            self._idle.close(list(self.server_state.connections))
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await leave(self._app)
        await super().shutdown(sockets)
