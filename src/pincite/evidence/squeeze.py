"""Text as it is compared: lower-case letters and digits alone, without accents, spaces, hyphens, ligatures or marks."""

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.uint32]
Places = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Squeezed:
    """Letters and digits as code points, and for each the place of the character in the text it came from."""

    codes: Codes
    places: Places

    @property
    def text(self) -> str:
        return self.codes.tobytes().decode("utf-32-le")


def squeeze(text: str) -> Squeezed:
    """What of a text is compared; a character may give none (a space), one, or several (a ligature)."""
    return spread(text, _form)


def spread(text: str, form: Callable[[str], str]) -> Squeezed:
    """A text with each character in its form, and for each character of those the place of the one it came from."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    if not len(codes):
        return Squeezed(codes, np.empty(0, np.int32))
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
    return Squeezed(letters[starts[ranks[places]] + within], places)


# Letters that Unicode does not take apart, though people and fonts write them so.
_APART = str.maketrans({"œ": "oe", "æ": "ae", "ı": "i", "ȷ": "j", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th"})


@cache
def _form(character: str) -> str:
    return "".join(c for c in apart(character) if is_letter(c))


def apart(character: str) -> str:
    """What a character is made of, in lower case: its letter and its accents, or the letters of a ligature."""
    lower = unicodedata.normalize("NFKD", character).casefold()
    return unicodedata.normalize("NFKD", lower).translate(_APART)


def is_letter(character: str) -> bool:
    """Is this a letter, a digit, or a sign that spells a vowel?"""
    return character.isalnum() or _is_vowel(character)


def _is_vowel(character: str) -> bool:
    """Is this a sign that spells a vowel, as in the scripts of India and its neighbours, and no mere accent?"""
    return "\u0900" <= character < "\u1100" and unicodedata.category(character) in ("Mn", "Mc")
