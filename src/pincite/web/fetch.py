"""A URL to a file: fetched through the guard, under limits of size, time and redirects."""

import time
import zlib
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import anyio.to_thread
import httpx2

from pincite import __version__
from pincite.errors import Forbidden, Misuse, TooLarge, WebError
from pincite.web import contents
from pincite.web.guard import Guarded, Resolve, exemptions, resolve

if TYPE_CHECKING:
    from pincite.settings import Settings
    from pincite.web.parsing import WebParser

REDIRECTS = 5
_CONNECT_SECONDS = 10.0
_PIECE = 1 << 20
_LONGEST_VALIDATOR = 500
HEADERS = {
    "User-Agent": f"Pincite/{__version__}",
    "Accept": "text/html,application/xhtml+xml,application/pdf;q=0.9,*/*;q=0.8",
    "Accept-Encoding": "gzip",
}
# What a refusal means to the person who gave the address.
_HINTS = {
    401: "It asks for a login: give an address that works without one, such as a signed link.",
    403: "It asks for a login, or the link has run out: give one that works without.",
    404: "Check the address.",
    410: "It was taken away; look for another copy.",
    429: "It has had too many requests; wait a little.",
}


@dataclass(frozen=True, slots=True)
class Validators:
    """How a server tells one version of a page from another, in its own words."""

    etag: str = ""
    modified: str = ""


@dataclass(frozen=True, slots=True)
class Fetched:
    """What came from an address: the file, the name it goes by, where it was found in the end, and what it is said
    to be; when it came, and how its server knows this version."""

    path: Path
    name: str
    url: str
    content_type: str
    status: int = 200
    etag: str = ""
    modified: str = ""
    fetched: float = 0.0  # seconds since 1970

    @property
    def validators(self) -> Validators:
        return Validators(self.etag, self.modified)


@dataclass(frozen=True, slots=True)
class Unchanged:
    """The server says that the version it is asked about is still the one there is."""

    url: str
    fetched: float


async def fetch(url: str, settings: "Settings", into: Path, parser: "WebParser", look_up: Resolve = resolve) -> Fetched:
    """Write what an address that somebody gave leads to into a file, which is the caller's to remove, also when this
    fails."""
    from pincite.web.visitor import Visitor

    found = await Visitor(settings, parser, look_up).visit(url, into, asked_for=True)
    if isinstance(found, Unchanged):
        raise WebError(f"{url} answered 304, unasked.", "Try again later.")
    return found


def client(settings: "Settings", look_up: Resolve = resolve) -> httpx2.AsyncClient:
    """What asks for pages, through the guard and nothing else; redirects are for the caller to follow."""
    seconds = settings.web.seconds
    # Proxies and passwords from the environment would lead around the guard.
    return httpx2.AsyncClient(
        transport=Guarded(exemptions(settings.web.allow), look_up),
        trust_env=False,
        follow_redirects=False,
        headers=HEADERS,
        timeout=httpx2.Timeout(seconds, connect=min(seconds, _CONNECT_SECONDS)),
    )


@contextmanager
def told(url: str, seconds: float) -> Iterator[None]:
    """Whatever goes wrong on the way to an address, as an error that says what to do."""
    try:
        yield
    except (TimeoutError, httpx2.TimeoutException):
        raise WebError(
            f"{url} was not there in {seconds:g} seconds.",
            "Try again later, or raise web.seconds in the settings.",
            "timeout",
        ) from None
    except httpx2.InvalidURL as error:
        raise Misuse(f"{url} is not an address: {error}.", "Give one such as https://example.org/report.pdf.") from None
    except httpx2.UnsupportedProtocol:
        raise Forbidden(
            f"{url} leads to an address that is not http or https.", "Use http or https.", "address"
        ) from None
    except httpx2.TooManyRedirects:
        raise WebError(
            f"{url} sends one on more than {REDIRECTS} times.",
            "Open it in a browser and give the address it ends at.",
            "redirects",
        ) from None
    except httpx2.TransportError as error:
        raise WebError(
            f"{url} could not be fetched: {str(error) or type(error).__name__}.",
            "Check the address, and that its server is up.",
            "connection",
        ) from None


def conditions(known: Validators | None) -> dict[str, str]:
    """The headers that ask for a page only if it is another version than the known one."""
    asked = {"If-None-Match": known.etag, "If-Modified-Since": known.modified} if known else {}
    return {name: value for name, value in asked.items() if value}


async def taken(response: httpx2.Response, into: Path, page_mb: int, file_mb: int) -> Fetched:
    """The body of a response written into a file, as the bytes it had; refused before it comes where it can be."""
    if not response.is_success:
        answered = f"{response.status_code} {response.reason_phrase}".strip()
        hint = _HINTS.get(response.status_code, "Try it in a browser; if it works there, try again later.")
        raise WebError(f"{response.url.host} answered {answered}.", hint, "status", response.status_code)
    contents.check(response)
    said = contents.type_of(response)
    if said in contents.HTML and page_mb < file_mb:
        await _save(response, into, page_mb, "page", "web.max_page_mb")
    else:
        await _save(response, into, file_mb, "file", "reading.max_file_mb")
    etag, modified = (_validator(response.headers.get(name, "")) for name in ("etag", "last-modified"))
    name, url = contents.name_of(response), str(response.url)
    return Fetched(into, name, url, said, response.status_code, etag, modified, time.time())


async def _save(response: httpx2.Response, into: Path, limit_mb: int, what: str, setting: str) -> None:
    limit = limit_mb * 1_000_000
    too_large = TooLarge(
        f"The {what} at {response.url.host} has more than {limit_mb} MB.", f"Raise {setting} in the settings."
    )
    if (contents.size_of(response) or 0) > limit:
        raise too_large
    size = 0
    with into.open("wb") as file:
        async for piece in unpacked(response):
            size += len(piece)
            if size > limit:
                raise too_large
            await anyio.to_thread.run_sync(file.write, piece)


async def unpacked(response: httpx2.Response) -> AsyncIterator[bytes]:
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


def _validator(given: str) -> str:
    """A header of a server's as it is sent back later; "" for one that nobody should repeat."""
    return given if given.isascii() and given.isprintable() and len(given) <= _LONGEST_VALIDATOR else ""
