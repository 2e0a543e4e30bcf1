"""Find the equal runs of a passage and a stretch of a document, and chain them.

Runs are chained in the passage's order. The document may jump between two runs, at a cost.
"""

import numpy as np
from numpy.typing import NDArray

from pincite.text.squeeze import Codes

Bools = NDArray[np.bool_]
Run = tuple[int, int, int]  # where in the passage, where in the stretch, how long
Runs = NDArray[np.int64]  # one a row

LONG = 8  # letters from which on a run is significant by itself
_RUN = 5  # letters at least in an equal run
_COMMON = 40  # a sequence that is more frequent in the stretch is ignored
_TABLE = np.uint64(1 << 16)
_MOST = 160  # runs to choose from
_NEAR = 60  # letters more or fewer between two runs that still belong together
_LEAP = 14.0  # letters that a leap costs
_ISLAND = 12  # letters at least between two leaps


def find_equal_runs(passage: Codes, stretch: Codes) -> Runs:
    """Return the maximal equal runs of a passage and a stretch, in the passage's order; at most the longest `_MOST`."""
    asked, here = _hash_runs(passage), _hash_runs(stretch)
    # Most of the stretch has nothing in common with the passage: a table of the hashes' last bits rules it out fast.
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
    # A short run counts only beside a long one that it continues; elsewhere it is chance.
    short = runs[runs[:, 2] < LONG]
    ways = np.sort(long[:, 1] - long[:, 0])
    way = short[:, 1] - short[:, 0]
    after = np.searchsorted(ways, way).clip(1, len(ways) - 1) if len(ways) > 1 else np.zeros(len(way), np.intp)
    off = np.minimum(np.abs(ways[after] - way), np.abs(ways[after - 1] - way))
    runs = np.concatenate([long, short[np.argsort(off, kind="stable")][: max(_MOST - len(long), 0)]])
    return runs[np.lexsort((runs[:, 1], runs[:, 0]))]


def measure_coverage(runs: Runs, count: int, least: int = 0) -> float:
    """Return the share of a passage of `count` letters that runs of at least `least` letters cover."""
    runs = runs[runs[:, 2] >= least]
    steps = np.bincount(runs[:, 0], minlength=count + 1) - np.bincount(runs[:, 0] + runs[:, 2], minlength=count + 1)
    return np.count_nonzero(np.cumsum(steps)) / max(count, 1)


def measure_contiguity(runs: Runs) -> float:
    """Return how contiguous the passage is here: long runs count more."""
    return float((runs[:, 2] ** 2).sum())


def _hash_runs(codes: Codes) -> NDArray[np.uint64]:
    count = max(len(codes) - _RUN + 1, 0)
    hashes = np.zeros(count, np.uint64)
    for i in range(_RUN):
        hashes *= np.uint64(1_000_003)
        hashes += codes[i : i + count]
    return hashes


def find_islands(runs: Runs, words: Bools) -> list[list[Run]]:
    """Return the best chain of these runs, cut at its leaps; `words` say where words begin in the stretch."""
    return _split_at_leaps(_trim_overlaps(_find_best_chain(runs), words))


def _find_best_chain(runs: Runs) -> list[Run]:
    """Return the runs that together agree with most of the passage, in its order, for the fewest and cheapest leaps."""
    if not len(runs):
        return []
    q, d, n = runs.T.astype(np.float32)  # half the memory, which takes most of the time
    ahead = d[:, None] > d
    # The gain of a run behind another: its letters that the other does not have, less the cost of the distance.
    shared = np.where(ahead, d + n - d[:, None], 0)
    np.maximum(shared, q + n - q[:, None], out=shared)
    np.maximum(shared, 0, out=shared)
    shift = np.abs((d - q)[:, None] - (d - q))
    near = ahead & (shift <= _NEAR)
    far = np.minimum(np.where(ahead, shift / 400, 6), 6) + _LEAP
    added = n[:, None] - shared - np.where(near, np.minimum(0.15 * shift + (shift > 0), _LEAP), far)
    added[shared >= n[:, None]] = -np.inf
    best = n.copy()
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


def _trim_overlaps(chain: list[Run], words: Bools) -> list[Run]:
    """Return the chain without overlaps of neighbours; the shared letters go to the side where words stay whole."""
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


def _split_at_leaps(chain: list[Run]) -> list[list[Run]]:
    """Return the chain cut at its leaps; too short a piece between two leaps is chance, and left out."""
    islands: list[list[Run]] = []
    for run in chain:
        if islands and _is_following(islands[-1][-1], run):
            islands[-1].append(run)
        else:
            islands.append([run])
    if len(islands) == 1:
        return islands
    for island in islands:
        for edge, beside in ((0, 1), (-1, -2)):
            while (
                len(island) > 1 and island[edge][2] < LONG and not _is_touching(*sorted((island[edge], island[beside])))
            ):
                island.pop(edge)
    return [island for island in islands if sum(n for _, _, n in island) >= _ISLAND]


def _is_touching(a: Run, b: Run) -> bool:
    return b[0] - a[0] - a[2] <= 1 and b[1] - a[1] - a[2] <= 1


def _is_following(a: Run, b: Run) -> bool:
    asked, here = b[0] - a[0] - a[2], b[1] - a[1] - a[2]
    return 0 <= here <= 1.6 * asked + 30
