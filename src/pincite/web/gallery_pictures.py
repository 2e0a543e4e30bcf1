"""Fetch the pictures of the gallery as small JPEGs, so that the user's browser contacts no other server."""

from collections import OrderedDict
from contextlib import aclosing
from typing import TYPE_CHECKING

import anyio
import anyio.to_thread
import httpx2

from pincite.errors import TooLarge, WebError
from pincite.web.fetch import REDIRECTS, make_client, translate_errors, unpack_body
from pincite.web.guard import Resolve, resolve_host
from pincite.web.web_parser import WebParser

if TYPE_CHECKING:
    from pincite.settings import Settings

SECONDS = 10.0
MOST_BYTES = 3_000_000
_AT_ONCE = 6  # downloads
_DRAWN_AT_ONCE = 2
_KEPT_BYTES = 16_000_000
_HEADERS = {"Accept": "image/avif,image/webp,image/png,image/jpeg,image/gif;q=0.9", "Accept-Encoding": "identity"}

_ELSEWHERE = "Open the page it is on."


class PictureCache:
    """Fetch thumbnails, a few at once, and cache the most recently used ones."""

    def __init__(
        self, settings: "Settings", parser: WebParser, look_up: Resolve = resolve_host, most: int = _KEPT_BYTES
    ) -> None:
        self._settings = settings
        self._parser = parser
        self._look_up = look_up
        self._most = most
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._size = 0
        self._room = anyio.Semaphore(_AT_ONCE)
        self._drawing = anyio.CapacityLimiter(_DRAWN_AT_ONCE)

    async def get_thumbnail(self, url: str) -> bytes:
        """Return the picture at an address as a small JPEG, or raise an error with the reason."""
        if url in self._kept:
            self._kept.move_to_end(url)
            return self._kept[url]
        async with self._room:
            picture = await _fetch_picture(url, self._settings, self._look_up)
            made = await anyio.to_thread.run_sync(self._parser.make_thumbnail, picture, limiter=self._drawing)
        self._keep(url, made)
        return made

    def _keep(self, url: str, made: bytes) -> None:
        self._size += len(made) - len(self._kept.get(url, b""))
        self._kept[url] = made
        while self._size > self._most:
            _, old = self._kept.popitem(last=False)
            self._size -= len(old)


async def _fetch_picture(url: str, settings: "Settings", look_up: Resolve) -> bytes:
    """Download a picture through the guard, including its redirects, within limits on time and size."""
    body = bytearray()
    seconds = min(SECONDS, settings.web.seconds)
    with translate_errors(url, seconds), anyio.fail_after(seconds):
        async with make_client(settings, look_up) as client:
            request: httpx2.Request | None = client.build_request("GET", url, headers=_HEADERS)
            for _ in range(REDIRECTS + 1):
                assert request is not None
                response = await client.send(request, stream=True)
                async with aclosing(response):
                    # Do not read the body of a redirect: nothing limits its size.
                    if (request := response.next_request) is not None:
                        continue
                    _check_response(response)
                    async for piece in unpack_body(response):
                        body += piece
                        if len(body) > MOST_BYTES:
                            raise _make_size_error(f"has over {MOST_BYTES // 1_000_000} MB")
                    return bytes(body)
            raise httpx2.TooManyRedirects("too many")


def _check_response(response: httpx2.Response) -> None:
    """Reject a failed or too large response before downloading it."""
    host = response.url.host
    if not response.is_success:
        raise WebError(
            f"{host} answered {response.status_code}.", "The picture may have been removed. Open the page it is on."
        )
    length = response.headers.get("content-length", "")
    if length.isdecimal() and int(length[:12]) > MOST_BYTES:
        raise _make_size_error(f"has over {MOST_BYTES // 1_000_000} MB")


def _make_size_error(how: str) -> TooLarge:
    return TooLarge(f"The picture {how}.", _ELSEWHERE)
