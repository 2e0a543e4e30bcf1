"""Close idle connections: those without a request, and those whose client does not read."""

import time
from collections.abc import Callable, Iterable
from typing import Any

_REQUEST_SECONDS = 30.0  # for a request to arrive on an open connection
_READING_SECONDS = 120.0  # for a client to read some of the data sent to it


class IdleConnections:
    """Watches the connections of a server, and closes those that have been idle for too long.

    uvicorn itself closes keep-alive connections after a response. It waits forever for the head of a request and for a
    client that has stopped reading. The middleware handles a request body that does not arrive.
    """

    def __init__(
        self,
        request: float = _REQUEST_SECONDS,
        reading: float = _READING_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._limits = {"request": request, "reading": reading}
        self._clock = clock
        self._since: dict[Any, tuple[object, float]] = {}

    def close(self, connections: Iterable[Any]) -> int:
        """Close the idle ones among uvicorn's connections. Return their number."""
        now, known, closed = self._clock(), self._since, 0
        self._since = {}
        for connection in connections:
            waits = _find_wait(connection)
            if waits is None:
                continue
            state, since = known.get(connection, (None, now))
            if state != waits:
                since = now
            self._since[connection] = (waits, since)
            if now - since >= self._limits[waits[0]]:
                # Not `close`, which would wait for the client to read the rest.
                connection.transport.abort()
                closed += 1
        return closed


def _find_wait(connection: Any) -> tuple[str, int] | None:
    """Return what a connection waits for and a state that changes with progress; None if busy."""
    if getattr(connection, "transport", None) is None:
        return None
    if is_unread(connection):
        # The size of the write buffer changes whenever the client reads some data.
        return "reading", connection.transport.get_write_buffer_size()
    if is_websocket(connection):
        return None  # it has a heartbeat of its own
    cycle = connection.cycle
    if cycle is None or cycle.response_complete:
        return "request", 0 if cycle is None else id(cycle)
    return None


def is_websocket(connection: Any) -> bool:
    """Return whether one of uvicorn's connections is a WebSocket."""
    return not hasattr(connection, "cycle")


def is_unread(connection: Any) -> bool:
    """Return whether data waits for the client of a connection to read it."""
    if is_websocket(connection):
        return not connection.writable.is_set()
    return bool(connection.flow.write_paused)
