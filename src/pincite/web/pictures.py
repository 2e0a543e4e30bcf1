"""Small pictures of the gallery: an address to a JPEG made here, so that no page of ours asks another's server.

What came is believed by its bytes alone, drawn anew and made small: scripts, metadata and second faces stay outside.
"""

import io
import struct
from collections import OrderedDict
from contextlib import aclosing
from functools import partial
from typing import TYPE_CHECKING

import anyio
import anyio.to_thread
import httpx2
from PIL import Image, ImageOps, UnidentifiedImageError

from pincite.errors import TooLarge, Unsupported, WebError
from pincite.web.fetch import REDIRECTS, client, told, unpacked
from pincite.web.guard import Resolve, resolve

if TYPE_CHECKING:
    from pincite.settings import Settings

SECONDS = 10.0
MOST_BYTES = 3_000_000
MOST_PIXELS = 24_000_000
WIDEST = 480  # pixels of either side
_FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "AVIF")
_QUALITY = 82
_AT_ONCE = 6  # that are fetched
_DRAWN_AT_ONCE = 2
_KEPT_BYTES = 16_000_000
_HEADERS = {"Accept": "image/avif,image/webp,image/png,image/jpeg,image/gif;q=0.9", "Accept-Encoding": "identity"}

_ELSEWHERE = "Open the page it is on."
# What decoders raise over bytes that do not add up.
_DAMAGE = (OSError, ValueError, SyntaxError, EOFError, LookupError, ArithmeticError, TypeError, struct.error)


class Pictures:
    """Fetches small pictures for one house, few at once, and remembers those that were asked for last."""

    def __init__(self, settings: "Settings", look_up: Resolve = resolve, most: int = _KEPT_BYTES) -> None:
        self._settings = settings
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
            made = await anyio.to_thread.run_sync(partial(drawn, came), limiter=self._drawing)
        self._keep(url, made)
        return made

    def _keep(self, url: str, made: bytes) -> None:
        self._size += len(made) - len(self._kept.get(url, b""))
        self._kept[url] = made
        while self._size > self._most:
            _, old = self._kept.popitem(last=False)
            self._size -= len(old)


def drawn(given: bytes) -> bytes:
    """A picture's bytes as a JPEG no larger than `WIDEST`, its first frame, upright and on white."""
    out = io.BytesIO()
    try:
        with Image.open(io.BytesIO(given), formats=_FORMATS) as picture:
            if picture.width * picture.height > MOST_PIXELS:
                raise _too_large(f"has over {MOST_PIXELS // 1_000_000} million pixels")
            # Colours of a palette cannot be mixed, and what is clear would become black.
            is_clear = picture.mode in ("P", "PA", "LA", "RGBA") or "transparency" in picture.info
            shown = picture.convert("RGBA") if is_clear else picture
            shown.thumbnail((WIDEST, WIDEST))  # a JPEG is not even decoded larger than is needed
            shown = ImageOps.exif_transpose(shown)
            if is_clear:
                shown = Image.alpha_composite(Image.new("RGBA", shown.size, "white"), shown)
            shown.convert("RGB").save(out, "JPEG", quality=_QUALITY)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise _too_large("has too many pixels") from None
    except UnidentifiedImageError:
        raise Unsupported("What is there is not a picture that is shown.", _ELSEWHERE) from None
    except _DAMAGE:
        raise Unsupported("The picture is damaged.", _ELSEWHERE) from None
    return out.getvalue()


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
