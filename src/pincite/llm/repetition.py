"""Detection of a model that repeats itself without end.

`find_loop` is a pure function of the text so far. `Unrepeated` passes text on as it streams and holds back a stretch
that repeats an earlier one, so that a loop is stopped before its repeats are shown.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain

from pincite.text.citation_marks import WRITTEN_MARK

_WINDOW = 8000  # characters at the end of a text in which loops are looked for
_PROBE = 16  # characters that must be repeated before anything counts as a repeat
_UNSETTLED = 200  # characters at the end of a text in which more text may change where a sentence begins
_CANDIDATES = 40  # earlier places of these characters that are tried
_TIMES = 4  # times that a long unit, or a whole sentence, must stand in a row
_LONG, _SENTENCE = 60, 20  # characters of a long unit, and of a sentence
_SHORT_TIMES, _SHORT_TOTAL = 8, 200  # times, and characters in all, for a shorter unit: "the the the …"
_TABULAR_TIMES, _TABULAR_TOTAL = 8, 1500  # the same in tables and code, which repeat themselves by their nature
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)", re.M)
_END = re.compile(rf"[.!?…](?:[\"”»)\]]|\s?{WRITTEN_MARK})*(?=\s|$)")
_BULLET = re.compile(r"[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]+")
_LAST = re.compile(rf"[.!?…](?:[\"”»)\]*_]|\s?{WRITTEN_MARK})*\s*\Z")
_START = re.compile(rf"(?:[.!?…](?:[\"”»)\]]|\s?{WRITTEN_MARK})*\s+|(?<!\n)\n+)(?=\S)")


def has_sentence_end(text: str) -> bool:
    """Whether a text ends with a whole sentence, marks and quotation marks behind it included."""
    return bool(_LAST.search(text[-_WINDOW:]))


@dataclass(frozen=True, slots=True)
class Loop:
    """A stretch of text that repeats with a period; `start` is where its first occurrence begins."""

    start: int
    period: int

    @property
    def first_end(self) -> int:
        """Where the first occurrence ends."""
        return self.start + self.period


def find_loop(text: str) -> int | None:
    """The length of the text without its repeats when its end repeats itself without end; None when it does not."""
    fences = [match.end() for match in _FENCE.finditer(text)]
    return _find_end(text, _find_loops(text), fences)


@dataclass(slots=True)
class RepetitionFilter:
    """Passes text on as it comes, and holds back repeats until it is known whether they end.

    The places found so far are kept, so that a piece costs work by its own length and not by that of the text.
    """

    text: str = ""
    _shown: int = field(default=0, repr=False)
    is_endless: bool = False
    _loops: list[Loop] = field(default_factory=list, repr=False)
    _begins: list[tuple[int, int]] = field(default_factory=list, repr=False)
    _unmatched: set[int] = field(default_factory=set, repr=False)
    _fences: list[int] = field(default_factory=list, repr=False)

    def feed(self, piece: str) -> str:
        """The text that may be shown now; after `is_endless` is set nothing more may."""
        if self.is_endless:
            return ""
        before = len(self.text)
        self.text += piece
        self._loops = _find_loops(self.text, self._loops, before)
        self._note_begins(before)
        self._note_fences(before)
        kept = _find_end(self.text, self._loops, self._fences)
        if kept is not None:
            self.is_endless = True
            return self._show(kept)
        return self._show(self._count_certain())

    def end(self) -> str:
        """The text that was held back, when no more comes."""
        return "" if self.is_endless else self._show(len(self.text))

    def _count_certain(self) -> int:
        """How much of the text cannot turn out to be a repeat."""
        bounds = [loop.first_end for loop in self._loops]
        # An item of a list begins before its bullet and behind it.
        begun = {place for place in self._begins[-1] if place < len(self.text)}
        self._unmatched &= begun  # words that begin like none before them never will when they go on
        for place in begun - self._unmatched:
            if self._is_begun_before(place):
                bounds.append(place)
            else:
                self._unmatched.add(place)
        return min([len(self.text), *bounds])

    def _is_begun_before(self, place: int) -> bool:
        """Whether a sentence, line or item of the window before this place begins with all words behind it."""
        words, first = self.text[place:], max(len(self.text) - _WINDOW, 0)
        earlier = chain.from_iterable(reversed(self._begins))
        return any(first <= at < place and self.text.startswith(words, at) for at in earlier)

    def _note_begins(self, before: int) -> None:
        """Note where sentences and lines of the window begin, and where the words of a list's item do."""
        first = max(len(self.text) - _WINDOW, 0)
        settled = before - _UNSETTLED  # later text may have been read in another way before this piece came
        while self._begins and self._begins[-1][0] > settled:
            self._begins.pop()
        noted = self._begins[-1][0] if self._begins else -1
        if noted < 0 or self._begins[0][0] < first - _WINDOW:  # the list is cut once for many pieces
            self._begins = [(first, self._after_bullet(first)), *(pair for pair in self._begins if pair[0] > first)]
        scanned = max(noted, settled - _UNSETTLED, first)
        begins = (match.end() for match in _START.finditer(self.text, scanned))
        self._begins += [(begin, self._after_bullet(begin)) for begin in begins if begin > max(noted, first)]

    def _after_bullet(self, begin: int) -> int:
        bullet = _BULLET.match(self.text, begin)
        return bullet.end() if bullet else begin

    def _note_fences(self, before: int) -> None:
        line = self.text.rfind("\n", 0, before) + 1
        while self._fences and self._fences[-1] > line:
            self._fences.pop()
        self._fences += [match.end() for match in _FENCE.finditer(self.text, line)]

    def _show(self, until: int) -> str:
        piece = self.text[self._shown : until]
        self._shown = max(self._shown, until)
        return piece


def _find_end(text: str, loops: Iterable[Loop], fences: Sequence[int]) -> int | None:
    """The length of a text without its repeats where one of its loops is endless."""
    loop = next((each for each in loops if _is_endless(text, each, fences)), None)
    return _find_first_end(text, loop) if loop else None


def _find_loops(text: str, known: Iterable[Loop] = (), before: int = 0) -> list[Loop]:
    """The ways in which the end of a text continues a repeat, the shortest period first.

    `known` are those of the text's first `before` characters.
    """
    found: list[Loop] = []
    if len(text) < 2 * _PROBE:
        return found
    starts = {loop.period: loop.start for loop in known}
    probe, last, first = text[-_PROBE:], len(text), max(len(text) - _WINDOW, 0)
    at = text.rfind(probe, first, last - 1)
    while at >= 0 and len(found) < _CANDIDATES:
        period = last - _PROBE - at
        # Where a known loop goes on, its characters need not be compared again.
        until = max(first, before - period) if period in starts else first
        start = at
        while start > until and text[start - 1] == text[start - 1 + period]:
            start -= 1
        if period in starts and start <= before - period:
            start = min(start, max(starts[period], first))
        found.append(Loop(start, period))
        at = text.rfind(probe, first, start + _PROBE - 1)  # inside this one are only multiples of its period
    return found


def _is_endless(text: str, loop: Loop, fences: Sequence[int]) -> bool:
    """Whether a loop has come too often; `fences` are the ends of the marks around code."""
    total = len(text) - loop.start
    times = total // loop.period
    if times < _TIMES:
        return False
    unit = text[loop.start : loop.first_end]
    if not any(map(str.isalpha, unit)):
        return False  # rules of tables, rows of dots, figures
    if "|" in unit or bisect_right(fences, loop.start + 1) % 2:
        return times >= _TABULAR_TIMES and total >= _TABULAR_TOTAL
    if loop.period >= _LONG or (loop.period >= _SENTENCE and _END.search(unit + unit)):
        return True
    return times >= _SHORT_TIMES and total >= _SHORT_TOTAL


def _find_first_end(text: str, loop: Loop) -> int:
    """Where the first occurrence ends, at the end of its sentence or line where it has one.

    The period may begin a few characters early, where the words before it happen to end alike.
    """
    at = loop.first_end
    if has_sentence_end(text[:at]):
        return len(text[:at].rstrip())
    ended = _END.search(text, at, at + loop.period)
    if ended:
        return ended.end()
    line = text.find("\n", at, at + loop.period)
    if line >= 0:
        return line
    space = next((place for place in range(at, at + loop.period) if text[place - 1 : place].isspace()), at)
    return len(text[:space].rstrip())
