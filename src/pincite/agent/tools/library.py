"""The tools that look into the user's documents, and those that turn the viewer to what is spoken of."""

import asyncio
from typing import Literal

from pydantic_ai import RunContext, ToolReturn

from pincite import events
from pincite.agent.showing import block
from pincite.agent.tools.finding import found
from pincite.agent.turn import Turn
from pincite.errors import Misuse, NotFound
from pincite.evidence.commands import Highlight
from pincite.retrieval import browse
from pincite.store.documents import StoredDocument
from pincite.types import Evidence

_MOST = 20  # passages from one call
_SHOWN = 60  # documents in one list


async def search_documents(
    context: RunContext[Turn], query: str, document: str | None = None, limit: int = 8
) -> ToolReturn[str]:
    """Find passages in the user's documents that answer a query.

    Use a whole question or the key words, in the language of the documents; search again with other words when the
    passages do not answer. `document` (an id or words of a title) looks in that document alone.
    """
    turn = context.deps
    scope = turn.within(await _chosen(turn, document)) if document else turn.shelves
    turn.searched.append(query)
    hits = await asyncio.to_thread(turn.house.search.search, query, scope, max(1, min(limit, _MOST)))
    return await found(turn, hits)


async def file_search(context: RunContext[Turn], query: str, document: str | None = None) -> ToolReturn[str]:
    """Find passages in the user's files that answer a query; `document`, words of a title, looks in that one alone."""
    return await search_documents(context, query, document)


async def outline_document(context: RunContext[Turn], document: str, limit: int = 12) -> ToolReturn[str]:
    """Read passages spread over one whole document, from its beginning to its end: to summarise or describe it."""
    turn = context.deps
    chosen = await _chosen(turn, document)
    hits = await asyncio.to_thread(browse.outline, turn.house.library.database, chosen[0].id, max(1, min(limit, _MOST)))
    return await found(turn, hits)


async def read_document(
    context: RunContext[Turn], document: str, page: int | None = None, start: int | None = None
) -> ToolReturn[str]:
    """Read on in one document: the passages of a page, or those that follow a place in its text."""
    turn = context.deps
    chosen, database = (await _chosen(turn, document))[0], turn.house.library.database
    if page is not None:
        hits = await asyncio.to_thread(browse.at_page, database, chosen.id, page)
    else:
        hits = await asyncio.to_thread(browse.from_start, database, chosen.id, start or 0)
    return await found(turn, hits)


async def list_documents(context: RunContext[Turn], words: str | None = None) -> ToolReturn[str]:
    """List the user's documents with their ids, titles and lengths; `words` of a title narrow the list."""
    turn = context.deps
    database, scope = turn.house.library.database, turn.asked.scope
    if words:
        there = await asyncio.to_thread(browse.named, database, scope, words)
    else:
        there = await asyncio.to_thread(browse.listed, database, scope)
    lines = [f"{d.id[:8]}  {d.title or d.name} ({d.kind}, {d.pages or '?'} pages)" for d in there[:_SHOWN]]
    if len(there) > _SHOWN:
        lines.append(f"… and {len(there) - _SHOWN} more")
    return ToolReturn(block(lines) if lines else "There are none.", metadata=tuple(there))


async def navigate(context: RunContext[Turn], evidence: int) -> ToolReturn[str]:
    """Open a source, by the number of its evidence, at its page in the user's viewer."""
    turn = context.deps
    chosen = _evidence(turn, evidence)
    turn.say(events.Navigate(document=chosen.span.document, page=max(chosen.page, 1)))
    return ToolReturn("It is open.")


async def highlight(
    context: RunContext[Turn],
    evidence: int,
    sentence: int | None = None,
    importance: Literal["high", "medium", "low"] = "high",
) -> ToolReturn[str]:
    """Light an evidence, or one sentence of it, in the user's viewer. Several may be lit, by importance."""
    turn = context.deps
    _evidence(turn, evidence)
    lit = await turn.highlighted(Highlight(evidence=evidence, sentence=sentence, importance=importance))
    turn.say(lit)
    return ToolReturn("It is lit.")


async def _chosen(turn: Turn, name: str) -> list[StoredDocument]:
    found = await asyncio.to_thread(browse.named, turn.house.library.database, turn.asked.scope, name)
    if not found:
        raise NotFound(f"There is no document {name}.", "list_documents names them all.")
    return found


def _evidence(turn: Turn, number: int) -> Evidence:
    found = turn.ledger.get(number)
    if found is None:
        raise Misuse(f"There is no evidence {number}.", f"There are {len(turn.ledger)}.")
    return found
