"""Put the passages that are kept in a notebook into the evidence, before anything is searched."""

import asyncio
import uuid
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import replace

from pincite import events
from pincite.answer.agent_state import PriorCall
from pincite.answer.collect import collect_evidence
from pincite.answer.context import Context
from pincite.answer.extractive.question_kind import parse_question
from pincite.answer.extractive.search_plan import strip_page_addresses
from pincite.answer.extractive.tool_calls import NOTEBOOK
from pincite.answer.question import AskedNotebook
from pincite.answer.stream_items import make_call_failed, make_call_started
from pincite.answer.tools.found_evidence import show_new_evidence
from pincite.errors import RetrievalStopped
from pincite.search import browse
from pincite.types import Hit, Span

_MOST = 20  # passages of a notebook that are evidence
_RANKED = 100  # passages of its documents that are compared with the question


async def read_kept_passages(context: Context) -> None:
    """Read the notebook that a question is about. The agent sees its passages as a call that was made before."""
    notebook = context.asked.notebook
    if notebook is None or not notebook.passages:
        return
    emit, id, given = context.outbox.emit, uuid.uuid4().hex, {"words": notebook.title}
    emit(make_call_started(NOTEBOOK, id, given))
    try:
        hits = await context.stop.run_retrieval(asyncio.to_thread(_find_hits, context, notebook))
    except RetrievalStopped as error:
        emit(make_call_failed(id, error.message))
        return
    found = await collect_evidence(context, hits)
    text = show_new_evidence(context, found) if context.has_language_model else ""
    context.agent.prior.append(PriorCall(NOTEBOOK, given, text, found))
    emit(events.ToolCallSuccess(toolCallId=id, extra={"found": str(len(found))}))


def _find_hits(context: Context, notebook: AskedNotebook) -> list[Hit]:
    """Return the passages that have the kept places: those nearest to the question first, then in their order.

    A question about the notebook as a whole is about the kept words alone.
    """
    services, scope = context.services, context.asked.scope
    database = services.library.database
    rows = browse.find_passages_at(database, scope.owner, notebook.passages)
    asked = strip_page_addresses(context.question)
    if not asked or parse_question(asked).kind == "summary":
        # Each has some of the places, so no more of them are needed.
        return _cut_to_places(browse.load_passages(database, scope.owner, rows[:_MOST]), notebook.passages)
    kept = {Span(row.document, row.passage.start, row.passage.end): row for row in rows}
    inside = replace(scope, documents=tuple(dict.fromkeys(span.document for span in kept)))
    ranked = services.search.search(context.question, inside, _RANKED) if kept else []
    near = [hit for hit in ranked if hit.span in kept][:_MOST]
    found = {hit.span for hit in near}
    others = [row for span, row in kept.items() if span not in found][: _MOST - len(near)]
    return [*near, *browse.load_passages(database, scope.owner, others)]


def _cut_to_places(passages: Collection[Hit], places: Sequence[Span]) -> list[Hit]:
    """Return the passages cut to these places, in the order of the places, as many as are used."""
    inside: dict[str, list[Hit]] = defaultdict(list)
    for hit in sorted(passages, key=lambda hit: hit.span.start):
        inside[hit.span.document].append(hit)
    found: dict[Span, Hit] = {}
    for place in places:
        start = place.start
        for hit in inside[place.document]:
            first, last = max(hit.span.start, start), min(hit.span.end, place.end)
            if first < last:
                text = hit.text[first - hit.span.start : last - hit.span.start]
                span = Span(place.document, first, last)
                found[span] = replace(hit, span=span, text=text)
                start = last
        if len(found) >= _MOST:
            break
    return list(found.values())[:_MOST]
