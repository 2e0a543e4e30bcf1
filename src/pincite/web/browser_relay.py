"""Answer the requests of a page in a headless browser. The browser has no network of its own."""

import html
from typing import TYPE_CHECKING

import anyio
import httpx2

from pincite.errors import TooLarge, WebError
from pincite.web.content_type import HTML, read_content_type
from pincite.web.fetch import unpack_body

if TYPE_CHECKING:
    from playwright.async_api import Request, Route

_WANTED = frozenset(["document", "script", "xhr", "fetch"])
_METHODS = frozenset(["GET", "HEAD", "POST"])
_MOST_REQUESTS = 150
_MOST_BYTES = 25_000_000  # of all responses together
_MOST_AT_ONCE = 6
_LONGEST_BODY = 1_000_000  # of a request from the page
# Headers of a single connection, headers that identify the browser, and headers that the browser would store.
_DROPPED_NAMES = """
    accept-encoding alt-svc connection content-disposition content-encoding content-length cookie host keep-alive link
    proxy-authorization refresh set-cookie strict-transport-security te trailer transfer-encoding upgrade user-agent
"""
_DROPPED = frozenset(_DROPPED_NAMES.split())


class Relay:
    """Answer each request of one page through the guard, within limits on count and size, and abort the others.

    `refusal` is the error for the page itself, if it could not be fetched.
    """

    def __init__(self, asking: httpx2.AsyncClient) -> None:
        self._asking = asking
        self._room = anyio.Semaphore(_MOST_AT_ONCE)
        self._requests = 0
        self._bytes = 0
        self.refusal: WebError | TooLarge | None = None

    async def __call__(self, route: "Route") -> None:
        """Answer one request, or abort it."""
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
            pass  # the page was closed in the meantime

    async def _answer(self, route: "Route") -> None:
        request = route.request
        self._requests += 1
        if not self._is_wanted(request):
            raise WebError(f"{request.url} is not needed to read the page.")
        sent = self._asking.build_request(
            request.method, request.url, headers=_filter_headers(request.headers), content=request.post_data_buffer
        )
        response = await self._asking.send(sent, stream=True, follow_redirects=True)
        try:
            if request.is_navigation_request():
                if read_content_type(response) not in HTML:
                    raise WebError(f"{response.url.host} returned a file, not a page.", "Add the file.")
                if response.history:
                    # The browser needs the final address, or it resolves relative links of the page against the wrong
                    # one.
                    onward = html.escape(str(response.url))
                    page = f'<meta http-equiv="refresh" content="0;url={onward}">'
                    await route.fulfill(status=200, content_type="text/html", body=page)
                    return
            body = await self._body(response)
        finally:
            await response.aclose()
        await route.fulfill(status=response.status_code, headers=_filter_headers(dict(response.headers)), body=body)

    def _is_wanted(self, request: "Request") -> bool:
        return (
            self._requests <= _MOST_REQUESTS
            and request.resource_type in _WANTED
            and request.method in _METHODS
            and len(request.post_data_buffer or b"") <= _LONGEST_BODY
        )

    async def _body(self, response: httpx2.Response) -> bytes:
        body = bytearray()
        async for piece in unpack_body(response):
            self._bytes += len(piece)
            if self._bytes > _MOST_BYTES:
                raise TooLarge("The page requests too much data.", "Give the address of another page about it.")
            body += piece
        return bytes(body)


def _filter_headers(headers: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in headers.items() if name.lower() not in _DROPPED}
