"""A passage beside the place that is like it: how alike they are in words, and where they differ."""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

from pincite.evidence.quotation import plain
from pincite.evidence.squeeze import squeeze

_WORD = re.compile(r"\w+(?:[.,'’/%-]+\w+)*")
_MOST_WORDS = 400  # of each side that are compared: the time grows with their product
_DIGIT = re.compile(r"\d")
_WORDS_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Difference:
    """What a passage says and what the document says in its stead; either may be nothing."""

    asked: str
    stands: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """The share of a passage's words that stand in the place too, and what differs."""

    alike: float
    differences: tuple[Difference, ...]


def words(text: str) -> list[str]:
    """The words of a text, those broken at a line's end joined, without marks."""
    joined = re.sub("\u00ad\\s*|\ufffe", "", plain(text))
    return _WORD.findall(joined)


def key(word: str) -> str:
    """A word as it is compared."""
    return squeeze(word).text


def compare(asked: str, stands: str) -> Comparison:
    """How a passage and a place differ, word by word; words that are split otherwise, or only moved, are alike."""
    left, right = words(asked)[:_MOST_WORDS], words(stands)[:_MOST_WORDS]
    found = _differences(left, right, key)
    found = [each for each in found if key(each.asked) != key(each.stands)]
    changed = sum(len(each.asked.split()) for each in found)
    return Comparison((len(left) - changed) / len(left) if left else 0.0, tuple(found))


def other_numbers(asked: str, stands: str) -> list[Difference]:
    """The numbers of a passage that the place has not, each beside what it has there; and the other way round."""
    left, right = words(asked)[:_MOST_WORDS], words(stands)[:_MOST_WORDS]
    for form in (key, _exact):
        found = [_numbered(each) for each in _differences(left, right, form) if _DIGIT.search(each.asked + each.stands)]
        if found := [each for each in found if each.asked != each.stands]:
            break
    # Number against number first: a digit in a word is more often a letter that was misread.
    return sorted(found, key=lambda each: not (_DIGIT.search(each.asked) and _DIGIT.search(each.stands)))


def _differences(left: list[str], right: list[str], form: Callable[[str], str]) -> list[Difference]:
    """Where two sequences of words differ; a word that both have as often, though elsewhere, is no difference."""
    ours, theirs = [form(word) for word in left], [form(word) for word in right]
    lacking = Counter(ours) - Counter(theirs), Counter(theirs) - Counter(ours)
    found = []
    for a, b in _unequal(ours, theirs):
        difference = Difference(
            " ".join(word for word, own in zip(left[a], ours[a], strict=True) if own in lacking[0]),
            " ".join(word for word, own in zip(right[b], theirs[b], strict=True) if own in lacking[1]),
        )
        if difference.asked or difference.stands:
            found.append(difference)
    return found


def _unequal(left: list[str], right: list[str]) -> Iterator[tuple[slice, slice]]:
    matcher = SequenceMatcher(None, left, right, autojunk=False)
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag != "equal":
            yield slice(a, b), slice(c, d)


def _exact(word: str) -> str:
    """With its points and commas, which squeezing takes out: 1.4 is not 14."""
    return unicodedata.normalize("NFKC", word) if _DIGIT.search(word) else key(word)


def _numbered(found: Difference) -> Difference:
    """The numbers of a difference alone; a side that has none keeps its first words, to be seen beside the other's."""
    asked, stands = (
        " ".join([word for word in side.split() if _DIGIT.search(word)] or side.split()[:_WORDS_SHOWN])
        for side in (found.asked, found.stands)
    )
    return Difference(asked, stands)
