"""Make searches for a model that cannot call tools, or that answered without a search."""

import asyncio
import uuid
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from typing import Any

from pincite import events
from pincite.answer.agent_state import PriorCall
from pincite.answer.collect import collect_evidence
from pincite.answer.context import Context
from pincite.answer.extractive.composition import is_sufficient
from pincite.answer.extractive.question_kind import parse_question
from pincite.answer.extractive.search_plan import strip_page_addresses
from pincite.answer.extractive.tool_calls import Call, CallResult
from pincite.answer.stream_items import make_call_started
from pincite.answer.tools import list_offered_tools
from pincite.answer.tools.found_evidence import search_passages, show_new_evidence
from pincite.answer.web_search import search_pages
from pincite.errors import Leak, PinciteError, RetrievalStopped, WebError
from pincite.events.tool_markup import shorten_value
from pincite.types import Evidence, Hit


async def prefetch_evidence(context: Context, *, shows: bool = False) -> list[PriorCall]:
    """Make the searches that a model would make with tools, and emit the same events.

    The documents are searched when the pages that were read do not answer the question, and the web when neither
    answers. A search that was already made for this question is not repeated. With `shows`, return the calls, for a
    model that is to see them.
    """
    prior = context.agent.prior
    tools, query = list_offered_tools(context), strip_page_addresses(context.question) if prior else context.question
    if prior and (not query or parse_question(query).kind == "summary"):
        return []  # the question is about those pages alone
    if query in context.ledger.searched and context.agent.found:
        return []
    made: list[PriorCall] = []
    has_documents = not tools.isdisjoint(("search_documents", "file_search"))
    if has_documents and not (prior and await _is_sufficient(context, query)):
        search = partial(asyncio.to_thread, search_passages, context, query, context.search_scope)
        made += await _run_search(context, "search_documents", query, search, shows)
    if "web_search" in tools and not (len(context.ledger) and await _is_sufficient(context, query)):
        made += await _run_search(context, "web_search", query, partial(_search_web, context, query), shows)
    return made


async def _run_search(
    context: Context,
    tool: str,
    query: str,
    search: Callable[[], Coroutine[Any, Any, Sequence[Hit]]],
    shows: bool,
) -> list[PriorCall]:
    """Make one search with the events of a tool call. Return the call where the model is to see it."""
    id, emit = uuid.uuid4().hex, context.outbox.emit
    emit(make_call_started(tool, id, {"query": query}))
    context.ledger.searched.append(query)
    try:
        async with asyncio.timeout(context.services.settings.answers.tool_seconds):
            hits = await context.stop.run_retrieval(search())
    except RetrievalStopped as error:
        emit(events.ToolCallError(toolCallId=id, error=error.message))
        return []
    except (WebError, Leak, TimeoutError) as error:
        message = "The search took too long."
        if isinstance(error, PinciteError):
            message = f"{error.message} {error.hint}".strip()
        context.ledger.problems.append(message)
        emit(events.ToolCallError(toolCallId=id, error=shorten_value(message)))
        return []
    found = await collect_evidence(context, hits)
    made = [PriorCall(tool, {"query": query}, show_new_evidence(context, found), found)] if shows else []
    subject = context.understood.subject if tool == "search_documents" else ""
    beside = {"subject": subject} if subject else {}
    emit(events.ToolCallSuccess(toolCallId=id, extra={"found": str(len(hits)), **beside}))
    return made


async def _search_web(context: Context, query: str) -> Sequence[Hit]:
    """Return the passages that a web search finds; raise an error with the reasons when no page could be read."""
    found = await search_pages(context, query)
    if found.failures and not found.hits:
        raise found.make_error()
    return found.hits


async def _is_sufficient(context: Context, query: str) -> bool:
    """Whether the evidence so far answers a question, as far as its words and meaning show."""
    pages = [
        CallResult(Call(each.tool, ()), tuple(one for one in each.found if isinstance(one, Evidence)))
        for each in context.agent.prior
    ]
    returned = [*pages, CallResult(Call("search_documents", ()), context.ledger.listed)]
    return await asyncio.to_thread(is_sufficient, parse_question(query), returned, context.services.embedder)
