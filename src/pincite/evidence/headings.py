"""A heading whose words another program gives in another order: the one block that is made of exactly these words."""

from collections import Counter

import numpy as np

from pincite.evidence.concordance import Concordance
from pincite.evidence.quotation import Quotation, plain
from pincite.evidence.squeeze import squeeze

_LONGEST = 60  # characters of a passage
_FEWEST = 3  # words of it
_LINES = 2  # of a heading, at most
_ENDS = (".", "!", "?", ";", ",", "…")  # of a sentence, in which the order of words says something
_AROUND = ".,;:!?()[]{}*_`|\"'“”‘’«»"


def reordered(concordance: Concordance, asked: Quotation) -> tuple[int, int] | None:
    """The heading with the passage's words in any order; None if there are several, or it has two numbers to swap.

    One on a page that was given goes before others.
    """
    bare = plain(asked.text).strip()
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
    for first in starts[counts == count].tolist():
        start, last = int(places[first]), first + count
        line = text[start : int(places[last]) if last < len(places) else len(text)].rstrip()
        if line.count("\n") < _LINES and not line.endswith(_ENDS) and _words(line) == wanted:
            (hinted if concordance.sheet_at(first) in asked.sheets else found).append((start, start + len(line)))
    best = hinted or found
    return best[0] if len(best) == 1 else None


def _words(text: str) -> Counter[str]:
    """Words as they are compared, and how often each stands here; one with digits has all its marks."""
    whole = text.replace("\u00ad\n", "").split()
    words = Counter(
        word.strip(_AROUND).casefold() if any(map(str.isdigit, word)) else squeeze(word).text for word in whole
    )
    del words[""]
    return words
