"""What sources say under a heading, quoted in their order: a section that no model writes."""

import re
from collections.abc import Container, Mapping, Sequence

from pincite.agent.extractive.asking import understand
from pincite.agent.extractive.choosing import Candidate, candidates, repeats
from pincite.agent.extractive.quoting import quoted
from pincite.agent.extractive.words import covered, sought, weighed
from pincite.agent.report.headings import named
from pincite.agent.report.sections import bare
from pincite.evidence.markers import shielded
from pincite.types import Evidence

_MOST = 5  # sentences
_TO_THE_POINT, _ASIDE = 0.4, 0.1  # of the question's words: beside a sentence with so many, one with so few is left out
_NEARLY = 0.8  # of the words that the best sentence has
_SHORTEST, _LONGEST = 35, 420  # characters of one
_FIGURE = re.compile(r"\d+(?:[.,]\d+)*")
_STOPPED = re.compile(r"[.!…:»”][»”\")\]]*$")


def under(heading: str, evidence: Sequence[Evidence], question: str, known: Container[str] = ()) -> str:
    """The sentences under a heading that have most of a question's words, each with its mark, in their order.

    Where none has any, as where the whole document is about it, the first ones; nothing where there are none. Those
    that are `known` were said before.
    """
    everything = candidates(evidence)
    worth = _worth(everything, question)
    own = [one for one in everything if one.place in worth and _stands_under(one, heading)]
    new = [one for one in own if bare(shielded(one.text)) not in known]
    is_told = max((worth[one.place] for one in new), default=0.0) >= _TO_THE_POINT
    return _chosen(new, everything, worth, _ASIDE if is_told else 0.0)


def besides(evidence: Sequence[Evidence], question: str, known: Container[str]) -> str:
    """What else has nearly as many of a question's words as what was `known` before, under whatever heading."""
    everything = candidates(evidence)
    worth = _worth(everything, question)
    own = [one for one in everything if one.place in worth and bare(shielded(one.text)) not in known]
    return _chosen(own, everything, worth, max(_ASIDE, _NEARLY * max(worth.values(), default=0.0)))


def _worth(everything: Sequence[Candidate], question: str) -> dict[tuple[str, int], float]:
    """How many of a question's words each sentence has that can be quoted, by its place."""
    weights = weighed(sought(understand(question)), (one.words for one in everything))
    return {one.place: covered(weights, one.words) for one in everything if _is_fit(one)}


def _chosen(
    own: Sequence[Candidate], everything: Sequence[Candidate], worth: Mapping[tuple[str, int], float], least: float
) -> str:
    """The sentences that are worth most, and at least so much, quoted in their order."""
    kept: list[Candidate] = []
    for one in sorted(own, key=lambda one: (-round(worth[one.place], 1), one.place)):
        # The same words with another figure are news.
        same = [other for other in kept if _FIGURE.findall(other.text) == _FIGURE.findall(one.text)]
        if len(kept) < _MOST and worth[one.place] >= least and not repeats(one, same):
            kept.append(one)
    return quoted(sorted(kept, key=lambda one: one.place), everything) if kept else ""


def _stands_under(one: Candidate, heading: str) -> bool:
    above = one.heading or (one.evidence.headings[-1] if one.evidence.headings else one.evidence.title)
    return _plain(above) == _plain(heading)


def _plain(heading: str) -> str:
    return named(heading).casefold()


def _is_fit(one: Candidate) -> bool:
    return (
        not one.is_title
        and " | " not in one.text
        and _SHORTEST <= len(one.text) <= _LONGEST
        and _STOPPED.search(one.text) is not None
    )
