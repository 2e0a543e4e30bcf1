"""A URL to a file: fetched through the guard, under limits of size, time and redirects."""

import re
import zlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from email.message import Message
from mimetypes import guess_extension
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

import anyio
import anyio.to_thread
import httpx2

from pincite import __version__
from pincite.errors import Forbidden, Misuse, TooLarge, WebError
from pincite.web.guard import Guarded, Resolve, exemptions, host_of, resolve

if TYPE_CHECKING:
    from pincite.settings import Settings

_REDIRECTS = 5
_CONNECT_SECONDS = 10.0
_PIECE = 1 << 20
_LONGEST_NAME = 200
_HEADERS = {"User-Agent": f"Pincite/{__version__}", "Accept-Encoding": "gzip"}
# What a refusal means to the person who gave the address.
_HINTS = {
    401: "It asks for a login: give an address that works without one, such as a signed link.",
    403: "It asks for a login, or the link has run out: give one that works without.",
    404: "Check the address.",
    410: "It was taken away; look for another copy.",
    429: "It has had too many requests; wait a little.",
}


@dataclass(frozen=True, slots=True)
class Fetched:
    """What came from an address: the file, the name it goes by, where it was found in the end, and what it is said
    to be."""

    path: Path
    name: str
    url: str
    content_type: str


async def fetch(url: str, settings: "Settings", into: Path, look_up: Resolve = resolve) -> Fetched:
    """Write what an address gives into a file, which is the caller's to remove, also when this fails."""
    seconds = settings.web.seconds
    transport = Guarded(exemptions(settings.web.allow), look_up)
    try:
        with anyio.fail_after(seconds):
            # Proxies and passwords from the environment would lead around the guard.
            async with (
                httpx2.AsyncClient(
                    transport=transport,
                    trust_env=False,
                    follow_redirects=True,
                    max_redirects=_REDIRECTS,
                    headers=_HEADERS,
                    timeout=httpx2.Timeout(seconds, connect=min(seconds, _CONNECT_SECONDS)),
                ) as client,
                client.stream("GET", url) as response,
            ):
                _check_status(response)
                await _save(response, into, settings.reading.max_file_mb)
                said = response.headers.get("content-type", "").partition(";")[0].strip().lower()
                return Fetched(into, _name(response, said), str(response.url), said)
    except (TimeoutError, httpx2.TimeoutException):
        raise WebError(
            f"{url} was not there in {seconds:g} seconds.", "Try again later, or raise web.seconds in the settings."
        ) from None
    except httpx2.InvalidURL as error:
        raise Misuse(f"{url} is not an address: {error}.", "Give one such as https://example.org/report.pdf.") from None
    except httpx2.UnsupportedProtocol:
        raise Forbidden(f"{url} leads to an address that is not http or https.", "Use http or https.") from None
    except httpx2.TooManyRedirects:
        raise WebError(
            f"{url} sends one on more than {_REDIRECTS} times.", "Open it in a browser and give the address it ends at."
        ) from None
    except httpx2.TransportError as error:
        raise WebError(
            f"{url} could not be fetched: {str(error) or type(error).__name__}.",
            "Check the address, and that its server is up.",
        ) from None


def _check_status(response: httpx2.Response) -> None:
    if not response.is_success:
        told = f"{response.status_code} {response.reason_phrase}".strip()
        hint = _HINTS.get(response.status_code, "Try it in a browser; if it works there, try again later.")
        raise WebError(f"{response.url.host} answered {told}.", hint)


async def _save(response: httpx2.Response, into: Path, limit_mb: int) -> None:
    limit = limit_mb * 1_000_000
    announced = response.headers.get("content-length", "")
    too_large = TooLarge(
        f"The file at {response.url.host} has more than {limit_mb} MB.", "Raise reading.max_file_mb in the settings."
    )
    if announced.isdecimal() and int(announced) > limit:
        raise too_large
    size = 0
    with into.open("wb") as file:
        async for piece in _plain(response):
            size += len(piece)
            if size > limit:
                raise too_large
            await anyio.to_thread.run_sync(file.write, piece)


async def _plain(response: httpx2.Response) -> AsyncIterator[bytes]:
    """The body as it was before it was packed for the way; unpacked in small pieces, since a bomb may be inside."""
    encoding = response.headers.get("content-encoding", "").strip().lower()
    if encoding in ("", "identity"):
        async for piece in response.aiter_raw():
            yield piece
        return
    if encoding not in ("gzip", "x-gzip", "deflate"):
        raise WebError(
            f"{response.url.host} packs the file as {encoding}, unasked.", "Download it yourself and add the file."
        )
    inflate = zlib.decompressobj(zlib.MAX_WBITS | 32)
    try:
        async for piece in response.aiter_raw():
            while piece and not inflate.eof:
                yield inflate.decompress(piece, _PIECE)
                piece = inflate.unconsumed_tail
        yield inflate.flush()
    except zlib.error:
        raise WebError(f"What {response.url.host} sent is damaged.", "Try again.") from None
    if not inflate.eof:
        raise WebError(f"What {response.url.host} sent breaks off.", "Try again.")


def _name(response: httpx2.Response, content_type: str) -> str:
    """A name for what came, as the server or its address gives it: a hint to whoever reads it, never a path."""
    header = Message()
    header["Content-Disposition"] = response.headers.get("content-disposition", "")
    given = header.get_filename() or response.url.path
    name = PurePosixPath(given.replace("\\", "/")).name
    name = re.sub(r"[^\w .,()+=@&'~-]", "", name).strip(" .")[-_LONGEST_NAME:]
    if PurePosixPath(name).suffix:
        return name
    return (name or host_of(response.url)) + (guess_extension(content_type) or "")
