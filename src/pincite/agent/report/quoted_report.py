"""A report that no model writes: passages of the documents on the question's subject, quoted under their headings."""

import asyncio
from collections.abc import AsyncIterator, Sequence

from pincite import events
from pincite.agent.extractive.names import find_names
from pincite.agent.hearing import Heard, Paused, Spoken
from pincite.agent.refusal import refusal
from pincite.agent.report.disputes import Dispute, find_disputes, tell_dispute
from pincite.agent.report.headings import DISPUTED, MISSING, Language, absent, name_question, named, silent
from pincite.agent.report.outline import Planned, look_broadly, plan_by_rules
from pincite.agent.report.quoting import quote_answer, quote_heading
from pincite.agent.report.sections import Cited, cited, fresh
from pincite.agent.report.subject import split_by_subject
from pincite.agent.turn import Turn
from pincite.types import Hit

_FOR_A_PART = 8  # passages for a section that answers a part of the question


async def quote_report(turn: Turn, language: Language) -> AsyncIterator[Heard]:
    """What is heard of a report without a model: its outline, its sections, and what was not found."""
    found: list[Hit] = []
    async for heard in look_broadly(turn, found):
        yield heard
    hits, missing = await asyncio.to_thread(split_by_subject, turn, turn.question, found)
    planned = _without_whole(await asyncio.to_thread(plan_by_rules, turn, hits, language)) if hits else []
    turn.outline = [each.section for each in planned]
    if planned:
        yield events.Outline(sections=turn.outline)
    sections = _Sections(turn)
    unanswered: list[str] = []
    for each in planned:
        passages = each.hits or await asyncio.to_thread(_find_part, turn, each, hits)
        text = await sections.quote(each, passages)
        while turn.said:
            yield turn.said.popleft()
        if text:
            yield Spoken(text)
            yield Paused()
        elif sections.is_unanswered(each) and not _names_only(each, missing):
            unanswered.append(name_question(each.section))
    if not sections.parts:
        turn.outline = []
        told = [absent(missing, language)] if missing else [refusal(language)]
        yield Spoken("\n\n".join(told))
        return
    disputes = await asyncio.to_thread(find_disputes, turn.question, sections.cited, turn.ledger.listed)
    yield Spoken(sections.close(disputes, missing, unanswered, language))


def _without_whole(planned: Sequence[Planned]) -> list[Planned]:
    """The sections without the answer in short where the question has parts: those would say the same again."""
    has_parts = any(not each.hits for each in planned[1:])
    return list(planned[1:] if has_parts else planned)


def _names_only(planned: Planned, missing: Sequence[str]) -> bool:
    """Whether a section asks about names that no document has: they are said by themselves."""
    names = find_names(name_question(planned.section))
    return bool(names) and all(name in missing for name in names)


def _find_part(turn: Turn, planned: Planned, hits: Sequence[Hit]) -> tuple[Hit, ...]:
    """The passages for a part of the question, of the documents on its subject; the whole question has its own."""
    if planned.section.question == turn.question:
        return tuple(hits[:_FOR_A_PART])
    asked = name_question(planned.section)
    return tuple(split_by_subject(turn, asked, turn.find(asked, turn.shelves, _FOR_A_PART))[0])


class _Sections:
    """The sections of a report that stand, what they rest on, and what was said in them."""

    def __init__(self, turn: Turn) -> None:
        self._turn = turn
        self._said: set[str] = set()
        self._answered: set[str] = set()
        self.parts: list[events.Section] = []
        self.cited: list[Cited] = []

    async def quote(self, planned: Planned, hits: Sequence[Hit]) -> str:
        """A section with its heading; empty when nothing new stands in its passages."""
        evidence = await self._turn.collect(hits)
        section = planned.section
        if planned.hits:
            said = quote_heading(section.heading, evidence, self._turn.question, self._said)
        else:
            asked = name_question(section)
            said = quote_answer(evidence, asked, self._said)
            if said or quote_answer(evidence, asked, ()):
                self._answered.add(section.question)
        text = fresh(said, section.heading, self._said)
        if not text:
            return ""
        self.cited += cited(text)
        return f"{self._begin(section)}{text}\n\n"

    def is_unanswered(self, planned: Planned) -> bool:
        """Whether a section asks something that no passage answers; one that was answered above it is not."""
        is_whole = planned.section.question == self._turn.question
        return not planned.hits and not is_whole and planned.section.question not in self._answered

    def close(
        self, disputes: Sequence[Dispute], missing: Sequence[str], unanswered: Sequence[str], language: Language
    ) -> str:
        """What stands at the end: where sources disagree, names that no document has, parts without an answer."""
        text = ""
        if disputes:
            text += self._begin(events.Section(heading=DISPUTED[language], question=""))
            text += "".join(map(tell_dispute, disputes))
        if missing or unanswered:
            text += self._begin(events.Section(heading=MISSING[language], question=""))
            told = [absent(missing, language)] if missing else []
            told += [silent(question, language) for question in unanswered]
            text += "".join(f"- {each}\n" for each in told)
        return text

    def _begin(self, section: events.Section) -> str:
        self.parts.append(section)
        # In the end the outline has the parts that stand in the report.
        self._turn.outline = list(self.parts)
        return f"## {named(section.heading)}\n\n"
