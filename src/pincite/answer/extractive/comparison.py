"""Collect the results for the two sides of a comparison."""

from collections.abc import Sequence
from typing import NamedTuple

from pincite.answer.extractive.passage_ranking import RatedSection
from pincite.answer.extractive.question_kind import ParsedQuestion, strip_article
from pincite.answer.extractive.question_words import collect_words
from pincite.answer.extractive.search_plan import COMPARING, extract_key_words
from pincite.answer.extractive.tool_calls import FILES, OUTLINE, SEARCH, WEB, CallResult


class Side(NamedTuple):
    """One side of a comparison: its name, the words that only it has, and its results, perhaps a document's outline."""

    name: str
    own: frozenset[str]
    is_outline: bool
    found: list[CallResult]


def name_aspect(asking: ParsedQuestion) -> str:
    """Return the words of a comparison that say what is compared, not between which sides; empty for other questions.

    A passage found for a side is about it anyway, so these words choose what is highlighted in it.
    """
    if asking.kind not in ("comparison", "side") or len(asking.subjects) != 2:
        return ""
    one, other = map(collect_words, asking.subjects)
    said = (one ^ other) | collect_words(COMPARING)
    words = (word for word in extract_key_words(asking.core).split() if collect_words(word).isdisjoint(said))
    return " ".join(dict.fromkeys(words))


def list_named_words(one: RatedSection) -> frozenset[str]:
    """List the words of the best unit of a section; of a table, those of all rows."""
    units = one.section.units if one.section.form == "table" else (one.unit,)
    return frozenset[str]().union(*(unit.words for unit in units))


def names_other_side(one: RatedSection, own: frozenset[str], other: frozenset[str]) -> bool:
    """Whether the best unit of a section, or what stands right above it, names the other side of a comparison alone.

    The title of a document does not count: in "Annual report 2023" a sentence on 2024 is not about 2023. A table is
    about all of its rows.
    """
    lead = one.section.lead.text if one.section.lead else ""
    near = list_named_words(one) | collect_words(" ".join((*one.unit.headings[-1:], lead)))
    return own.isdisjoint(near) and not other.isdisjoint(near)


def find_sides(asking: ParsedQuestion, returned: Sequence[CallResult]) -> list[Side]:
    """Return both sides with the best that there is for them: their own documents, or else what their names led to."""
    names = [strip_article(name) for name in asking.subjects]
    if len(names) != 2:
        return []
    bags = [collect_words(name) for name in names]
    own = [bags[0] - bags[1] or bags[0], bags[1] - bags[0] or bags[1]]
    outlines = [each for each in returned if each.call.tool == OUTLINE and each.evidence]
    searches = [each for each in returned if each.call.tool in (SEARCH, FILES)]
    outside = [each for each in returned if each.call.tool == WEB]
    inside = [each for each in searches if dict(each.call.given).get("document") and each.evidence]
    if len(outlines) == 2:
        return [Side(name, words, True, [each]) for name, words, each in zip(names, own, outlines, strict=True)]
    if len(inside) == 2:
        # In a document of its own a side need not be named.
        everything = [
            words.union(*(collect_words(one.text) for one in each.evidence))
            for words, each in zip(own, inside, strict=True)
        ]
        return [Side(name, words, False, [each]) for name, words, each in zip(names, everything, inside, strict=True)]
    # Each search was made for the whole question, then for one side and for the other.
    made = [each for each in (outside, searches) if len(each) >= 3]
    return [
        Side(name, words, False, [*(each[number] for each in made), *(each[0] for each in made)])
        for number, (name, words) in enumerate(zip(names, own, strict=True), 1)
        if made
    ]
