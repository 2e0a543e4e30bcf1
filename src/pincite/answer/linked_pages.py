"""Read the pages whose addresses a question, or one just before it, names. They are read before the model is asked."""

import asyncio
import uuid
from typing import TYPE_CHECKING

from pincite import events
from pincite.answer.agent_state import PriorCall
from pincite.answer.collect import collect_evidence
from pincite.answer.context import Context
from pincite.answer.extractive.question_kind import parse_question
from pincite.answer.extractive.search_plan import strip_page_addresses
from pincite.answer.stream_items import Note, make_call_started
from pincite.answer.tools import list_offered_tools
from pincite.answer.tools.found_evidence import show_new_evidence
from pincite.answer.unread_pages import Choice, describe_unread
from pincite.answer.web_requests import open_page, open_transcript
from pincite.answer.web_search import consume_exception, find_in_document
from pincite.errors import PinciteError, WebError
from pincite.events.tool_markup import shorten_value
from pincite.search import browse
from pincite.web.addresses import find_addresses
from pincite.web.youtube import parse_video_id

if TYPE_CHECKING:
    from pincite.types import Hit

PAGE, VIDEO = "scrape_web_page", "youtube_transcript"
_MOST = 3  # addresses of a question that are read
_RECENT = 3  # earlier questions whose addresses still count
_OPENING = 2  # passages from the beginning of a page, which introduces its subject


async def read_named_pages(context: Context) -> None:
    """Read the pages that a question names. The agent sees them as calls that were made before."""
    named = list_named_addresses(context)
    tools = {url: VIDEO if parse_video_id(url) else PAGE for url in named[:_MOST]}
    for url in [url for url, tool in tools.items() if tool not in list_offered_tools(context)]:
        if tools.pop(url) == VIDEO:
            _note_unread(context, url, "no_transcripts")
    for url in named[_MOST:]:
        _note_unread(context, url, "many")
    asked = strip_page_addresses(context.question)
    query = "" if not asked or parse_question(asked).kind == "summary" else asked
    ids = {url: uuid.uuid4().hex for url in tools}
    for url, tool in tools.items():
        context.outbox.emit(make_call_started(tool, ids[url], {"url": url}))
    reading = {url: asyncio.create_task(context.stop.run_retrieval(_read_page(context, url, query))) for url in tools}
    try:
        # In the order of the question, so that the evidence has the same numbers every time.
        for url, task in reading.items():
            await _report_page(context, tools[url], url, ids[url], task)
    finally:
        for task in reading.values():
            task.add_done_callback(consume_exception)
            task.cancel()


def list_named_addresses(context: Context) -> list[str]:
    """List the addresses in a question; if it has none, the last ones named in recent questions."""
    recent = [context.asked.question, *(each.question for each in reversed(context.asked.history[-_RECENT:]))]
    return next((found for words in recent if (found := list(find_addresses(words)))), [])


def note_unread_pages(context: Context) -> None:
    """Note the pages that a question names as unread, because only documents are searched, or nothing at all.

    The answer itself names the first ones alone: a long text to be rewritten may have many addresses.
    """
    for place, url in enumerate(find_addresses(context.asked.question)):
        _note_unread(context, url, "chat" if context.asked.focus == "chat" else "focus", is_said=place < _MOST)


def _note_unread(context: Context, url: str, why: "PinciteError | Choice", *, is_said: bool = True) -> None:
    language = context.asked.language
    unread = describe_unread(url, why, language, _MOST)
    context.ledger.unread.append(unread)
    if is_said:
        context.outbox.emit(Note(unread.message))


async def _report_page(context: Context, tool: str, url: str, id: str, task: "asyncio.Task[list[Hit]]") -> None:
    """Wait for one page, and emit the end of its tool call."""
    emit, prior = context.outbox.emit, context.agent.prior
    try:
        evidence = await collect_evidence(context, await task)
    except PinciteError as error:
        reason = f"{error.message} {error.hint}".strip()
        prior.append(PriorCall(tool, {"url": url}, f"It could not be read: {reason}", ({"error": error.message},)))
        emit(events.ToolCallError(toolCallId=id, error=shorten_value(reason)))
        _note_unread(context, url, error)
        return
    prior.append(PriorCall(tool, {"url": url}, show_new_evidence(context, evidence), evidence))
    emit(events.ToolCallSuccess(toolCallId=id, extra={"found": str(len(evidence))}))


async def _read_page(context: Context, url: str, query: str) -> "list[Hit]":
    """Return the passages of a page for a query and its first passages; its outline without a query."""
    seconds = context.services.settings.answers.tool_seconds
    try:
        async with asyncio.timeout(seconds):
            if parse_video_id(url):
                _, document = await open_transcript(context, url)
            else:
                document = await open_page(context, url)
            hits = await find_in_document(context, document, query)
    except TimeoutError:
        raise WebError(f"{url} took longer than {seconds:g} seconds.", "Try again later.", "timeout") from None
    if query:
        known = {hit.span for hit in hits}
        database, person = context.services.library.database, context.asked.scope.owner
        opening = await asyncio.to_thread(browse.list_passages_after, database, person, document.id, 0, _OPENING)
        hits += [hit for hit in opening if hit.span not in known]
    return hits
