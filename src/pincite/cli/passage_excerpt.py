"""Choose the parts and lines of a long passage that a terminal shows at first: the highlighted ones and neighbours."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pincite.events import ShownPassage

ANSWER_LENGTH = 600  # characters of a passage that answers, as on the page
NEAREST_LENGTH = 200  # of a passage that a refusal offers
_TOLERANCE = 1 / 3  # this share more is shown rather than left out
_LINE = 75  # characters of text that take as much room in a terminal as a row of a table
ROWS = 8  # of a table


@dataclass(frozen=True, slots=True)
class PassageExcerpt:
    """A passage with the lines that are shown at first, and whether lines before and after them are left out."""

    passage: "ShownPassage"
    is_cut_before: bool = False
    is_cut_after: bool = False

    @property
    def is_cut(self) -> bool:
        return self.is_cut_before or self.is_cut_after


@dataclass(frozen=True, slots=True)
class _PassageLine:
    start: int
    end: int
    is_lit: bool
    is_heading: bool

    @property
    def length(self) -> int:
        return self.end - self.start


def make_excerpt(passage: "ShownPassage", length: int = ANSWER_LENGTH) -> PassageExcerpt:
    """Return about so many characters of a passage: whole lines. A short passage and code stay whole.

    Of a long table it returns the rows around the highlighted ones.
    """
    text = passage.text
    lines = _split_lines(passage)
    if passage.form == "table" and passage.rows:
        return _choose_rows(passage)
    if passage.form in ("table", "code") or not lines or len(text) <= length * (1 + _TOLERANCE):
        return PassageExcerpt(passage)
    first, last = _choose_lines(lines, length)
    start, end = lines[first].start, lines[last].end
    kept = passage.model_copy(
        update={
            "text": text[start:end],
            "lit": _move_ranges(passage.lit, start, end),
            "inner_headings": _move_ranges(passage.inner_headings, start, end),
        }
    )
    return PassageExcerpt(kept, first > 0, last < len(lines) - 1)


def list_left_out(passages: "Sequence[ShownPassage]", length: int = ANSWER_LENGTH) -> "list[ShownPassage]":
    """Return the parts of long passages that have nothing highlighted, where another part of the passage has.

    The parts of a passage are consecutive.
    """
    found: list[ShownPassage] = []
    for _, group in groupby(passages, key=lambda passage: passage.n):
        parts = list(group)
        unlit = [part for part in parts if not part.lit and not part.lit_rows]
        room = sum(max(len(part.text), _LINE * len(part.rows)) for part in parts)
        if len(unlit) < len(parts) and room > length * (1 + _TOLERANCE):
            found += unlit
    return found


def _choose_rows(passage: "ShownPassage") -> PassageExcerpt:
    """Return a table with at most `ROWS` rows: all highlighted ones, and as many before them as after them."""
    count = len(passage.rows)
    if count <= ROWS * (1 + _TOLERANCE):
        return PassageExcerpt(passage)
    lit = passage.lit_rows or [0]
    first, last = min(lit), max(lit) + 1
    room = max(ROWS - (last - first), 0)
    first = max(min(first - room // 2, count - ROWS), 0) if room else first
    last = max(last, first + ROWS)
    kept = passage.model_copy(
        update={"rows": passage.rows[first:last], "lit_rows": [row - first for row in passage.lit_rows]}
    )
    return PassageExcerpt(kept, first > 0, last < count)


def _choose_lines(lines: list[_PassageLine], length: int) -> tuple[int, int]:
    """Return the first and the last line that are shown: first the line before gets room, then those that follow."""
    lit = [place for place, line in enumerate(lines) if line.is_lit] or [0]
    first, last = lit[0], lit[-1]
    room = length - sum(line.length for line in lines[first : last + 1])
    if first and lines[first - 1].length <= room:
        first -= 1
        room -= lines[first].length
    while last + 1 < len(lines) and lines[last + 1].length <= room:
        last += 1
        room -= lines[last].length
    # A heading is shown with the text under it.
    while last > lit[-1] and lines[last].is_heading:
        last -= 1
    while first and lines[first - 1].is_heading:
        first -= 1
    return first, last


def _split_lines(passage: "ShownPassage") -> list[_PassageLine]:
    """Return the lines of a passage that are not blank."""
    lines: list[_PassageLine] = []
    at = 0
    for text in passage.text.split("\n"):
        start, end = at, at + len(text)
        at = end + 1
        if text.strip():
            is_lit = any(begin < end and stop > start for begin, stop in passage.lit)
            is_heading = any(begin < end and stop > start for begin, stop in passage.inner_headings)
            lines.append(_PassageLine(start, end, is_lit, is_heading))
    return lines


def _move_ranges(ranges: list[tuple[int, int]], start: int, end: int) -> list[tuple[int, int]]:
    """Return the ranges inside a part of the text, counted from its start."""
    return [(max(one, start) - start, min(other, end) - start) for one, other in ranges if one < end and other > start]
