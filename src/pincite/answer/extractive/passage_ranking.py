"""Rank the passages that answer a question, and choose the sentences to highlight in them.

The score of the search comes first. The words and the meaning of the sentences choose between passages with nearly
equal scores; passages that have what the question puts in quotation marks come before others. Inside a passage words
and meaning choose the highlighted sentences; meaning counts more there, since the sentence that repeats the question is
often the one before the answer. In a follow-up question the subject of the last one helps to choose passages, and not
the sentences in them: they would be those that answered the last question.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from math import exp
from typing import TYPE_CHECKING

from pincite.answer.extractive.absent_names import find_held_names
from pincite.answer.extractive.passage_units import PassageSection, Unit, divide_evidence
from pincite.answer.extractive.question_kind import ParsedQuestion
from pincite.answer.extractive.question_words import (
    QuestionWord,
    collect_words,
    fold_phrase,
    list_question_words,
    list_quoted_phrases,
    measure_added_coverage,
    measure_coverage,
    weigh_words,
)
from pincite.answer.extractive.tool_calls import CallResult
from pincite.embedding.language_gap import get_language_gap
from pincite.errors import EmbeddingError
from pincite.search.fuse import recover_sum
from pincite.text.language import detect_passage_language
from pincite.text.names import find_names, is_year
from pincite.text.part_numbers import NamedPart, list_named_parts, read_opening_part
from pincite.types import Evidence

if TYPE_CHECKING:
    from pincite.embedding import Embedder

_EMBEDDED, _LENGTH = 24, 240  # units whose meaning is compared, and characters of each: most of a question's time
_OTHER_SEARCH = 0.9  # of the score that a passage has in a search after the first
_STEP = 0.04  # cost of each place further down, where a search gives no scores
_OF_FUSED = 0.15  # of the sum of a fused search's standard scores; from .1 to .3 the figures hardly differ

# The weights in the score of a unit: the score of its passage in the search, the question's words in it, the words in
# it or above it, and its meaning. Chosen on one half of servicepublic_fr's marked answers, when words that the title
# has too counted in full.
_SEARCH, _HERE, _ABOVE, _MEANING = 1.0, 0.3, 0.3, 0.5
_EARLIER = 0.1  # added for a section's first unit, half of it for the second, and so on: first units give the subject
# The weights of a unit within its section, where meaning is known; chosen by halves of three sets, as `_NEARLY` was.
_LIT_HERE, _LIT_MEANING, _LIT_EARLIER = 0.2, 0.3, 0.1
# The weight, in both scores, of the share of the question's quoted phrases that a unit or its headings have.
_QUOTED = 0.5
_LINE = 80  # characters of a line of code at most, where it is not marked as such
_STOP = re.compile(r"[\w)\]»”\"'][.!?…]+$")
_INTRODUCED = 6  # items or lines of code that are highlighted with the sentence that introduces them
_LIT, _NEARLY = 2, 0.15  # units that are highlighted at most, and how far behind the best another may be
_SHORT = 5  # units of a short section
_NEARLY_WORDS = 0.12  # the same where meaning is not known
_NEAR, _FAR = 0.93, 0.78  # cosines of a sentence that surely and that hardly is about the question


@dataclass(frozen=True, slots=True)
class RatedSection:
    """A section with the unit that answers best: its score, the share of the question's words, and its cosine.

    If the cosine is not known, `cosine` is 0, and `nearness`, its place in the range of cosines, is None. `added` is
    the share of the question's words in the unit alone, with less weight for words of the title and headings above it,
    and `quoted` that of its quoted phrases. `has_best` says that the first highlighted unit of its passage is in it.
    """

    section: PassageSection
    best: int  # place of the unit in the section
    score: float
    words: float = 0.0
    cosine: float = 0.0
    lit: tuple[int, ...] = ()  # places of the highlighted units, the best first
    added: float = 0.0
    nearness: float | None = None
    quoted: float = 0.0
    has_best: bool = False

    @property
    def unit(self) -> Unit:
        return self.section.units[self.best]


def score_evidence(returned: Sequence[CallResult]) -> dict[Evidence, float]:
    """Return a score for each evidence, from 1 down, relative to the best result of the search that found it."""
    found: dict[Evidence, float] = {}
    for number, each in enumerate(returned):
        worth = _OTHER_SEARCH if number else 1.0
        strengths = _list_strengths(each.evidence)
        # A passage that another search found first has that search's score, so the order decides.
        is_scored = bool(strengths) and each.evidence[-1].score > 0 and strengths == sorted(strengths, reverse=True)
        for place, evidence in enumerate(each.evidence):
            score = exp(strengths[place] - strengths[0]) if is_scored else 1 / (1 + _STEP * place)
            found[evidence] = max(found.get(evidence, 0.0), worth * score)
    return found


def _list_strengths(evidence: Sequence[Evidence]) -> list[float]:
    """Return the scores of a search so that their differences count: fused scores lie close together near 1."""
    if any(each.dense for each in evidence):
        return [_OF_FUSED * recover_sum(each.score) for each in evidence]
    return [min(each.score, 1.0) for each in evidence]


def rank_sections(
    asking: ParsedQuestion, found: Mapping[Evidence, float], embedder: "Embedder | None"
) -> list[RatedSection]:
    """Return the sections of the evidence, best first, each with the unit that answers best."""
    sections = [section for evidence in found for section in divide_evidence(evidence)]
    units = [unit for section in sections for unit in section.units]
    weights = weigh_words(list_question_words(asking), (unit.words for unit in units))
    own_weights = _weigh_own_words(asking, weights)
    quoted = _share_quoted_phrases(asking, units)
    parts = _share_named_parts(asking, sections)
    asked = frozenset(form for word in own_weights for form in word.variants)
    given = {evidence: _list_given_words(asking, evidence) for evidence in found}
    if names := frozenset[str]().union(*given.values()):
        asking = replace(asking, own=strip_words(asking.own or asking.text, names))
    rated: list[list[RatedSection]] = []
    for section in sections:
        known = given[section.evidence]
        around = above = section.around | known
        base = _SEARCH * found[section.evidence]
        own = []
        title = frozenset[str]()  # words of the line above, if it only repeats the question
        for place, unit in enumerate(section.units):
            if unit.kind == "heading":
                above = around | unit.words
                continue
            # A passage that repeats the words of its title says no more; one under no such title says all itself.
            here = max(measure_coverage(weights, unit.words, known), measure_added_coverage(weights, unit.words, above))
            whole = measure_coverage(weights, unit.words, above)
            named = quoted.get(id(unit), 0.0) + parts.get(id(unit), 0.0)
            score = base + _HERE * here + _ABOVE * whole + _EARLIER / (1 + place) + _QUOTED * named
            added = measure_added_coverage(own_weights, unit.words | title, above)
            own.append(RatedSection(section, place, score, whole, added=added, quoted=named))
            title = unit.words if _repeats_title(own[-1], asked) else frozenset()
        rated.append(own)
    passages: dict[int, list[list[RatedSection]]] = {}
    for own in _compare_meaning(asking, rated, embedder):
        if own:
            passages.setdefault(id(own[0].section.evidence), []).append(own)
    best = [section for each in passages.values() for section in _choose_lit(each, asked)]
    return sorted(best, key=lambda one: (-one.score, one.section.evidence.number, one.unit.start))


def _list_given_words(asking: ParsedQuestion, evidence: Evidence) -> frozenset[str]:
    """Return the words of the question's names that the title or file name of a document has, if only by initials.

    Such a name chooses the document. Its passages need not repeat it, so none of them gains by it.
    """
    names = [name for name in find_names(asking.core) if not is_year(name)]
    return collect_words(" ".join(find_held_names(names, replace(evidence, text="", headings=()))))


def _weigh_own_words(asking: ParsedQuestion, weights: Mapping[QuestionWord, float]) -> Mapping[QuestionWord, float]:
    """Return the weights of a follow-up's own words; all weights for other questions."""
    own = {each.variants for each in list_question_words(replace(asking, text=asking.own, core=asking.own))}
    return {word: weight for word, weight in weights.items() if word.variants in own} or weights


def strip_words(question: str, given: frozenset[str]) -> str:
    """Return a question without the names that choose the document: a sentence that repeats them is no nearer to it."""
    kept = (word for word in question.split() if given.isdisjoint(collect_words(word)))
    return " ".join(kept) or question


def _share_quoted_phrases(asking: ParsedQuestion, units: Sequence[Unit]) -> dict[int, float]:
    """Return, by the identity of each unit, the share of the quoted phrases that it has or stands under.

    A phrase that no unit has, such as the title of a document, does not count.
    """
    phrases = [re.compile(rf"(?<!\w){re.escape(each)}(?!\w)") for each in list_quoted_phrases(asking.text)]
    if not phrases:
        return {}
    texts = {id(unit): fold_phrase("\n".join((unit.text, *unit.headings, *unit.heads))) for unit in units}
    held = {unit: [bool(phrase.search(text)) for phrase in phrases] for unit, text in texts.items()}
    counted = sum(map(any, zip(*held.values(), strict=True)))
    return {unit: sum(each) / counted for unit, each in held.items()} if counted else {}


def _share_named_parts(asking: ParsedQuestion, sections: Sequence[PassageSection]) -> dict[int, float]:
    """Return, by the identity of each unit, the share of the parts that the question names and that the unit is in.

    A part with the same noun comes before one without a noun or with another, and both before a unit that only
    mentions the part. A part that no unit has does not count.
    """
    held: dict[int, float] = {}
    asked = list_named_parts(asking.text)
    placed = [(unit, stood) for section in sections for unit, stood in _list_parts_above(section)] if asked else []
    for part in asked:
        within = [(unit, above) for unit, stood in placed for above in stood if above.holds(part)]
        best = (
            {id(unit) for unit, above in within if above.noun == part.noun}
            or {id(unit) for unit, _ in within}
            or {id(unit) for unit, _ in placed if any(map(part.holds, list_named_parts(unit.text)))}
        )
        held |= {unit: held.get(unit, 0.0) + 1 / len(asked) for unit in best}
    return held


def _list_parts_above(section: PassageSection) -> Iterator[tuple[Unit, list[NamedPart]]]:
    """Yield each unit with the numbered parts of a document that it stands in: those of headings, and of lines."""
    opened: NamedPart | None = None
    headings = section.headings
    for unit in section.units:
        if unit.kind != "heading" and unit.headings != headings:
            headings, opened = unit.headings, None
        opened = read_opening_part(unit.text) or opened
        above = [part for heading in headings if (part := read_opening_part(heading))]
        yield unit, [*above, *([opened] if opened else [])]


def _choose_lit(parts: Sequence[Sequence[RatedSection]], asked: frozenset[str]) -> list[RatedSection]:
    """Return the sections of a passage, each with its best unit and those of its units that answer best.

    `asked` are the words of the question, in all forms.
    """
    everything = [one for own in parts for one in own]
    pool = [one for one in everything if not _repeats_title(one, asked)] or everything
    # The words alone decide between table rows or lines of code.
    known = [one.nearness for one in pool if one.nearness is not None and one.section.form in ("text", "list")]
    usual = sum(known) / len(known) if known else 0.0

    def rate(one: RatedSection) -> float:
        if not known:
            return one.score
        meaning = 0.0 if one.nearness is None else one.nearness - usual
        # A question may ask for any sentence of a short section; the first ones of a long section give its subject.
        is_long = len(one.section.units) > _SHORT
        earlier = is_long * _LIT_EARLIER / (1 + one.best)
        return _LIT_HERE * one.added + _LIT_MEANING * meaning + earlier + _QUOTED * one.quoted

    first, *others = _put_full_rows_first(sorted(pool, key=lambda one: (-rate(one), one.unit.start)), asked)
    nearly = rate(first) - (_NEARLY if known else _NEARLY_WORDS)
    lit = [first, *(one for one in others[: _LIT - 1] if rate(one) >= nearly and not _adds_nothing(one, first, asked))]
    lit += [one for each in lit for one in _list_introduced(each, everything) if one not in lit]
    return [
        replace(
            max(own, key=lambda one: (one.score, -one.best)),
            lit=tuple(one.best for one in lit if one.section is own[0].section),
            has_best=own[0].section is first.section,
        )
        for own in parts
    ]


def _put_full_rows_first(order: list[RatedSection], asked: frozenset[str]) -> list[RatedSection]:
    """Return units with the best first, where a row of its table that has more of the question's words comes before it.

    All rows of a table have the words of its heads. Under the head "Rates in 1995, 2000 and 2005" only the row 2005 has
    that year itself.
    """
    first = order[0]
    for one in order[1:]:
        is_beside = one.section is first.section and bool(one.unit.cells)
        if is_beside and first.unit.cell_words & asked < one.unit.cell_words & asked:
            first = one
    return [first, *(one for one in order if one is not first)]


def _repeats_title(one: RatedSection, asked: frozenset[str]) -> bool:
    """Whether a unit is a line that ends no sentence and has only words of the question, the title and headings.

    Files without marks for titles have them as such a line.
    """
    unit = one.unit
    is_line = unit.kind == "sentence" and not unit.is_lead and not _STOP.search(unit.text)
    return is_line and unit.words <= asked | one.section.around


def _adds_nothing(one: RatedSection, best: RatedSection, asked: frozenset[str]) -> bool:
    """Whether a unit beside the best has only some of the words of the question that the best has, or is unknown.

    Beside a sentence with words of its own, one with only those of the title and headings does. Beside the row of Paris
    that of London does, unless the question has London too; and beside a row with all words of the question, a sentence
    that has only those of the title and headings.
    """
    if best.nearness is not None and one.nearness is None and not one.added:
        return True  # its meaning was not compared, and it has no word of the question itself
    if not best.unit.cells:
        above = one.section.around.union(*map(collect_words, one.unit.headings))
        own = one.unit.words & asked
        return bool(own) and own <= above and not best.unit.words & asked <= above
    if not one.unit.cells:
        return best.words >= 1.0 and one.unit.words & asked <= one.section.around
    if one.unit.words & asked < best.unit.words & asked:
        return True
    return one.section is best.section and one.unit.cell_words & asked < best.unit.cell_words & asked


def _list_introduced(one: RatedSection, pool: Sequence[RatedSection]) -> list[RatedSection]:
    """Return the code or the list items that a sentence introduces: it asks for them to be read with it.

    Files without marks for code have it as a short line by itself, which ends no sentence.
    """
    if not one.unit.is_lead:
        return []
    after = sorted((other for other in pool if other.unit.start >= one.unit.end), key=lambda other: other.unit.start)
    if after and _is_bare_line(after[0].unit) and after[0].unit.headings == one.unit.headings:
        return after[:1]
    kind = after[0].unit.kind if after else "sentence"
    introduced = list(takewhile(lambda other: other.unit.kind == kind, after))
    return introduced if kind in ("code", "item") and len(introduced) <= _INTRODUCED else []


def _is_bare_line(unit: Unit) -> bool:
    """Whether a unit is a short line by itself that ends no sentence."""
    return unit.kind == "sentence" and unit.is_apart and len(unit.text) <= _LINE and not _STOP.search(unit.text)


def _compare_meaning(
    asking: ParsedQuestion, rated: list[list[RatedSection]], embedder: "Embedder | None"
) -> list[list[RatedSection]]:
    """Compare the best units with the question by their meaning, and change their scores; the others stay."""
    if embedder is None:
        return rated
    order = sorted((one for own in rated for one in own), key=lambda one: -one.score)[:_EMBEDDED]
    if not order:
        return rated
    try:
        vectors = embedder.passages([_describe_unit(one) for one in order])
        cosines: list[float] = (vectors @ embedder.queries([asking.text])[0]).tolist()
        own: list[float] = (vectors @ embedder.queries([asking.own])[0]).tolist() if asking.own else cosines
    except EmbeddingError:
        return rated
    spoken = [detect_passage_language(one.section.evidence.text) for one in order]
    gaps = [get_language_gap(embedder.name, asking.language, language) for language in spoken]
    # The range of cosines is known for the built-in model only; for another, only their order counts.
    is_known = "e5" in embedder.name
    near, own_near = (_scale_cosines(each, gaps, is_known) for each in (cosines, own))
    mean = sum(near) / len(near)
    moved = {
        (id(one.section), one.best): replace(
            one,
            score=one.score + _MEANING * (near[place] - mean),
            cosine=cosines[place] if is_known else 0.0,
            nearness=own_near[place],
        )
        for place, one in enumerate(order)
    }
    return [[moved.get((id(one.section), one.best), one) for one in own] for own in rated]


def _scale_cosines(cosines: Sequence[float], gaps: Sequence[float], is_known: bool) -> list[float]:
    """Return the places of cosines in their range, from 0 to 1, as if all texts were in the question's language."""
    alike = [cosine + gap for cosine, gap in zip(cosines, gaps, strict=True)]
    low, high = (_FAR, _NEAR) if is_known else (min(alike), max(alike))
    return [min(max((cosine - low) / ((high - low) or 1.0), 0.0), 1.0) for cosine in alike]


def _describe_unit(one: RatedSection) -> str:
    """Return a unit as its meaning is compared: a row of a table with its heads, a sentence under its heading."""
    unit, section = one.unit, one.section
    if unit.cells:
        pairs = zip(unit.cells, (*unit.heads, *[""] * len(unit.cells)), strict=False)
        text = "; ".join(f"{head}: {cell}" if head else cell for cell, head in pairs if cell)
    else:
        text = unit.text
    inner = [each.text for each in section.units[: one.best] if each.kind == "heading"]
    heading = next(iter((*inner[::-1], *section.headings[::-1])), "")
    return (f"{heading}: {text}" if heading else text)[:_LENGTH]
