"""Weigh the words that a question is about, and collect the words of a text to compare with them."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from math import log

from pincite.answer.extractive.question_kind import ParsedQuestion
from pincite.index.terms import list_question_terms, list_terms
from pincite.text.folding import fold_text
from pincite.text.stopwords import STOP_WORDS
from pincite.text.words import split_inversions

_LANGUAGES = ("en", "fr")
# Words with a capital inside a sentence, in capitals, or with digits: they matter more in an answer.
_NAME = re.compile(r"(?<=[\w,;:'’] )[A-ZÀ-Þ][\w&.-]*|(?<=['’])[A-ZÀ-Þ]\w+|\b[A-ZÀ-Þ][A-ZÀ-Þ&]+\b|\b\w*\d\w*\b")
_NAMED = 1.6
_QUOTED = re.compile(r"\"([^\"]*)\"|“([^“”]*)”|„([^„“”]*)[“”]|«([^«»]*)»|»([^«»]*)«")
_MOST_QUOTED = 8  # phrases of a question
_ASIDE = 0.4  # of a word outside the sentence that asks
_ROOT = 6  # letters
_GIVEN_ABOVE = 0.15  # of the weight of a word that stands in the title or a heading too


@dataclass(frozen=True, slots=True)
class QuestionWord:
    """A word of the question: its possible forms and its weight; `named` for a name, a code or a number."""

    variants: frozenset[str]
    weight: float
    named: bool


def list_question_words(asking: ParsedQuestion) -> tuple[QuestionWord, ...]:
    """Return the words a question is about."""
    core, names = (_list_variants(text) for text in (asking.core, " ".join(_NAME.findall(asking.text))))
    found = []
    for variants in _list_variants(asking.text):
        if not variants.isdisjoint(STOP_WORDS.get(asking.language, frozenset())):
            continue
        named = variants in names
        weight = (_NAMED if named else 1.0) * (1.0 if variants in core else _ASIDE)
        found.append(QuestionWord(variants, weight, named))
    return tuple(found)


def list_quoted_phrases(question: str) -> list[str]:
    """Return the phrases in quotation marks, folded: at most a few, and none that has only common words."""
    phrases = ("".join(match.groups("")) for match in islice(_QUOTED.finditer(question), _MOST_QUOTED))
    folded = [fold_phrase(phrase).strip(" ,.;:") for phrase in phrases]
    common = frozenset().union(*STOP_WORDS.values())
    return [phrase for phrase in folded if not common.issuperset(phrase.split())]


def fold_phrase(text: str) -> str:
    """Return a text as quoted phrases are compared with it: folded, with single spaces and straight apostrophes."""
    return " ".join(fold_text(text).replace("’", "'").split())


def weigh_words(asked: Sequence[QuestionWord], bags: Iterable[frozenset[str]]) -> dict[QuestionWord, float]:
    """Return the weight of each word of a question among these texts: more if few of them have it."""
    listed = list(bags)
    return {
        word: word.weight * log(1 + (len(listed) + 1) / (1 + sum(not word.variants.isdisjoint(bag) for bag in listed)))
        for word in asked
    }


def measure_coverage(weights: Mapping[QuestionWord, float], *bags: frozenset[str]) -> float:
    """Return the share of a question's words, by their weights, that are in one of these bags or another."""
    found = (w for word, w in weights.items() if not all(word.variants.isdisjoint(words) for words in bags))
    return sum(found) / (sum(weights.values()) or 1.0)


def measure_added_coverage(
    weights: Mapping[QuestionWord, float], words: frozenset[str], above: frozenset[str]
) -> float:
    """Return the share of the question's words in a unit; words that the title and headings above it have count less.

    In a document about the dam, the sentence about its height need not repeat "dam".
    """
    left = {
        word: weight * (1.0 if word.variants.isdisjoint(above) else _GIVEN_ABOVE) for word, weight in weights.items()
    }
    return measure_coverage(left, words)


def collect_words(text: str) -> frozenset[str]:
    """Return the words of a text in the forms of both languages, without the stop words of its own."""
    found = {term for language in _LANGUAGES for term in list_terms(text, language)}
    return _add_roots(found - max((found & STOP_WORDS[other] for other in _LANGUAGES), key=len))


def measure_overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """Return the share of the shorter one's words that the other has too."""
    return len(one & other) / max(min(len(one), len(other)), 1)


def _list_variants(text: str) -> list[frozenset[str]]:
    return [_add_roots(word.variants) for word in list_question_terms(split_inversions(text), _LANGUAGES)]


def _add_roots(words: Iterable[str]) -> frozenset[str]:
    """Add the first letters of longer words: a verb and its noun often share no more than those."""
    found = set(words)
    return frozenset(found | {f"{word[:_ROOT]}…" for word in found if len(word) >= _ROOT and word.isalpha()})
