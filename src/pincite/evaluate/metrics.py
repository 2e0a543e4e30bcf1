"""Ranking metrics, as the field defines them, and how far two texts or stretches of one agree."""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence

_WORD = re.compile(r"\w+")


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


def token_f1(found: str, wanted: str) -> float:
    """How far two texts have the same words, in any order and whatever their case: 1 when both have just those."""
    one, other = (Counter(_WORD.findall(text.casefold())) for text in (found, wanted))
    shared = (one & other).total()
    return 2 * shared / (one.total() + other.total()) if shared else 0.0


def shared_characters(found: Sequence[tuple[int, int]], wanted: Sequence[tuple[int, int]]) -> int:
    """How many characters of the wanted stretches are in the found ones, each counted once."""
    lit = {place for start, end in found for place in range(start, end)}
    return len({place for start, end in wanted for place in range(start, end)} & lit)
