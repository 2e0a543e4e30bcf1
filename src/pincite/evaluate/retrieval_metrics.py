"""Compute standard ranking metrics, and the agreement of two texts or of spans."""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence

_WORD = re.compile(r"\w+")


def compute_ndcg(ranked: Sequence[str], relevant: Mapping[str, int], k: int) -> float:
    """Compute the normalised discounted cumulative gain of the first k, with linear gains.

    Negative judgements gain nothing.
    """
    best = _compute_gain(sorted(relevant.values(), reverse=True)[:k])
    return _compute_gain([relevant.get(item, 0) for item in ranked[:k]]) / best if best else 0.0


def _compute_gain(values: Sequence[int]) -> float:
    return sum(max(value, 0) / math.log2(place + 2) for place, value in enumerate(values))


def compute_recall(ranked: Sequence[str], relevant: Mapping[str, int], k: int) -> float:
    """Compute the share of the relevant items among the first k."""
    wanted = {item for item, value in relevant.items() if value > 0}
    return len(wanted & set(ranked[:k])) / len(wanted) if wanted else 0.0


def compute_token_f1(found: str, wanted: str) -> float:
    """Compute the F1 of the words of two texts, ignoring order and case."""
    one, other = (Counter(_WORD.findall(text.casefold())) for text in (found, wanted))
    shared = (one & other).total()
    return 2 * shared / (one.total() + other.total()) if shared else 0.0


def count_shared_characters(found: Sequence[tuple[int, int]], wanted: Sequence[tuple[int, int]]) -> int:
    """Count the characters of the wanted spans that the found ones contain, each once."""
    lit = {place for start, end in found for place in range(start, end)}
    return len({place for start, end in wanted for place in range(start, end)} & lit)
