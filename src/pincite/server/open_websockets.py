"""The WebSocket connections of a server: their number is limited, and they are closed when the server stops."""

from collections import Counter

import anyio
from fastapi.responses import JSONResponse
from starlette.websockets import WebSocket

from pincite.server.error_responses import make_problem
from pincite.server.websocket_connection import WebSocketConnection
from pincite.telemetry.metrics import OPEN_STREAMS

_LONGEST = 6.0  # seconds to wait for all connections to be closed


class OpenWebSockets:
    """The open connections of one server."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._open: dict[WebSocketConnection, None] = {}  # the oldest first
        self._is_closing = False
        self._closed = anyio.Event()

    async def serve(self, socket: WebSocket, connection: WebSocketConnection) -> None:
        """Serve a connection to its end, or refuse it before it is accepted."""
        if refusal := self._refuse():
            await socket.send_denial_response(refusal)
            return
        self._open[connection] = None
        try:
            with OPEN_STREAMS.count("websocket"):
                await connection.run()
        finally:
            self._open.pop(connection, None)
            if not self._open:
                self._closed.set()

    def leave(self) -> None:
        """Let subscriptions end with the answers that are being written, and accept no new connections."""
        self._is_closing = True
        for connection in self._open:
            connection.leave()

    async def close(self) -> None:
        """Close all connections and wait until they are closed."""
        self.leave()
        if not self._open:
            return
        self._closed = anyio.Event()
        for connection in self._open:
            connection.close()
        with anyio.move_on_after(_LONGEST):
            await self._closed.wait()

    def _refuse(self) -> JSONResponse | None:
        if self._is_closing:
            return make_problem(503, "busy", "The server is about to stop.", "Connect again in a minute.")
        if len(self._open) >= self._most and not self._make_room():
            message = f"{self._most} connections are open, which is the limit."
            hint = "Connect again later, or raise websocket.connections in the settings."
            return make_problem(503, "busy", message, hint, reason="connections")
        return None

    def _make_room(self) -> bool:
        """End the oldest connection that has not identified itself, or else one of a person who has very many.

        Return False if there is neither. Without it, one client could keep everybody out.
        """
        given = next((each for each in self._open if not each.is_identified), None) or self._find_spare()
        if given is None:
            return False
        del self._open[given]
        given.give_way()
        return True

    def _find_spare(self) -> WebSocketConnection | None:
        """Return the oldest connection of the person who has most, if they have more than their share."""
        counts = Counter(each.person for each in self._open if each.person)
        person, count = max(counts.items(), key=lambda found: found[1], default=("", 0))
        return next((each for each in self._open if each.person == person), None) if count > self._most // 4 else None
