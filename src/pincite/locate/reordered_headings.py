"""Find headings whose words another program gives in another order, as blocks made of exactly these words."""

from collections import Counter

import numpy as np

from pincite.locate.concordance import Concordance
from pincite.locate.quotation import PreparedQuotation, strip_passage_markup
from pincite.text.display import join_broken_words
from pincite.text.squeeze import squeeze

_LONGEST = 60  # characters of a passage
_FEWEST = 2  # words of it
_HEADINGS = 6  # of one passage, at most
_LINES = 2  # of a heading, at most
_ENDS = (".", "!", "?", ";", ",", "…")  # a line that ends like this is a sentence, in which the order of words matters
_AROUND = ".,;:!?()[]{}*_`|\"'“”‘’«»"


def find_reordered_headings(
    concordance: Concordance, asked: PreparedQuotation
) -> tuple[tuple[str, tuple[int, int]], ...]:
    """Return the headings with the passage's words in any order, each with the requested words; () if one is ambiguous.

    A passage of several short lines may be several headings, in any order, on one page or on two neighbouring
    pages. A heading is ambiguous if it stands several times or has two numbers to swap. One on a given page comes
    first.
    """
    bare = strip_passage_markup(asked.text).strip()
    whole = _find_block(concordance, bare, asked.sheets)
    if whole:
        return ((asked.text, whole),)
    lines = [line.strip() for line in bare.split("\n") if any(map(str.isalnum, line))]
    if not 1 < len(lines) <= _HEADINGS:
        return ()
    found = []
    for line in lines:
        span = _find_block(concordance, line, asked.sheets)
        if span is None:
            return ()
        found.append((line, span))
    places = np.searchsorted(concordance.squeezed.places, [span[0] for _, span in found]).tolist()
    sheets = [concordance.sheet_at(place) for place in places]
    return tuple(found) if len({span for _, span in found}) == len(found) and max(sheets) - min(sheets) <= 1 else ()


def _find_block(concordance: Concordance, bare: str, sheets: frozenset[int]) -> tuple[int, int] | None:
    """Return the one block that is made of these words."""
    if len(bare) >= _LONGEST:
        return None
    wanted = _count_words(bare)
    numbers = sum(count for word, count in wanted.items() if any(map(str.isdigit, word)))
    if wanted.total() < _FEWEST or numbers > 1:
        return None
    text, places = concordance.document.text, concordance.squeezed.places
    starts = np.flatnonzero(concordance.blocks)
    counts = np.diff(starts, append=len(places))
    count = len(squeeze(bare).codes)
    found: list[tuple[int, int]] = []
    hinted: list[tuple[int, int]] = []
    # Both have the same number of letters, so they differ in length only by their marks.
    for first in starts[counts == count].tolist():
        start, last = int(places[first]), first + count
        line = text[start : int(places[last]) if last < len(places) else len(text)].rstrip()
        if line.count("\n") < _LINES and not line.endswith(_ENDS) and _count_words(line) == wanted:
            (hinted if concordance.sheet_at(first) in sheets else found).append((start, start + len(line)))
    best = hinted or found
    return best[0] if len(best) == 1 else None


def _count_words(text: str) -> Counter[str]:
    """Count words in the form to compare; a word with digits keeps its marks."""
    whole = join_broken_words(text).split()
    words = Counter(
        word.strip(_AROUND).casefold() if any(map(str.isdigit, word)) else squeeze(word).text for word in whole
    )
    del words[""]
    return words
