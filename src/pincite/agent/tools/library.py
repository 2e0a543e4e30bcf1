"""The tools that look into the user's documents, and those that turn the viewer to what is spoken of."""

import asyncio
from collections.abc import Sequence
from typing import Literal

from pincite import events
from pincite.agent.showing import block, numbered
from pincite.agent.tool_call import RunContext, ToolReturn
from pincite.agent.tools.finding import found, search_passages
from pincite.agent.turn import Turn
from pincite.errors import Misuse, NotFound
from pincite.evidence.commands import Highlight
from pincite.library import structure
from pincite.retrieval import browse
from pincite.store.documents import StoredDocument
from pincite.types import Evidence

_MOST = 20  # passages from one call
_SHOWN = 60  # documents in one list
_SECTION, _ON = 12, 3  # passages of a section or page, and of what follows a place
_HEADINGS = 80  # in one list


async def search_documents(
    context: RunContext[Turn], query: str, document: str | None = None, limit: int | None = None
) -> ToolReturn[str]:
    """Find the passages in the user's documents that answer a query best.

    Use a whole question or the key words, in the language of the documents; search again with other words when the
    passages do not answer. `document` (an id or words of a title) looks in that document alone.
    """
    turn = context.deps
    scope = turn.within(await _chosen(turn, document)) if document else turn.shelves
    turn.searched.append(query)
    most = max(1, min(limit, _MOST)) if limit is not None else None
    hits = await asyncio.to_thread(search_passages, turn, query, scope, most)
    return await found(turn, hits, extra={"subject": turn.subject} if turn.subject else None)


async def file_search(context: RunContext[Turn], query: str, document: str | None = None) -> ToolReturn[str]:
    """Find passages in the user's files that answer a query; `document`, words of a title, looks in that one alone."""
    return await search_documents(context, query, document)


async def outline_document(context: RunContext[Turn], document: str, limit: int = 12) -> ToolReturn[str]:
    """Read passages spread over one whole document, and the list of its headings: to summarise or describe it.

    read_document reads one of the sections that are listed.
    """
    turn, database = context.deps, context.deps.house.library.database
    chosen = (await _chosen(turn, document))[0]
    hits = await asyncio.to_thread(browse.outline, database, chosen.id, max(1, min(limit, _MOST)))
    headings = await asyncio.to_thread(structure.outline, database, chosen.id)
    return await found(turn, hits, _listed_headings(headings))


async def read_document(
    context: RunContext[Turn],
    document: str,
    page: int | None = None,
    start: int | None = None,
    section: str | None = None,
) -> ToolReturn[str]:
    """Read in one document: a whole section, by words of its heading; a page; or what follows a place in its text."""
    turn, database = context.deps, context.deps.house.library.database
    chosen = (await _chosen(turn, document))[0].id
    end: int | None = None
    if section:
        part = await asyncio.to_thread(browse.find_section, database, chosen, section)
        if part is None:
            raise NotFound(f"No heading of this document has the words {section}.", "outline_document lists them.")
        end = part.end
        hits = await asyncio.to_thread(browse.between, database, chosen, max(part.start, start or 0), end, _SECTION + 1)
    elif page is not None:
        hits = await asyncio.to_thread(browse.at_page, database, chosen, page, _SECTION)
    else:
        hits = await asyncio.to_thread(browse.from_start, database, chosen, start or 0, _ON + 1)
    most = len(hits) if page is not None and not section else _SECTION if section else _ON
    again = f", section={section!r}" if section else ""
    more = f"It goes on: call read_document with start={hits[most - 1].span.end}{again}." if len(hits) > most else ""
    return await found(turn, hits[:most], more)


async def list_documents(context: RunContext[Turn], words: str | None = None) -> ToolReturn[str]:
    """List the user's documents with their ids, titles and lengths; `words` of a title narrow the list.

    Each has the number of its evidence, by which it can be cited.
    """
    turn = context.deps
    database, scope = turn.house.library.database, turn.asked.scope
    if words:
        there = await asyncio.to_thread(browse.named, database, scope, words)
    else:
        there = await asyncio.to_thread(browse.listed, database, scope)
    if not there:
        return ToolReturn("There are none.")
    told = there[:_SHOWN]
    evidence: dict[str, Evidence] = {}
    if turn.writes or not words:
        hits = await asyncio.to_thread(browse.openings, database, [each.id for each in told])
        evidence = {each.span.document: each for each in await turn.collect(hits)}
        said = numbered([(evidence[d.id], _length(d)) for d in told if d.id in evidence])
    else:  # a model that quotes looks for a document by its name, and cites no list
        said = block([f"{d.id[:8]}  {d.title or d.name} {_length(d)}" for d in told])
    more = f"… and {len(there) - _SHOWN} more; `words` of a title narrow the list." if len(there) > _SHOWN else ""
    return ToolReturn("\n".join(filter(None, (said, more))), metadata=(*there, *evidence.values()))


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


def _length(document: StoredDocument) -> str:
    return f"({document.kind}, {document.pages} pages)" if document.pages else f"({document.kind})"


def _listed_headings(headings: Sequence[structure.Heading]) -> str:
    """Headings with their pages, for a model: those of the upper levels where there are too many."""
    if not headings:
        return ""
    deepest = max(each.level for each in headings)
    while deepest > 1 and sum(each.level <= deepest for each in headings) > _HEADINGS:
        deepest -= 1
    told = [each for each in headings if each.level <= deepest]
    lines = [f"{'· ' * (each.level - 1)}{each.title}{f', p. {each.page}' if each.page else ''}" for each in told]
    more = [f"… and {len(told) - _HEADINGS} more"] if len(told) > _HEADINGS else []
    return f"Its headings; these cannot be cited:\n{block([*lines[:_HEADINGS], *more])}"


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
