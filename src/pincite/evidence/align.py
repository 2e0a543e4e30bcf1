"""A passage against a stretch of a document: which of its letters stand where, though words differ or stand apart.

Equal runs are found first and chained in the passage's order; the document may leap between them, at a price. What
lies between two runs of a chain is compared letter by letter.
"""

import re
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein

from pincite.evidence.squeeze import Codes

Bools = NDArray[np.bool_]
Indices = NDArray[np.intp]
Run = tuple[int, int, int]  # where in the passage, where in the stretch, how long
Runs = NDArray[np.int64]  # one a row
Piece = tuple[int, int]  # of the stretch

_DIGITS = re.compile(r"\d+")
_RUN = 5  # letters at least in an equal run
LONG = 8  # letters of a run that says something by itself
_COMMON = 40  # a sequence that stands more often in the stretch says nothing
_TABLE = np.uint64(1 << 16)
_MOST = 160  # runs to choose from
_NEAR = 60  # letters more or fewer between two runs that still belong together
_LEAP = 14.0  # letters that a leap costs
_ISLAND = 12  # letters at least between two leaps
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
    islands = _islands(_trimmed(_chain(runs), stretch.words))
    return _Overlay(passage, stretch).lay(islands) if islands else None


def equal_runs(passage: Codes, stretch: Codes) -> Runs:
    """Maximal equal runs of a passage and a stretch, in the passage's order; the longest when there are very many."""
    asked, here = _hashes(passage), _hashes(stretch)
    # Most of the stretch has nothing in common with the passage: a table of its hashes' last bits tells that soonest.
    common = np.zeros(int(_TABLE), np.bool_)
    common[asked % _TABLE] = True
    here_in = np.flatnonzero(common[here % _TABLE])
    order = here_in[np.argsort(here[here_in], kind="stable")]
    ranked = here[order]
    first = np.searchsorted(ranked, asked, "left")
    many = np.searchsorted(ranked, asked, "right") - first
    many[many > _COMMON] = 0
    total = int(many.sum())
    if not total:
        return np.empty((0, 3), np.int64)
    q = np.repeat(np.arange(len(asked)), many)
    d = order[np.repeat(first - np.cumsum(many) + many, many) + np.arange(total)]
    order = np.lexsort((q, d - q))
    q, d = q[order], d[order]
    new = np.flatnonzero((np.diff(d - q) != 0) | (np.diff(q) != 1)) + 1
    starts = np.concatenate([[0], new])
    ends = np.append(new, total) - 1
    runs = np.stack([q[starts], d[starts], q[ends] - q[starts] + _RUN], axis=1)
    long = runs[runs[:, 2] >= LONG]
    if not len(long):
        long = runs
    if len(long) > _MOST:
        long = long[np.argsort(-long[:, 2], kind="stable")[:_MOST]]
    # A short run is kept beside a long one that it continues; elsewhere it is chance.
    short = runs[runs[:, 2] < LONG]
    ways = np.sort(long[:, 1] - long[:, 0])
    way = short[:, 1] - short[:, 0]
    after = np.searchsorted(ways, way).clip(1, len(ways) - 1) if len(ways) > 1 else np.zeros(len(way), np.intp)
    off = np.minimum(np.abs(ways[after] - way), np.abs(ways[after - 1] - way))
    runs = np.concatenate([long, short[np.argsort(off, kind="stable")][: max(_MOST - len(long), 0)]])
    return runs[np.lexsort((runs[:, 1], runs[:, 0]))]


def share(runs: Runs, count: int, least: int = 0) -> float:
    """How much of a passage of so many letters the runs cover that are at least so long."""
    runs = runs[runs[:, 2] >= least]
    steps = np.bincount(runs[:, 0], minlength=count + 1) - np.bincount(runs[:, 0] + runs[:, 2], minlength=count + 1)
    return np.count_nonzero(np.cumsum(steps)) / max(count, 1)


def contiguity(runs: Runs) -> float:
    """How far the passage is of one piece here: the longer its runs, the more."""
    return float((runs[:, 2] ** 2).sum())


def _hashes(codes: Codes) -> NDArray[np.uint64]:
    count = max(len(codes) - _RUN + 1, 0)
    hashes = np.zeros(count, np.uint64)
    for i in range(_RUN):
        hashes *= np.uint64(1_000_003)
        hashes += codes[i : i + count]
    return hashes


def _chain(runs: Runs) -> list[Run]:
    """The runs that together agree with most of the passage, in its order, for the fewest and cheapest leaps."""
    if not len(runs):
        return []
    q, d, n = runs.T
    ahead = d[:, None] > d
    # What a run adds to a chain that ends in another: its letters that are not in that one, less the way from there.
    shared = np.maximum(q + n - q[:, None], np.where(ahead, d + n - d[:, None], 0))
    shift = np.abs((d - q)[:, None] - (d - q))
    near = ahead & (shift <= _NEAR)
    way = np.where(near, 0.15 * shift + (shift > 0), np.where(ahead, shift / 400, 6.0) + _LEAP)
    added = n[:, None] - np.maximum(shared, 0) - np.minimum(way, np.where(near, _LEAP, _LEAP + 6))
    added[shared >= n[:, None]] = -np.inf
    best = n.astype(np.float64)
    before = np.full(len(runs), -1)
    for i in range(1, len(runs)):
        totals = best[:i] + added[i, :i]
        j = totals.argmax()
        if totals[j] > best[i]:
            best[i], before[i] = totals[j], j
    chain: list[Run] = []
    i = int(best.argmax())
    while i >= 0:
        chain.append((int(q[i]), int(d[i]), int(n[i])))
        i = int(before[i])
    return chain[::-1]


def _trimmed(chain: list[Run], words: Bools) -> list[Run]:
    """The chain without what two neighbours share: it goes to one or the other so that words stay whole."""
    trimmed: list[Run] = []
    for q, d, n in chain:
        if trimmed:
            before_q, before_d, length = trimmed[-1]
            shared = before_q + length - q
            if 0 < shared < min(length, n) and d != before_d + q - before_q:
                end = before_d + length
                left = max(range(shared + 1), key=lambda i: (bool(words[end - i]) + bool(words[d + shared - i]), -i))
                trimmed[-1] = (before_q, before_d, length - left)
                length -= left
            over = max(before_q + length - q, before_d + length - d if d > before_d else 0, 0)
            q, d, n = q + over, d + over, n - over
        if n > 0:
            trimmed.append((q, d, n))
    return trimmed


def _islands(chain: list[Run]) -> list[list[Run]]:
    """The chain cut at its leaps; too short a piece between two leaps is chance, and left out."""
    islands: list[list[Run]] = []
    for run in chain:
        if islands and _follows(islands[-1][-1], run):
            islands[-1].append(run)
        else:
            islands.append([run])
    if len(islands) == 1:
        return islands
    for island in islands:
        for edge, beside in ((0, 1), (-1, -2)):
            while len(island) > 1 and island[edge][2] < LONG and not _touch(*sorted((island[edge], island[beside]))):
                island.pop(edge)
    return [island for island in islands if sum(n for _, _, n in island) >= _ISLAND]


def _touch(a: Run, b: Run) -> bool:
    return b[0] - a[0] - a[2] <= 1 and b[1] - a[1] - a[2] <= 1


def _follows(a: Run, b: Run) -> bool:
    asked, here = b[0] - a[0] - a[2], b[1] - a[1] - a[2]
    return 0 <= here <= 1.6 * asked + 30


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
