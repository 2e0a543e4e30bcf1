"""Reduce a text to its lower-case letters and digits, and remember where in the text each of them stands.

Passages are located by comparing texts in this form, in which accents, spaces, hyphens, ligatures and marks are gone.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from pincite.text.folding import decompose_letters, is_letter

Codes = NDArray[np.uint32]
Places = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class SqueezedText:
    """The letters and digits of a text as code points, and for each the offset of its character in the text."""

    codes: Codes
    places: Places

    @property
    def text(self) -> str:
        return self.codes.tobytes().decode("utf-32-le")


def squeeze(text: str) -> SqueezedText:
    """Return the letters and digits of a text. A character gives none (a space), one, or several (a ligature)."""
    return map_characters(text, _keep_letters)


def map_characters(text: str, form: Callable[[str], str]) -> SqueezedText:
    """Replace each character of a text by its form, and return the result with the offsets in the text."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    if not len(codes):
        return SqueezedText(codes, np.empty(0, np.int32))
    seen = np.zeros(int(codes.max()) + 1, np.bool_)
    seen[codes] = True
    distinct = np.flatnonzero(seen)
    forms = [form(chr(code)) for code in distinct.tolist()]
    rank = np.zeros(len(seen), np.int32)
    rank[distinct] = np.arange(len(distinct))
    lengths = np.array([len(form) for form in forms], np.int32)
    starts = np.concatenate([[0], np.cumsum(lengths)[:-1]]).astype(np.int32)
    letters = np.frombuffer("".join(forms).encode("utf-32-le"), np.uint32)
    ranks = rank[codes]
    counts = lengths[ranks]
    places = np.repeat(np.arange(len(codes), dtype=np.int32), counts)
    within = np.arange(len(places), dtype=np.int32) - np.repeat(np.cumsum(counts, dtype=np.int32) - counts, counts)
    return SqueezedText(letters[starts[ranks[places]] + within], places)


@cache
def _keep_letters(character: str) -> str:
    return "".join(filter(is_letter, decompose_letters(character)))
