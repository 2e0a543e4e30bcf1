"""Connections that nobody uses are closed: those without a request, and those whose client does not read."""

import time
from collections.abc import Callable, Iterable
from typing import Any

_REQUEST_SECONDS = 30.0  # for a request to arrive on a connection that is open
_READING_SECONDS = 120.0  # for a client to read anything of what is sent to it


class IdleConnections:
    """Watches the connections of a server, and closes those that have been idle for too long.

    uvicorn itself closes a connection that is kept alive after an answer. It waits for ever for the head of a request,
    and for a client that has stopped reading. A body that does not arrive is the middleware's business.
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
        """Close the idle ones among uvicorn's connections; how many they were."""
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
                # Not `close`, which would wait until the client has read the rest.
                connection.transport.abort()
                closed += 1
        return closed


def _find_wait(connection: Any) -> tuple[str, int] | None:
    """What a connection waits for, and at which of its requests; None when it is at work, or is no HTTP."""
    if getattr(connection, "transport", None) is None or not hasattr(connection, "cycle"):
        return None
    cycle = connection.cycle
    if connection.flow.write_paused:
        # Each piece that the client takes lets more be written: the size tells one moment from the next.
        return "reading", connection.transport.get_write_buffer_size()
    if cycle is None or cycle.response_complete:
        return "request", 0 if cycle is None else id(cycle)
    return None
