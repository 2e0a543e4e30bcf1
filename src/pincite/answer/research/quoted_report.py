"""Write a report without a model: quote passages on the question's subject under the headings of their documents."""

import asyncio
from collections.abc import Sequence

from pincite import events
from pincite.answer.collect import collect_evidence
from pincite.answer.context import Context
from pincite.answer.document_search import find_passages
from pincite.answer.extractive import ExtractiveAnswerer
from pincite.answer.extractive.absent_names import list_unknown
from pincite.answer.refusal import write_refusal
from pincite.answer.research.disputes import Dispute, find_disputes, write_dispute
from pincite.answer.research.report_outline import PlannedSection, plan_by_rules, search_broadly
from pincite.answer.research.report_subject import keep_named, list_names, list_section_names, split_by_subject
from pincite.answer.research.report_wording import (
    DISPUTED,
    MISSING,
    Language,
    clean_heading,
    name_question,
    write_missing_names,
    write_unanswered,
)
from pincite.answer.research.section_quotes import quote_answer, quote_heading
from pincite.answer.research.section_text import drop_repeated_sentences
from pincite.answer.stream_items import SentenceBreak, TextDelta
from pincite.text.citation_marks import Cited, list_cited
from pincite.types import Evidence, Hit

_FOR_A_PART = 8  # passages for a section that answers one part of the question


async def quote_report(context: Context, language: Language) -> None:
    """Write a report without a model: its outline, its sections, and the names and parts without an answer."""
    emit, ledger = context.outbox.emit, context.ledger
    found = await search_broadly(context)
    hits, missing = await asyncio.to_thread(split_by_subject, context, list_names(context.question), found)
    planned = _drop_whole_question(await asyncio.to_thread(plan_by_rules, context, hits, language)) if hits else []
    sections = _QuotedSections(context)
    written: list[str] = []
    unanswered: list[str] = []
    for each in planned:
        names = list_section_names(context.question, each.section.heading, name_question(each.section))
        if not each.hits and names and set(names) <= set(missing):
            continue  # the missing names are listed
        passages = each.hits or await asyncio.to_thread(_find_part_passages, context, each, names, hits)
        if text := await sections.quote(each, passages, names):
            written.append(text)
        elif sections.is_unanswered(each):
            unanswered.append(name_question(each.section))
    if not sections.parts:
        known = ExtractiveAnswerer(context.services.embedder).collect_statistics(context)
        missing = missing or await asyncio.to_thread(list_unknown, context.question, (), known)
        refusal = write_missing_names(missing, language) if missing else write_refusal(language)
        emit(TextDelta(refusal))
        return
    disputes = await asyncio.to_thread(find_disputes, context.question, sections.cited, ledger.listed)
    end = sections.close(disputes, missing, unanswered, language)
    # Quoting takes a moment, so the outline waits for it and lists the sections that have text.
    ledger.outline = list(sections.parts)
    emit(events.Outline(sections=ledger.outline))
    for text in written:
        emit(TextDelta(text))
        emit(SentenceBreak())
    emit(TextDelta(end))


def _drop_whole_question(planned: Sequence[PlannedSection]) -> list[PlannedSection]:
    """Drop the short answer where the question has parts, because the parts would repeat it."""
    has_parts = any(not each.hits for each in planned[1:])
    return list(planned[1:] if has_parts else planned)


def _find_part_passages(
    context: Context, planned: PlannedSection, names: Sequence[str], hits: Sequence[Hit]
) -> tuple[Hit, ...]:
    """Return the passages for a part of the question, from the documents on its subject."""
    if planned.section.question == context.question:
        return tuple(hits[:_FOR_A_PART])
    asked = name_question(planned.section)
    return tuple(split_by_subject(context, names, find_passages(context, asked, context.search_scope, _FOR_A_PART))[0])


class _QuotedSections:
    """The sections of a report that have text, with their citations and sentences."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._known_sentences: set[str] = set()
        self._answered: set[str] = set()
        self.parts: list[events.Section] = []
        self.cited: list[Cited] = []

    async def quote(self, planned: PlannedSection, hits: Sequence[Hit], names: Sequence[str]) -> str:
        """Return a section with its heading; empty when its passages have nothing new on its names."""
        evidence: Sequence[Evidence] = await collect_evidence(self._context, hits)
        section = planned.section
        if planned.hits:
            quoted = quote_heading(section.heading, evidence, self._context.question, self._known_sentences)
        else:
            asked = name_question(section)
            evidence = keep_named(names, evidence)
            quoted = quote_answer(evidence, asked, self._known_sentences)
            if quoted or quote_answer(evidence, asked, ()):
                self._answered.add(section.question)
        text = drop_repeated_sentences(quoted, section.heading, self._known_sentences)
        if not text:
            return ""
        self.cited += list_cited(text)
        return f"{self._begin(section)}{text}\n\n"

    def is_unanswered(self, planned: PlannedSection) -> bool:
        """Whether a section asks something that no passage answers, and that no section above answered."""
        is_whole = planned.section.question == self._context.question
        return not planned.hits and not is_whole and planned.section.question not in self._answered

    def close(
        self, disputes: Sequence[Dispute], missing: Sequence[str], unanswered: Sequence[str], language: Language
    ) -> str:
        """Return the end of the report: disputes between sources, missing names, and parts without an answer."""
        text = ""
        if disputes:
            text += self._begin(events.Section(heading=DISPUTED[language], question=""))
            text += "".join(map(write_dispute, disputes))
        if missing or unanswered:
            text += self._begin(events.Section(heading=MISSING[language], question=""))
            lines = [write_missing_names(missing, language)] if missing else []
            lines += [write_unanswered(question, language) for question in unanswered]
            text += "".join(f"- {each}\n" for each in lines)
        return text

    def _begin(self, section: events.Section) -> str:
        self.parts.append(section)
        return f"## {clean_heading(section.heading)}\n\n"
