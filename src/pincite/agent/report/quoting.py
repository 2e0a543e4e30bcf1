"""Passages to a section of a report that no model writes: whole sentences, word for word, each with its mark."""

from collections.abc import Container, Sequence

from pincite.agent.extractive.asking import understand
from pincite.agent.extractive.choosing import Candidate, candidates
from pincite.agent.extractive.quoting import quoted
from pincite.agent.extractive.words import covered, sought, weighed
from pincite.agent.report.headings import named
from pincite.agent.report.sections import bare
from pincite.evidence.markers import shielded
from pincite.types import Evidence

_MOST = 6  # sentences of one section under a heading
_PASSAGES, _OF_EACH = 3, 2  # of a section that answers a question, and sentences of each
_TO_THE_POINT = 0.3  # of a question's words that a passage must have to answer it
_BESIDE = 0.5  # of the words that the best sentence of a passage has, for a second one
_NEARLY = 0.8  # of the words that the best passage has


def quote_heading(heading: str, evidence: Sequence[Evidence], question: str, known: Container[str]) -> str:
    """What stands under a heading, from its beginning, or around the sentence that has most of a question's words.

    Sentences that are `known` were said before. Empty when nothing else stands there.
    """
    everything = candidates(evidence)
    worth = _weigh(everything, question)
    own = [one for one in everything if not one.is_title and _stands_under(one, heading)]
    new = [one for one in own if not _is_known(one, known)]
    if len(new) > _MOST:
        best = max(range(len(new)), key=lambda place: (worth[new[place].place], -place))
        first = min(max(best - 1, 0), len(new) - _MOST)
        new = new[first : first + _MOST]
    return quoted(new, everything) if new else ""


def quote_answer(evidence: Sequence[Evidence], question: str, known: Container[str]) -> str:
    """The sentences of the best passages that have most of a question's words, a few of each, in their order.

    Empty when no passage has enough of them. A passage is as good as its search says, as long as it has nearly as many
    of the words as any.
    """
    everything = candidates(evidence)
    worth = _weigh(everything, question)
    weights = weighed(sought(understand(question)), (one.words for one in everything))
    share = {each.number: covered(weights, *_bags(everything, each)) for each in evidence}
    best = max(share.values(), default=0.0)
    if best < _TO_THE_POINT:
        return ""
    chosen: list[Candidate] = []
    for each in [one for one in evidence if share[one.number] >= _NEARLY * best][:_PASSAGES]:
        own = [one for one in everything if one.evidence is each and not one.is_title and not _is_known(one, known)]
        ranked = sorted(own, key=lambda one: (-worth[one.place], one.place))[:_OF_EACH]
        chosen += [one for one in ranked if worth[one.place] >= _BESIDE * worth[ranked[0].place]]
    return quoted(sorted(chosen, key=lambda one: (one.evidence.number, one.start)), everything) if chosen else ""


def _weigh(everything: Sequence[Candidate], question: str) -> dict[tuple[str, int], float]:
    """The share of a question's words that each sentence has, by its place."""
    weights = weighed(sought(understand(question)), (one.words for one in everything))
    return {one.place: covered(weights, one.words) for one in everything}


def _bags(everything: Sequence[Candidate], evidence: Evidence) -> list[frozenset[str]]:
    return [bag for one in everything if one.evidence is evidence for bag in (one.words, one.above)]


def _is_known(one: Candidate, known: Container[str]) -> bool:
    return bare(shielded(one.text)) in known


def _stands_under(one: Candidate, heading: str) -> bool:
    above = one.heading or (one.evidence.headings[-1] if one.evidence.headings else one.evidence.title)
    return named(above).casefold() == named(heading).casefold()
