"""Two rankings into one: scores by passage id in, scores by passage id out. Pure functions."""

from collections.abc import Callable, Mapping, Sequence
from math import exp
from statistics import fmean, pstdev

# How much of a passage's score is its document's: the best that any of its passages has, on each side.
DOCUMENT_SHARE = 0.4


def convex(
    lexical: Mapping[int, float], dense: Mapping[int, float], weight: float, depth: int, documents: Mapping[int, str]
) -> dict[int, float]:
    """Both sides as standard scores, added: the vectors' side with `weight`, the words' with the rest; from 0 to 1.

    A document that answers by words in one passage and by meaning in another is lifted as a whole. Means and deviations
    are those of the best `depth` on each side."""
    top_words, top_vectors = (sorted(side.values(), reverse=True)[:depth] for side in (lexical, dense))
    # A passage with none of the words has a BM25 of zero; where the list was cut before such, its end counts.
    lowest = top_words[-1] if len(top_words) == depth else 0.0
    words = _standard([*top_words, *[0.0] * (len(top_vectors) - len(top_words))])
    vectors = _standard(top_vectors)
    sides = {
        # One that has no vector yet is taken for an average one.
        id: (
            (1 - weight) * words(max(lexical.get(id, lowest), lowest)),
            weight * vectors(dense[id]) if id in dense else 0.0,
        )
        for id in lexical.keys() | dense.keys()
    }
    best: dict[str, tuple[float, float]] = {}
    for id, (word, vector) in sides.items():
        known = best.get(documents[id], (word, vector))
        best[documents[id]] = max(word, known[0]), max(vector, known[1])
    return {
        id: _squashed((1 - DOCUMENT_SHARE) * sum(own) + DOCUMENT_SHARE * sum(best[documents[id]]))
        for id, own in sides.items()
    }


def _standard(values: Sequence[float]) -> Callable[[float], float]:
    """How many standard deviations a score is above the mean of these; none where all are equal."""
    mean = fmean(values) if values else 0.0
    deviation = pstdev(values, mean) if values else 0.0
    return lambda score: (score - mean) / deviation if deviation > 1e-9 else 0.0


def _squashed(score: float) -> float:
    return 1 / (1 + exp(-max(-50.0, min(50.0, score))))


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
