"""Two rankings into one: scores by passage id in, scores by passage id out. Pure functions."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# How much of a passage's score is its document's: the best that any of its passages has, on each side.
DOCUMENT_SHARE = 0.3


def convex(
    lexical: Mapping[int, float], dense: Mapping[int, float], weight: float, depth: int, documents: Mapping[int, str]
) -> dict[int, float]:
    """Both sides as standard scores, added: the vectors' side with `weight`, the words' with the rest; from 0 to 1.

    A document that answers by words in one passage and by meaning in another is lifted as a whole. Means and deviations
    are those of the best `depth` on each side."""
    ids = sorted(lexical.keys() | dense.keys())
    if not ids:
        return {}
    best_words, best_vectors = (np.sort([*side.values()])[::-1][:depth] for side in (lexical, dense))
    # A passage with none of the words has a BM25 of zero; where the list was cut before such, its end counts.
    lowest = float(best_words[-1]) if len(best_words) == depth else 0.0
    words = np.maximum([lexical.get(id, lowest) for id in ids], lowest)
    missing = np.zeros(max(len(best_vectors) - len(best_words), 0))
    word_share = (1 - weight) * _standard(words, np.concatenate([best_words, missing]))
    vector_share = weight * _standard(np.array([dense.get(id, np.nan) for id in ids]), best_vectors)
    # One that has no vector yet is taken for an average one.
    vector_share = np.nan_to_num(vector_share, nan=0.0)
    _, place = np.unique([documents[id] for id in ids], return_inverse=True)
    lifted = sum(_best_of_each(place, share) for share in (word_share, vector_share))
    scores = (1 - DOCUMENT_SHARE) * (word_share + vector_share) + DOCUMENT_SHARE * lifted
    return dict(zip(ids, (1 / (1 + np.exp(-np.clip(scores, -50, 50)))).tolist(), strict=True))


def _standard(scores: Floats, best: Floats) -> Floats:
    """How many standard deviations each score is above the mean of the best; none where those are all equal."""
    deviation = float(best.std()) if len(best) else 0.0
    return (scores - best.mean()) / deviation if deviation > 1e-9 else np.where(np.isnan(scores), scores, 0.0)


def _best_of_each(place: NDArray[np.intp], scores: Floats) -> Floats:
    """For each passage the highest score that any passage of its document has."""
    best = np.full(int(place.max()) + 1, -np.inf)
    np.maximum.at(best, place, scores)
    return best[place]


def scaled(scores: Mapping[int, float], low: float, high: float) -> dict[int, float]:
    """Scores moved from low–high to 0–1, cut at both ends; where all are equal, all are 1."""
    if high <= low:
        return {id: 1.0 if score >= high else 0.0 for id, score in scores.items()}
    return {id: min(1.0, max(0.0, (score - low) / (high - low))) for id, score in scores.items()}


def ranked(scores: Mapping[int, float]) -> list[tuple[int, float]]:
    """Best first; equal ones by id, so that the same question gives the same order."""
    return sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))
