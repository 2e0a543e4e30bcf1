"""Pages of a site into the library: from one address, along its links, to a depth, with manners and a limit.

A visit that was stopped leaves a list of the pages it had added; the same visit goes on from there.
"""

import asyncio
import hashlib
import json
import tempfile
from collections import deque
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.errors import Forbidden, NotFound, PinciteError, WebError
from pincite.store import documents, sources
from pincite.web.canonical import canonical
from pincite.web.contents import HTML
from pincite.web.fetch import Fetched, Unchanged
from pincite.web.guard import Resolve, host_of, resolve
from pincite.web.opening import opened
from pincite.web.rendering import Renderer
from pincite.web.visitor import Visitor

if TYPE_CHECKING:
    from pincite.library import Added, Library

MOST = 50  # pages of a site where no other limit is given
_UNFINISHED = "sites"  # the folder of visits that were stopped
_SKIPPED = 10  # addresses that are tried for each page that may be added
_EMPTY = {
    "script": "is empty without JavaScript",
    "consent": "asks for consent before it shows anything",
    "blocked": "takes us for a robot and shows nothing",
}


@dataclass(frozen=True, slots=True)
class AddedPage:
    """A page that was added, or was by a visit that was stopped before."""

    url: str
    added: "Added"


@dataclass(frozen=True, slots=True)
class FailedPage:
    """A page that could not be, and why."""

    url: str
    error: PinciteError


@dataclass(frozen=True, slots=True)
class SkippedPage:
    """A page that a link leads to and that may not be read, and why."""

    url: str
    error: PinciteError


@dataclass(frozen=True, slots=True)
class Visit:
    """What is to be added: an address, how many links deep, at most how many pages, and to which library."""

    url: str
    depth: int = 0
    most: int = MOST
    library: str = "default"
    password: str | None = None


async def add_pages(
    library: "Library", visit: Visit, look_up: Resolve = resolve
) -> AsyncIterator[AddedPage | FailedPage | SkippedPage]:
    """Add the page or file at an address, and with a depth the pages of the same host that it links to.

    The first address was given by a person; robots.txt is asked about every other.
    """
    visitor, renderer = Visitor(library.settings, library.web_parser, look_up), Renderer(library.settings)
    unfinished = _Unfinished(library, visit)
    waiting = deque([(visit.url, 0)])
    seen = {canonical(visit.url)}
    host, count, fetched = "", 0, 0
    page: AddedPage | FailedPage | SkippedPage
    while waiting and count < visit.most and fetched < _SKIPPED * visit.most:
        url, depth = waiting.popleft()
        fetched += 1
        try:
            page, final, links = await _take(library, visit, visitor, renderer, url, unfinished, host)
        except PinciteError as error:
            is_skipped = isinstance(error, Forbidden) and depth > 0
            page, final, links = SkippedPage(url, error) if is_skipped else FailedPage(url, error), url, []
        count += not isinstance(page, SkippedPage)
        host = host or _host(final)
        yield page
        seen.add(canonical(final))
        for link in links if depth < visit.depth and _host(final) == host else ():
            if _host(link) == host and canonical(link) not in seen:
                seen.add(canonical(link))
                waiting.append((link, depth + 1))
    unfinished.remove()


async def _take(
    library: "Library",
    visit: Visit,
    visitor: Visitor,
    renderer: Renderer,
    url: str,
    unfinished: "_Unfinished",
    host: str,
) -> tuple[AddedPage, str, list[str]]:
    """One page: from the visit that was stopped where it has it, else fetched; with its address and links."""
    if known := await asyncio.to_thread(unfinished.find, url):
        final, added, path = known
        return AddedPage(final, added), final, await asyncio.to_thread(library.web_parser.list_links, path, final)
    with tempfile.TemporaryDirectory(prefix="pincite-page-") as folder:
        came = await opened(url, Path(folder) / "page", visitor, renderer, asked_for=not host)
        if isinstance(came, Unchanged):
            raise WebError(f"{url} answered 304, unasked.", "Try again later.")
        if came.emptiness:
            problem = f" {came.problem}" if came.problem else ""
            raise WebError(f"{url} {_EMPTY[came.emptiness]}.{problem}", "Save the page and add the file.")
        fetched = came.fetched
        final = fetched.url.partition("#")[0]
        if host and _host(final) != host:
            raise Forbidden(f"{url} leads to another site.", "Add that page by its own address.")
        added = await asyncio.to_thread(library.add, fetched.path, visit.library, visit.password, fetched.name, final)
        links = []
        if _is_page(fetched) and visit.depth:
            links = await asyncio.to_thread(library.web_parser.list_links, fetched.path, final)
    await asyncio.to_thread(unfinished.keep, url, final)
    return AddedPage(final, added), final, links


class _Unfinished:
    """The pages that a visit to a site has added so far, in a file that is removed at its end."""

    def __init__(self, library: "Library", visit: Visit) -> None:
        self._library = library
        self._visit = visit
        name = hashlib.sha256(repr((visit.url, visit.depth, visit.library)).encode()).hexdigest()[:24]
        self._path = library.settings.data / _UNFINISHED / f"{name}.json"
        self._pages: dict[str, str] = {}
        try:
            read = json.loads(self._path.read_text(encoding="utf-8"))
            self._pages = {url: final for url, final in read.items() if isinstance(final, str)}
        except (OSError, ValueError, AttributeError):
            pass  # the visit begins anew

    def find(self, url: str) -> "tuple[str, Added, Path] | None":
        """The final address, the document and the bytes of a page that is there already."""
        from pincite.library import Added

        final = self._pages.get(url)
        if final is None:
            return None
        with self._library.database.reading() as connection:
            place = sources.at(connection, self._library.settings.owner, self._visit.library, final)
            try:
                stored = documents.get(connection, place.document) if place else None
            except NotFound:
                stored = None
        return (final, Added(stored.id, "known"), self._library.file(stored)) if stored else None

    def keep(self, url: str, final: str) -> None:
        if not self._visit.depth:
            return
        self._pages[url] = final
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        making = self._path.with_suffix(".making")
        making.write_text(json.dumps(self._pages), encoding="utf-8")
        making.replace(self._path)

    def remove(self) -> None:
        self._path.unlink(missing_ok=True)


def _is_page(fetched: Fetched) -> bool:
    return fetched.content_type in HTML


def _host(url: str) -> str:
    """The host and port of an address as two are compared."""
    import httpx2

    try:
        parsed = httpx2.URL(url)
        return f"{host_of(parsed)}:{parsed.port or (443 if parsed.scheme == 'https' else 80)}"
    except (httpx2.InvalidURL, UnicodeError):
        return ""
