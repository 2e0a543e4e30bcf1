"""What a page in a browser asks for, answered from here: the browser itself reaches nobody."""

import html
from typing import TYPE_CHECKING

import anyio
import httpx2

from pincite.errors import TooLarge, WebError
from pincite.web.contents import HTML, type_of
from pincite.web.fetch import unpacked

if TYPE_CHECKING:
    from playwright.async_api import Request, Route

_WANTED = frozenset(["document", "script", "xhr", "fetch"])
_METHODS = frozenset(["GET", "HEAD", "POST"])
_MOST_REQUESTS = 150
_MOST_BYTES = 25_000_000  # of all answers
_MOST_AT_ONCE = 6
_LONGEST_BODY = 1_000_000  # of what a page sends
# What is between the two ends of one connection, what names the browser, and what would be kept.
_DROPPED_NAMES = """
    accept-encoding alt-svc connection content-disposition content-encoding content-length cookie host keep-alive link
    proxy-authorization refresh set-cookie strict-transport-security te trailer transfer-encoding upgrade user-agent
"""
_DROPPED = frozenset(_DROPPED_NAMES.split())


class Relay:
    """Answers each request of one page through the guard, up to so many and so much; everything else is cut off.

    `refusal` says why the page itself could not be had.
    """

    def __init__(self, asking: httpx2.AsyncClient) -> None:
        self._asking = asking
        self._room = anyio.Semaphore(_MOST_AT_ONCE)
        self._requests = 0
        self._bytes = 0
        self.refusal: WebError | TooLarge | None = None

    async def __call__(self, route: "Route") -> None:
        """Answer one request, or end it."""
        from playwright.async_api import Error

        try:
            try:
                async with self._room:
                    await self._answer(route)
            except (WebError, TooLarge) as error:
                if route.request.is_navigation_request() and route.request.frame.parent_frame is None:
                    self.refusal = error
                await route.abort("blockedbyclient")
            except (httpx2.HTTPError, httpx2.InvalidURL, TimeoutError, UnicodeError):
                await route.abort("failed")
        except Error:
            pass  # the page has gone meanwhile

    async def _answer(self, route: "Route") -> None:
        request = route.request
        self._requests += 1
        if not self._is_wanted(request):
            raise WebError(f"What {request.url} gives is not needed to read a page.")
        sent = self._asking.build_request(
            request.method, request.url, headers=_kept(request.headers), content=request.post_data_buffer
        )
        response = await self._asking.send(sent, stream=True, follow_redirects=True)
        try:
            if request.is_navigation_request():
                if type_of(response) not in HTML:
                    raise WebError(f"At {response.url.host} is no page, but a file.", "Add the file.")
                if response.history:
                    # The browser must know where it is, or what the page names relative to itself is elsewhere.
                    onward = html.escape(str(response.url))
                    page = f'<meta http-equiv="refresh" content="0;url={onward}">'
                    await route.fulfill(status=200, content_type="text/html", body=page)
                    return
            body = await self._body(response)
        finally:
            await response.aclose()
        await route.fulfill(status=response.status_code, headers=_kept(dict(response.headers)), body=body)

    def _is_wanted(self, request: "Request") -> bool:
        return (
            self._requests <= _MOST_REQUESTS
            and request.resource_type in _WANTED
            and request.method in _METHODS
            and len(request.post_data_buffer or b"") <= _LONGEST_BODY
        )

    async def _body(self, response: httpx2.Response) -> bytes:
        body = bytearray()
        async for piece in unpacked(response):
            self._bytes += len(piece)
            if self._bytes > _MOST_BYTES:
                raise TooLarge("The page asks for too much.", "Give the address of another page about it.")
            body += piece
        return bytes(body)


def _kept(headers: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in headers.items() if name.lower() not in _DROPPED}
