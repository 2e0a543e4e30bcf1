"""Find the sentence around a figure in running text, and the year that goes with it."""

import re
from collections.abc import Sequence
from itertools import pairwise

from pincite.proof.figures import Figure, is_year
from pincite.text.quantities import Quantity

_SENTENCE_END = re.compile(r"[.!?]\s+(?=[A-ZÀ-Ý«“\"]|[—–•▪-]\s)")
_SENTENCE = 1_000  # characters on each side


def slice_around(text: str, place: int) -> tuple[int, int]:
    """Return the place of the sentence around a character."""
    low = max(place - _SENTENCE, 0)
    ends = [match.end() for match in _SENTENCE_END.finditer(text, low, place + _SENTENCE)]
    start = max((end for end in ends if end <= place), default=low)
    return start, min((end for end in ends if end > place), default=min(len(text), place + _SENTENCE))


def find_figure_sentence(figure: Figure) -> tuple[int, int]:
    """Return the place of the sentence that a figure of running text stands in."""
    return slice_around(figure.sentence, figure.start)


def pair_years(text: str, found: Sequence[Quantity], wanted: Quantity) -> int | None:
    """Return the year that goes with a figure where a sentence lists as many years as figures, in turn."""
    marks: list[tuple[bool, Quantity]] = []
    for quantity in found:
        if is_year(quantity, text) or (quantity.kind == "date" and quantity.readings[0][0]):
            marks.append((True, quantity))
        elif quantity.kind == "number" and quantity.measure == wanted.measure:
            marks.append((False, quantity))
    years = [mark for mark in marks if mark[0]]
    if len(years) < 2 or len(marks) != 2 * len(years) or any(a[0] == b[0] for a, b in pairwise(marks)):
        return None
    for n in range(0, len(marks), 2):
        pair = marks[n : n + 2]
        if any(quantity is wanted for _, quantity in pair):
            year = next(quantity for named, quantity in pair if named)
            return year.readings[0][0] if year.kind == "date" else int(year.worth[0])
    return None
