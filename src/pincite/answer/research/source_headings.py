"""Find the headings of the sources under which most of the text on a question stands."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pincite.answer.extractive.question_kind import parse_question
from pincite.answer.extractive.question_words import (
    collect_words,
    list_question_words,
    measure_coverage,
    measure_overlap,
)
from pincite.library.document_structure import OutlineHeading
from pincite.types import Hit

_MOST = 5
_TO_THE_POINT = 0.3  # of the question's words, in the text under a heading and the titles above it
_OWN, _ABOUT = 0.25, 0.6  # of them, in the heading and its text alone, or else in the titles above
_OF_TITLE = 0.15  # of the weight of a word that the title of the document has
_STEP = 0.03  # the penalty for each rank further down
_SHORTEST = 60  # characters under a heading that make a section
_LONGEST = 80  # characters of a heading
_FIGURES = re.compile(r"(?<!\S)\S*\d\S*")
_SAME = 0.75  # of the words that two headings share when they are the same

Outlines = Mapping[str, Sequence[OutlineHeading]]  # by document


@dataclass(slots=True)
class Aspect:
    """The passages under one heading, the place where it was found first, and its relevance.

    `is_specific` says that its text has a word of the question that is not in the title of the document.
    """

    heading: str
    place: tuple[int, int]
    hits: list[Hit] = field(default_factory=list)
    worth: float = 0.0
    is_specific: bool = False


def find_aspects(question: str, hits: Sequence[Hit], outlines: Outlines) -> list[Aspect]:
    """Return the most relevant headings of the hits, in their order; none where one heading has everything."""
    weights = {word: word.weight for word in list_question_words(parse_question(question))}
    # A common year does not make two texts related.
    words_without_digits = {
        word: weight for word, weight in weights.items() if not any(map(str.isdigit, "".join(word.variants)))
    }
    found: dict[str, Aspect] = {}
    for place, hit in enumerate(hits):
        above = collect_words(" ".join((hit.title, *hit.headings)))
        # A word of the title says nothing about which of the document's headings the question asks for.
        titled = collect_words(hit.title)
        untitled = {word: weight for word, weight in weights.items() if word.variants.isdisjoint(titled)}
        asked = {word: weight * (1.0 if word in untitled else _OF_TITLE) for word, weight in weights.items()}
        for part, (heading, text) in enumerate(_divide_passage(hit, outlines.get(hit.span.document, ()))):
            words = collect_words(text)
            own = measure_coverage(asked, words, collect_words(heading))
            is_about = measure_coverage(weights, above) >= _ABOUT  # the whole document is about the question
            if not (is_about or own >= _OWN) or measure_coverage(weights, words, above) < _TO_THE_POINT:
                continue
            if words_without_digits and not measure_coverage(words_without_digits, words, above):
                continue
            aspect = found.setdefault(heading.casefold(), Aspect(heading, (place, part)))
            aspect.hits.append(hit)
            aspect.worth = max(aspect.worth, own - _STEP * place)
            aspect.is_specific |= measure_coverage(untitled, words, collect_words(heading)) > 0
    specific = {aspect.hits[0].span.document for aspect in found.values() if aspect.is_specific}
    fitting = [each for each in found.values() if each.is_specific or each.hits[0].span.document not in specific]
    kept: list[Aspect] = []
    # A single heading divides nothing, so the next best comes with it.
    for aspect in sorted(fitting if len(fitting) > 1 else found.values(), key=lambda aspect: -aspect.worth):
        if len(kept) < (_MOST if len(fitting) > 1 else 2) and all(
            measure_overlap(collect_words(aspect.heading), collect_words(other.heading)) < _SAME for other in kept
        ):
            kept.append(aspect)
    return sorted(kept, key=lambda aspect: aspect.place) if len(kept) > 1 else []


def describe_place(hit: Hit) -> str:
    """Return a passage's title and headings, on one line."""
    path = [heading for heading in hit.headings if heading != hit.title]
    return " › ".join((hit.title, *path))


def _divide_passage(hit: Hit, headings: Sequence[OutlineHeading]) -> Iterator[tuple[str, str]]:
    """Divide a passage at its headings. Yield each heading with its text."""
    first, title = hit.span.start, " ".join(hit.title.split())
    inside = [
        (heading.start - first, heading.title) for heading in headings if 0 <= heading.start - first < len(hit.text)
    ]
    own = [" ".join(heading.split()) for heading in hit.headings if heading != hit.title]
    starts = [(0, own[-1] if own else title), *inside]
    ends = [at for at, _ in inside] + [len(hit.text)]
    # If a document has other headings, a section under its title would be about everything.
    is_divided = bool(own) or any(heading.title.casefold() != title.casefold() for heading in headings)
    for (start, heading), end in zip(starts, ends, strict=True):
        is_all = is_divided and heading.casefold() == title.casefold()
        if end - start >= _SHORTEST and _is_usable_heading(heading) and not is_all:
            yield heading, hit.text[start:end]


def _is_usable_heading(heading: str) -> bool:
    """Whether a heading may stand in a report: it is short, and not an address or a row of figures."""
    return 0 < len(heading) <= _LONGEST and len(_FIGURES.findall(heading)) <= 1 and any(map(str.isalpha, heading))
