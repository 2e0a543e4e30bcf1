"""Where words stand in a text, letter for letter, however it writes them: case, accents, ligatures, quotes, line ends.

White space parts words, as much of it as there is; a hyphen at a line's end may be the word's own or the line's.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice, pairwise

import numpy as np
from numpy.typing import NDArray

from pincite.evidence.squeeze import Squeezed, apart, is_letter, spread

_SINGLE = frozenset("'’‘‚‛`´′ʼ‹›")
_DOUBLE = frozenset('"“”„‟«»″〝〞')
_MINUS = "\u2212"
_UNSEEN = ("Mn", "Me", "Cc", "Cf")
_QUOTE, _SPACE = ord('"'), ord(" ")
# A hyphen between two letters or digits that a line's end follows, and the mark that stands for all of it.
_BROKEN = re.compile("[-\u2010\u2011\u00ad](?<=\\w.)[^\\S\n]*\n\\s*(?=\\w)")
_BREAK, _NOTHING = "\x01", "\x02"


@dataclass(frozen=True, slots=True)
class Occurrences:
    """How often words stand in a text, and the first of these places: start and end, exclusive."""

    total: int
    spans: tuple[tuple[int, int], ...]


def occurrences(text: str, words: str, limit: int) -> Occurrences:
    """The places of some words in a text, in order; none touches another's characters."""
    wanted = _folded(words).text.strip(" ")
    if not wanted:
        return Occurrences(0, ())
    folded = _folded(_BROKEN.sub(_marked, text))
    line = folded.text
    pattern = _pattern(wanted) if _BREAK in line else re.compile(re.escape(wanted))
    spans = tuple(_span(text, folded, *match.span()) for match in islice(pattern.finditer(line), limit))
    total = len(spans)
    if total == limit:
        total = sum(1 for _ in pattern.finditer(line)) if _BREAK in line else line.count(wanted)
    return Occurrences(total, spans)


def _marked(broken: re.Match[str]) -> str:
    return _BREAK + _NOTHING * (len(broken[0]) - 1)


def _pattern(wanted: str) -> re.Pattern[str]:
    """What matches words also where a line's end broke them, with a hyphen of theirs or one of its own."""
    return re.compile("".join(_steps(wanted)))


def _steps(wanted: str) -> Iterator[str]:
    for character, following in pairwise(wanted + " "):
        yield f"[-{_BREAK}]" if character == "-" else re.escape(character)
        if is_letter(character) and is_letter(following):
            yield f"{_BREAK}?"


def _span(text: str, folded: Squeezed, first: int, last: int) -> tuple[int, int]:
    end = int(folded.places[last - 1]) + 1
    while end < len(text) and unicodedata.combining(text[end]):
        end += 1  # the accent of the last letter
    return int(folded.places[first]), end


def _folded(text: str) -> Squeezed:
    """A text as it is compared: one space for any white space, and none beside quotes, where French puts some."""
    found = spread(text, _form)
    found = _kept(found, ~((found.codes == _SPACE) & _shifted(found.codes == _SPACE, 1)))
    quoted = found.codes == _QUOTE
    return _kept(found, ~((found.codes == _SPACE) & (_shifted(quoted, 1) | _shifted(quoted, -1))))


def _kept(found: Squeezed, keep: NDArray[np.bool_]) -> Squeezed:
    return found if keep.all() else Squeezed(found.codes[keep], found.places[keep])


def _shifted(found: NDArray[np.bool_], by: int) -> NDArray[np.bool_]:
    """What is true of the character before (1) or after (-1) each one."""
    moved = np.zeros_like(found)
    if by > 0:
        moved[1:] = found[:-1]
    else:
        moved[:-1] = found[1:]
    return moved


@cache
def _form(character: str) -> str:
    if character in (_BREAK, _NOTHING):
        return character if character == _BREAK else ""
    if character in _SINGLE or character in _DOUBLE:
        return "'" if character in _SINGLE else '"'
    return "".join(_plain(each) for each in apart(character))


def _plain(character: str) -> str:
    if is_letter(character):
        return character
    if character.isspace():
        return " "
    kind = unicodedata.category(character)
    if kind == "Pd" or character == _MINUS:
        return "-"
    return "" if kind in _UNSEEN else character
