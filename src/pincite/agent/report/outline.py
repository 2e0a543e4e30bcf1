"""A question to the parts of its report: by the system model where there is one, else by what it asks and finds."""

import asyncio
import logging
import re
import uuid
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Annotated

from pydantic import BaseModel, Field, StringConstraints, ValidationError

from pincite import events
from pincite.agent import looking
from pincite.agent.hearing import Heard, started
from pincite.agent.helping import replied
from pincite.agent.prompts import render
from pincite.agent.report.aspects import aspects, where
from pincite.agent.report.headings import SHORT, Language, named
from pincite.agent.showing import block
from pincite.agent.subagents import rules
from pincite.agent.turn import Turn
from pincite.errors import PinciteError
from pincite.library import structure
from pincite.types import Evidence, Hit
from pincite.web.addresses import without_addresses

log = logging.getLogger(__name__)

_PASSAGES = 24  # of one broad search
_FEWEST, _MOST = 2, 6  # sections that a model may name
_BESIDES = 5  # sections after the first
_OUTLINED = 6  # documents whose own headings are looked at
_TITLES = 30  # lines on what the sources have
_JSON = re.compile(r"\A[^{]*(\{.*\})", re.S)
_FIGURE = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class Planned:
    """A section to be; one that the question does not ask for is about what these passages have under its heading."""

    section: events.Section
    hits: tuple[Hit, ...] = ()


class _Part(BaseModel):
    heading: Annotated[str, StringConstraints(strip_whitespace=True, min_length=3, max_length=100)]
    question: Annotated[str, StringConstraints(strip_whitespace=True, min_length=8, max_length=500)]


class _Plan(BaseModel):
    sections: Annotated[list[_Part], Field(min_length=_FEWEST, max_length=_MOST)]


async def outlined(turn: Turn, language: Language, planned: list[Planned]) -> AsyncIterator[Heard]:
    """What is heard while a report is planned; `planned` has its sections at the end, first the answer in short."""
    hits: list[Hit] = []
    async for heard in look_broadly(turn, hits):
        yield heard
    rest = await _by_model(turn, hits)
    planned[:] = (
        _complete(turn, rest, language) if rest else await asyncio.to_thread(plan_by_rules, turn, hits, language)
    )


def plan_by_rules(turn: Turn, hits: Sequence[Hit], language: Language) -> list[Planned]:
    """The sections without a model: the question, its parts, and what the sources have under their own headings."""
    return _complete(turn, _by_rules(turn, hits, language), language)


def _complete(turn: Turn, rest: Sequence[Planned], language: Language) -> list[Planned]:
    """The answer in short before the other sections; nothing twice, and not too many."""
    first = Planned(events.Section(heading=SHORT[language], question=turn.question))
    return list(_unique([first, *rest]))[: _BESIDES + 1]


async def look_broadly(turn: Turn, hits: list[Hit]) -> AsyncIterator[Heard]:
    """One broad search of the documents, and of the web where nobody plans who could: what is there to write about?"""
    query = without_addresses(turn.question) or turn.question
    hits += [_hit(each) for prior in turn.prior for each in prior.found if isinstance(each, Evidence)]
    hits += await asyncio.to_thread(turn.find, query, turn.shelves, _PASSAGES)
    if turn.engine is None or turn.models.system is not None:
        return
    id = uuid.uuid4().hex
    yield started("web_search", id, {"query": query})
    try:
        async with asyncio.timeout(turn.house.settings.answers.tool_seconds):
            found = await looking.searched(turn, query)
    except PinciteError as error:
        yield events.ToolCallError(toolCallId=id, error=f"{error.message} {error.hint}".strip())
    except TimeoutError:
        yield events.ToolCallError(toolCallId=id, error="It took too long.")
    else:
        # Each in turn: what was found on the web stands beside the documents, not behind them.
        both = [hit for pair in zip_longest(hits, found.hits) for hit in pair if hit]
        hits[:] = {hit.span: hit for hit in both}.values()
        yield events.ToolCallSuccess(toolCallId=id, extra={"found": str(len(found.hits))})


async def _by_model(turn: Turn, hits: Sequence[Hit]) -> list[Planned]:
    """The system model's sections; none when there is none, or when what it says is no outline."""
    if turn.models.system is None:
        return []
    lines = list(dict.fromkeys(where(hit) for hit in hits))[:_TITLES]
    told = render("outline", sources=block(lines) if lines else "(nothing was found yet)", question=turn.question)
    said = await replied(turn, told, "The report was not planned")
    found = read(said, turn.question) if said is not None else []
    if said is not None and not found:
        log.warning("What the system model said is no outline: the report is planned by rules.")
    return found


def read(said: str, question: str) -> list[Planned]:
    """The sections of an outline as a model writes it; none when it is not one to follow."""
    match = _JSON.search(said)
    try:
        plan = _Plan.model_validate_json(match[1]) if match else None
    except ValidationError:
        plan = None
    if plan is None:
        return []
    sections = [
        events.Section(heading=named(each.heading), question=" ".join(each.question.split())) for each in plan.sections
    ]
    # A heading is not judged: it may not claim what nobody asked about.
    if any(figure not in question for each in sections for figure in _FIGURE.findall(each.heading)):
        return []
    unique = list(_unique([Planned(each) for each in sections if each.heading]))
    return unique if len(unique) == len(plan.sections) else []


def _by_rules(turn: Turn, hits: Sequence[Hit], language: Language) -> list[Planned]:
    """What the question asks one after the other; then what the sources have of it, under their own headings."""
    found = [
        Planned(events.Section(heading=told[:1].upper() + told[1:], question=asked))
        for heading, asked in rules.parts(turn.question)
        if (told := named(heading))
    ]
    documents = list(dict.fromkeys(hit.span.document for hit in hits))[:_OUTLINED]
    outlines = {document: structure.outline(turn.house.library.database, document) for document in documents}
    question = without_addresses(turn.question) or turn.question
    for each in aspects(question, hits, outlines):
        asked = f"{each.heading} : {question}" if language == "fr" else f"{each.heading}: {question}"
        found.append(Planned(events.Section(heading=named(each.heading), question=asked), tuple(each.hits)))
    return found


def _hit(evidence: Evidence) -> Hit:
    """A passage of a page that was read because the question names it."""
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


def _unique(planned: Sequence[Planned]) -> Iterator[Planned]:
    """Those whose heading and question no other before has."""
    seen: set[str] = set()
    for each in planned:
        keys = {
            " ".join(text.casefold().rstrip(" ?.!").split()) for text in (each.section.heading, each.section.question)
        }
        if seen.isdisjoint(keys):
            seen |= keys
            yield each
