"""Test the address of a search engine. The address may be private and on any port, so a test must reveal little else.

An address without a working SearXNG always gets the same message after the same time. A closed port, an open port and
a silent one therefore look alike. The number of tests in a minute is limited.
"""

import time
from collections import deque
from collections.abc import Awaitable, Callable

import anyio

from pincite.errors import Misuse, WebError
from pincite.web import searxng
from pincite.web.searxng import EngineCheck

_SECONDS = 5.0  # for one test; SearXNG itself waits three seconds for its engines
_MOST, _MINUTE = 10, 60.0

_NOTHING = EngineCheck(
    False,
    "No SearXNG answers in JSON at this address.",
    "Check the address, and that SearXNG is running there; inside a container, localhost is the container itself. In "
    "its settings.yml write `formats: [html, json]` under `search:` and `limiter: false` under `server:`; restart it.",
)
_TOO_MANY = EngineCheck(False, "Too many addresses were tested in a short time.", "Wait a minute, then try again.")


class EngineTrials:
    """Tests addresses, and limits the number of tests in a minute."""

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

    async def run(self, url: str) -> EngineCheck:
        """Run one search at an address and return the result."""
        try:
            searxng.normalise_address(url)
        except (Misuse, WebError) as error:
            return EngineCheck(
                False, error.message, error.hint
            )  # the address itself is invalid; no connection was made
        begun = self._clock()
        while self._begun and begun - self._begun[0] >= _MINUTE:
            self._begun.popleft()
        if len(self._begun) >= self._most:
            return _TOO_MANY
        self._begun.append(begun)
        checked = await searxng.check_engine(url, self._seconds)
        if checked.answered:
            return checked
        await self._sleep(max(self._seconds - (self._clock() - begun), 0.0))
        return _NOTHING
