"""Summarise passages of a page in a few sentences, each with the mark of its evidence."""

import asyncio
import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pincite.answer.context import Context
from pincite.answer.context_window import count_free_tokens
from pincite.answer.evidence_prompt import sanitise_line, write_evidence_text
from pincite.answer.extractive.quoted_sentences import choose_answer, make_new_cards, rank_evidence
from pincite.answer.extractive.sentence_marks import write_marked
from pincite.answer.extractive.summary import summarise_document
from pincite.answer.prompts import render
from pincite.errors import PinciteError
from pincite.text.citation_marks import split_at_marks
from pincite.types import Evidence

if TYPE_CHECKING:
    from pydantic_ai.usage import RunUsage

log = logging.getLogger(__name__)

_LONGEST = 3000  # characters of a summary
_LEFT = 2  # requests that a summary leaves for the answer


async def summarise_page(context: Context, evidence: Sequence[Evidence], query: str, used: "RunUsage | None") -> str:
    """Return a summary of passages: by the system model, or by its own sentences when that is not possible.

    `used` is the usage of the run that asks for the summary. The cost of the summary is counted there.
    """
    if not evidence:
        return ""
    return await _summarise_by_model(context, evidence, query, used) or await asyncio.to_thread(
        _summarise_by_quoting, context, evidence, query
    )


async def _summarise_by_model(
    context: Context, evidence: Sequence[Evidence], query: str, used: "RunUsage | None"
) -> str:
    """Return the system model's summary; empty when there is no such model, it fails, or the budget is too low."""
    system = context.models.system
    if (
        system is None
        or used is None
        or context.meter.left.requests - used.requests - context.meter.system_requests_running <= _LEFT
    ):
        return ""
    from pydantic_ai import Agent
    from pydantic_ai.exceptions import AgentRunError, UserError

    room = count_free_tokens(context, render("summary", question=query, evidence="-"), model=system)
    prompt = render("summary", question=query, evidence=write_evidence_text(evidence, room=room)[0])
    context.meter.system_requests_running += 1
    try:
        ran = await Agent(system.model).run(prompt, usage=used, usage_limits=context.meter.left.limits())
    except (AgentRunError, UserError, PinciteError) as error:
        log.warning("The page was not summarised by %s: %s", system.name, error)
        return ""
    finally:
        context.meter.system_requests_running -= 1
    return _keep_known_marks(ran.output[:_LONGEST], evidence)


def _summarise_by_quoting(context: Context, evidence: Sequence[Evidence], query: str) -> str:
    """Return the sentences that answer a query; those that summarise the passages if there is no query or answer."""
    ranked = rank_evidence(query, (), evidence, context.services.embedder) if query else None
    chosen = choose_answer(ranked) if ranked else []
    cards = list(make_new_cards(chosen, set())) or summarise_document(evidence)
    written = (write_marked(card, evidence) for card in cards)
    return _keep_known_marks("\n\n".join(written)[:_LONGEST], evidence)


def _keep_known_marks(summary: str, evidence: Sequence[Evidence]) -> str:
    """Return a summary as data, with the marks of its own evidence only; empty when none is left."""
    known = {f"[{each.number}]" for each in evidence} | {
        f"[{each.number}.{number}]" for each in evidence for number in range(1, len(each.sentences) + 1)
    }
    pieces = [
        piece if piece in known else "" if number % 2 else sanitise_line(piece)
        for number, piece in enumerate(split_at_marks(summary))
    ]
    return " ".join(filter(None, pieces)) if not known.isdisjoint(pieces) else ""
