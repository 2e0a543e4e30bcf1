"""How far two texts have the same runs of four words: the measure of the public benchmark of article bodies."""

import random
import re
import statistics
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

_WORD = re.compile(r"\w+")
_RUN = 4
_DRAWS = 1000
_MEASURES = ("precision", "recall", "f1")

Shares = tuple[float | None, float | None]


class Counts(NamedTuple):
    """Runs of words that both texts have, that only the found one has, and that only the wanted one has."""

    shared: int
    extra: int
    missing: int


def compare(found: str, wanted: str) -> Counts:
    """The runs of four words of two texts, each counted as often as it stands there; case and order matter."""
    ours, gold = _runs(found), _runs(wanted)
    shared = (ours & gold).total()
    return Counts(shared, ours.total() - shared, gold.total() - shared)


def _runs(text: str) -> Counter[tuple[str, ...]]:
    words = _WORD.findall(text)
    return Counter(tuple(words[i : i + _RUN]) for i in range(max(1, len(words) - _RUN + 1)) if words)


def figures(pages: Sequence[Counts]) -> dict[str, float]:
    """Mean precision and recall over pages, F1 of the two means, and a bootstrap's standard error of each."""
    shares = [_shares(counts) for counts in pages]
    chance = random.Random(0)
    drawn = [_means(chance.choices(shares, k=len(shares))) for _ in range(_DRAWS)] if shares else []
    found = dict(zip(_MEASURES, _means(shares), strict=True))
    errors = {
        f"{name}_error": statistics.stdev(column) if drawn else 0.0
        for name, column in zip(_MEASURES, zip(*drawn, strict=True) if drawn else ((), (), ()), strict=True)
    }
    return {"pages": len(pages)} | {name: round(value, 4) for name, value in (found | errors).items()}


def lead(ours: Sequence[Counts], theirs: Sequence[Counts]) -> dict[str, float]:
    """By how much the F1 of one reader is above another's on the same pages, and a bootstrap's standard error of it."""
    pairs = [(_shares(one), _shares(other)) for one, other in zip(ours, theirs, strict=True)]
    chance = random.Random(0)
    drawn = [_difference(chance.choices(pairs, k=len(pairs))) for _ in range(_DRAWS)] if pairs else []
    error = statistics.stdev(drawn) if drawn else 0.0
    return {"f1": round(_difference(pairs), 4), "f1_error": round(error, 4)}


def _difference(pairs: Sequence[tuple[Shares, Shares]]) -> float:
    return _means([one for one, _ in pairs])[2] - _means([other for _, other in pairs])[2]


def _shares(counts: Counts) -> Shares:
    """A page's precision and recall; a side without any words has none."""
    found, wanted = counts.shared + counts.extra, counts.shared + counts.missing
    return counts.shared / found if found else None, counts.shared / wanted if wanted else None


def _means(shares: Sequence[Shares]) -> tuple[float, float, float]:
    precision, recall = (_mean([pair[side] for pair in shares]) for side in (0, 1))
    return precision, recall, 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def _mean(values: Sequence[float | None]) -> float:
    known = [value for value in values if value is not None]
    return statistics.fmean(known) if known else 0.0
