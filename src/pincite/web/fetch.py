"""Fetch a URL into a file through the guard, within limits on size, time and redirects."""

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
from pincite.web import content_type
from pincite.web.guard import GuardedTransport, Resolve, parse_exemptions, resolve_host

if TYPE_CHECKING:
    from pincite.settings import Settings
    from pincite.web.web_parser import WebParser

REDIRECTS = 5
_CONNECT_SECONDS = 10.0
_PIECE = 1 << 20
_LONGEST_VALIDATOR = 500
HEADERS = {
    "User-Agent": f"Pincite/{__version__}",
    "Accept": "text/html,application/xhtml+xml,application/pdf;q=0.9,*/*;q=0.8",
    "Accept-Encoding": "gzip",
}
# Hints for the person who gave the address.
_HINTS = {
    401: "The page needs a login. Give an address that works without one, such as a signed link.",
    403: "The page needs a login, or the link has expired. Give a link that works without a login.",
    404: "Check the address.",
    410: "The page was removed. Look for another copy.",
    429: "The site received too many requests. Wait a little.",
}


@dataclass(frozen=True, slots=True)
class Validators:
    """The headers by which a server identifies one version of a page."""

    etag: str = ""
    modified: str = ""


@dataclass(frozen=True, slots=True)
class Fetched:
    """A fetched response: its file, its final address, its headers, and the time it came."""

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
    """The server answered that the known version is still current."""

    url: str
    fetched: float


async def fetch(
    url: str, settings: "Settings", into: Path, parser: "WebParser", look_up: Resolve = resolve_host
) -> Fetched:
    """Write the response of an address that a user gave into a file. The caller removes it, also after an error."""
    from pincite.web.polite_client import PoliteClient

    found = await PoliteClient(settings, parser, look_up).visit(url, into, asked_for=True)
    if isinstance(found, Unchanged):
        raise WebError(f"{url} answered 304 without a condition.", "Try again later.")
    return found


def make_client(settings: "Settings", look_up: Resolve = resolve_host) -> httpx2.AsyncClient:
    """Return an HTTP client whose requests all pass the guard. The caller follows the redirects."""
    seconds = settings.web.seconds
    # Proxies and passwords from the environment would bypass the guard.
    return httpx2.AsyncClient(
        transport=GuardedTransport(parse_exemptions(settings.web.allow), look_up),
        trust_env=False,
        follow_redirects=False,
        headers=HEADERS,
        timeout=httpx2.Timeout(seconds, connect=min(seconds, _CONNECT_SECONDS)),
    )


@contextmanager
def translate_errors(url: str, seconds: float) -> Iterator[None]:
    """Translate the errors of fetching an address into our own, each with a hint."""
    try:
        yield
    except (TimeoutError, httpx2.TimeoutException):
        raise WebError(
            f"{url} did not answer within {seconds:g} seconds.",
            "Try again later, or raise web.seconds in the settings.",
            "timeout",
        ) from None
    except httpx2.InvalidURL as error:
        raise Misuse(
            f"{url} is not an address: {error}.", "Give one such as https://example.org/report.pdf.", "web_address"
        ) from None
    except httpx2.UnsupportedProtocol:
        raise Forbidden(
            f"{url} leads to an address that is not http or https.", "Use http or https.", "address"
        ) from None
    except httpx2.TooManyRedirects:
        raise WebError(
            f"{url} redirects more than {REDIRECTS} times.",
            "Open it in a browser and give the final address.",
            "redirects",
        ) from None
    except httpx2.TransportError as error:
        raise WebError(
            f"{url} could not be fetched: {str(error) or type(error).__name__}.",
            "Check the address, and that its server is up.",
            "connection",
        ) from None


def make_conditions(known: Validators | None) -> dict[str, str]:
    """Return the headers that request a page only if its version is not the known one."""
    asked = {"If-None-Match": known.etag, "If-Modified-Since": known.modified} if known else {}
    return {name: value for name, value in asked.items() if value}


async def save_response(response: httpx2.Response, into: Path, page_mb: int, file_mb: int) -> Fetched:
    """Write the body of a response into a file; raise an error before downloading where the headers suffice."""
    if not response.is_success:
        answered = f"{response.status_code} {response.reason_phrase}".strip()
        hint = _HINTS.get(response.status_code, "Try it in a browser; if it works there, try again later.")
        raise WebError(f"{response.url.host} answered {answered}.", hint, "status", response.status_code)
    content_type.check_response(response)
    said = content_type.read_content_type(response)
    if said in content_type.HTML and page_mb < file_mb:
        await _save_body(response, into, page_mb, "page", "web.max_page_mb")
    else:
        await _save_body(response, into, file_mb, "file", "reading.max_file_mb")
    etag, modified = (_clean_validator(response.headers.get(name, "")) for name in ("etag", "last-modified"))
    name, url = content_type.choose_file_name(response), str(response.url)
    return Fetched(into, name, url, said, response.status_code, etag, modified, time.time())


async def _save_body(response: httpx2.Response, into: Path, limit_mb: int, what: str, setting: str) -> None:
    limit = limit_mb * 1_000_000
    too_large = TooLarge(
        f"The {what} at {response.url.host} has more than {limit_mb} MB.", f"Raise {setting} in the settings."
    )
    if (content_type.read_size(response) or 0) > limit:
        raise too_large
    size = 0
    with into.open("wb") as file:
        async for piece in unpack_body(response):
            size += len(piece)
            if size > limit:
                raise too_large
            await anyio.to_thread.run_sync(file.write, piece)


async def unpack_body(response: httpx2.Response) -> AsyncIterator[bytes]:
    """Yield the decompressed body in small pieces, since it may be a decompression bomb."""
    encoding = response.headers.get("content-encoding", "").strip().lower()
    if encoding in ("", "identity"):
        async for piece in response.aiter_raw():
            yield piece
        return
    if encoding not in ("gzip", "x-gzip", "deflate"):
        raise WebError(
            f"{response.url.host} sent the file in the unsupported encoding {encoding}.",
            "Download it yourself and add the file.",
        )
    inflate = zlib.decompressobj(zlib.MAX_WBITS | 32)
    try:
        async for piece in response.aiter_raw():
            while piece and not inflate.eof:
                yield inflate.decompress(piece, _PIECE)
                piece = inflate.unconsumed_tail
        yield inflate.flush()
    except zlib.error:
        raise WebError(f"The response of {response.url.host} is damaged.", "Try again.") from None
    if not inflate.eof:
        raise WebError(f"The response of {response.url.host} is incomplete.", "Try again.")


def _clean_validator(given: str) -> str:
    """Return a validator header that is safe to send back later, or ""."""
    return given if given.isascii() and given.isprintable() and len(given) <= _LONGEST_VALIDATOR else ""
