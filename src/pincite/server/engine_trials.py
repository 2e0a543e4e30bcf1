"""Trials of search engines' addresses. The address may be private and on any port, so a trial tells little else.

Whatever is not a SearXNG that answers gets the same words after the same time: a port that is closed, one that is open
and one that does not answer cannot be told apart. So many trials are made in a minute.
"""

import time
from collections import deque
from collections.abc import Awaitable, Callable

import anyio

from pincite.errors import Misuse, WebError
from pincite.web import searxng
from pincite.web.searxng import Checked

_SECONDS = 5.0  # for one trial; SearXNG itself waits three for its engines
_MOST, _MINUTE = 10, 60.0

_NOTHING = Checked(
    False,
    "No SearXNG answers in JSON at this address.",
    "Check the address, and that SearXNG is running there; inside a container, localhost is the container itself. In "
    "its settings.yml write `formats: [html, json]` under `search:` and `limiter: false` under `server:`; restart it.",
)
_TOO_MANY = Checked(False, "Too many addresses were tried in a short time.", "Wait a minute, then try again.")


class EngineTrials:
    """Tries addresses, and remembers how many lately."""

    def __init__(
        self,
        seconds: float = _SECONDS,
        most: int = _MOST,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = anyio.sleep,
    ) -> None:
        self._seconds = seconds
        self._most = most
        self._clock = clock
        self._sleep = sleep
        self._begun: deque[float] = deque()

    async def run(self, url: str) -> Checked:
        """Search once at an address, and say what came of it."""
        try:
            searxng.address(url)
        except (Misuse, WebError) as error:
            return Checked(False, error.message, error.hint)  # of what was typed: nothing was reached
        begun = self._clock()
        while self._begun and begun - self._begun[0] >= _MINUTE:
            self._begun.popleft()
        if len(self._begun) >= self._most:
            return _TOO_MANY
        self._begun.append(begun)
        checked = await searxng.check(url, self._seconds)
        if checked.answered:
            return checked
        await self._sleep(max(self._seconds - (self._clock() - begun), 0.0))
        return _NOTHING
