"""Words as the answerer compares them: those a question is about, with their weight, and those a text has."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log

from pincite.agent.extractive.asking import Asking
from pincite.index.analysis import question_terms, terms
from pincite.index.stopwords import STOP_WORDS
from pincite.text.display import join_broken_words

_LANGUAGES = ("en", "fr")
# "Peut-on", "a-t-il": two words each.
_INVERTED = re.compile(r"\b(\w+)-(?:t-)?(il|elle|on|ils|elles|vous|nous|tu|je|ce)\b", re.I)
_CELLS = re.compile(r"(?<!\s)\s*\t\s*")
_SPACE = re.compile(r"\s+")
# What is spelt with a capital inside a sentence, in capitals, or with digits: it must be in an answer more than others.
_NAME = re.compile(r"(?<=[\w,;:'’] )[A-ZÀ-Þ][\w&.-]*|(?<=['’])[A-ZÀ-Þ]\w+|\b[A-ZÀ-Þ][A-ZÀ-Þ&]+\b|\b\w*\d\w*\b")
_NAMED = 1.6
_ASIDE = 0.4  # of a word outside the sentence that asks
_ROOT = 6  # letters


@dataclass(frozen=True, slots=True)
class Sought:
    """A word of the question: the forms it may have, and how much it matters; `named` for a name, a code, a number."""

    variants: frozenset[str]
    weight: float
    named: bool


def sought(asking: Asking) -> tuple[Sought, ...]:
    """The words a question is about."""
    core, names = (_variants(text) for text in (asking.core, " ".join(_NAME.findall(asking.text))))
    found = []
    for variants in _variants(asking.text):
        if not variants.isdisjoint(STOP_WORDS.get(asking.language, frozenset())):
            continue
        named = variants in names
        weight = (_NAMED if named else 1.0) * (1.0 if variants in core else _ASIDE)
        found.append(Sought(variants, weight, named))
    return tuple(found)


def weighed(asked: Sequence[Sought], bags: Iterable[frozenset[str]]) -> dict[Sought, float]:
    """What each word of a question counts among these texts: more when few of them have it."""
    listed = list(bags)
    return {
        word: word.weight * log(1 + (len(listed) + 1) / (1 + sum(not word.variants.isdisjoint(bag) for bag in listed)))
        for word in asked
    }


def covered(weights: Mapping[Sought, float], *bags: frozenset[str]) -> float:
    """The share of a question's words, by their weights, that are in one of these bags or another."""
    found = (w for word, w in weights.items() if not all(word.variants.isdisjoint(words) for words in bags))
    return sum(found) / (sum(weights.values()) or 1.0)


def bag(text: str) -> frozenset[str]:
    """The words of a text, in the forms that either language gives them; without the small words of its own."""
    found = {term for language in _LANGUAGES for term in terms(text, language)}
    return _with_roots(found - max((found & STOP_WORDS[other] for other in _LANGUAGES), key=len))


def plain(text: str) -> str:
    """A stretch of a document as it is quoted: on one line, broken words whole, a bar between a table's cells."""
    text = text.strip()
    if text.startswith("|") and text.endswith("|"):
        text = text.strip("| \t")
    return _SPACE.sub(" ", _CELLS.sub(" | ", join_broken_words(text))).strip()


def alike(one: frozenset[str], other: frozenset[str]) -> float:
    """The share of the shorter one's words that the other has too."""
    return len(one & other) / max(min(len(one), len(other)), 1)


def _variants(text: str) -> list[frozenset[str]]:
    return [_with_roots(word.variants) for word in question_terms(_INVERTED.sub(r"\1 \2", text), _LANGUAGES)]


def _with_roots(words: Iterable[str]) -> frozenset[str]:
    """Words and what longer ones begin with: a verb and its noun often share no more than that."""
    found = set(words)
    return frozenset(found | {f"{word[:_ROOT]}…" for word in found if len(word) >= _ROOT and word.isalpha()})
