"""How a host is treated: few requests at once, a pause between them, and none while it asks for rest."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import anyio

from pincite.errors import WebError

Sleep = Callable[[float], Awaitable[None]]

LONGEST_REST = 300.0  # seconds
_HOSTS = 1000


@dataclass(slots=True)
class _Place:
    room: anyio.Semaphore
    next: float = 0.0  # when the next request may begin
    rest: float = 0.0  # until when it wants none
    users: int = field(default=0)


class Manners:
    """Who is being visited now, and when each host may be visited again."""

    def __init__(self, at_once: int, pause: float, sleep: Sleep = anyio.sleep) -> None:
        self._at_once = at_once
        self._pause = pause
        self._sleep = sleep
        self._places: dict[str, _Place] = {}

    @asynccontextmanager
    async def turn(self, host: str, delay: float = 0.0, *, is_sent: bool = False) -> AsyncIterator[None]:
        """Wait for a turn at a host and hold it; `delay` is the pause that the host itself asks for.

        Who `is_sent` there by the host's own redirect comes without a pause.
        """
        place = self._place(host)
        place.users += 1
        try:
            async with place.room:
                now = anyio.current_time()
                if place.rest > now:
                    raise WebError(
                        f"{host} asked for a rest of {place.rest - now:.0f} seconds more.", "Try again after that."
                    )
                begins = now if is_sent else max(now, place.next)
                place.next = max(place.next, begins + max(self._pause, delay))
                await self._sleep(begins - now)
                yield
        finally:
            place.users -= 1

    def rest(self, host: str, seconds: float) -> None:
        """A host asked not to be visited for a time."""
        self._place(host).rest = anyio.current_time() + min(seconds, LONGEST_REST)

    def _place(self, host: str) -> _Place:
        if len(self._places) >= _HOSTS:
            now = anyio.current_time()
            idle = [name for name, place in self._places.items() if not place.users and place.next < now > place.rest]
            for name in idle:
                del self._places[name]
        return self._places.setdefault(host, _Place(anyio.Semaphore(self._at_once)))
