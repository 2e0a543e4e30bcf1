"""Add search results to the ledger of a question: passages as numbered evidence, images and videos as media."""

import asyncio
from collections.abc import Sequence

from pincite import events
from pincite.answer.context import Context
from pincite.answer.passage_facts import describe_passages
from pincite.text.display import join_broken_words
from pincite.types import Evidence, Hit

_OPENING = 300  # characters of the evidence text in its event


async def collect_evidence(context: Context, hits: Sequence[Hit]) -> tuple[Evidence, ...]:
    """Number passages as evidence, in their order, and emit an event for each that is new to the question.

    Of tool calls that run at the same time, the one that began first numbers its evidence first.
    """
    spans = [hit.span for hit in hits if not context.ledger.knows(hit.span)]
    owner, database = context.asked.scope.owner, context.services.library.database
    facts = await asyncio.to_thread(describe_passages, database, owner, spans) if spans else {}
    agent = context.agent
    await agent.order.wait_for_earlier()
    found = []
    for hit in hits:
        evidence, is_new = context.ledger.add(hit, facts.get(hit.span))
        found.append(evidence)
        agent.found[evidence.number] = evidence
        if is_new:
            context.outbox.emit(_make_evidence_event(evidence))
    agent.order.release_later_calls()
    return tuple(found)


def collect_media(context: Context, media: Sequence[events.Medium]) -> tuple[events.Medium, ...]:
    """Number images or videos, and emit those that are new to the question."""
    known = {(each.kind, each.url, each.image) for each in context.ledger.media}
    fresh = [each for each in media if (each.kind, each.url, each.image) not in known]
    new = [each.model_copy(update={"n": n}) for n, each in enumerate(fresh, len(context.ledger.media) + 1)]
    if new:
        context.ledger.media += new
        context.outbox.emit(events.Media(items=new))
    return tuple(new)


def _make_evidence_event(evidence: Evidence) -> events.EvidenceFound:
    return events.EvidenceFound(
        n=evidence.number,
        document=evidence.span.document,
        title=evidence.title,
        kind=evidence.kind,
        url=evidence.url,
        page=evidence.page or None,
        start=evidence.span.start,
        end=evidence.span.end,
        text=join_broken_words(evidence.text[:_OPENING]),
        headings=list(evidence.headings),
        score=round(evidence.score, 6),
        lines=evidence.find_lines(evidence.span.start, evidence.span.end),
        path=evidence.path,
    )
