"""Choose sentences that are quoted without their passages, as in a report, with the ranking of answers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import TYPE_CHECKING

from pincite.answer.extractive.absent_names import NO_STATISTICS, CorpusStatistics
from pincite.answer.extractive.card_layout import make_card
from pincite.answer.extractive.comparison import name_aspect
from pincite.answer.extractive.passage_ranking import RatedSection, rank_sections, score_evidence, strip_words
from pincite.answer.extractive.passage_units import PassageSection, Unit
from pincite.answer.extractive.question_kind import ParsedQuestion, parse_question
from pincite.answer.extractive.question_words import collect_words, list_question_words
from pincite.answer.extractive.sufficiency import is_answered
from pincite.answer.extractive.tool_calls import SEARCH, Call, CallResult
from pincite.answer.passage_cards import Card
from pincite.text.names import is_code
from pincite.text.sentences import is_finished
from pincite.types import Evidence

if TYPE_CHECKING:
    from pincite.embedding import Embedder

_MOST_ITEMS = 10  # of a list that a sentence introduces
_PASSAGES = 3  # that sentences are quoted from
_NEARLY = 0.2  # how far behind the best passage another may be and still be quoted

SectionUnits = tuple[PassageSection, Sequence[Unit]]  # a section, and the units of it that are quoted


@dataclass(frozen=True, slots=True)
class RankedEvidence:
    """The evidence for a question, and its sections with the best first.

    `others` are the cosines of the passages of the library that are nearest to the question.
    """

    asking: ParsedQuestion
    evidence: Sequence[Evidence]
    rated: Sequence[RatedSection]
    others: Sequence[float] = ()

    @property
    def own_words(self) -> frozenset[str]:
        """The words of the question in all forms, without names."""
        return _list_forms(self.asking, self.asking.own or self.asking.text)

    @property
    def asked(self) -> frozenset[str]:
        """The words of the question in all forms: without names, unless only they are found."""
        own = self.own_words
        units = (unit for one in self.rated for unit in one.section.units)
        has_own = any(not unit.words.isdisjoint(own) for unit in units)
        return own if has_own else _list_forms(self.asking, self.asking.text)

    @property
    def is_answered(self) -> bool:
        """Whether the best sections can be an answer."""
        return is_answered(self.asking, self.rated, self.others)


def rank_evidence(
    question: str,
    names: Sequence[str],
    evidence: Sequence[Evidence],
    embedder: "Embedder | None",
    known: CorpusStatistics = NO_STATISTICS,
) -> RankedEvidence:
    """Rank the sections of one search's evidence for a question, as an answer does.

    The names in the question chose the documents, so its other words, codes and years choose the sentences.
    """
    asking = parse_question(question)
    given = collect_words(" ".join(name for name in names if " " in name or not is_code(name)))
    asking = replace(asking, own=name_aspect(asking) or strip_words(question, given))
    found = score_evidence([CallResult(Call(SEARCH, ()), tuple(evidence))])
    rated = rank_sections(asking, found, embedder)
    return RankedEvidence(asking, evidence, rated, known.nearest(asking.text) if known.nearest else ())


def choose_answer(ranked: RankedEvidence) -> list[SectionUnits]:
    """Choose the highlighted sentences of the best passages; none when the evidence does not answer.

    They stand without their passages, so each needs a word of the question.
    """
    if not ranked.is_answered:
        return []
    least = ranked.rated[0].score - _NEARLY
    near = list(dict.fromkeys(one.section.evidence.number for one in ranked.rated if one.score >= least))[:_PASSAGES]
    lit = [
        (one.section, [one.section.units[place] for place in one.lit])
        for number in near
        for one in sorted(ranked.rated, key=lambda each: each.section.units[0].start)
        if one.section.evidence.number == number
    ]
    asked = ranked.asked
    chosen = [(section, [unit for unit in units if has_asked_word(unit, asked)]) for section, units in lit]
    return [each for each in chosen if each[1]]


def make_new_cards(chosen: Sequence[SectionUnits], said: set[str]) -> Iterator[Card]:
    """Yield sentences as cards, with the lists they belong to. Leave out what was said before; add to `said` the rest.

    What a long card has no room for is not said. The line that introduces a table or code is left out where it is the
    last one of the text before.
    """
    last: Unit | None = None
    for section, units in chosen:
        new = [unit for unit in _complete_lists(section.units, units) if _fold(unit) not in said]
        if new:
            lead = None if _is_same(section.lead, last) else section.lead
            card = make_card(replace(section, units=tuple(new), lead=lead))
            starts = {piece.start for piece in card.pieces}
            shown = [unit for unit in new if unit.start in starts]
            said.update(map(_fold, shown))
            last = shown[-1]
            yield card


def has_asked_word(unit: Unit, asked: frozenset[str]) -> bool:
    """Whether a unit is whole and has a word of the question; a row in its cells, since all rows have the heads."""
    return is_whole(unit) and not (unit.cell_words if unit.cells else unit.words).isdisjoint(asked)


def is_whole(unit: Unit) -> bool:
    """Whether a unit is no sentence that was cut, and no line without an end such as a label or a part of a list."""
    is_ended = is_finished(unit.text) and not unit.text.endswith(";")
    return unit.kind != "sentence" or (not unit.text[:1].islower() and is_ended)


def _complete_lists(units: Sequence[Unit], chosen: Sequence[Unit]) -> list[Unit]:
    """Return chosen units in their order, items with the sentence above that introduces them, and it with its items."""
    starts = {unit.start for unit in chosen}
    for place, unit in enumerate(units):
        if unit.is_lead:
            items = list(takewhile(lambda each: each.kind == "item", units[place + 1 :]))
            if unit.start in starts:
                starts |= {item.start for item in items[:_MOST_ITEMS]}
            elif not starts.isdisjoint(item.start for item in items):
                starts.add(unit.start)
    return [unit for unit in units if unit.start in starts and unit.kind != "heading"]


def _is_same(one: Unit | None, other: Unit | None) -> bool:
    """Return whether two units are the same place of a document."""
    if one is None or other is None:
        return False
    return (one.evidence.span.document, one.start) == (other.evidence.span.document, other.start)


def _fold(unit: Unit) -> str:
    return " ".join(unit.text.casefold().split())


def _list_forms(asking: ParsedQuestion, text: str) -> frozenset[str]:
    """Return the words of a part of a question, in all forms."""
    return frozenset(
        form for word in list_question_words(replace(asking, text=text, core=text)) for form in word.variants
    )
