"""Plan the sections of a report: by the system model, or by the parts of the question and the sources' headings."""

import asyncio
import logging
import re
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Annotated

from pydantic import BaseModel, Field, StringConstraints

from pincite import events
from pincite.answer import web_search
from pincite.answer.context import Context
from pincite.answer.document_search import find_passages
from pincite.answer.evidence_prompt import write_data_block
from pincite.answer.prompts import render
from pincite.answer.research.report_wording import SHORT, Language, clean_heading
from pincite.answer.research.source_headings import describe_place, find_aspects
from pincite.answer.split import split_rules
from pincite.answer.stream_items import make_call_started
from pincite.answer.system_model import ask_system_model
from pincite.errors import PinciteError
from pincite.library import document_structure
from pincite.text.model_json import parse_model_json
from pincite.types import Evidence, Hit
from pincite.web.addresses import strip_addresses

log = logging.getLogger(__name__)

_PASSAGES = 24  # of one broad search
_FEWEST, _MOST = 2, 6  # sections that a model may name
_BESIDES = 5  # sections after the first
_OUTLINED = 6  # documents whose headings are used
_TITLES = 30  # titles of sources in the planner's prompt
_FIGURE = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class PlannedSection:
    """A planned section. `hits` are its passages, where a heading of the sources gave the section.

    `aspect` is the item of a list in the question that it is about.
    """

    section: events.Section
    hits: tuple[Hit, ...] = ()
    aspect: str = ""


class _OutlineEntry(BaseModel):
    heading: Annotated[str, StringConstraints(strip_whitespace=True, min_length=3, max_length=100)]
    question: Annotated[str, StringConstraints(strip_whitespace=True, min_length=8, max_length=500)]


class _OutlineReply(BaseModel):
    sections: Annotated[list[_OutlineEntry], Field(min_length=_FEWEST, max_length=_MOST)]


async def plan_report(context: Context, language: Language) -> list[PlannedSection]:
    """Plan the sections of a report. The first is the short answer."""
    hits = await search_broadly(context)
    rest = await _plan_by_model(context, hits)
    if rest:
        return _complete_sections(context, rest, language)
    return await asyncio.to_thread(plan_by_rules, context, hits, language)


def plan_by_rules(context: Context, hits: Sequence[Hit], language: Language) -> list[PlannedSection]:
    """Plan the sections without a model: the question, its parts, and headings of the sources."""
    return _complete_sections(context, _list_rule_sections(context, hits, language), language)


def _complete_sections(context: Context, rest: Sequence[PlannedSection], language: Language) -> list[PlannedSection]:
    """Put the short answer before the other sections, and drop duplicates and sections beyond the limit."""
    first = PlannedSection(events.Section(heading=SHORT[language], question=context.question))
    return list(_drop_duplicates([first, *rest]))[: _BESIDES + 1]


async def search_broadly(context: Context) -> list[Hit]:
    """Search the documents broadly, and the web where no system model plans the report."""
    query = strip_addresses(context.question) or context.question
    hits = [_make_hit(each) for prior in context.agent.prior for each in prior.found if isinstance(each, Evidence)]
    hits += await asyncio.to_thread(find_passages, context, query, context.search_scope, _PASSAGES)
    if context.engine is None or context.models.system is not None:
        return hits
    id, emit = uuid.uuid4().hex, context.outbox.emit
    emit(make_call_started("web_search", id, {"query": query}))
    try:
        async with asyncio.timeout(context.services.settings.answers.tool_seconds):
            found = await web_search.search_pages(context, query)
    except PinciteError as error:
        emit(events.ToolCallError(toolCallId=id, error=f"{error.message} {error.hint}".strip()))
    except TimeoutError:
        emit(events.ToolCallError(toolCallId=id, error="It took too long."))
    else:
        # Alternate, so that web pages do not come after all documents.
        both = [hit for pair in zip_longest(hits, found.hits) for hit in pair if hit]
        hits = list({hit.span: hit for hit in both}.values())
        emit(events.ToolCallSuccess(toolCallId=id, extra={"found": str(len(found.hits))}))
    return hits


async def _plan_by_model(context: Context, hits: Sequence[Hit]) -> list[PlannedSection]:
    """Return the system model's sections; an empty list when there is no such model or its reply is no outline."""
    if context.models.system is None:
        return []
    lines = list(dict.fromkeys(describe_place(hit) for hit in hits))[:_TITLES]
    prompt = render(
        "outline", sources=write_data_block(lines) if lines else "(nothing was found yet)", question=context.question
    )
    reply = await ask_system_model(context, prompt, "The report was not planned")
    found = read_outline(reply, context.question) if reply is not None else []
    if reply is not None and not found:
        log.warning("The system model's reply is no outline: the report is planned by rules.")
    return found


def read_outline(reply: str, question: str) -> list[PlannedSection]:
    """Return the sections of a model's outline; an empty list when the reply is no valid outline."""
    plan = parse_model_json(reply, _OutlineReply)
    if plan is None:
        return []
    sections = [
        events.Section(heading=clean_heading(each.heading), question=" ".join(each.question.split()))
        for each in plan.sections
    ]
    # A heading is not judged, so it may have no figure that the question does not have.
    if any(figure not in question for each in sections for figure in _FIGURE.findall(each.heading)):
        return []
    unique = list(_drop_duplicates([PlannedSection(each) for each in sections if each.heading]))
    return unique if len(unique) == len(plan.sections) else []


def _list_rule_sections(context: Context, hits: Sequence[Hit], language: Language) -> list[PlannedSection]:
    """Return the parts of the question, then the headings of the sources that are about it."""
    parts = [(heading, asked, "") for heading, asked in split_rules.split_question(context.question)]
    aspects = [] if parts else [(item, asked, item) for item, asked in split_rules.split_aspects(context.question)]
    found = [
        PlannedSection(events.Section(heading=clean[:1].upper() + clean[1:], question=asked), aspect=aspect)
        for heading, asked, aspect in (*parts, *aspects)
        if (clean := clean_heading(heading))
    ]
    documents = list(dict.fromkeys(hit.span.document for hit in hits))[:_OUTLINED]
    database, person = context.services.library.database, context.asked.scope.owner
    outlines = {document: document_structure.load_outline(database, person, document) for document in documents}
    question = strip_addresses(context.question) or context.question
    for each in find_aspects(question, hits, outlines):
        asked = f"{each.heading} : {question}" if language == "fr" else f"{each.heading}: {question}"
        found.append(
            PlannedSection(events.Section(heading=clean_heading(each.heading), question=asked), tuple(each.hits))
        )
    return found


def _make_hit(evidence: Evidence) -> Hit:
    """Return the hit of a passage from a page that the question names."""
    return Hit(
        span=evidence.span,
        title=evidence.title,
        kind=evidence.kind,
        text=evidence.text,
        score=evidence.score,
        page=evidence.page,
        last_page=evidence.last_page,
        headings=evidence.headings,
    )


def _drop_duplicates(planned: Sequence[PlannedSection]) -> Iterator[PlannedSection]:
    """Yield the sections whose heading and question no earlier section has."""
    seen: set[str] = set()
    for each in planned:
        keys = {
            " ".join(text.casefold().rstrip(" ?.!").split()) for text in (each.section.heading, each.section.question)
        }
        if seen.isdisjoint(keys):
            seen |= keys
            yield each
