"""Ranking metrics, as the field defines them."""

import math
from collections.abc import Mapping, Sequence


def ndcg(ranked: Sequence[str], relevant: Mapping[str, int], k: int) -> float:
    """Normalised discounted cumulative gain of the first k, with linear gains; a negative judgement gains nothing."""
    best = _gain(sorted(relevant.values(), reverse=True)[:k])
    return _gain([relevant.get(item, 0) for item in ranked[:k]]) / best if best else 0.0


def _gain(values: Sequence[int]) -> float:
    return sum(max(value, 0) / math.log2(place + 2) for place, value in enumerate(values))


def recall(ranked: Sequence[str], relevant: Mapping[str, int], k: int) -> float:
    """Share of the relevant items that are among the first k."""
    wanted = {item for item, value in relevant.items() if value > 0}
    return len(wanted & set(ranked[:k])) / len(wanted) if wanted else 0.0
