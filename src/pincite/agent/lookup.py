"""Searches that are made for a model: for one that cannot call tools, or that answered without calling any."""

import asyncio
import uuid
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from functools import partial
from typing import Any

from pincite import events
from pincite.agent.extractive.asking import understand
from pincite.agent.extractive.calls import Call, Returned
from pincite.agent.extractive.composing import suffices
from pincite.agent.extractive.steps import besides_pages
from pincite.agent.hearing import Heard, started
from pincite.agent.looking import searched
from pincite.agent.tools import offered
from pincite.agent.tools.finding import search_passages, show_new
from pincite.agent.turn import Prior, Turn
from pincite.errors import Leak, PinciteError, RetrievalStopped, WebError
from pincite.events.markup import shortened
from pincite.types import Evidence, Hit


async def look_up(turn: Turn, made: list[Prior] | None = None) -> AsyncIterator[Heard]:
    """Evidence without a model's help: the searches that tool calls would have made, told the same way.

    Documents come after pages that were read for the question, and the web after both: each where the rest is silent.
    A search that was made in this turn is not made again. `made` gets the calls, for a model that is to see them.
    """
    tools, query = offered(turn), besides_pages(turn.question) if turn.prior else turn.question
    if turn.prior and (not query or understand(query).kind == "summary"):
        return  # it is about those pages alone
    if query in turn.searched and turn.found:
        return
    if not tools.isdisjoint(("search_documents", "file_search")) and not (turn.prior and await _suffices(turn, query)):
        search = partial(asyncio.to_thread, search_passages, turn, query, turn.shelves)
        async for heard in _called(turn, "search_documents", query, search, made):
            yield heard
    if "web_search" in tools and not (len(turn.ledger) and await _suffices(turn, query)):
        async for heard in _called(turn, "web_search", query, partial(_searched, turn, query), made):
            yield heard


async def _called(
    turn: Turn,
    tool: str,
    query: str,
    search: Callable[[], Coroutine[Any, Any, Sequence[Hit]]],
    made: list[Prior] | None,
) -> AsyncIterator[Heard]:
    """What is heard of a search that is made for a model."""
    id = uuid.uuid4().hex
    yield started(tool, id, {"query": query})
    turn.searched.append(query)
    try:
        async with asyncio.timeout(turn.house.settings.answers.tool_seconds):
            hits = await turn.retrieve(search())
    except RetrievalStopped as error:
        while turn.said:
            yield turn.said.popleft()
        yield events.ToolCallError(toolCallId=id, error=error.message)
        return
    except (WebError, Leak, TimeoutError) as error:
        told = "The search took too long."
        if isinstance(error, PinciteError):
            told = f"{error.message} {error.hint}".strip()
        turn.problems.append(told)
        while turn.said:
            yield turn.said.popleft()
        yield events.ToolCallError(toolCallId=id, error=shortened(told))
        return
    found = await turn.collect(hits)
    if made is not None:
        made.append(Prior(tool, {"query": query}, show_new(turn, found), found))
    while turn.said:
        yield turn.said.popleft()
    beside = {"subject": turn.subject} if turn.subject and tool == "search_documents" else {}
    yield events.ToolCallSuccess(toolCallId=id, extra={"found": str(len(hits)), **beside})


async def _searched(turn: Turn, query: str) -> Sequence[Hit]:
    """The passages that a search of the web gives; an error that says why when no page could be read."""
    looked = await searched(turn, query)
    if looked.failures and not looked.hits:
        raise looked.failed()
    return looked.hits


async def _suffices(turn: Turn, query: str) -> bool:
    """Whether what was found until now answers a question, as far as words and meaning tell."""
    pages = [
        Returned(Call(each.tool, ()), tuple(one for one in each.found if isinstance(one, Evidence)))
        for each in turn.prior
    ]
    returned = [*pages, Returned(Call("search_documents", ()), turn.ledger.listed)]
    return await asyncio.to_thread(suffices, understand(query), returned, turn.house.embedder)
