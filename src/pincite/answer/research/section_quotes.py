"""Quote a section of a report from passages: whole sentences, word for word, each with its mark."""

from collections.abc import Container, Sequence

from pincite.answer.extractive.question_kind import parse_question
from pincite.answer.extractive.question_words import (
    list_question_words,
    measure_added_coverage,
    measure_coverage,
    weigh_words,
)
from pincite.answer.extractive.quotes import quote_sentences
from pincite.answer.extractive.sentence_candidates import CandidateSentence, list_candidate_sentences
from pincite.answer.research.report_wording import clean_heading
from pincite.answer.research.section_text import normalise_sentence
from pincite.text.citation_marks import shield_source
from pincite.types import Evidence

_MOST = 6  # sentences of a section that quotes one heading
_PASSAGES, _OF_EACH = 3, 2  # passages of a section that answers a question, and sentences of each
_TO_THE_POINT = 0.3  # of the question's words that the best passage must have
_BESIDE = 0.5  # of the best sentence's words that a second sentence of the passage must have
_NEARLY = 0.8  # of the best passage's words that another passage must have


def quote_heading(heading: str, evidence: Sequence[Evidence], question: str, known: Container[str]) -> str:
    """Quote the text under a heading: from its beginning, or around the sentence with most words of the question.

    Sentences in `known` were quoted before. Return an empty text when there is no other.
    """
    everything = list_candidate_sentences(evidence)
    worth = _weigh_sentences(everything, question)
    own = [one for one in everything if not one.is_title and _is_under_heading(one, heading)]
    new = [one for one in own if not _is_known(one, known)]
    if len(new) > _MOST:
        best = max(range(len(new)), key=lambda place: (worth[new[place].place], -place))
        first = min(max(best - 1, 0), len(new) - _MOST)
        new = new[first : first + _MOST]
    return quote_sentences(new, everything) if new else ""


def quote_answer(evidence: Sequence[Evidence], question: str, known: Container[str]) -> str:
    """Quote the sentences with most words of a question from the best passages, a few of each, in order.

    Return an empty text when no passage has enough of the words. Passages stay in the order of their search, as long as
    they have nearly as many of the words as the best one.
    """
    everything = list_candidate_sentences(evidence)
    worth = _weigh_sentences(everything, question)
    weights = weigh_words(list_question_words(parse_question(question)), (one.words for one in everything))
    share = {each.number: measure_coverage(weights, *_list_word_sets(everything, each)) for each in evidence}
    best = max(share.values(), default=0.0)
    if best < _TO_THE_POINT:
        return ""
    chosen: list[CandidateSentence] = []
    for each in [one for one in evidence if share[one.number] >= _NEARLY * best][:_PASSAGES]:
        own = [one for one in everything if one.evidence is each and not one.is_title and not _is_known(one, known)]
        ranked = sorted(own, key=lambda one: (-worth[one.place], one.place))[:_OF_EACH]
        chosen += [one for one in ranked if worth[one.place] >= _BESIDE * worth[ranked[0].place]]
    return (
        quote_sentences(sorted(chosen, key=lambda one: (one.evidence.number, one.start)), everything) if chosen else ""
    )


def _weigh_sentences(everything: Sequence[CandidateSentence], question: str) -> dict[tuple[str, int], float]:
    """Return the share of the question's words that each sentence has, by its place; words above it count little."""
    weights = weigh_words(list_question_words(parse_question(question)), (one.words for one in everything))
    return {one.place: measure_added_coverage(weights, one.words, one.above) for one in everything}


def _list_word_sets(everything: Sequence[CandidateSentence], evidence: Evidence) -> list[frozenset[str]]:
    return [bag for one in everything if one.evidence is evidence for bag in (one.words, one.above)]


def _is_known(one: CandidateSentence, known: Container[str]) -> bool:
    return normalise_sentence(shield_source(one.text)) in known


def _is_under_heading(one: CandidateSentence, heading: str) -> bool:
    above = one.heading or (one.evidence.headings[-1] if one.evidence.headings else one.evidence.title)
    return clean_heading(above).casefold() == clean_heading(heading).casefold()
