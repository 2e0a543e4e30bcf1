"""Small pictures of the gallery: an address to a JPEG made here, so that no page of ours asks another's server."""

from collections import OrderedDict
from contextlib import aclosing
from typing import TYPE_CHECKING

import anyio
import anyio.to_thread
import httpx2

from pincite.errors import TooLarge, WebError
from pincite.web.fetch import REDIRECTS, client, told, unpacked
from pincite.web.guard import Resolve, resolve
from pincite.web.parsing import WebParser

if TYPE_CHECKING:
    from pincite.settings import Settings

SECONDS = 10.0
MOST_BYTES = 3_000_000
_AT_ONCE = 6  # that are fetched
_DRAWN_AT_ONCE = 2
_KEPT_BYTES = 16_000_000
_HEADERS = {"Accept": "image/avif,image/webp,image/png,image/jpeg,image/gif;q=0.9", "Accept-Encoding": "identity"}

_ELSEWHERE = "Open the page it is on."


class Pictures:
    """Fetches small pictures for one house, few at once, and remembers those that were asked for last."""

    def __init__(
        self, settings: "Settings", parser: WebParser, look_up: Resolve = resolve, most: int = _KEPT_BYTES
    ) -> None:
        self._settings = settings
        self._parser = parser
        self._look_up = look_up
        self._most = most
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._size = 0
        self._room = anyio.Semaphore(_AT_ONCE)
        self._drawing = anyio.CapacityLimiter(_DRAWN_AT_ONCE)

    async def small(self, url: str) -> bytes:
        """The picture at an address, as a small JPEG; an error that says why there is none."""
        if url in self._kept:
            self._kept.move_to_end(url)
            return self._kept[url]
        async with self._room:
            came = await _fetched(url, self._settings, self._look_up)
            made = await anyio.to_thread.run_sync(self._parser.make_thumbnail, came, limiter=self._drawing)
        self._keep(url, made)
        return made

    def _keep(self, url: str, made: bytes) -> None:
        self._size += len(made) - len(self._kept.get(url, b""))
        self._kept[url] = made
        while self._size > self._most:
            _, old = self._kept.popitem(last=False)
            self._size -= len(old)


async def _fetched(url: str, settings: "Settings", look_up: Resolve) -> bytes:
    """What is at an address, through the guard, each redirect too, within the time and the size of a small picture."""
    came = bytearray()
    seconds = min(SECONDS, settings.web.seconds)
    with told(url, seconds), anyio.fail_after(seconds):
        async with client(settings, look_up) as asking:
            request: httpx2.Request | None = asking.build_request("GET", url, headers=_HEADERS)
            for _ in range(REDIRECTS + 1):
                assert request is not None
                response = await asking.send(request, stream=True)
                async with aclosing(response):
                    # The body of a redirect has no end that anybody checked: it is not read.
                    if (request := response.next_request) is not None:
                        continue
                    _check(response)
                    async for piece in unpacked(response):
                        came += piece
                        if len(came) > MOST_BYTES:
                            raise _too_large(f"has over {MOST_BYTES // 1_000_000} MB")
                    return bytes(came)
            raise httpx2.TooManyRedirects("too many")


def _check(response: httpx2.Response) -> None:
    """Refuse what need not come to be known for no picture; what it is said to be does not make it one."""
    host = response.url.host
    if not response.is_success:
        raise WebError(f"{host} answered {response.status_code}.", "The picture may be gone; open the page it is on.")
    length = response.headers.get("content-length", "")
    if length.isdecimal() and int(length[:12]) > MOST_BYTES:
        raise _too_large(f"has over {MOST_BYTES // 1_000_000} MB")


def _too_large(how: str) -> TooLarge:
    return TooLarge(f"The picture {how}.", _ELSEWHERE)
