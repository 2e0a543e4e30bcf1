"""Write a report: plan an outline, research its sections in parallel, and join them."""

import asyncio
from collections.abc import Iterator, Sequence

from pincite import events
from pincite.answer.agent_run import answer_with_agent
from pincite.answer.budget import Budget
from pincite.answer.context import Context
from pincite.answer.judge_choice import open_answer_judge
from pincite.answer.refusal import is_silent, write_refusal
from pincite.answer.research.disputes import Dispute, find_disputes, judge_disputes, list_candidates, write_dispute
from pincite.answer.research.quoted_report import quote_report
from pincite.answer.research.report_outline import PlannedSection, plan_report
from pincite.answer.research.report_wording import (
    DISPUTED,
    MISSING,
    Language,
    clean_heading,
    name_question,
    write_failed_section,
    write_unanswered,
)
from pincite.answer.research.section_text import drop_repeated_sentences
from pincite.answer.split.decomposition import Subtask
from pincite.answer.split.subagent_run import SubtaskResult, run_in_parallel
from pincite.answer.split.subagents import SECTION_WRITER
from pincite.answer.stream_items import SentenceBreak, TextDelta
from pincite.text.citation_marks import Cited, list_cited


async def write_report(context: Context) -> None:
    """Write a report: plan its outline, write its sections in parallel, and emit them in the order of the outline.

    Each section is emitted as soon as it and all sections before it are complete. Disputes between sources and
    unanswered sections come at the end.
    """
    language: Language = "fr" if context.asked.language == "fr" else "en"
    if not context.has_language_model:
        await quote_report(context, language)
        return
    emit, ledger = context.outbox.emit, context.ledger
    planned = await plan_report(context, language)
    ledger.outline = [each.section for each in planned]
    emit(events.Outline(sections=ledger.outline))
    draft = _ReportDraft(context, planned, language)
    results = await _research_sections(context, planned, draft)
    if draft.is_empty and any(not each.late and (each.error or not each.text.strip()) for each in results):
        # A single agent meets the same error and reports it.
        ledger.outline = []
        await answer_with_agent(context)
        return
    if draft.is_empty:
        ledger.outline = []
        late = next((each.error for each in results if each.late), "")
        emit(TextDelta(write_failed_section(late, language) if late else write_refusal(language)))
        return
    for text in draft.close(await _find_disputes(context, draft.cited)):
        emit(TextDelta(text))


async def _find_disputes(context: Context, cited: Sequence[Cited]) -> list[Dispute]:
    """Find disputes between sources: code compares figures, and the judge compares similar sentences."""
    found = await asyncio.to_thread(find_disputes, context.question, cited, context.ledger.listed)
    if judge := open_answer_judge(context):
        candidates = await asyncio.to_thread(list_candidates, cited, context.ledger.listed, found)
        found += await judge_disputes(candidates, judge)
    return found


async def _research_sections(
    context: Context, planned: Sequence[PlannedSection], draft: "_ReportDraft"
) -> list[SubtaskResult]:
    settings = context.services.settings.research
    subtasks = [Subtask(SECTION_WRITER, each.section.question, each.section.heading) for each in planned]
    context.meter.budget = Budget.of(settings)
    return await run_in_parallel(context, subtasks, context.meter.left, settings.seconds, draft.add_section)


class _ReportDraft:
    """A report while it is written: its sections, the sentences in them, and their citations."""

    def __init__(self, context: Context, planned: Sequence[PlannedSection], language: Language) -> None:
        self._context, self._planned, self._language = context, planned, language
        self._results: dict[int, SubtaskResult] = {}
        self._next = 0
        self._known_sentences: set[str] = set()
        self._missing: list[str] = []
        self._parts: list[events.Section] = []
        self._failures: list[tuple[events.Section, str]] = []
        self.cited: list[Cited] = []

    @property
    def is_empty(self) -> bool:
        """Whether no section has text."""
        return not self._parts

    def add_section(self, number: int, result: SubtaskResult) -> None:
        """Add the result of a section, and emit the sections that are next in the outline."""
        self._results[number] = result
        while self._next in self._results:
            for text in self._write_section(self._planned[self._next], self._results[self._next]):
                self._context.outbox.emit(TextDelta(text))
                self._context.outbox.emit(SentenceBreak())
            self._next += 1

    def close(self, found: Sequence[Dispute]) -> Iterator[str]:
        """Yield the end of the report: disputes between sources, sections that failed, and unanswered ones."""
        if found:
            yield self._begin(events.Section(heading=DISPUTED[self._language], question=""))
        for each in found:
            yield write_dispute(each)
        for section, error in self._failures:
            yield self._begin(section) + write_failed_section(error, self._language) + "\n\n"
        if self._missing:
            yield self._begin(events.Section(heading=MISSING[self._language], question=""))
            yield "".join(f"- {write_unanswered(question, self._language)}\n" for question in self._missing)

    def _write_section(self, planned: PlannedSection, result: SubtaskResult) -> Iterator[str]:
        section, text = planned.section, result.text
        if result.error or not text.strip():
            self._failures.append((section, result.error or "Its writer came to no end."))
            return
        if is_silent(text):
            if not planned.hits:
                self._missing.append(name_question(section))
            return
        if text := drop_repeated_sentences(text, section.heading, self._known_sentences):
            self.cited += list_cited(text)
            yield self._begin(section) + text + "\n\n"

    def _begin(self, section: events.Section) -> str:
        self._parts.append(section)
        # At the end, the outline has the sections that are in the report.
        self._context.ledger.outline = list(self._parts)
        return f"## {clean_heading(section.heading)}\n\n"
