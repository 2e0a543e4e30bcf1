"""Search the web, read the best pages, and return their passages for a query."""

import asyncio
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pincite.answer.context import Context
from pincite.answer.result_ranking import rank_results
from pincite.answer.web_requests import open_page, search_web
from pincite.errors import EmbeddingError, PinciteError, WebError
from pincite.search import browse
from pincite.types import Hit, Scope
from pincite.web.search_engine import Category, SearchResult, TimeRange

if TYPE_CHECKING:
    from pincite.answer.services import Services
    from pincite.search.search import Mode
    from pincite.store.documents import StoredDocument

_PASSAGES = 10  # from all the pages of one search
_FEWEST = 2  # from one page at least, where it has as many relevant ones
_DEEP = 60  # passages that are ranked, so that each page gets its share
_OUTLINED = 12
_OPENINGS, _OPENED = 6, 400  # first passages, and characters of each, compared by meaning where no word is shared
_NAMED = 3  # failed pages that an error names
_TRIED = 4  # times the wanted number of pages: if all of these fail, the others would too
_GRACE = 1.5  # seconds at least for the slower half of the pages, after the first half is read
_SLOW = "it took longer than {:.3g} seconds"


@dataclass(frozen=True, slots=True)
class UnreadResult:
    """A result whose page was not read, and the reason; the reason is empty where better results came first."""

    result: SearchResult
    why: str = ""


@dataclass(frozen=True, slots=True)
class WebSearchResult:
    """The result of a web search: passages of the pages that were read, unread results, and silent engines."""

    hits: tuple[Hit, ...] = ()
    pages: int = 0
    unread: tuple[UnreadResult, ...] = ()
    unresponsive: tuple[str, ...] = ()

    @property
    def failures(self) -> tuple[UnreadResult, ...]:
        """The results whose pages could not be read."""
        return tuple(each for each in self.unread if each.why)

    def make_error(self) -> WebError:
        """Return the error of a search whose pages could not be read."""
        why = " ".join(f"{each.result.url}: {each.why}" for each in self.failures[:_NAMED])
        return WebError(
            f"None of the pages that were found could be read. {why}", "Search with other words, or try another page."
        )


async def search_pages(
    context: Context,
    query: str,
    *,
    kind: Category = "general",
    language: str = "",
    time_range: TimeRange = "",
    page: int = 1,
) -> WebSearchResult:
    """Return the passages that answer a query, from the best pages that a search engine finds."""
    context.services.page_reader.start_readers()
    found = await search_web(context, query, kind=kind, language=language, time_range=time_range, page=page)
    order = await asyncio.to_thread(rank_results, query, found.results, context.services.embedder)
    read, why = await _read_pages(context, order)
    documents = list({document.id: document for document in read.values()}.values())
    unread = tuple(UnreadResult(result, why.get(result.url, "")) for result in order if result.url not in read)
    return WebSearchResult(await _find_passages(context, documents, query), len(documents), unread, found.unresponsive)


async def find_in_document(context: Context, document: "StoredDocument", query: str = "") -> list[Hit]:
    """Return the passages of a document that answer a query, or its first ones; its outline without a query."""
    if query:
        return list(await _find_passages(context, [document], query))
    database, person = context.services.library.database, context.asked.scope.owner
    return await asyncio.to_thread(browse.sample_passages, database, person, document.id, _OUTLINED)


async def _read_pages(
    context: Context, order: Sequence[SearchResult]
) -> "tuple[dict[str, StoredDocument], dict[str, str]]":
    """Return the pages that could be read in time, by address, and the reasons why others could not.

    When a page fails, the next result takes its place. When half of the pages are read, the rest has as long again. A
    page that is too slow is not waited for, but it is still read and stored.
    """
    settings, loop = context.services.settings.web, asyncio.get_running_loop()
    begun = loop.time()
    ends = begun + settings.page_seconds
    waiting = deque(order[: _TRIED * settings.pages])
    running: dict[asyncio.Task[StoredDocument], SearchResult] = {}
    read: dict[str, StoredDocument] = {}
    why: dict[str, str] = {}
    try:
        while True:
            while waiting and len(read) + len(running) < settings.pages:
                result = waiting.popleft()
                running[asyncio.create_task(open_page(context, result.url))] = result
            if not running:
                break
            done, _ = await asyncio.wait(running, timeout=ends - loop.time(), return_when=asyncio.FIRST_COMPLETED)
            if not done:
                why.update({result.url: _SLOW.format(loop.time() - begun) for result in running.values()})
                for task in running:
                    task.add_done_callback(consume_exception)
                running.clear()
                break
            for task in done:
                result = running.pop(task)
                try:
                    read[result.url] = task.result()
                except PinciteError as error:
                    why[result.url] = error.message
            if read and 2 * len(read) >= settings.pages:
                ends = min(ends, loop.time() + max(_GRACE, loop.time() - begun))
    finally:
        for task in running:
            task.cancel()
    # In the order of the results, not of their arrival.
    return {result.url: read[result.url] for result in order if result.url in read}, why


def consume_exception(task: asyncio.Task[Any]) -> None:
    """Retrieve the exception of a task that is no longer awaited, so that asyncio does not log it."""
    if not task.cancelled():
        task.exception()


async def _find_passages(context: Context, documents: "Sequence[StoredDocument]", query: str) -> tuple[Hit, ...]:
    """Return the best passages of some documents for a query. Each document gets its share.

    A document without a match gets its first passages.
    """
    if not documents:
        return ()
    services = context.services
    scope = Scope(owner=context.asked.scope.owner, documents=tuple(document.id for document in documents))
    # If some pages have no vectors yet, only a comparison by words is fair.
    is_whole = all(document.status == "ready" for document in documents)
    mode: Mode = "hybrid" if is_whole else "lexical"
    ranked = await asyncio.to_thread(services.search.search, query, scope, _DEEP, mode)
    if chosen := tuple(hit for hit in ranked if hit.chosen):
        return chosen
    share = max(_FEWEST, -(-_PASSAGES // len(documents)))
    selected: list[Hit] = []
    taken: Counter[str] = Counter()
    seen: set[str] = set()
    for hit in ranked:
        words = " ".join(hit.text.split())
        if taken[hit.span.document] < share and words not in seen:
            taken[hit.span.document] += 1
            seen.add(words)
            selected.append(hit)
    for document in documents:
        if not any(hit.span.document == document.id for hit in ranked):
            selected += await asyncio.to_thread(_find_openings, services, scope.owner, document.id, query)
    return tuple(selected)


def _find_openings(services: "Services", person: str, document: str, query: str) -> list[Hit]:
    """Return the first passages of a page that has no word of a query; of several, those nearest in meaning."""
    first = browse.list_passages_after(services.library.database, person, document, 0, _OPENINGS)
    if services.embedder is None or len(first) <= _FEWEST:
        return first[:_FEWEST]
    try:
        cosines = (
            services.embedder.passages([hit.text[:_OPENED] for hit in first]) @ services.embedder.queries([query])[0]
        )
    except EmbeddingError:
        return first[:_FEWEST]
    nearest = sorted(range(len(first)), key=lambda place: -cosines[place])
    return [first[place] for place in nearest[:_FEWEST]]
