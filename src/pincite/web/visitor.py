"""Visits to pages outside, with manners: a URL to a file, as often and as fast as the site it is on would have it."""

import time
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
import anyio.to_thread
import httpx2

from pincite.errors import Forbidden, WebError
from pincite.web.contents import HTML
from pincite.web.fetch import REDIRECTS, Fetched, Unchanged, Validators, client, conditions, taken, told, unpacked
from pincite.web.guard import Resolve, host_of, resolve
from pincite.web.manners import Manners
from pincite.web.parsing import Emptiness, WebParser, may_refresh
from pincite.web.robots import Robots

if TYPE_CHECKING:
    from pincite.settings import Settings

_ROBOTS_BYTES = 500_000
_ROBOTS_SECONDS = 10.0
_PARSED_AT_ONCE = 4
_REST = 30.0  # seconds, for a host that wants a rest and does not say how long


class _Left:
    """The time that is left for the network alone: what is spent waiting for a turn does not count."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        begun = anyio.current_time()
        with anyio.fail_after(self._seconds):
            yield
        self._seconds -= anyio.current_time() - begun


@dataclass(frozen=True, slots=True)
class _Errand:
    """One visit: where it is written, whether a person asked for it, which version is known, and its time."""

    into: Path
    asked_for: bool
    known: Validators | None
    left: _Left


class Visitor:
    """Visits pages for one house: it remembers what sites ask of robots, and when each was visited last."""

    def __init__(self, settings: "Settings", parser: WebParser, look_up: Resolve = resolve) -> None:
        self._settings = settings
        self._parser = parser
        # Threads that wait for the parser are few: the others are those of the whole program.
        self._parsing = anyio.CapacityLimiter(_PARSED_AT_ONCE)
        self._look_up = look_up
        self._manners = Manners(settings.web.per_host, settings.web.pause_seconds)
        self._robots = Robots(self._robots_txt)

    async def visit(
        self, url: str, into: Path, *, asked_for: bool = False, known: Validators | None = None
    ) -> Fetched | Unchanged:
        """Write what an address gives into a file, which is the caller's to remove, also when this fails.

        `asked_for` says that a person gave this very address, so that robots.txt is not asked; with `known`, a page
        that is still that version is not sent again.
        """
        seconds = self._settings.web.seconds
        errand = _Errand(into, asked_for, known, _Left(seconds))
        with told(url, seconds):
            async with client(self._settings, self._look_up) as asking:
                found, hops = await self._followed(asking, url, errand, REDIRECTS)
                if isinstance(found, Fetched) and (onward := await self._find_onward(found)):
                    found, _ = await self._followed(asking, onward, errand, hops)
                return found

    async def find_emptiness(self, path: Path, is_rendered: bool = False) -> Emptiness:
        """Why a page that was written into a file holds nothing to read."""
        return await anyio.to_thread.run_sync(self._parser.find_emptiness, path, is_rendered, limiter=self._parsing)

    async def _find_onward(self, found: Fetched) -> str | None:
        """Where a page that came sends its reader by itself."""
        if found.content_type not in HTML or not await anyio.to_thread.run_sync(may_refresh, found.path):
            return None
        return await anyio.to_thread.run_sync(self._parser.find_refresh, found.path, found.url, limiter=self._parsing)

    async def _followed(
        self, asking: httpx2.AsyncClient, url: str, errand: _Errand, hops: int
    ) -> tuple[Fetched | Unchanged, int]:
        """What is at the end of an address's redirects, and how many more might have been followed."""
        request: httpx2.Request | None = asking.build_request("GET", url, headers=conditions(errand.known))
        host = ""
        for hop in range(hops + 1):
            assert request is not None
            before, host = host, host_of(request.url)
            async with self._turn(request.url, errand.asked_for, is_sent=before == host), errand.left.running():
                response = await asking.send(request, stream=True)
                async with aclosing(response):
                    if (request := response.next_request) is None:
                        return await self._arrived(response, errand), hops - hop
        raise httpx2.TooManyRedirects("too many")

    async def _arrived(self, response: httpx2.Response, errand: _Errand) -> Fetched | Unchanged:
        if response.status_code == 304 and conditions(errand.known):
            return Unchanged(str(response.url), time.time())
        if response.status_code in (429, 503):
            given = response.headers.get("retry-after", "")
            self._manners.rest(host_of(response.url), float(given) if given.isdecimal() and len(given) < 9 else _REST)
        return await taken(response, errand.into, self._settings.web.max_page_mb, self._settings.reading.max_file_mb)

    @asynccontextmanager
    async def _turn(self, url: httpx2.URL, asked_for: bool, is_sent: bool) -> AsyncIterator[None]:
        """A turn at a host, when its robots.txt has nothing against it."""
        delay = 0.0
        if not asked_for and url.scheme in ("http", "https"):
            rules = await self._robots.of(url)
            if not rules.allow(url.raw_path.decode("ascii")):
                raise Forbidden(
                    f"{host_of(url)} asks robots not to read this page (robots.txt).",
                    "Give its address in your question, and it is read for you.",
                    "robots",
                )
            delay = rules.delay
        async with self._manners.turn(host_of(url), delay, is_sent=is_sent):
            yield

    async def _robots_txt(self, site: httpx2.URL) -> tuple[int, bytes]:
        """The status and the first bytes of a robots.txt; 0 when nobody answered."""
        body = bytearray()
        try:
            with anyio.fail_after(min(_ROBOTS_SECONDS, self._settings.web.seconds)):
                async with (
                    client(self._settings, self._look_up) as asking,
                    asking.stream("GET", site, follow_redirects=True) as response,
                ):
                    async for piece in unpacked(response):
                        body += piece
                        if len(body) > _ROBOTS_BYTES:
                            break
                    return response.status_code, bytes(body)
        except (TimeoutError, httpx2.HTTPError, httpx2.InvalidURL, WebError):
            return 0, b""
