"""Fuse two rankings into one, as pure functions from scores by passage id to scores by passage id."""

from collections.abc import Hashable, Mapping
from math import exp, log

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# The share of a passage's score that comes from its document: the best score of its passages, on each side.
DOCUMENT_SHARE = 0.3

# The logit of the weight of the vectors' side. It rises with the spread of the best cosines and falls the further the
# passage nearest in meaning stands above the mean by words too. The middles and the bounds are about the mean and 2.5
# deviations of five sets of questions, as they are and with half of their words replaced; the factors were chosen over
# these and over libraries of many subjects, where larger ones did harm. See docs/benchmarks.md.
_LEVEL, _OF_SPREAD, _OF_AGREEMENT = 0.45, 0.3, -0.07
_SPREAD, _SPREAD_BOUND = -4.53, 0.65  # of the logarithm of the deviation of the cosines
_AGREEMENT, _AGREEMENT_BOUND = 3.75, 7.2  # in standard scores
_OF_KEYWORDS = 0.2  # the weight of the vectors' side for one or two words that stand together


def weigh_meaning(
    lexical: Mapping[int, float], dense: Mapping[int, float], depth: int, are_keywords: bool = False
) -> float:
    """Choose the weight of the vectors' side for one question, from 0 to 1.

    Vectors count more where their scores are far apart, and less where the words of the question agree with them. When
    no word was found they are all there is, and they count little for a few keywords that a passage has together. Means
    and deviations are those of the best `depth` on each side.
    """
    if not lexical or not dense:
        return 1.0 if dense else 0.0
    if are_keywords:
        return _OF_KEYWORDS
    best_vectors = _take_best(dense, depth)
    spread = log(max(float(best_vectors.std()), 1e-6))
    nearest = min(dense, key=lambda id: (-dense[id], id))
    lowest, best_words = _find_word_scale(lexical, len(best_vectors), depth)
    agreement = float(_standardise_scores(np.array([max(lexical.get(nearest, lowest), lowest)]), best_words)[0])
    logit = _LEVEL + _OF_SPREAD * float(np.clip(spread - _SPREAD, -_SPREAD_BOUND, _SPREAD_BOUND))
    logit += _OF_AGREEMENT * float(np.clip(agreement - _AGREEMENT, -_AGREEMENT_BOUND, _AGREEMENT_BOUND))
    return 1 / (1 + exp(-logit))


def fuse_scores(
    lexical: Mapping[int, float],
    dense: Mapping[int, float],
    weight: float,
    depth: int,
    documents: Mapping[int, Hashable],
) -> dict[int, float]:
    """Add the standard scores of both sides, the vectors' with `weight` and the words' with the rest; from 0 to 1.

    A document that answers by words in one passage and by meaning in another is raised as a whole. Means and
    deviations are those of the best `depth` on each side.
    """
    ids = sorted(lexical.keys() | dense.keys())
    if not ids:
        return {}
    best_vectors = _take_best(dense, depth)
    lowest, best_words = _find_word_scale(lexical, len(best_vectors), depth)
    words = np.maximum([lexical.get(id, lowest) for id in ids], lowest)
    word_share = (1 - weight) * _standardise_scores(words, best_words)
    vector_share = weight * _standardise_scores(np.array([dense.get(id, np.nan) for id in ids]), best_vectors)
    # A passage that has no vector yet counts as average.
    vector_share = np.nan_to_num(vector_share, nan=0.0)
    codes: dict[Hashable, int] = {}
    place = np.array([codes.setdefault(documents[id], len(codes)) for id in ids], np.intp)
    lifted = sum(_spread_best_scores(place, share) for share in (word_share, vector_share))
    scores = (1 - DOCUMENT_SHARE) * (word_share + vector_share) + DOCUMENT_SHARE * lifted
    return dict(zip(ids, (1 / (1 + np.exp(-np.clip(scores, -50, 50)))).tolist(), strict=True))


def recover_sum(score: float) -> float:
    """Return the sum of standard scores that a fused score was made of, at most about 14."""
    likely = min(max(score, 1e-6), 1 - 1e-6)
    return log(likely / (1 - likely))


def _take_best(side: Mapping[int, float], depth: int) -> Floats:
    """Return the best scores of one side, the highest first."""
    return np.sort(np.array([*side.values()], np.float64))[::-1][:depth]


def _find_word_scale(lexical: Mapping[int, float], vectors: int, depth: int) -> tuple[float, Floats]:
    """Return the word score of a passage that words did not find, and the best scores, as many as there are vectors.

    A passage with none of the words has a BM25 of zero. If the list was cut before that, its last score counts.
    """
    best = _take_best(lexical, depth)
    lowest = float(best[-1]) if len(best) == depth else 0.0
    return lowest, np.concatenate([best, np.zeros(max(vectors - len(best), 0))])


def _standardise_scores(scores: Floats, best: Floats) -> Floats:
    """Return how many standard deviations each score is above the mean of the best; 0 if the best are all equal."""
    deviation = float(best.std()) if len(best) else 0.0
    return (scores - best.mean()) / deviation if deviation > 1e-9 else np.where(np.isnan(scores), scores, 0.0)


def _spread_best_scores(place: NDArray[np.intp], scores: Floats) -> Floats:
    """Return for each passage the highest score of any passage of its document."""
    best = np.full(int(place.max()) + 1, -np.inf)
    np.maximum.at(best, place, scores)
    return best[place]


def scale_scores(scores: Mapping[int, float], low: float, high: float) -> dict[int, float]:
    """Scale scores from low–high to 0–1, cut at both ends; if all are equal, all are 1."""
    if high <= low:
        return {id: 1.0 if score >= high else 0.0 for id, score in scores.items()}
    return {id: min(1.0, max(0.0, (score - low) / (high - low))) for id, score in scores.items()}


def rank_scores(scores: Mapping[int, float]) -> list[tuple[int, float]]:
    """Return ids with scores, best first; equal scores by id, so that the same question gives the same order."""
    return sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))
