"""Limit the requests to each host: few at once, a pause between them, and none while the host asks for a break."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import anyio

from pincite.errors import WebError

Sleep = Callable[[float], Awaitable[None]]

LONGEST_REST = 300.0  # seconds
_HOSTS = 1000


@dataclass(slots=True)
class _HostState:
    room: anyio.Semaphore
    next: float = 0.0  # when the next request may begin
    rest: float = 0.0  # the time until which the host wants no requests
    users: int = field(default=0)


class RateLimit:
    """Track the running requests of each host and the time of its next one."""

    def __init__(self, at_once: int, pause: float, sleep: Sleep = anyio.sleep) -> None:
        self._at_once = at_once
        self._pause = pause
        self._sleep = sleep
        self._places: dict[str, _HostState] = {}

    @asynccontextmanager
    async def turn(self, host: str, delay: float = 0.0, *, is_sent: bool = False) -> AsyncIterator[None]:
        """Wait for a slot at a host and hold it; `delay` is the pause that the host itself asks for.

        `is_sent` means that the host itself redirected here: then there is no pause.
        """
        place = self._place(host)
        place.users += 1
        try:
            async with place.room:
                now = anyio.current_time()
                if place.rest > now:
                    raise WebError(
                        f"{host} asked for no requests for another {place.rest - now:.0f} seconds.",
                        "Try again after that.",
                    )
                begins = now if is_sent else max(now, place.next)
                place.next = max(place.next, begins + max(self._pause, delay))
                await self._sleep(begins - now)
                yield
        finally:
            place.users -= 1

    def rest(self, host: str, seconds: float) -> None:
        """Make no requests to a host for a time, because it asked for that."""
        self._place(host).rest = anyio.current_time() + min(seconds, LONGEST_REST)

    def _place(self, host: str) -> _HostState:
        if len(self._places) >= _HOSTS:
            now = anyio.current_time()
            idle = [name for name, place in self._places.items() if not place.users and place.next < now > place.rest]
            for name in idle:
                del self._places[name]
        return self._places.setdefault(host, _HostState(anyio.Semaphore(self._at_once)))
