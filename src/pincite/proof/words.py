"""Words of two texts, compared without their endings, accents and case."""

import re
import unicodedata
from collections.abc import Collection, Iterable
from functools import lru_cache

from pincite.text.display import join_broken_words

_WORD = re.compile(r"(?:[A-Z]\.){2,}|[^\W\d_]+(?:['’][^\W\d_]+)?")
_ELIDED = re.compile(r"^[^\W\d_]{1,2}['’]|^qu['’]|['’]s?$", re.IGNORECASE)
_UNSEEN = re.compile("[\u200b\u200c\u200d\u2060\ufeff]")
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉", "01234567890123456789")
_POWER = re.compile(r"(?<=\d)[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_FOOTNOTE = re.compile(r"(?<=\S)\[\d{1,3}(?:\.\d+)?\]|(?<=[^\W\d_])\(\d{1,2}\)|(?<=\w) \(\d{1,2}\)(?=[\s.,;:]|$)")
_UNDERSCORE = re.compile(r"(?<=\d)_(?=\d{3}(?!\d))")
_SHORT = 4  # letters of a word that may begin another form of it
_STEM = 5  # letters that two forms share, where both have an ending
_ENDINGS = (2, 4)  # letters of the shorter and of the longer ending


def clean(text: str) -> str:
    """A text without marks that hide a word or a number: soft hyphens, footnote marks, raised and lowered digits."""
    text = _UNSEEN.sub("", join_broken_words(text))
    text = _POWER.sub("", text).translate(_RAISED)
    return _FOOTNOTE.sub("", _UNDERSCORE.sub("", text))


@lru_cache(4096)
def fold(word: str) -> str:
    """A word in small letters without accents."""
    if word.isascii():
        return word.casefold()
    spread = unicodedata.normalize("NFKD", word.casefold().replace("œ", "oe").replace("æ", "ae"))
    return "".join(c for c in spread if not unicodedata.combining(c))


def squeeze(text: str) -> str:
    """The letters and digits of a text, folded."""
    return "".join(c for c in fold(text) if c.isalnum())


def content_words(text: str) -> tuple[str, ...]:
    """The folded words of a text that have at least three letters, and its acronyms as they are, in order."""
    found = []
    for match in _WORD.finditer(text):
        word = _ELIDED.sub("", match[0]).replace(".", "")
        if len(word) > 2:
            found.append(fold(word))
        elif len(word) == 2 and word.isupper():
            found.append(word)
    return tuple(found)


@lru_cache(16384)
def alike(one: str, other: str) -> bool:
    """Tell whether two folded words may be forms of one word: they differ in an ending at most."""
    if one == other:
        return True
    same = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        same += 1
    shorter, longer = sorted((len(one) - same, len(other) - same))
    return same >= (_STEM if shorter else _SHORT) and shorter <= _ENDINGS[0] and longer <= _ENDINGS[1]


def shared(words: Iterable[str], others: Collection[str]) -> list[str]:
    """The words that have a form among others."""
    known = set(others)
    return [word for word in words if word in known or any(alike(word, other) for other in known)]
