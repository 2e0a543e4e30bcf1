"""Compare two texts by their runs of four words, as the public benchmark of article bodies does."""

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
    """The runs of words that both texts have, that only the found one has, and that only the wanted one has."""

    shared: int
    extra: int
    missing: int


def compare_texts(found: str, wanted: str) -> Counts:
    """Compare the runs of four words of two texts, counting every occurrence; case and order matter."""
    ours, gold = _count_runs(found), _count_runs(wanted)
    shared = (ours & gold).total()
    return Counts(shared, ours.total() - shared, gold.total() - shared)


def _count_runs(text: str) -> Counter[tuple[str, ...]]:
    words = _WORD.findall(text)
    return Counter(tuple(words[i : i + _RUN]) for i in range(max(1, len(words) - _RUN + 1)) if words)


def compute_figures(pages: Sequence[Counts]) -> dict[str, float]:
    """Return mean precision and recall over pages, the F1 of the means, and a bootstrap standard error of each."""
    shares = [_compute_shares(counts) for counts in pages]
    chance = random.Random(0)
    drawn = [_compute_means(chance.choices(shares, k=len(shares))) for _ in range(_DRAWS)] if shares else []
    found = dict(zip(_MEASURES, _compute_means(shares), strict=True))
    errors = {
        f"{name}_error": statistics.stdev(column) if drawn else 0.0
        for name, column in zip(_MEASURES, zip(*drawn, strict=True) if drawn else ((), (), ()), strict=True)
    }
    return {"pages": len(pages)} | {name: round(value, 4) for name, value in (found | errors).items()}


def compute_lead(ours: Sequence[Counts], theirs: Sequence[Counts]) -> dict[str, float]:
    """Return the difference in F1 of two readers on the same pages, and its bootstrap standard error."""
    pairs = [(_compute_shares(one), _compute_shares(other)) for one, other in zip(ours, theirs, strict=True)]
    chance = random.Random(0)
    drawn = [_compute_difference(chance.choices(pairs, k=len(pairs))) for _ in range(_DRAWS)] if pairs else []
    error = statistics.stdev(drawn) if drawn else 0.0
    return {"f1": round(_compute_difference(pairs), 4), "f1_error": round(error, 4)}


def _compute_difference(pairs: Sequence[tuple[Shares, Shares]]) -> float:
    return _compute_means([one for one, _ in pairs])[2] - _compute_means([other for _, other in pairs])[2]


def _compute_shares(counts: Counts) -> Shares:
    """Return a page's precision and recall; None for a side without words."""
    found, wanted = counts.shared + counts.extra, counts.shared + counts.missing
    return counts.shared / found if found else None, counts.shared / wanted if wanted else None


def _compute_means(shares: Sequence[Shares]) -> tuple[float, float, float]:
    precision, recall = (_compute_mean([pair[side] for pair in shares]) for side in (0, 1))
    return precision, recall, 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def _compute_mean(values: Sequence[float | None]) -> float:
    known = [value for value in values if value is not None]
    return statistics.fmean(known) if known else 0.0
