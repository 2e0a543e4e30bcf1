"""Find words in a text, however it spells case, accents, ligatures, quotation marks and line ends.

Any white space separates words. A hyphen at a line end may belong to the word or only break it, in the text and in the
words: words copied from a drawn page have a hyphen and a space there.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice, pairwise

import numpy as np
from numpy.typing import NDArray

from pincite.text.folding import decompose_letters, is_letter
from pincite.text.squeeze import SqueezedText, map_characters

_SINGLE = frozenset("'’‘‚‛`´′ʼ‹›")
_DOUBLE = frozenset('"“”„‟«»″〝〞')
_MINUS = "\u2212"
_UNSEEN = ("Mn", "Me", "Cc", "Cf")
_QUOTE, _SPACE = ord('"'), ord(" ")
# A hyphen and a line end within a word, and the marks that replace them.
_BROKEN = re.compile("[-\u2010\u2011\u00ad](?<=\\w.)[^\\S\n]*\n\\s*(?=\\w)")
_BREAK, _NOTHING = "\x01", "\x02"
_LINE_END = re.compile(r"(?<=\w)(- )(?=\w)")  # in words to find, after folding


@dataclass(frozen=True, slots=True)
class Occurrences:
    """The number of times that words stand in a text, and the first places, with exclusive ends."""

    total: int
    spans: tuple[tuple[int, int], ...]


def find_occurrences(text: str, words: str, limit: int) -> Occurrences:
    """Return the places of some words in a text, in order; none touches another's characters."""
    wanted = _fold_text(words).text.strip(" ")
    if not wanted:
        return Occurrences(0, ())
    folded = _fold_text(_BROKEN.sub(_mark_line_break, text))
    line = folded.text
    is_broken = _BREAK in line or _LINE_END.search(wanted) is not None
    pattern = _make_pattern(wanted) if is_broken else re.compile(re.escape(wanted))
    spans = tuple(_make_span(text, folded, *match.span()) for match in islice(pattern.finditer(line), limit))
    total = len(spans)
    if total == limit:
        total = sum(1 for _ in pattern.finditer(line)) if is_broken else line.count(wanted)
    return Occurrences(total, spans)


def _mark_line_break(broken: re.Match[str]) -> str:
    return _BREAK + _NOTHING * (len(broken[0]) - 1)


def _make_pattern(wanted: str) -> re.Pattern[str]:
    """Return a pattern for words that also matches words broken by a line end, with or without a hyphen."""
    return re.compile("".join(_list_pattern_parts(wanted)))


def _list_pattern_parts(wanted: str) -> Iterator[str]:
    for piece in _LINE_END.split(wanted):
        if piece == "- ":
            yield f"(?:- ?|{_BREAK})"
            continue
        for character, following in pairwise(piece + " "):
            yield f"[-{_BREAK}]" if character == "-" else re.escape(character)
            if is_letter(character) and is_letter(following):
                yield f"{_BREAK}?"


def _make_span(text: str, folded: SqueezedText, first: int, last: int) -> tuple[int, int]:
    end = int(folded.places[last - 1]) + 1
    while end < len(text) and unicodedata.combining(text[end]):
        end += 1  # the accent of the last letter
    return int(folded.places[first]), end


def _fold_text(text: str) -> SqueezedText:
    """Return a text in the form to compare: one space for any white space, and none beside quotation marks."""
    found = map_characters(text, _fold_character)
    found = _filter_characters(found, ~((found.codes == _SPACE) & _shift_flags(found.codes == _SPACE, 1)))
    quoted = found.codes == _QUOTE
    return _filter_characters(found, ~((found.codes == _SPACE) & (_shift_flags(quoted, 1) | _shift_flags(quoted, -1))))


def _filter_characters(found: SqueezedText, keep: NDArray[np.bool_]) -> SqueezedText:
    return found if keep.all() else SqueezedText(found.codes[keep], found.places[keep])


def _shift_flags(found: NDArray[np.bool_], by: int) -> NDArray[np.bool_]:
    """Return for each character the flag of the one before (1) or after (-1) it."""
    moved = np.zeros_like(found)
    if by > 0:
        moved[1:] = found[:-1]
    else:
        moved[:-1] = found[1:]
    return moved


@cache
def _fold_character(character: str) -> str:
    if character in (_BREAK, _NOTHING):
        return character if character == _BREAK else ""
    if character in _SINGLE or character in _DOUBLE:
        return "'" if character in _SINGLE else '"'
    return "".join(_simplify_character(each) for each in decompose_letters(character))


def _simplify_character(character: str) -> str:
    if is_letter(character):
        return character
    if character.isspace():
        return " "
    kind = unicodedata.category(character)
    if kind == "Pd" or character == _MINUS:
        return "-"
    return "" if kind in _UNSEEN else character
