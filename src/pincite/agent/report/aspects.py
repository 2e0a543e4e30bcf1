"""What the sources themselves have on a question: the headings, or the titles, under which most of it stands."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pincite.agent.extractive.asking import understand
from pincite.agent.extractive.words import alike, bag, covered, sought
from pincite.library.structure import Heading
from pincite.types import Hit

_MOST = 5
_TO_THE_POINT = 0.3  # of the question's words, in what stands under a heading or above it
_OWN, _ABOUT = 0.25, 0.6  # of them, in the heading and under it alone, or else in what stands above
_STEP = 0.03  # what each place further down costs
_SHORTEST = 60  # characters under a heading that are worth a section
_LONGEST = 80  # characters of a heading
_FIGURES = re.compile(r"(?<!\S)\S*\d\S*")
_SAME = 0.75  # of the words of two headings

Outlines = Mapping[str, Sequence[Heading]]  # by document


@dataclass(slots=True)
class Aspect:
    """What stands under one heading: its passages, where it was found first, and how far it is to the point."""

    heading: str
    place: tuple[int, int]
    hits: list[Hit] = field(default_factory=list)
    worth: float = 0.0


def aspects(question: str, hits: Sequence[Hit], outlines: Outlines) -> list[Aspect]:
    """The headings of what a broad search found, the most relevant in their order; few where there is little."""
    weights = {word: word.weight for word in sought(understand(question))}
    # A year in common is nothing in common.
    telling = {word: weight for word, weight in weights.items() if not any(map(str.isdigit, "".join(word.variants)))}
    found: dict[str, Aspect] = {}
    for place, hit in enumerate(hits):
        above = bag(" ".join((hit.title, *hit.headings)))
        for part, (heading, text) in enumerate(_divided(hit, outlines.get(hit.span.document, ()))):
            words = bag(text)
            own = covered(weights, words, bag(heading))
            is_about = covered(weights, above) >= _ABOUT  # the document is, as a whole
            if not (is_about or own >= _OWN) or covered(weights, words, above) < _TO_THE_POINT:
                continue
            if telling and not covered(telling, words, above):
                continue
            aspect = found.setdefault(heading.casefold(), Aspect(heading, (place, part)))
            aspect.hits.append(hit)
            aspect.worth = max(aspect.worth, own - _STEP * place)
    kept: list[Aspect] = []
    for aspect in sorted(found.values(), key=lambda aspect: -aspect.worth):
        if len(kept) < _MOST and all(alike(bag(aspect.heading), bag(other.heading)) < _SAME for other in kept):
            kept.append(aspect)
    # Where all of it stands under one heading there is nothing to divide.
    return sorted(kept, key=lambda aspect: aspect.place) if len(kept) > 1 else []


def where(hit: Hit) -> str:
    """A passage's title and headings, on one line."""
    path = [heading for heading in hit.headings if heading != hit.title]
    return " › ".join((hit.title, *path))


def _divided(hit: Hit, headings: Sequence[Heading]) -> Iterator[tuple[str, str]]:
    """A passage in its parts: what stands under the heading above it, and under each of those inside it."""
    first, title = hit.span.start, " ".join(hit.title.split())
    inside = [
        (heading.start - first, heading.title) for heading in headings if 0 <= heading.start - first < len(hit.text)
    ]
    own = [" ".join(heading.split()) for heading in hit.headings if heading != hit.title]
    starts = [(0, own[-1] if own else title), *inside]
    ends = [at for at, _ in inside] + [len(hit.text)]
    # Under the title of a document that has other headings a section would be on everything.
    is_divided = bool(own) or any(heading.title.casefold() != title.casefold() for heading in headings)
    for (start, heading), end in zip(starts, ends, strict=True):
        is_all = is_divided and heading.casefold() == title.casefold()
        if end - start >= _SHORTEST and _is_telling(heading) and not is_all:
            yield heading, hit.text[start:end]


def _is_telling(heading: str) -> bool:
    """May a heading stand in a report: it is short, and no address or row of figures that was taken for one?"""
    return 0 < len(heading) <= _LONGEST and len(_FIGURES.findall(heading)) <= 1 and any(map(str.isalpha, heading))
