"""Add the pages of a site to the library: follow its links to a depth, politely and up to a limit.

An interrupted visit leaves a list of the pages it added; repeating the same visit continues from there.
"""

import asyncio
import hashlib
import json
from collections import deque
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.errors import Forbidden, NotFound, PinciteError, WebError
from pincite.store import document_sources, documents
from pincite.store.library_access import resolve_library
from pincite.store.scratch import make_scratch
from pincite.web.browser_rendering import Renderer
from pincite.web.canonical import canonical
from pincite.web.content_type import HTML
from pincite.web.fetch import Fetched, Unchanged
from pincite.web.guard import Resolve, normalise_host, resolve_host
from pincite.web.polite_client import PoliteClient
from pincite.web.readable_page import open_page

if TYPE_CHECKING:
    from pincite.library import AdditionResult, Library

MOST = 50  # the default limit of pages
_UNFINISHED = "sites"  # the folder of interrupted visits
_SKIPPED = 10  # addresses to try for each page that may be added
_EMPTY = {
    "script": "is empty without JavaScript",
    "consent": "asks for consent before it shows anything",
    "blocked": "takes us for a robot and shows nothing",
}


@dataclass(frozen=True, slots=True)
class AddedPage:
    """A page that was added now or by an earlier, interrupted visit."""

    url: str
    added: "AdditionResult"


@dataclass(frozen=True, slots=True)
class FailedPage:
    """A page that could not be added, and why."""

    url: str
    error: PinciteError


@dataclass(frozen=True, slots=True)
class SkippedPage:
    """A linked page that may not be read, and why."""

    url: str
    error: PinciteError


@dataclass(frozen=True, slots=True)
class SiteVisit:
    """A request of a person to add a site: its address, the depth of links, the limit of pages, and the library."""

    person: str
    url: str
    depth: int = 0
    most: int = MOST
    library: str = "default"
    password: str | None = None


async def add_pages(
    library: "Library", visit: SiteVisit, look_up: Resolve = resolve_host
) -> AsyncIterator[AddedPage | FailedPage | SkippedPage]:
    """Add the page or file at an address, and with a depth the linked pages of the same host.

    A user gave the first address; robots.txt applies to all others.
    """
    visitor, renderer = PoliteClient(library.settings, library.web_parser, look_up), Renderer(library.settings)
    unfinished = _UnfinishedVisit(library, visit)
    waiting = deque([(visit.url, 0)])
    seen = {canonical(visit.url)}
    host, count, fetched = "", 0, 0
    page: AddedPage | FailedPage | SkippedPage
    while waiting and count < visit.most and fetched < _SKIPPED * visit.most:
        url, depth = waiting.popleft()
        fetched += 1
        try:
            page, final, links = await _add_page(library, visit, visitor, renderer, url, unfinished, host)
        except PinciteError as error:
            is_skipped = isinstance(error, Forbidden) and depth > 0
            page, final, links = SkippedPage(url, error) if is_skipped else FailedPage(url, error), url, []
        count += not isinstance(page, SkippedPage)
        host = host or _find_host(final)
        yield page
        seen.add(canonical(final))
        for link in links if depth < visit.depth and _find_host(final) == host else ():
            if _find_host(link) == host and canonical(link) not in seen:
                seen.add(canonical(link))
                waiting.append((link, depth + 1))
    unfinished.remove()


async def _add_page(
    library: "Library",
    visit: SiteVisit,
    visitor: PoliteClient,
    renderer: Renderer,
    url: str,
    unfinished: "_UnfinishedVisit",
    host: str,
) -> tuple[AddedPage, str, list[str]]:
    """Add one page, or take it from an interrupted visit; return it with its final address and its links."""
    if known := await asyncio.to_thread(unfinished.find, url):
        final, added, sha256 = known
        return AddedPage(final, added), final, await asyncio.to_thread(_list_known_links, library, sha256, final)
    with make_scratch(library.settings.data) as folder:
        opened = await open_page(url, folder / "page", visitor, renderer, asked_for=not host)
        if isinstance(opened, Unchanged):
            raise WebError(f"{url} answered 304 without a condition.", "Try again later.")
        if opened.emptiness:
            problem = f" {opened.problem}" if opened.problem else ""
            raise WebError(f"{url} {_EMPTY[opened.emptiness]}.{problem}", "Save the page and add the file.")
        fetched = opened.fetched
        final = fetched.url.partition("#")[0]
        if host and _find_host(final) != host:
            raise Forbidden(f"{url} leads to another site.", "Add that page by its own address.")
        added = await asyncio.to_thread(
            library.add,
            visit.person,
            fetched.path,
            visit.library,
            visit.password,
            fetched.name,
            final,
            is_bulk=visit.depth > 0,
        )
        links = []
        if _is_page(fetched) and visit.depth:
            links = await asyncio.to_thread(library.web_parser.list_links, fetched.path, final)
    await asyncio.to_thread(unfinished.keep, url, final)
    return AddedPage(final, added), final, links


def _list_known_links(library: "Library", sha256: str, url: str) -> list[str]:
    with library.files.local(sha256) as path:
        return library.web_parser.list_links(path, url)


class _UnfinishedVisit:
    """The pages that a visit has added so far, in a file that is removed at its end."""

    def __init__(self, library: "Library", visit: SiteVisit) -> None:
        self._library = library
        self._visit = visit
        name = _hash_text(repr((visit.person, visit.url, visit.depth, visit.library)))
        self._path = library.settings.data / _UNFINISHED / f"{_hash_text(visit.person)}-{name}.json"
        self._pages: dict[str, str] = {}
        try:
            read = json.loads(self._path.read_text(encoding="utf-8"))
            self._pages = {url: final for url, final in read.items() if isinstance(final, str)}
        except (OSError, ValueError, AttributeError):
            pass  # the visit starts from the beginning

    def find(self, url: str) -> "tuple[str, AdditionResult, str] | None":
        """Return the final address, the document and the hash of a page that was added already."""
        from pincite.library import AdditionResult

        final = self._pages.get(url)
        if final is None:
            return None
        with self._library.database.reading() as connection:
            try:
                key = resolve_library(connection, self._visit.person, self._visit.library, "writer", may_be_new=True)
                place = document_sources.get_source(connection, key.owner, key.name, final)
                stored = documents.get_visible(connection, self._visit.person, place.document) if place else None
            except NotFound:
                stored = None
        return (final, AdditionResult(stored.id, "known"), stored.sha256) if stored else None

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


def remove_unfinished_visits(data: Path, person: str) -> None:
    """Remove what is stored about the interrupted visits of a person."""
    for path in (data / _UNFINISHED).glob(f"{_hash_text(person)}-*"):
        path.unlink(missing_ok=True)


def _hash_text(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:24]


def _is_page(fetched: Fetched) -> bool:
    return fetched.content_type in HTML


def _find_host(url: str) -> str:
    """Return the host and port of an address for comparison."""
    import httpx2

    try:
        parsed = httpx2.URL(url)
        return f"{normalise_host(parsed)}:{parsed.port or (443 if parsed.scheme == 'https' else 80)}"
    except (httpx2.InvalidURL, UnicodeError):
        return ""
