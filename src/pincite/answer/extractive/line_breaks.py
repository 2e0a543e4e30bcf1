"""Find the lines of a text that do not go on with the line above, as in a log, a list of names or a form."""

import re
from collections.abc import Iterator
from itertools import pairwise

from pincite.text.sentences import is_finished
from pincite.types import Kind

_LINE = re.compile(r"[^\n\f]+")
# A date or a time before anything else: "2024-04-22 03:00", "[03:00:11]", "Apr 22 03:00:11".
_STAMP = re.compile(r"[\[(<]?(?:\d{1,4}([-/.])\d{1,2}\1\d{1,4}|(?:[^\W\d_]{3,9}\.? +\d{1,2},? +)?\d{1,2}:\d{2})(?!\w)")
_FIELD = re.compile(r"[^\W\d_][\w .'’()/-]{0,30}[ \u00a0\u202f]?:[ \t]+\S")  # "Fire brigade: 18"
_LAID_OUT: frozenset[Kind] = frozenset(["pdf", "image", "markdown"])  # where a line may end anywhere
_FULL = 0.8  # share of the longest line that a line fills with the word below it, where it was cut at a width
_LONGEST_WORD = 30  # characters of a word that count: an address may be longer than the lines around it


def find_line_starts(text: str, kind: Kind) -> Iterator[int]:
    """Yield the places where a line begins that does not go on with the line above it in the same paragraph."""
    for lines in _list_paragraphs(text):
        longest = max(_measure_line(line) for _, line in lines)
        series = [_are_alike(line, below) for (_, line), (_, below) in pairwise(lines)]
        for place, ((_, line), (start, below)) in enumerate(pairwise(lines)):
            is_first = any(series[place + 1 : place + 2]) and is_finished(line)
            if series[place] or is_first or (kind not in _LAID_OUT and _is_ended(line, below, longest)):
                yield start


def _list_paragraphs(text: str) -> Iterator[list[tuple[int, str]]]:
    """Yield the lines of each paragraph with their places, without outer white space."""
    lines: list[tuple[int, str]] = []
    ended = 0
    for line in _LINE.finditer(text):
        if not (words := line[0].strip()) or line.start() - ended > 1 or "\f" in text[ended : line.start()]:
            if lines:
                yield lines
            lines = []
        if words:
            lines.append((line.start() + len(line[0]) - len(line[0].lstrip()), words))
        ended = line.end()
    if lines:
        yield lines


def _are_alike(line: str, below: str) -> bool:
    """Whether two lines both begin with a date or time, or both name a field."""
    if _STAMP.match(below):
        return bool(_STAMP.match(line))
    return not line[0].islower() and not below[0].islower() and bool(_FIELD.match(line) and _FIELD.match(below))


def _is_ended(line: str, below: str, longest: int) -> bool:
    """Whether a line ends by itself: the first word of the one below, which begins anew, had ample room in it."""
    if below[0].islower() or line[-1] in ",-–—\u00ad":
        return False
    return _measure_line(line) + 1 + _measure_line(below.split(maxsplit=1)[0]) <= _FULL * longest


def _measure_line(line: str) -> int:
    words = line.split()
    return sum(min(len(word), _LONGEST_WORD) for word in words) + len(words) - 1
