"""Compare a passage with the place that is like it: the share of equal words, and the differences."""

import re
import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

from rapidfuzz.distance import Levenshtein

from pincite.locate.location import Location
from pincite.locate.page_lines import Span, make_excerpt
from pincite.locate.quotation import strip_passage_markup
from pincite.text.display import join_broken_words
from pincite.text.squeeze import squeeze
from pincite.types import Document

_WORD = re.compile(r"\w+(?:[.,'’/%-]+\w+)*")
_MOST_WORDS = 4000  # of each side that are compared: the time grows with their product
_LETTER = re.compile(r"[^\W_]")
_DIGIT = re.compile(r"\d")
_WORDS_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Difference:
    """Words of a passage, and the words that the document has in their place; either may be empty."""

    asked: str
    stands: str


@dataclass(frozen=True, slots=True)
class WordComparison:
    """The share of a passage's words that the place has too, and the differences."""

    alike: float
    differences: tuple[Difference, ...]


def split_words(text: str) -> list[str]:
    """Return the words of a text, those broken at a line's end joined, without marks."""
    joined = join_broken_words(strip_passage_markup(text)).replace("\ufffe", "")
    return _WORD.findall(joined)


@lru_cache(maxsize=10_000)
def make_word_key(word: str) -> str:
    """Return the form in which a word is compared."""
    return squeeze(word).text


def list_block_excerpts(document: Document, location: Location) -> list[str]:
    """Return the document's words for each block of a passage, with highlighted words that the block itself lacks."""
    owned = sorted((*span, number) for number, block in enumerate(location.blocks) for span in block.spans)
    spans = [list(block.spans) for block in location.blocks]
    for start, end in _find_gaps(location.spans or location.nearest, owned):
        letter = _LETTER.search(document.text, start, end)
        if letter and owned:
            at = bisect_right(owned, start, key=lambda each: each[0])
            # Words at the start of a line belong to the text behind them, other words to the text before them.
            goes_on = at < len(owned) and "\n" in document.text[start : letter.start()]
            spans[owned[at if goes_on or not at else at - 1][2]].append((letter.start(), end))
    return [make_excerpt(document, own) for own in spans]


def _find_gaps(lit: Sequence[Span], owned: Sequence[tuple[int, int, int]]) -> Iterator[Span]:
    """Yield the parts of the spans that are in none of the owned spans, which are in order."""
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


def compare_words(asked: str, stands: str) -> WordComparison:
    """Compare a passage with a place word by word. Words that are only split differently or moved count as equal."""
    left, right = split_words(asked)[:_MOST_WORDS], split_words(stands)[:_MOST_WORDS]
    found = _find_differences(left, right, make_word_key)
    found = [each for each in found if make_word_key(each.asked) != make_word_key(each.stands)]
    changed = sum(len(each.asked.split()) for each in found)
    return WordComparison((len(left) - changed) / len(left) if left else 0.0, tuple(found))


def find_other_numbers(asked: str, stands: str) -> list[Difference]:
    """Return the numbers in which a passage and a place differ, each beside the other side's words."""
    left, right = split_words(asked)[:_MOST_WORDS], split_words(stands)[:_MOST_WORDS]
    for form in (make_word_key, _make_exact_key):
        found = [
            _keep_numbers(each)
            for each in _find_differences(left, right, form)
            if _DIGIT.search(each.asked + each.stands)
        ]
        if found := [each for each in found if each.asked != each.stands]:
            break
    # Number against number first: a digit in a word is more often a letter that was misread.
    return sorted(found, key=lambda each: not (_DIGIT.search(each.asked) and _DIGIT.search(each.stands)))


def _find_differences(left: list[str], right: list[str], form: Callable[[str], str]) -> list[Difference]:
    """Return where two sequences of words differ. A word that both have equally often is no difference."""
    ours, theirs = [form(word) for word in left], [form(word) for word in right]
    lacking = Counter(ours) - Counter(theirs), Counter(theirs) - Counter(ours)
    found = []
    for a, b in _find_unequal_slices(ours, theirs):
        difference = Difference(
            " ".join(word for word, own in zip(left[a], ours[a], strict=True) if own in lacking[0]),
            " ".join(word for word, own in zip(right[b], theirs[b], strict=True) if own in lacking[1]),
        )
        if difference.asked or difference.stands:
            found.append(difference)
    return found


def _find_unequal_slices(left: list[str], right: list[str]) -> Iterator[tuple[slice, slice]]:
    ends = (len(left), len(right))
    for is_equal, run in groupby(Levenshtein.opcodes(left, right), lambda op: op.tag == "equal"):
        ops = list(run)
        # If one side was cut off, further words of the other are no difference.
        is_beyond = _MOST_WORDS in ends and (ops[-1].src_end, ops[-1].dest_end) == ends
        if not is_equal and not is_beyond:
            yield slice(ops[0].src_start, ops[-1].src_end), slice(ops[0].dest_start, ops[-1].dest_end)


def _make_exact_key(word: str) -> str:
    """Return a word with digits together with its points and commas, which squeezing removes: 1.4 is not 14."""
    return unicodedata.normalize("NFKC", word) if _DIGIT.search(word) else make_word_key(word)


def _keep_numbers(found: Difference) -> Difference:
    """Reduce a difference to its numbers; a side without numbers keeps its first words."""
    asked, stands = (
        " ".join([word for word in side.split() if _DIGIT.search(word)] or side.split()[:_WORDS_SHOWN])
        for side in (found.asked, found.stands)
    )
    return Difference(asked, stands)
