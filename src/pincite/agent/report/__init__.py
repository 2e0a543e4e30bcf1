"""The report: a question in; out comes what is heard while its outline is made and its sections are written."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence

from pincite import events
from pincite.agent.budget import Budget
from pincite.agent.hearing import Heard, Paused, Spoken
from pincite.agent.refusal import is_silent, refusal
from pincite.agent.report.disputes import Dispute, find_disputes, judge_disputes, list_candidates, tell_dispute
from pincite.agent.report.headings import DISPUTED, MISSING, Language, failed, name_question, named, silent
from pincite.agent.report.outline import Planned, outlined
from pincite.agent.report.quoted_report import quote_report
from pincite.agent.report.sections import Cited, cited, fresh
from pincite.agent.speaking import ordinary
from pincite.agent.subagents.decomposition import Subtask
from pincite.agent.subagents.definitions import SECTION_WRITER
from pincite.agent.subagents.running import Outcome, parallel
from pincite.agent.turn import Turn
from pincite.retrieval.references import language_of


async def report(turn: Turn) -> AsyncIterator[Heard]:
    """What is heard of a report: its outline, its sections side by side, and its words in their order.

    Each section is said as soon as it and all before it are there; then where sources disagree, and what was not found.
    """
    language: Language = "fr" if language_of(turn.asked.question, turn.asked.history) == "fr" else "en"
    if not turn.writes:
        async for heard in quote_report(turn, language):
            yield heard
        return
    planned: list[Planned] = []
    async for heard in outlined(turn, language, planned):
        yield heard
    turn.outline = [each.section for each in planned]
    yield events.Outline(sections=turn.outline)
    outcomes: list[Outcome] = []
    book = _Book(turn, planned, language)
    async for heard in _worked_on(turn, planned, outcomes):
        yield heard
        if isinstance(heard, events.SubagentStarted):
            book.begun(heard)
        elif isinstance(heard, events.SubagentCompleted | events.SubagentError):
            for text in book.ended(heard.subagentId, outcomes):
                yield Spoken(text)
                yield Paused()
    if book.is_empty and any(not each.late and (each.error or not each.said.strip()) for each in outcomes):
        # Whatever is wrong, the ordinary agent meets it too, and says it as it always does.
        turn.outline = []
        async for heard in ordinary(turn):
            yield heard
        return
    if book.is_empty:
        turn.outline = []
        late = next((each.error for each in outcomes if each.late), "")
        yield Spoken(failed(late, language) if late else refusal(language))
        return
    found = await _find_disputes(turn, book.cited)
    for text in book.closed(found):
        yield Spoken(text)


async def _find_disputes(turn: Turn, cited: Sequence[Cited]) -> list[Dispute]:
    """Where sources disagree: figures by code, and what the judge says of sentences alike in wording."""
    found = await asyncio.to_thread(find_disputes, turn.question, cited, turn.ledger.listed)
    if judge := turn.house.judge(turn):
        candidates = await asyncio.to_thread(list_candidates, cited, turn.ledger.listed, found)
        found += await judge_disputes(candidates, judge)
    return found


async def _worked_on(turn: Turn, planned: Sequence[Planned], outcomes: list[Outcome]) -> AsyncIterator[Heard]:
    settings = turn.house.settings.research
    subtasks = [Subtask(SECTION_WRITER, each.section.question, each.section.heading) for each in planned]
    turn.budget = Budget.of(settings)
    async for heard in parallel(turn, subtasks, outcomes, turn.left, settings.seconds):
        yield heard


class _Book:
    """A report while it is written: which sections are there, what was said in them, and what they rest on."""

    def __init__(self, turn: Turn, planned: Sequence[Planned], language: Language) -> None:
        self._turn, self._planned, self._language = turn, planned, language
        self._running: dict[str, int] = {}
        self._done: set[int] = set()
        self._next = 0
        self._said: set[str] = set()
        self._missing: list[str] = []
        self._parts: list[events.Section] = []
        self._failures: list[tuple[events.Section, str]] = []
        self.cited: list[Cited] = []

    @property
    def is_empty(self) -> bool:
        """Whether no section has found anything."""
        return not self._parts

    def begun(self, heard: events.SubagentStarted) -> None:
        """A section is being written."""
        tasks = [each.section.question for each in self._planned]
        if heard.task in tasks:
            self._running[heard.subagentId] = tasks.index(heard.task)

    def ended(self, subagent: str, outcomes: Sequence[Outcome]) -> Iterator[str]:
        """What can be said when one more section is over: it, and those after it that waited for it."""
        if subagent in self._running:
            self._done.add(self._running[subagent])
        while self._next in self._done:
            yield from self._section(self._planned[self._next], outcomes[self._next])
            self._next += 1

    def closed(self, found: Sequence[Dispute]) -> Iterator[str]:
        """What stands at the end: where sources disagree, the sections that failed, and what was not found."""
        if found:
            yield self._begin(events.Section(heading=DISPUTED[self._language], question=""))
        for each in found:
            yield tell_dispute(each)
        for section, error in self._failures:
            yield self._begin(section) + failed(error, self._language) + "\n\n"
        if self._missing:
            yield self._begin(events.Section(heading=MISSING[self._language], question=""))
            yield "".join(f"- {silent(question, self._language)}\n" for question in self._missing)

    def _section(self, planned: Planned, outcome: Outcome) -> Iterator[str]:
        section, said = planned.section, outcome.said
        if outcome.error or not said.strip():
            self._failures.append((section, outcome.error or "Its writer came to no end."))
            return
        if is_silent(said):
            if not planned.hits:
                self._missing.append(name_question(section))
            return
        if text := fresh(said, section.heading, self._said):
            self.cited += cited(text)
            yield self._begin(section) + text + "\n\n"

    def _begin(self, section: events.Section) -> str:
        self._parts.append(section)
        # What the answer has in the end are the parts that stand in it.
        self._turn.outline = list(self._parts)
        return f"## {named(section.heading)}\n\n"
