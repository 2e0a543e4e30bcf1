"""Whether passages answer a question at all: by the question's words in them, and by the nearness of their meaning."""

from collections.abc import Sequence
from dataclasses import dataclass

from pincite.agent.extractive.asking import Asking
from pincite.agent.extractive.ranking import Rated
from pincite.agent.extractive.words import bag, covered, sought
from pincite.reading.language import french_or_english

_FIRST = 3  # sections that are looked at
# A share of the question's words, and what a cosine above that of any two texts is worth beside it. Passages on one
# matter have cosines near .9 with a question that they answer, passages on several have .8: the words must tell.
_ENOUGH, _COSINE = 0.5, 5.0
_ENOUGH_WORDS = 0.4  # without an embedder
_ANY_TWO = 0.80
_TRANSLATED, _BORROWED = 0.83, 0.7  # the same between two languages, which share few words
_SURE_WORDS, _SURE = 0.6, 0.86


@dataclass(frozen=True, slots=True)
class Relevance:
    """How far the best passages are about a question: the share of its words, the cosines, and another language."""

    words: float
    passage: float
    sentence: float
    is_translated: bool


def measure(asking: Asking, rated: Sequence[Rated]) -> Relevance:
    """How far the best sections are about a question."""
    weights = {word: word.weight for word in sought(asking)}
    best = rated[:_FIRST]
    words = max((covered(weights, bag(one.section.evidence.text), one.section.around) for one in best), default=0.0)
    sentence = max((one.cosine for one in rated), default=0.0)
    # The range of cosines is known of our own model alone: of another only the words tell.
    passage = max((one.section.evidence.dense for one in rated), default=0.0) if sentence else 0.0
    spoken = french_or_english(" ".join(one.unit.text for one in best))
    return Relevance(words, passage, sentence, bool(spoken and spoken != asking.language))


def is_answered(asking: Asking, rated: Sequence[Rated]) -> bool:
    """Whether the best sections can be an answer."""
    if not rated:
        return False
    found = measure(asking, rated)
    meaning = found.passage or found.sentence
    if not meaning:
        return found.words >= _ENOUGH_WORDS
    if found.is_translated:
        return meaning >= _TRANSLATED or found.words >= _BORROWED
    return found.words + _COSINE * (meaning - _ANY_TWO) >= _ENOUGH


def is_sure(asking: Asking, rated: Sequence[Rated]) -> bool:
    """Whether sections that can be an answer are so near to the question that it need not be looked for elsewhere."""
    found = measure(asking, rated)
    is_near = not found.sentence or found.sentence >= _SURE
    return (found.words >= _SURE_WORDS or (found.is_translated and found.sentence > 0)) and is_near
