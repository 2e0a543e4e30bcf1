"""Fetch pages politely: obey robots.txt, and limit the number and the rate of requests to each site."""

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
from pincite.telemetry import span
from pincite.web.content_type import HTML
from pincite.web.fetch import (
    REDIRECTS,
    Fetched,
    Unchanged,
    Validators,
    make_client,
    make_conditions,
    save_response,
    translate_errors,
    unpack_body,
)
from pincite.web.guard import Resolve, normalise_host, resolve_host
from pincite.web.rate_limit import RateLimit
from pincite.web.robots import Robots
from pincite.web.web_parser import Emptiness, WebParser, may_refresh

if TYPE_CHECKING:
    from pincite.settings import Settings

_ROBOTS_BYTES = 500_000
_ROBOTS_SECONDS = 10.0
_PARSED_AT_ONCE = 4
_REST = 30.0  # seconds, for a host that asks for a pause without a duration


class _TimeLeft:
    """The time left for the network. Time spent waiting for the rate limit does not count."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        begun = anyio.current_time()
        with anyio.fail_after(self._seconds):
            yield
        self._seconds -= anyio.current_time() - begun


@dataclass(frozen=True, slots=True)
class _VisitRequest:
    """One visit: its output file, whether a user asked for it, the known version, and the time left."""

    into: Path
    asked_for: bool
    known: Validators | None
    left: _TimeLeft


class PoliteClient:
    """Fetch pages, and remember the robots.txt of each site and the time of the last request to it."""

    def __init__(self, settings: "Settings", parser: WebParser, look_up: Resolve = resolve_host) -> None:
        self._settings = settings
        self._parser = parser
        # Few threads may wait for the parser, because the whole program shares the others.
        self._parsing = anyio.CapacityLimiter(_PARSED_AT_ONCE)
        self._look_up = look_up
        self._rate_limit = RateLimit(settings.web.per_host, settings.web.pause_seconds)
        self._robots = Robots(self._fetch_robots_txt)

    async def visit(
        self, url: str, into: Path, *, asked_for: bool = False, known: Validators | None = None
    ) -> Fetched | Unchanged:
        """Write the response of an address into a file. The caller removes the file, also after an error.

        `asked_for` means that a user gave this very address, so robots.txt does not apply. With `known`, the server
        does not send a page again that is still this version.
        """
        seconds = self._settings.web.seconds
        visit = _VisitRequest(into, asked_for, known, _TimeLeft(seconds))
        with span("fetch") as opened, translate_errors(url, seconds):
            opened.set_text(url=url)
            async with make_client(self._settings, self._look_up) as client:
                found, hops = await self._follow_redirects(client, url, visit, REDIRECTS)
                if isinstance(found, Fetched) and (onward := await self._find_onward(found)):
                    found, _ = await self._follow_redirects(client, onward, visit, hops)
                return found

    async def find_emptiness(self, path: Path, is_rendered: bool = False) -> Emptiness:
        """Return why a downloaded page has no content."""
        return await anyio.to_thread.run_sync(self._parser.find_emptiness, path, is_rendered, limiter=self._parsing)

    async def _find_onward(self, found: Fetched) -> str | None:
        """Return the address that a fetched page redirects to by itself."""
        if found.content_type not in HTML or not await anyio.to_thread.run_sync(may_refresh, found.path):
            return None
        return await anyio.to_thread.run_sync(self._parser.find_refresh, found.path, found.url, limiter=self._parsing)

    async def _follow_redirects(
        self, client: httpx2.AsyncClient, url: str, visit: _VisitRequest, hops: int
    ) -> tuple[Fetched | Unchanged, int]:
        """Follow the redirects of an address; return the result and the number of redirects left."""
        request: httpx2.Request | None = client.build_request("GET", url, headers=make_conditions(visit.known))
        host = ""
        for hop in range(hops + 1):
            assert request is not None
            before, host = host, normalise_host(request.url)
            async with self._turn(request.url, visit.asked_for, is_sent=before == host), visit.left.running():
                response = await client.send(request, stream=True)
                async with aclosing(response):
                    if (request := response.next_request) is None:
                        return await self._handle_response(response, visit), hops - hop
        raise httpx2.TooManyRedirects("too many")

    async def _handle_response(self, response: httpx2.Response, visit: _VisitRequest) -> Fetched | Unchanged:
        if response.status_code == 304 and make_conditions(visit.known):
            return Unchanged(str(response.url), time.time())
        if response.status_code in (429, 503):
            given = response.headers.get("retry-after", "")
            self._rate_limit.rest(
                normalise_host(response.url), float(given) if given.isdecimal() and len(given) < 9 else _REST
            )
        return await save_response(
            response, visit.into, self._settings.web.max_page_mb, self._settings.reading.max_file_mb
        )

    @asynccontextmanager
    async def _turn(self, url: httpx2.URL, asked_for: bool, is_sent: bool) -> AsyncIterator[None]:
        """Wait for a request to a host if its robots.txt allows it; hold the slot while it runs."""
        delay = 0.0
        if not asked_for and url.scheme in ("http", "https"):
            rules = await self._robots.of(url)
            if not await anyio.to_thread.run_sync(rules.allow, url.raw_path.decode("ascii")):
                raise Forbidden(
                    f"The robots.txt of {normalise_host(url)} does not allow robots to read this page.",
                    "Give the address in your question, and Pincite reads the page for you.",
                    "robots",
                )
            delay = rules.delay
        async with self._rate_limit.turn(normalise_host(url), delay, is_sent=is_sent):
            yield

    async def _fetch_robots_txt(self, site: httpx2.URL) -> tuple[int, bytes]:
        """Return the status and the first bytes of a robots.txt; the status is 0 without an answer."""
        body = bytearray()
        try:
            with anyio.fail_after(min(_ROBOTS_SECONDS, self._settings.web.seconds)):
                async with (
                    make_client(self._settings, self._look_up) as client,
                    client.stream("GET", site, follow_redirects=True) as response,
                ):
                    async for piece in unpack_body(response):
                        body += piece
                        if len(body) > _ROBOTS_BYTES:
                            break
                    return response.status_code, bytes(body)
        except (TimeoutError, httpx2.HTTPError, httpx2.InvalidURL, WebError):
            return 0, b""
