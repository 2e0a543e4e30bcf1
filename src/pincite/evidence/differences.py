"""A passage beside the place that is like it: how alike they are in words, and where they differ."""

import re
import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

from rapidfuzz.distance import Levenshtein

from pincite.evidence.lines import Span, excerpt
from pincite.evidence.locate import Location
from pincite.evidence.quotation import plain
from pincite.evidence.squeeze import squeeze
from pincite.text.display import join_broken_words
from pincite.types import Document

_WORD = re.compile(r"\w+(?:[.,'’/%-]+\w+)*")
_MOST_WORDS = 4000  # of each side that are compared: the time grows with their product
_LETTER = re.compile(r"[^\W_]")
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
    joined = join_broken_words(plain(text)).replace("\ufffe", "")
    return _WORD.findall(joined)


@lru_cache(maxsize=10_000)
def key(word: str) -> str:
    """A word as it is compared."""
    return squeeze(word).text


def beside(document: Document, location: Location) -> list[str]:
    """For each block of a passage the document's words there, also those that are lit though the block lacks them."""
    owned = sorted((*span, number) for number, block in enumerate(location.blocks) for span in block.spans)
    spans = [list(block.spans) for block in location.blocks]
    for start, end in _gaps(location.spans or location.nearest, owned):
        letter = _LETTER.search(document.text, start, end)
        if letter and owned:
            at = bisect_right(owned, start, key=lambda each: each[0])
            # What begins a line goes with what follows it, the rest with what it follows.
            goes_on = at < len(owned) and "\n" in document.text[start : letter.start()]
            spans[owned[at if goes_on or not at else at - 1][2]].append((letter.start(), end))
    return [excerpt(document, own) for own in spans]


def _gaps(lit: Sequence[Span], owned: Sequence[tuple[int, int, int]]) -> Iterator[Span]:
    """What of the spans is in none of those that are owned, which are in order."""
    i = at = 0
    for start, end in sorted(lit):
        at = max(at, start)
        while i < len(owned) and owned[i][0] < end:
            if owned[i][0] > at:
                yield at, owned[i][0]
            at = max(at, owned[i][1])
            i += 1
        if at < end:
            yield at, end


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
    ends = (len(left), len(right))
    for is_equal, run in groupby(Levenshtein.opcodes(left, right), lambda op: op.tag == "equal"):
        ops = list(run)
        # Where a side was cut off, what the other has beyond is no difference.
        is_beyond = _MOST_WORDS in ends and (ops[-1].src_end, ops[-1].dest_end) == ends
        if not is_equal and not is_beyond:
            yield slice(ops[0].src_start, ops[-1].src_end), slice(ops[0].dest_start, ops[-1].dest_end)


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
