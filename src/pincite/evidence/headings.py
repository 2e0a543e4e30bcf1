"""Headings whose words another program gives in another order: for each the one block made of exactly these words."""

from collections import Counter

import numpy as np

from pincite.evidence.concordance import Concordance
from pincite.evidence.quotation import Quotation, plain
from pincite.evidence.squeeze import squeeze
from pincite.text.display import join_broken_words

_LONGEST = 60  # characters of a passage
_FEWEST = 2  # words of it
_HEADINGS = 6  # of one passage, at most
_LINES = 2  # of a heading, at most
_ENDS = (".", "!", "?", ";", ",", "…")  # of a sentence, in which the order of words says something
_AROUND = ".,;:!?()[]{}*_`|\"'“”‘’«»"


def reordered(concordance: Concordance, asked: Quotation) -> tuple[tuple[str, tuple[int, int]], ...]:
    """The headings with the passage's words in any order, each with the words that were asked for; () if one is open.

    A passage of several short lines may be several headings, in any order, on one page or on two that follow. Open is
    a heading that stands several times, or that has two numbers to swap. One on a page that was given goes before
    others.
    """
    bare = plain(asked.text).strip()
    whole = _find(concordance, bare, asked.sheets)
    if whole:
        return ((asked.text, whole),)
    lines = [line.strip() for line in bare.split("\n") if any(map(str.isalnum, line))]
    if not 1 < len(lines) <= _HEADINGS:
        return ()
    found = []
    for line in lines:
        span = _find(concordance, line, asked.sheets)
        if span is None:
            return ()
        found.append((line, span))
    places = np.searchsorted(concordance.squeezed.places, [span[0] for _, span in found]).tolist()
    sheets = [concordance.sheet_at(place) for place in places]
    return tuple(found) if len({span for _, span in found}) == len(found) and max(sheets) - min(sheets) <= 1 else ()


def _find(concordance: Concordance, bare: str, sheets: frozenset[int]) -> tuple[int, int] | None:
    """The one block that is made of these words."""
    if len(bare) >= _LONGEST:
        return None
    wanted = _words(bare)
    numbers = sum(count for word, count in wanted.items() if any(map(str.isdigit, word)))
    if wanted.total() < _FEWEST or numbers > 1:
        return None
    text, places = concordance.document.text, concordance.squeezed.places
    starts = np.flatnonzero(concordance.blocks)
    counts = np.diff(starts, append=len(places))
    count = len(squeeze(bare).codes)
    found: list[tuple[int, int]] = []
    hinted: list[tuple[int, int]] = []
    # Their letters are as many, so that neither is longer than the other by more than its marks.
    for first in starts[counts == count].tolist():
        start, last = int(places[first]), first + count
        line = text[start : int(places[last]) if last < len(places) else len(text)].rstrip()
        if line.count("\n") < _LINES and not line.endswith(_ENDS) and _words(line) == wanted:
            (hinted if concordance.sheet_at(first) in sheets else found).append((start, start + len(line)))
    best = hinted or found
    return best[0] if len(best) == 1 else None


def _words(text: str) -> Counter[str]:
    """Words as they are compared, and how often each stands here; one with digits has all its marks."""
    whole = join_broken_words(text).split()
    words = Counter(
        word.strip(_AROUND).casefold() if any(map(str.isdigit, word)) else squeeze(word).text for word in whole
    )
    del words[""]
    return words
