"""The web to what a turn may cite: a search or an address in, passages of pages out that were read and kept."""

import asyncio
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pincite.agent.sifting import sifted
from pincite.agent.turn import Turn
from pincite.agent.web_requests import open_page, search_web
from pincite.errors import EmbeddingError, PinciteError, WebError
from pincite.retrieval import browse
from pincite.types import Hit, Scope
from pincite.web.engine import Category, Result, TimeRange

if TYPE_CHECKING:
    from pincite.agent.house import House
    from pincite.retrieval.search import Mode
    from pincite.store.documents import StoredDocument

_PASSAGES = 10  # from all the pages of one search
_FEWEST = 2  # from a page that has as many to the point
_DEEP = 60  # passages that are ranked, so that each page has its share
_OUTLINED = 12
_OPENINGS, _OPENED = 6, 400  # passages, and characters of each, whose meaning is compared where no word is shared
_NAMED = 3  # pages whose failure is told
_TRIED = 4  # times the pages that are wanted: where all of these fail, the others would too
_GRACE = 1.5  # seconds that the slower half of the pages has at least, when the other is read
_SLOW = "it took longer than {:.3g} seconds"


@dataclass(frozen=True, slots=True)
class Unread:
    """A result whose page was not read, and why; "" where others came first."""

    result: Result
    why: str = ""


@dataclass(frozen=True, slots=True)
class Looked:
    """What a search of the web gave: passages of the pages that were read, what was not read, and who was silent."""

    hits: tuple[Hit, ...] = ()
    pages: int = 0
    unread: tuple[Unread, ...] = ()
    unresponsive: tuple[str, ...] = ()

    @property
    def failures(self) -> tuple[Unread, ...]:
        """The results whose pages somebody tried to read, in vain."""
        return tuple(each for each in self.unread if each.why)

    def failed(self) -> WebError:
        """The error of a search of which no page could be read."""
        why = " ".join(f"{each.result.url}: {each.why}" for each in self.failures[:_NAMED])
        return WebError(
            f"None of the pages that were found could be read. {why}", "Search in other words, or try another page."
        )


async def searched(
    turn: Turn, query: str, *, kind: Category = "general", language: str = "", time_range: TimeRange = "", page: int = 1
) -> Looked:
    """The passages that answer a query on the best pages an engine finds for it."""
    turn.house.browsing.wake()
    found = await search_web(turn, query, kind=kind, language=language, time_range=time_range, page=page)
    order = await asyncio.to_thread(sifted, query, found.results, turn.house.embedder)
    read, why = await _read(turn, order)
    documents = list({document.id: document for document in read.values()}.values())
    unread = tuple(Unread(result, why.get(result.url, "")) for result in order if result.url not in read)
    return Looked(await _passages(turn, documents, query), len(documents), unread, found.unresponsive)


async def within(turn: Turn, document: "StoredDocument", query: str = "") -> list[Hit]:
    """The passages of a document that answer a query, its first ones when none does; its outline without a query."""
    if query:
        return list(await _passages(turn, [document], query))
    return await asyncio.to_thread(browse.outline, turn.house.library.database, document.id, _OUTLINED)


async def _read(turn: Turn, order: Sequence[Result]) -> "tuple[dict[str, StoredDocument], dict[str, str]]":
    """The pages that could be read in time, by their addresses, and why others could not.

    Where one fails the next takes its place. When half of them are read, the rest has as long again. Who is too slow
    is not waited for, and is kept all the same.
    """
    settings, loop = turn.house.settings.web, asyncio.get_running_loop()
    begun = loop.time()
    ends = begun + settings.page_seconds
    waiting = deque(order[: _TRIED * settings.pages])
    running: dict[asyncio.Task[StoredDocument], Result] = {}
    read: dict[str, StoredDocument] = {}
    why: dict[str, str] = {}
    try:
        while True:
            while waiting and len(read) + len(running) < settings.pages:
                result = waiting.popleft()
                running[asyncio.create_task(open_page(turn, result.url))] = result
            if not running:
                break
            done, _ = await asyncio.wait(running, timeout=ends - loop.time(), return_when=asyncio.FIRST_COMPLETED)
            if not done:
                why.update({result.url: _SLOW.format(loop.time() - begun) for result in running.values()})
                for task in running:
                    task.add_done_callback(unheard)
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
    # In the order of the results, whoever came first.
    return {result.url: read[result.url] for result in order if result.url in read}, why


def unheard(task: asyncio.Task[Any]) -> None:
    """Take note of what became of a page that nobody waits for, so that nobody is warned of it."""
    if not task.cancelled():
        task.exception()


async def _passages(turn: Turn, documents: "Sequence[StoredDocument]", query: str) -> tuple[Hit, ...]:
    """The best passages of some documents for a query; each has its share, with its first where none was found."""
    if not documents:
        return ()
    house = turn.house
    scope = Scope(owner=turn.asked.scope.owner, documents=tuple(document.id for document in documents))
    # Between pages that have vectors and pages that have none yet, only words are fair.
    is_whole = all(document.status == "ready" for document in documents)
    mode: Mode = "hybrid" if is_whole else "lexical"
    ranked = await asyncio.to_thread(house.search.search, query, scope, _DEEP, mode)
    if chosen := tuple(hit for hit in ranked if hit.chosen):
        return chosen
    share = max(_FEWEST, -(-_PASSAGES // len(documents)))
    kept: list[Hit] = []
    taken: Counter[str] = Counter()
    said: set[str] = set()
    for hit in ranked:
        words = " ".join(hit.text.split())
        if taken[hit.span.document] < share and words not in said:
            taken[hit.span.document] += 1
            said.add(words)
            kept.append(hit)
    for document in documents:
        if not any(hit.span.document == document.id for hit in ranked):
            kept += await asyncio.to_thread(_openings, house, document.id, query)
    return tuple(kept)


def _openings(house: "House", document: str, query: str) -> list[Hit]:
    """The first passages of a page that has none of a query's words; of several those nearest to it in meaning."""
    first = browse.from_start(house.library.database, document, 0, _OPENINGS)
    if house.embedder is None or len(first) <= _FEWEST:
        return first[:_FEWEST]
    try:
        cosines = house.embedder.passages([hit.text[:_OPENED] for hit in first]) @ house.embedder.queries([query])[0]
    except EmbeddingError:
        return first[:_FEWEST]
    nearest = sorted(range(len(first)), key=lambda place: -cosines[place])
    return [first[place] for place in nearest[:_FEWEST]]
