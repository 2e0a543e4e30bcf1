"""Ranking metrics, as the field defines them."""

import math
from collections.abc import Mapping, Sequence


def ndcg(ranked: Sequence[str], relevant: Mapping[str, int], k: int) -> float:
    """Normalised discounted cumulative gain of the first k, with linear gains."""
    gain = sum(relevant.get(item, 0) / math.log2(place + 2) for place, item in enumerate(ranked[:k]))
    best = sum(
        value / math.log2(place + 2)
        for place, value in enumerate(sorted(relevant.values(), reverse=True)[:k])
        if value > 0
    )
    return gain / best if best else 0.0


def recall(ranked: Sequence[str], relevant: Mapping[str, int], k: int) -> float:
    """Share of the relevant items that are among the first k."""
    wanted = {item for item, value in relevant.items() if value > 0}
    return len(wanted & set(ranked[:k])) / len(wanted) if wanted else 0.0
