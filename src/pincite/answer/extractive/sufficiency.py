"""Decide whether passages answer a question, by the question's words in them and by their cosines.

The cosine that an answer needs depends on the library: if all documents are on one subject, all passages are near to a
question about it. So the cosine of the best passage is compared with those of other passages of the library.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from pincite.answer.extractive.passage_ranking import RatedSection
from pincite.answer.extractive.question_kind import ParsedQuestion
from pincite.answer.extractive.question_words import collect_words, list_question_words, measure_coverage
from pincite.text.language import detect_passage_language

_FIRST = 3  # sections that are measured
# A logistic function of the words and of how far the best passage stands out, divided by the weight of the words. It
# was fitted on four sets, leaving one out in turn. Among many passages some come near to any question by chance, so the
# best needs more: `_ENOUGH` among few passages, `_ENOUGH_OF_MANY` among at least `_MANY`. See docs/benchmarks.md.
_STANDS_OUT, _ENOUGH, _ENOUGH_OF_MANY = 13.4, 0.76, 0.85
_FEW, _MANY = 50, 200  # cosines of others; at most 200 are given
# Added between two languages, which share few words; chosen on translated questions, see docs/benchmarks.md.
_TRANSLATED = 0.15
_ENOUGH_WORDS = 0.4  # without an embedder; fitted in the same way it lies between .33 and .43, and refuses no better
_ANY_TWO, _SUPPOSED = 0.80, 20  # the cosine of any two texts, and the passages that it counts for in a small library
_SURE_WORDS, _SURE = 0.6, 0.86


@dataclass(frozen=True, slots=True)
class Relevance:
    """How relevant the best passage is to a question: the share of its words, the cosines, and another language.

    `stands_out` is the cosine of the best passage above that of others; 0 if it is not above, or not known.
    """

    words: float
    passage: float
    sentence: float
    stands_out: float
    is_translated: bool


def measure_relevance(asking: ParsedQuestion, rated: Sequence[RatedSection], others: Sequence[float] = ()) -> Relevance:
    """Measure how relevant the best sections are; `others` are cosines of the passages nearest to the question."""
    weights = {word: word.weight for word in list_question_words(asking)}
    best = rated[:_FIRST]
    sentence = max((one.cosine for one in rated), default=0.0)

    def measure_distance(passage: float) -> float:
        # A passage of a small library may have several subjects, so its best sentence decides.
        cosine = max(passage, sentence) if len(others) < _SUPPOSED else passage or sentence
        return max(cosine - _find_background(others if passage else ()), 0.0) if cosine else 0.0

    # One passage must have the words and be near: words of one passage say nothing of another. The range of cosines is
    # known for the built-in model only; for another, only the words count.
    found = [
        (
            measure_coverage(weights, collect_words(one.section.evidence.text), one.section.around),
            one.section.evidence.dense if sentence else 0.0,
        )
        for one in best
    ]
    words, passage = max(found, key=lambda each: each[0] + _STANDS_OUT * measure_distance(each[1]), default=(0.0, 0.0))
    spoken = detect_passage_language(" ".join(one.section.evidence.text for one in best))
    is_translated = bool(spoken and spoken != asking.language)
    return Relevance(words, passage, sentence, measure_distance(passage), is_translated)


def is_answered(asking: ParsedQuestion, rated: Sequence[RatedSection], others: Sequence[float] = ()) -> bool:
    """Whether the best sections can be an answer; `others` are cosines of the passages nearest to the question."""
    if not rated:
        return False
    found = measure_relevance(asking, rated, others)
    if not found.passage and not found.sentence:
        return found.words >= _ENOUGH_WORDS
    words = found.words + _TRANSLATED * found.is_translated
    return words + _STANDS_OUT * found.stands_out >= _find_threshold(len(others) if found.passage else 0)


def _find_threshold(passages: int) -> float:
    """Return how near the best passage must be to a question if it was chosen among this many."""
    share = min(max((passages - _FEW) / (_MANY - _FEW), 0.0), 1.0)
    return _ENOUGH + share * (_ENOUGH_OF_MANY - _ENOUGH)


def _find_background(others: Sequence[float]) -> float:
    """Return the cosine of a passage that does not answer: the median of some, or of any two texts if they are few."""
    if not others:
        return _ANY_TWO
    return (median(others) * len(others) + _ANY_TWO * _SUPPOSED) / (len(others) + _SUPPOSED)


def is_sure(asking: ParsedQuestion, rated: Sequence[RatedSection]) -> bool:
    """Whether sections that can be an answer are so near to the question that it need not be looked for elsewhere."""
    found = measure_relevance(asking, rated)
    is_near = not found.sentence or found.sentence >= _SURE
    return (found.words >= _SURE_WORDS or (found.is_translated and found.sentence > 0)) and is_near
