"""Compare the words of two texts without their endings, accents and case."""

import re
from collections.abc import Collection, Iterable
from functools import lru_cache

from pincite.text.display import join_broken_words
from pincite.text.folding import fold_word

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


def clean_text(text: str) -> str:
    """Return a text without soft hyphens, footnote marks and raised digits, which hide words and numbers."""
    text = _UNSEEN.sub("", join_broken_words(text))
    text = _POWER.sub("", text).translate(_RAISED)
    return _FOOTNOTE.sub("", _UNDERSCORE.sub("", text))


def list_content_words(text: str) -> tuple[str, ...]:
    """Return the folded words of a text that have at least three letters, and its acronyms as they are, in order."""
    found = []
    for match in _WORD.finditer(text):
        word = _ELIDED.sub("", match[0]).replace(".", "")
        if len(word) > 2:
            found.append(fold_word(word))
        elif len(word) == 2 and word.isupper():
            found.append(word)
    return tuple(found)


@lru_cache(16384)
def may_be_same_word(one: str, other: str) -> bool:
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


def list_shared_words(words: Iterable[str], others: Collection[str]) -> list[str]:
    """Return the words that also stand among others, in some form."""
    known = set(others)
    return [word for word in words if word in known or any(may_be_same_word(word, other) for other in known)]
