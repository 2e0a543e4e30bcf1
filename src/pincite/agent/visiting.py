"""Pages whose addresses stand in a question, or stood in one just before: read unasked, before the model is asked."""

import asyncio
import uuid
from collections.abc import AsyncIterator, Iterator
from typing import TYPE_CHECKING

from pincite import events
from pincite.agent.extractive.asking import understand
from pincite.agent.extractive.steps import besides_pages
from pincite.agent.hearing import Heard, Noted, started
from pincite.agent.looking import unheard, within
from pincite.agent.tools import offered
from pincite.agent.tools.finding import show_new
from pincite.agent.turn import Prior, Turn
from pincite.agent.unread_pages import Choice, describe_unread
from pincite.agent.web_requests import open_page, open_transcript
from pincite.errors import PinciteError, WebError
from pincite.events.markup import shortened
from pincite.retrieval import browse
from pincite.retrieval.references import language_of
from pincite.web.addresses import addresses
from pincite.web.youtube import video_of

if TYPE_CHECKING:
    from pincite.types import Hit

PAGE, VIDEO = "scrape_web_page", "youtube_transcript"
_MOST = 3
_RECENT = 3  # questions after which a page is still what is spoken of
_OPENING = 2  # passages from a page's beginning, which says what it is about


async def visited(turn: Turn) -> AsyncIterator[Heard]:
    """What is heard while the pages that a question names are read; what they say becomes `turn.prior`."""
    named = spoken_of(turn)
    tools = {url: VIDEO if video_of(url) else PAGE for url in named[:_MOST]}
    for url in [url for url, tool in tools.items() if tool not in offered(turn)]:
        if tools.pop(url) == VIDEO:
            yield _note(turn, url, "no_transcripts")
    for url in named[_MOST:]:
        yield _note(turn, url, "many")
    asked = besides_pages(turn.question)
    query = "" if not asked or understand(asked).kind == "summary" else asked
    ids = {url: uuid.uuid4().hex for url in tools}
    for url, tool in tools.items():
        yield started(tool, ids[url], {"url": url})
    reading = {url: asyncio.create_task(turn.retrieve(_read(turn, url, query))) for url in tools}
    try:
        # In the order of the question, so that the numbers of the evidence are the same every time.
        for url, task in reading.items():
            async for heard in _heard(turn, tools[url], url, ids[url], task):
                yield heard
    finally:
        for task in reading.values():
            task.add_done_callback(unheard)
            task.cancel()


def spoken_of(turn: Turn) -> list[str]:
    """The addresses in a question; in one without any, those last named in the conversation, not long ago."""
    recent = [turn.asked.question, *(each.question for each in reversed(turn.asked.history[-_RECENT:]))]
    return next((found for words in recent if (found := list(addresses(words)))), [])


def unvisited(turn: Turn) -> Iterator[Heard]:
    """The pages that a question names and that are not read, since it is asked of the documents alone."""
    for url in addresses(turn.asked.question):
        yield _note(turn, url, "focus")


def _note(turn: Turn, url: str, why: "PinciteError | Choice") -> Noted:
    language = language_of(turn.asked.question, turn.asked.history)
    unread = describe_unread(url, why, language, _MOST)
    turn.unread.append(unread)
    return Noted(unread.message)


async def _heard(turn: Turn, tool: str, url: str, id: str, task: "asyncio.Task[list[Hit]]") -> AsyncIterator[Heard]:
    """What came of one page, as a tool's call would tell it."""
    try:
        evidence = await turn.collect(await task)
    except PinciteError as error:
        said = f"{error.message} {error.hint}".strip()
        turn.prior.append(Prior(tool, {"url": url}, f"It could not be read: {said}", ({"error": error.message},)))
        while turn.said:
            yield turn.said.popleft()
        yield events.ToolCallError(toolCallId=id, error=shortened(said))
        yield _note(turn, url, error)
        return
    while turn.said:
        yield turn.said.popleft()
    turn.prior.append(Prior(tool, {"url": url}, show_new(turn, evidence), evidence))
    yield events.ToolCallSuccess(toolCallId=id, extra={"found": str(len(evidence))})


async def _read(turn: Turn, url: str, query: str) -> "list[Hit]":
    """The passages of a page for a query and its opening, or its outline where all of it is meant."""
    seconds = turn.house.settings.answers.tool_seconds
    try:
        async with asyncio.timeout(seconds):
            if video_of(url):
                _, document = await open_transcript(turn, url)
            else:
                document = await open_page(turn, url)
            hits = await within(turn, document, query)
    except TimeoutError:
        raise WebError(f"{url} took longer than {seconds:g} seconds.", "Try again later.", "timeout") from None
    if query:
        known = {hit.span for hit in hits}
        opening = await asyncio.to_thread(browse.from_start, turn.house.library.database, document.id, 0, _OPENING)
        hits += [hit for hit in opening if hit.span not in known]
    return hits
