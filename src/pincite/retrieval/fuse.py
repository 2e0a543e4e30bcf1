"""Two rankings into one: scores by passage id in, scores by passage id out. Pure functions."""

from collections.abc import Mapping


def convex(lexical: Mapping[int, float], dense: Mapping[int, float], weight: float, depth: int) -> dict[int, float]:
    """Each side scaled to 0–1 and added, the vectors' side with `weight` and the words' side with the rest.

    `dense` may have more than its best `depth`, the cosines of the words' own passages: all are scaled by the best,
    and what is further than those counts nothing. A passage that is missing on a side counts nothing there."""
    best = sorted(dense.values(), reverse=True)[:depth]
    # From 0, not from the last of the list: a passage that has the words is better than one that has not.
    words = scaled(lexical, 0.0, max(lexical.values(), default=0.0))
    vectors = scaled(dense, best[-1], best[0]) if best else {}
    return {
        id: (1 - weight) * words.get(id, 0.0) + weight * vectors.get(id, 0.0) for id in words.keys() | vectors.keys()
    }


def scaled(scores: Mapping[int, float], low: float, high: float) -> dict[int, float]:
    """Scores moved from low–high to 0–1, cut at both ends; where all are equal, all are 1."""
    if high <= low:
        return {id: 1.0 if score >= high else 0.0 for id, score in scores.items()}
    return {id: min(1.0, max(0.0, (score - low) / (high - low))) for id, score in scores.items()}


def reciprocal(*rankings: Mapping[int, float], constant: int = 60) -> dict[int, float]:
    """Reciprocal rank fusion, for comparison: only the order on each side counts; equal scores share a rank."""
    fused: dict[int, float] = {}
    for ranking in rankings:
        place = {score: rank for rank, score in enumerate(sorted(set(ranking.values()), reverse=True), 1)}
        for id, score in ranking.items():
            fused[id] = fused.get(id, 0.0) + 1 / (constant + place[score])
    return fused


def ranked(scores: Mapping[int, float]) -> list[tuple[int, float]]:
    """Best first; equal ones by id, so that the same question gives the same order."""
    return sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))
