"""Choose the text of a report's section that quotes one heading of the sources."""

from collections.abc import Sequence

from pincite.answer.extractive.passage_units import PassageSection, Unit, divide_evidence
from pincite.answer.extractive.question_words import collect_words
from pincite.answer.extractive.quoted_sentences import RankedEvidence, SectionUnits, has_asked_word, is_whole
from pincite.answer.research.report_wording import clean_heading

_MOST = 6  # sentences of a section that quotes one heading
_BEHIND = 0.35  # how far behind the best passage those under a heading may be


def choose_under_heading(heading: str, ranked: RankedEvidence) -> list[SectionUnits]:
    """Choose the text under a heading: from its beginning, or around the sentence that is best for the question.

    Passages that the ranking puts far behind the best are left out.
    """
    best = {one.section.evidence.number: one.score for one in reversed(ranked.rated)}
    least = max(best.values(), default=0.0) - _BEHIND
    sections = [
        section
        for source in ranked.evidence
        if best.get(source.number, least - 1) >= least
        for section in divide_evidence(source, by_heading=True)
        if _is_under_heading(section, heading)
    ]
    own = list({(unit.evidence.span.document, unit.start): unit for each in sections for unit in each.units}.values())
    kept = set(map(id, _choose_window(list(filter(is_whole, own)) or own, ranked)))
    return [(section, [unit for unit in section.units if id(unit) in kept]) for section in sections]


def choose_asked_heading(ranked: RankedEvidence) -> list[SectionUnits]:
    """Choose the text under the heading that names most of what is asked, and nothing else; none without such one."""
    if not ranked.is_answered:
        return []
    asked, best = ranked.own_words, list(dict.fromkeys(one.section.evidence.number for one in ranked.rated))
    named: dict[str, int] = {}
    for source in sorted(
        ranked.evidence, key=lambda each: best.index(each.number) if each.number in best else len(best)
    ):
        for section in divide_evidence(source, by_heading=True):
            words = {word for word in collect_words(" ".join(section.headings[-1:])) if not word.isdigit()}
            if words and words <= asked:
                named.setdefault(section.headings[-1], len(words))
    return choose_under_heading(max(named, key=named.__getitem__), ranked) if named else []


def _choose_window(units: Sequence[Unit], ranked: RankedEvidence) -> Sequence[Unit]:
    """Return the first units, or those around the one that is best for the question."""
    starts = {(unit.evidence.span.document, unit.start): place for place, unit in enumerate(units)}
    lit = [one.section.units[place] for one in ranked.rated for place in one.lit]
    asked = ranked.asked
    lit.sort(key=lambda unit: not has_asked_word(unit, asked))
    places = [starts.get((unit.evidence.span.document, unit.start)) for unit in lit]
    best = next((place for place in places if place is not None), 0)
    first = max(min(best - 1, len(units) - _MOST), 0)
    return units[first : first + _MOST]


def _is_under_heading(section: PassageSection, heading: str) -> bool:
    above = section.headings[-1] if section.headings else section.evidence.title
    return clean_heading(above).casefold() == clean_heading(heading).casefold()
