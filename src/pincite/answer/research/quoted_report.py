"""Write a report without a model: quote passages on the question's subject under the headings of their documents."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from pincite import events
from pincite.answer.collect import collect_evidence
from pincite.answer.context import Context
from pincite.answer.document_search import find_passages
from pincite.answer.extractive import ExtractiveAnswerer
from pincite.answer.extractive.absent_names import CorpusStatistics, list_unknown
from pincite.answer.extractive.question_words import collect_words
from pincite.answer.extractive.quoted_sentences import (
    RankedEvidence,
    SectionUnits,
    choose_answer,
    make_new_cards,
    rank_evidence,
)
from pincite.answer.extractive.sentence_marks import find_cited
from pincite.answer.passage_cards import Card
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
from pincite.answer.research.section_quotes import choose_asked_heading, choose_under_heading
from pincite.answer.stream_items import QuotedSentences, SentenceBreak, TextDelta
from pincite.text.citation_marks import Cited
from pincite.types import Evidence, Hit

_FOR_A_PART = 8  # passages for a section that answers one part of the question


@dataclass(frozen=True, slots=True)
class QuotedSection:
    """A section of a report: its heading in Markdown, and its sentences as cards."""

    heading: str
    cards: Sequence[Card]


async def quote_report(context: Context, language: Language) -> None:
    """Write a report without a model: its outline, its sections, and the names and parts without an answer."""
    emit, ledger = context.outbox.emit, context.ledger
    found = await search_broadly(context)
    hits, missing = await asyncio.to_thread(split_by_subject, context, list_names(context.question), found)
    planned = _drop_whole_question(await asyncio.to_thread(plan_by_rules, context, hits, language)) if hits else []
    known = ExtractiveAnswerer(context.services.embedder).collect_statistics(context)
    cited = {hit.span for each in planned for hit in each.hits}
    used = [hit for place, hit in enumerate(hits) if place < _FOR_A_PART or hit.span in cited]
    sections = _QuotedSections(context, used, known)
    written: list[QuotedSection] = []
    unanswered: list[str] = []
    for each in planned:
        heading = each.aspect or each.section.heading
        names = list_section_names(context.question, heading, name_question(each.section))
        if not each.hits and names and set(names) <= set(missing):
            continue  # the missing names are listed
        if section := await sections.quote(each, names):
            written.append(section)
        elif sections.is_unanswered(each):
            unanswered.append(name_question(each.section))
    if not sections.parts:
        missing = missing or await asyncio.to_thread(list_unknown, context.question, (), known)
        refusal = write_missing_names(missing, language) if missing else write_refusal(language)
        emit(TextDelta(refusal))
        return
    disputes = await asyncio.to_thread(find_disputes, context.question, sections.cited, ledger.listed)
    end = sections.close(disputes, missing, unanswered, language)
    # Quoting takes a moment, so the outline waits for it and lists the sections that have text.
    ledger.outline = list(sections.parts)
    emit(events.Outline(sections=ledger.outline))
    for quoted in written:
        emit(TextDelta(quoted.heading))
        emit(SentenceBreak())
        for card in quoted.cards:
            emit(QuotedSentences(card))
    emit(TextDelta(end))


def _drop_whole_question(planned: Sequence[PlannedSection]) -> list[PlannedSection]:
    """Drop the short answer where the question has parts, because the parts would repeat it."""
    has_parts = any(not each.hits for each in planned[1:])
    return list(planned[1:] if has_parts else planned)


def _find_part_passages(context: Context, asked: str, names: Sequence[str]) -> list[Hit]:
    """Return the passages for a part of the question, from the documents on its subject."""
    return split_by_subject(context, names, find_passages(context, asked, context.search_scope, _FOR_A_PART))[0]


def _mention(chosen: Sequence[SectionUnits], aspect: str) -> bool:
    """Whether sentences, or what stands above them, have a word of an aspect."""
    words = collect_words(aspect)
    return any(
        not words.isdisjoint(collect_words(" ".join(unit.headings)) | unit.words | section.around)
        for section, units in chosen
        for unit in units
    )


class _QuotedSections:
    """The sections of a report that have text, with their citations and sentences."""

    def __init__(self, context: Context, hits: Sequence[Hit], known: CorpusStatistics) -> None:
        self._context = context
        self._hits = hits  # for the whole question, the best first
        self._known = known
        self._whole: RankedEvidence | None = None
        self._said: set[str] = set()
        self._answered: set[str] = set()
        self.parts: list[events.Section] = []
        self.cited: list[Cited] = []

    async def quote(self, planned: PlannedSection, names: Sequence[str]) -> QuotedSection | None:
        """Return a section with its quotes; None when its passages have nothing new on its names."""
        section = planned.section
        if planned.hits:
            chosen = choose_under_heading(section.heading, await self._rank_whole())
        else:
            ranked = await self._rank_answer(section, names)
            is_whole = section.question == self._context.question
            chosen = (not is_whole and choose_asked_heading(ranked)) or choose_answer(ranked)
            if planned.aspect and not _mention(chosen, planned.aspect):
                chosen = []
            if chosen:
                self._answered.add(section.question)
        cards = list(make_new_cards(chosen, self._said))
        if not any(piece.kind != "code" for card in cards for piece in card.shown):
            return None
        self._list_cited(cards)
        return QuotedSection(self._begin(section), cards)

    def _list_cited(self, cards: Sequence[Card]) -> None:
        listed = self._context.ledger.listed
        found = (find_cited(card.span.document, piece.start, listed) for card in cards for piece in card.shown)
        self.cited += filter(None, found)

    async def _rank_answer(self, section: events.Section, names: Sequence[str]) -> RankedEvidence:
        """Rank the passages for the whole question, or those with some names for a part of it."""
        if section.question == self._context.question:
            return await self._rank_whole()  # its names chose the documents
        asked = name_question(section)
        hits = await asyncio.to_thread(_find_part_passages, self._context, asked, names)
        return await self._rank(asked, names, keep_named(names, await collect_evidence(self._context, hits)))

    async def _rank_whole(self) -> RankedEvidence:
        if self._whole is None:
            question = self._context.question
            evidence = await collect_evidence(self._context, self._hits)
            self._whole = await self._rank(question, list_names(question), evidence)
        return self._whole

    async def _rank(self, question: str, names: Sequence[str], evidence: Sequence[Evidence]) -> RankedEvidence:
        embedder = self._context.services.embedder
        return await asyncio.to_thread(rank_evidence, question, names, evidence, embedder, self._known)

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
