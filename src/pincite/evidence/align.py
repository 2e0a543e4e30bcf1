"""A passage against a stretch of a document: which of its letters stand where, though words differ or stand apart.

It is laid along a chain of equal runs (`chain`); what lies between two of them is compared letter by letter.
"""

import re
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein

from pincite.evidence.chain import Bools, Run, Runs, islands
from pincite.evidence.squeeze import Codes

Indices = NDArray[np.intp]
Piece = tuple[int, int]  # of the stretch

_DIGITS = re.compile(r"\d+")
_ALIKE = 0.5  # what two stretches between runs must be to stand for each other
_OTHER = 24  # letters of a stretch that says something else
_END = 3  # letters that tell where a passage with words left out begins or ends


@dataclass(frozen=True, slots=True)
class Stretch:
    """Letters of a document in one of its orders; where its words, lines and blocks begin, and one more: its end."""

    codes: Codes
    words: Bools
    lines: Bools
    blocks: Bools


@dataclass(slots=True)
class Alignment:
    """For each letter of a passage its place in the stretch or -1, and whether it is equal there.

    `pieces` of the stretch stand for the passage, in its order; `leaps` is how often the document had to leap.
    """

    places: Indices
    equal: Bools
    pieces: list[Piece] = field(default_factory=list)
    leaps: int = 0

    @property
    def covered(self) -> int:
        """How many letters of the stretch stand for the passage."""
        return sum(end - start for start, end in self.pieces)

    @property
    def score(self) -> float:
        """The share of the passage's letters that agree, less if many more are covered than it has."""
        extra = max(self.covered - len(self.places), 0)
        return float(self.equal.sum()) / max(len(self.places) + 0.5 * extra, 1)


def lay(passage: Codes, stretch: Stretch, runs: Runs) -> Alignment | None:
    """The passage laid over the stretch as well as it can be, along the equal runs of both; None if there are none."""
    found = islands(runs, stretch.words)
    return _Overlay(passage, stretch).lay(found) if found else None


class _Overlay:
    """A passage being laid over a stretch, island by island."""

    def __init__(self, passage: Codes, stretch: Stretch) -> None:
        self._passage = _string(passage)
        self._here = _string(stretch.codes)
        self._stretch = stretch
        self._made = Alignment(np.full(len(passage), -1), np.zeros(len(passage), np.bool_))

    def lay(self, islands: list[list[Run]]) -> Alignment:
        self._made.leaps = len(islands) - 1
        spans = [self._within(island) for island in islands]
        for island, pieces in zip(islands[:1], spans[:1], strict=True):
            pieces[0] = (self._back(0, island[0][0], pieces[0][0]), pieces[0][1])
        for (left, right), (before, after) in zip(pairwise(islands), pairwise(spans), strict=True):
            start, end = left[-1][0] + left[-1][2], right[0][0]
            on, back = self._between(start, end, before[-1][1], after[0][0])
            before[-1] = (before[-1][0], before[-1][1] + on)
            after[0] = (after[0][0] - back, after[0][1])
        last, pieces = islands[-1][-1], spans[-1]
        pieces[-1] = (pieces[-1][0], self._on(last[0] + last[2], len(self._passage), pieces[-1][1]))
        self._made.pieces = [piece for pieces in spans for piece in pieces]
        return self._made

    def _between(self, q1: int, q2: int, d1: int, d2: int) -> tuple[int, int]:
        """How far the letters between two islands go on after the first, and how far they lead up to the second."""
        count = min(q2 - q1, len(self._here) - d1, d2)
        asked = np.frombuffer(self._passage[q1:q2].encode("utf-32-le"), np.uint32)
        on = asked[:count] == self._stretch.codes[d1 : d1 + count]
        back = asked[len(asked) - count :] == self._stretch.codes[d2 - count : d2]
        gains = np.append(0, np.cumsum(2 * on - 1.0)), np.append(np.cumsum((2 * back - 1.0)[::-1])[::-1], 0)
        reach = [int(gain.argmax()) for gain in gains]
        # A word of which a letter or two differ is taken whole.
        ahead = next(
            (i for i in range(reach[0], min(reach[0] + 3, count + 1)) if self._stretch.words[d1 + i]), reach[0]
        )
        behind = count - reach[1]
        if ahead + behind > q2 - q1:
            ahead, behind = (ahead, q2 - q1 - ahead) if gains[0].max() >= gains[1].max() else (q2 - q1 - behind, behind)
        self._compare_letters(q1, q1 + ahead, d1, d1 + ahead)
        self._compare_letters(q2 - behind, q2, d2 - behind, d2)
        return ahead, behind

    def _within(self, island: list[Run]) -> list[Piece]:
        """The runs of an island and what lies between them; whole lines that the passage leaves out are left out."""
        pieces: list[Piece] = []
        begin = island[0][1]
        for q, d, n in island:
            self._made.places[q : q + n] = np.arange(d, d + n)
            self._made.equal[q : q + n] = True
        for (q1, d1, n1), (q2, d2, _) in pairwise(island):
            if self._left_out(q1 + n1, q2, d1 + n1, d2):
                pieces.append((begin, d1 + n1))
                begin = d2
            else:
                self._compare(q1 + n1, q2, d1 + n1, d2)
        pieces.append((begin, island[-1][1] + island[-1][2]))
        return pieces

    def _left_out(self, q1: int, q2: int, d1: int, d2: int) -> bool:
        """Does the passage leave out these whole lines of the document, or have something else altogether here?"""
        if d1 == d2:
            return False
        lines = bool(self._stretch.lines[d1] and self._stretch.lines[d2])
        if q2 - q1 <= 2 or not (lines or min(q2 - q1, d2 - d1) >= _OTHER):
            return lines and q2 - q1 <= 2
        alike = Levenshtein.normalized_similarity(self._passage[q1:q2], self._here[d1:d2])
        return alike < (_ALIKE if lines else _ALIKE - 0.1)

    def _compare(self, q1: int, q2: int, d1: int, d2: int) -> None:
        """Letter by letter between the numbers that both have: what is equal, and what stands in another's place."""
        asked, here = self._passage[q1:q2], self._here[d1:d2]
        at = until = 0
        for (i, j), (k, m) in _same_numbers(asked, here):
            self._compare_letters(q1 + at, q1 + i, d1 + until, d1 + k)
            self._made.places[q1 + i : q1 + j] = np.arange(d1 + k, d1 + m)
            self._made.equal[q1 + i : q1 + j] = True
            at, until = j, m
        self._compare_letters(q1 + at, q2, d1 + until, d2)

    def _compare_letters(self, q1: int, q2: int, d1: int, d2: int) -> None:
        for op in Levenshtein.opcodes(self._passage[q1:q2], self._here[d1:d2]):
            if op.tag in ("equal", "replace"):
                a, b = q1 + op.src_start, q1 + op.src_end
                self._made.places[a:b] = np.arange(d1 + op.dest_start, d1 + op.dest_end)
                self._made.equal[a:b] = op.tag == "equal"

    def _on(self, q1: int, q2: int, d: int) -> int:
        """How far beyond d the stretch stands for the passage's letters from q1 to q2."""
        end = d + _room(q2 - q1)
        reach = _reach(self._passage[q1:q2], self._here[d:end], self._stretch.words[d:], self._stretch.blocks[d:])
        self._compare(q1, q2 if reach else q1, d, d + reach)
        return d + reach

    def _back(self, q1: int, q2: int, d: int) -> int:
        """The same, backwards from d, for the passage's letters from q1 to q2."""
        start = max(d - _room(q2 - q1), 0)
        words, blocks = (begins[start : d + 1][::-1] for begins in (self._stretch.words, self._stretch.blocks))
        reach = _reach(self._passage[q1:q2][::-1], self._here[start:d][::-1], words, blocks)
        self._compare(q1 if reach else q2, q2, d - reach, d)
        return d - reach


def _same_numbers(asked: str, here: str) -> list[tuple[Piece, Piece]]:
    """Runs of digits that stand in both, in the same order, as pieces of each."""
    numbers = [[match.span() for match in _DIGITS.finditer(text)] for text in (asked, here)]
    if not all(numbers):
        return []
    told = [[text[a:b] for a, b in spans] for text, spans in zip((asked, here), numbers, strict=True)]
    return [
        (numbers[0][op.src_start + i], numbers[1][op.dest_start + i])
        for op in Levenshtein.opcodes(*told)
        if op.tag == "equal"
        for i in range(op.src_end - op.src_start)
    ]


def _room(count: int) -> int:
    return int(1.5 * count) + 24


def _reach(asked: str, here: str, edges: Bools, walls: Bools) -> int:
    """How many letters of `here` stand for `asked`: up to the edge of a word, where the two are most alike."""
    limit = min(len(here), _room(len(asked)))
    if not asked or (len(asked) < _END and not edges[0]):
        # A word of which a letter or two are missing, or differ, is taken whole.
        return next((i for i in range(min(_END, len(here) + 1)) if edges[i]), 0)
    stops = [i for i in range(1, limit + 1) if edges[i]]
    if not stops and len(asked) <= limit:
        stops.append(len(asked))
    if not stops:
        return 0
    if len(stops) > 24:
        stops = sorted(stops, key=lambda stop: abs(stop - len(asked)))[:24]
    distance, _, reach = min((Levenshtein.distance(asked, here[:i]), abs(i - len(asked)), i) for i in stops)
    if distance <= 0.5 * max(len(asked), reach):
        return reach
    alike = next((i for i in stops if len(asked) >= _END and here[:i][-_END:] == asked[-_END:]), 0)
    return 0 if walls[:alike].any() else alike


def _string(codes: Codes) -> str:
    return codes.tobytes().decode("utf-32-le")
