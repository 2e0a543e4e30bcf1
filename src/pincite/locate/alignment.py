"""Align a passage with a stretch of a document: where each letter stands, though words differ or stand apart.

The passage is laid along a chain of equal runs (`matching_runs`). The text between two runs is compared letter by
letter.
"""

import re
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein

from pincite.locate.matching_runs import Bools, Run, Runs, find_islands
from pincite.text.squeeze import Codes

Indices = NDArray[np.intp]
Piece = tuple[int, int]  # of the stretch

_DIGITS = re.compile(r"\d+")
_ALIKE = 0.5  # likeness that two stretches between runs need to stand for each other
_OTHER = 24  # letters from which on a stretch counts as other text
_END = 3  # equal letters that show where a passage with omitted words begins or ends


@dataclass(frozen=True, slots=True)
class LetterStretch:
    """Letters of a document in one reading order, with flags where words, lines and blocks begin.

    The flags have one more entry, for the end.
    """

    codes: Codes
    words: Bools
    lines: Bools
    blocks: Bools


@dataclass(slots=True)
class Alignment:
    """The place in the stretch of each letter of a passage, or -1, and whether the two letters are equal.

    `pieces` of the stretch stand for the passage, in its order; `leaps` counts the jumps in the document between
    them.
    """

    places: Indices
    equal: Bools
    pieces: list[Piece] = field(default_factory=list)
    leaps: int = 0

    @property
    def covered(self) -> int:
        """The number of letters of the stretch that stand for the passage."""
        return sum(end - start for start, end in self.pieces)

    @property
    def score(self) -> float:
        """The share of the passage's letters that agree, less if many more are covered than it has."""
        extra = max(self.covered - len(self.places), 0)
        return float(self.equal.sum()) / max(len(self.places) + 0.5 * extra, 1)


def align_passage(passage: Codes, stretch: LetterStretch, runs: Runs) -> Alignment | None:
    """Return the best alignment of a passage with a stretch along their equal runs; None if there are no runs."""
    found = find_islands(runs, stretch.words)
    return _PassageAligner(passage, stretch).lay(found) if found else None


class _PassageAligner:
    """Aligns a passage with a stretch, one island of runs after the other."""

    def __init__(self, passage: Codes, stretch: LetterStretch) -> None:
        self._passage = _decode_codes(passage)
        self._here = _decode_codes(stretch.codes)
        self._stretch = stretch
        self._made = Alignment(np.full(len(passage), -1), np.zeros(len(passage), np.bool_))

    def lay(self, islands: list[list[Run]]) -> Alignment:
        self._made.leaps = len(islands) - 1
        spans = [self._within(island) for island in islands]
        for island, pieces in zip(islands[:1], spans[:1], strict=True):
            pieces[0] = (self._extend_backward(0, island[0][0], pieces[0][0]), pieces[0][1])
        for (left, right), (before, after) in zip(pairwise(islands), pairwise(spans), strict=True):
            start, end = left[-1][0] + left[-1][2], right[0][0]
            on, back = self._extend_between(start, end, before[-1][1], after[0][0])
            before[-1] = (before[-1][0], before[-1][1] + on)
            after[0] = (after[0][0] - back, after[0][1])
        last, pieces = islands[-1][-1], spans[-1]
        pieces[-1] = (pieces[-1][0], self._extend_forward(last[0] + last[2], len(self._passage), pieces[-1][1]))
        self._made.pieces = [piece for pieces in spans for piece in pieces]
        return self._made

    def _extend_between(self, q1: int, q2: int, d1: int, d2: int) -> tuple[int, int]:
        """Extend the islands before and after a gap into it; return how far each one reaches."""
        count = min(q2 - q1, len(self._here) - d1, d2)
        asked = np.frombuffer(self._passage[q1:q2].encode("utf-32-le"), np.uint32)
        on = asked[:count] == self._stretch.codes[d1 : d1 + count]
        back = asked[len(asked) - count :] == self._stretch.codes[d2 - count : d2]
        gains = np.append(0, np.cumsum(2 * on - 1.0)), np.append(np.cumsum((2 * back - 1.0)[::-1])[::-1], 0)
        reach = [int(gain.argmax()) for gain in gains]
        # A word in which a letter or two differ is included whole.
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
        """Place the runs of an island and the text between them; whole lines that the passage omits are left out."""
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
        """Whether the passage omits these whole lines of the document, or has quite different text here."""
        if d1 == d2:
            return False
        lines = bool(self._stretch.lines[d1] and self._stretch.lines[d2])
        if q2 - q1 <= 2 or not (lines or min(q2 - q1, d2 - d1) >= _OTHER):
            return lines and q2 - q1 <= 2
        alike = Levenshtein.normalized_similarity(self._passage[q1:q2], self._here[d1:d2])
        return alike < (_ALIKE if lines else _ALIKE - 0.1)

    def _compare(self, q1: int, q2: int, d1: int, d2: int) -> None:
        """Compare two stretches letter by letter, between the numbers that both have."""
        asked, here = self._passage[q1:q2], self._here[d1:d2]
        at = until = 0
        for (i, j), (k, m) in _match_numbers(asked, here):
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

    def _extend_forward(self, q1: int, q2: int, d: int) -> int:
        """Return the end of the stretch behind d that stands for the passage's letters from q1 to q2."""
        end = d + _compute_longest_reach(q2 - q1)
        reach = _measure_reach(
            self._passage[q1:q2], self._here[d:end], self._stretch.words[d:], self._stretch.blocks[d:]
        )
        self._compare(q1, q2 if reach else q1, d, d + reach)
        return d + reach

    def _extend_backward(self, q1: int, q2: int, d: int) -> int:
        """Return the start of the stretch before d that stands for the passage's letters from q1 to q2."""
        start = max(d - _compute_longest_reach(q2 - q1), 0)
        words, blocks = (begins[start : d + 1][::-1] for begins in (self._stretch.words, self._stretch.blocks))
        reach = _measure_reach(self._passage[q1:q2][::-1], self._here[start:d][::-1], words, blocks)
        self._compare(q1 if reach else q2, q2, d - reach, d)
        return d - reach


def _match_numbers(asked: str, here: str) -> list[tuple[Piece, Piece]]:
    """Return the runs of digits that both texts have in the same order, as pieces of each."""
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


def _compute_longest_reach(count: int) -> int:
    return int(1.5 * count) + 24


def _measure_reach(asked: str, here: str, edges: Bools, walls: Bools) -> int:
    """Return how many letters of `here` stand for `asked`: up to the word end where the two are most alike."""
    limit = min(len(here), _compute_longest_reach(len(asked)))
    if not asked or (len(asked) < _END and not edges[0]):
        # A word in which a letter or two differ or are missing is included whole.
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


def _decode_codes(codes: Codes) -> str:
    return codes.tobytes().decode("utf-32-le")
