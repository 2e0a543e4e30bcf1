"""The tools that search and read the user's documents, and those that open sources in the viewer."""

import asyncio
from collections.abc import Sequence
from typing import Literal

from pincite import events
from pincite.answer.collect import collect_evidence
from pincite.answer.context import Context
from pincite.answer.document_search import narrow_scope
from pincite.answer.evidence_prompt import write_data_block, write_numbered_sources
from pincite.answer.tool_call import RunContext, ToolReturn
from pincite.answer.tools.found_evidence import return_evidence, search_passages
from pincite.answer.viewer import make_highlight
from pincite.errors import Misuse, NotFound
from pincite.events.source_names import count_pages
from pincite.library import document_structure
from pincite.search import browse
from pincite.store.documents import StoredDocument
from pincite.text.viewer_commands import HighlightCommand
from pincite.types import Evidence

_MOST = 20  # passages from one call
_SHOWN = 60  # documents in one list
_SECTION, _ON = 12, 3  # passages of a section or page, and after a position
_HEADINGS = 80  # in one list


async def search_documents(
    run: RunContext[Context], query: str, document: str | None = None, limit: int | None = None
) -> ToolReturn[str]:
    """Find the passages in the user's documents that answer a query best.

    Use a whole question or the key words, in the language of the documents; search again with other words when the
    passages do not answer. `document` (an id or words of a title) looks in that document alone.
    """
    context = run.deps
    scope = narrow_scope(context, await _find_documents(context, document)) if document else context.search_scope
    context.ledger.searched.append(query)
    most = max(1, min(limit, _MOST)) if limit is not None else None
    hits = await asyncio.to_thread(search_passages, context, query, scope, most)
    return await return_evidence(
        context, hits, extra={"subject": context.understood.subject} if context.understood.subject else None
    )


async def file_search(run: RunContext[Context], query: str, document: str | None = None) -> ToolReturn[str]:
    """Find passages in the user's files that answer a query; `document`, words of a title, looks in that one alone."""
    return await search_documents(run, query, document)


async def outline_document(run: RunContext[Context], document: str, limit: int = 12) -> ToolReturn[str]:
    """Read passages spread over one whole document, and the list of its headings: to summarise or describe it.

    read_document reads one of the sections that are listed.
    """
    context, database = run.deps, run.deps.services.library.database
    chosen = (await _find_documents(context, document))[0]
    person = context.asked.scope.owner
    hits = await asyncio.to_thread(browse.sample_passages, database, person, chosen.id, max(1, min(limit, _MOST)))
    headings = await asyncio.to_thread(document_structure.load_outline, database, person, chosen.id)
    return await return_evidence(context, hits, _list_headings(headings))


async def read_document(
    run: RunContext[Context],
    document: str,
    page: int | None = None,
    start: int | None = None,
    section: str | None = None,
) -> ToolReturn[str]:
    """Read in one document: a whole section, by words of its heading; a page; or what follows a place in its text."""
    context, database = run.deps, run.deps.services.library.database
    chosen = (await _find_documents(context, document))[0].id
    person, end = context.asked.scope.owner, None
    if section:
        part = await asyncio.to_thread(browse.find_section, database, person, chosen, section)
        if part is None:
            raise NotFound(f"No heading of this document has the words {section}.", "outline_document lists them.")
        end = part.end
        hits = await asyncio.to_thread(
            browse.list_passages_between, database, person, chosen, max(part.start, start or 0), end, _SECTION + 1
        )
    elif page is not None:
        hits = await asyncio.to_thread(browse.list_passages_on_page, database, person, chosen, page, _SECTION)
    else:
        hits = await asyncio.to_thread(browse.list_passages_after, database, person, chosen, start or 0, _ON + 1)
    most = len(hits) if page is not None and not section else _SECTION if section else _ON
    again = f", section={section!r}" if section else ""
    more = f"It goes on: call read_document with start={hits[most - 1].span.end}{again}." if len(hits) > most else ""
    return await return_evidence(context, hits[:most], more)


async def list_documents(run: RunContext[Context], words: str | None = None) -> ToolReturn[str]:
    """List the user's documents with their ids, titles and lengths; `words` of a title narrow the list.

    Each has the number of its evidence, by which it can be cited.
    """
    context = run.deps
    database, scope = context.services.library.database, context.asked.scope
    if words:
        found = await asyncio.to_thread(browse.find_documents_by_name, database, scope, words)
    else:
        found = await asyncio.to_thread(browse.list_documents, database, scope)
    if not found:
        return ToolReturn("There are none.")
    listed = found[:_SHOWN]
    evidence: dict[str, Evidence] = {}
    if context.has_language_model or not words:
        ids = [each.id for each in listed]
        hits = await asyncio.to_thread(browse.list_first_passages, database, scope.owner, ids)
        evidence = {each.span.document: each for each in await collect_evidence(context, hits)}
        text = write_numbered_sources([(evidence[d.id], _describe_length(d)) for d in listed if d.id in evidence])
    else:  # the extractive answerer looks for a document by its name, and cites no list
        text = write_data_block([f"{d.id[:8]}  {d.title or d.name} {_describe_length(d)}" for d in listed])
    more = f"… and {len(found) - _SHOWN} more; `words` of a title narrow the list." if len(found) > _SHOWN else ""
    return ToolReturn("\n".join(filter(None, (text, more))), metadata=(*found, *evidence.values()))


async def navigate(run: RunContext[Context], evidence: int) -> ToolReturn[str]:
    """Open a source, by the number of its evidence, at its page in the user's viewer."""
    context = run.deps
    chosen = _find_evidence(context, evidence)
    context.outbox.emit(events.Navigate(document=chosen.span.document, page=max(chosen.page, 1)))
    return ToolReturn("It is open.")


async def highlight(
    run: RunContext[Context],
    evidence: int,
    sentence: int | None = None,
    importance: Literal["high", "medium", "low"] = "high",
) -> ToolReturn[str]:
    """Light an evidence, or one sentence of it, in the user's viewer. Several may be lit, by importance."""
    context = run.deps
    _find_evidence(context, evidence)
    lit = await make_highlight(context, HighlightCommand(evidence=evidence, sentence=sentence, importance=importance))
    context.outbox.emit(lit)
    return ToolReturn("It is lit.")


def _describe_length(document: StoredDocument) -> str:
    return f"({document.kind}, {count_pages(document.pages)})" if document.pages else f"({document.kind})"


def _list_headings(headings: Sequence[document_structure.OutlineHeading]) -> str:
    """Write headings with their pages for a model; only the upper levels where there are too many."""
    if not headings:
        return ""
    deepest = max(each.level for each in headings)
    while deepest > 1 and sum(each.level <= deepest for each in headings) > _HEADINGS:
        deepest -= 1
    listed = [each for each in headings if each.level <= deepest]
    lines = [f"{'· ' * (each.level - 1)}{each.title}{f', p. {each.page}' if each.page else ''}" for each in listed]
    more = [f"… and {len(listed) - _HEADINGS} more"] if len(listed) > _HEADINGS else []
    return f"Its headings; these cannot be cited:\n{write_data_block([*lines[:_HEADINGS], *more])}"


async def _find_documents(context: Context, name: str) -> list[StoredDocument]:
    found = await asyncio.to_thread(
        browse.find_documents_by_name, context.services.library.database, context.asked.scope, name
    )
    if not found:
        raise NotFound(f"There is no document {name}.", "list_documents names them all.")
    return found


def _find_evidence(context: Context, number: int) -> Evidence:
    found = context.ledger.get(number)
    if found is None:
        raise Misuse(f"There is no evidence {number}.", f"There are {len(context.ledger)}.")
    return found
