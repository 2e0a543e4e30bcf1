"""Decide which hyphens at line ends only divide a word, from the words of the document and a dictionary."""

import re
from collections.abc import Collection, Iterator, Sequence

from pincite.text.dictionary import find_dictionary_words
from pincite.text.display import SOFT_HYPHEN

_HYPHEN_AT_END = re.compile(r"(?<=\w)[-\u2010\x02](?=(\n{1,2}[ \u00a0]*)\w)")
_LONGEST_WORD = 100  # characters of half a word that are compared
_WORD = re.compile(r"\w+(?:-\w+)*")
_WORD_START = re.compile(rf"\w{{1,{_LONGEST_WORD}}}")


def resolve_hyphens(text: str, pages: Collection[int] = (), least: int = 0) -> str:
    """Replace each hyphen that only divides a word at a line's end by U+00AD; the length stays.

    `pages` are the offsets where pages begin: a blank line before one is more than a line end. A word that nobody knows
    is joined only in a text that divides at least so many known ones.
    """
    found = [match for match in _HYPHEN_AT_END.finditer(text) if _may_divide(text, match, pages)]
    halves = [(_find_word_before(text, match.start()), _find_word_at(text, match.end(1))) for match in found]
    open_ones: list[int] = []  # the offsets of hyphens that the words do not decide
    soft: set[int] = set()
    hard = 0
    for match, keeps in zip(found, _judge_hyphens(text, found, halves), strict=True):
        if keeps is None:
            open_ones.append(match.start())
        elif keeps:
            hard += 1
        else:
            soft.add(match.start())
    # A document whose other hyphens at line ends belong to their words does not divide words.
    if len(soft) >= max(hard, least):
        soft.update(open_ones)
    return _HYPHEN_AT_END.sub(lambda match: SOFT_HYPHEN if match.start() in soft else "-", text).replace("\x02", "-")


def _may_divide(text: str, match: re.Match[str], pages: Collection[int]) -> bool:
    """Return whether a hyphen stands after a letter and before a small one in the same column."""
    at = match.end(1)
    is_apart = match[1].startswith("\n\n") and at in pages
    return not is_apart and text[match.start() - 1].isalpha() and text[at].islower()


def _judge_hyphens(
    text: str, found: Sequence[re.Match[str]], halves: Sequence[tuple[str, str]]
) -> Iterator[bool | None]:
    """Yield for each hyphen whether it belongs to its word; None if the words do not tell."""
    words = _collect_words(text, found, halves) if found else set()
    folded = [(left.casefold(), right.casefold()) for left, right in halves]
    asked = {each for left, right in folded for each in (left, right, left + right) if each not in words}
    listed = find_dictionary_words(asked)
    for left, right in folded:
        joined = left + right
        if joined in words or (joined in listed and f"{left}-{right}" not in words):
            yield False
        elif f"{left}-{right}" in words:
            yield True
        else:
            yield True if all(each in words or each in listed for each in (left, right)) else None


def _collect_words(text: str, found: Sequence[re.Match[str]], halves: Sequence[tuple[str, str]]) -> set[str]:
    """Return the words and the compounds of a text without the halves at its line ends."""
    pieces = []
    at = 0
    for match, (left, right) in zip(found, halves, strict=True):
        start = match.start() - len(left)
        pieces.append(text[at : max(at, start)])
        at = match.end(1) + len(right)
    pieces.append(text[at:])
    return set(_WORD.findall("\n".join(pieces).casefold()))


def _find_word_before(text: str, end: int) -> str:
    """Return the word that ends at an offset, or the end of a very long one."""
    start = end
    while start > max(end - _LONGEST_WORD, 0) and (text[start - 1].isalnum() or text[start - 1] == "_"):
        start -= 1
    return text[start:end]


def _find_word_at(text: str, start: int) -> str:
    found = _WORD_START.match(text, start)
    return found[0] if found else ""
