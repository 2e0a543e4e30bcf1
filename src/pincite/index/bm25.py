"""Compute BM25 scores over two fields, the context and the body of a passage."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import NDArray

K1 = 1.5
BODY_LENGTH = 0.75
CONTEXT_LENGTH = 0.5
CONTEXT_WEIGHT = 2.0
_SAMPLED = 16  # one row of so many

Rows = NDArray[np.int32]
Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Postings:
    """The rows that have a word, in ascending order, and its counts in the context and the body of each row."""

    rows: Rows
    context: NDArray[np.uint16]
    body: NDArray[np.uint16]


@dataclass(frozen=True, slots=True)
class Lengths:
    """The number of terms in each row's context and body, indexed by row; `count` rows are in use."""

    context: Floats
    body: Floats
    count: int


@dataclass(frozen=True, slots=True)
class Norms:
    """The weight of one occurrence in each row's context and body: less in a longer one."""

    context: Floats
    body: Floats


@dataclass(frozen=True, slots=True)
class TermShare:
    """The amount that one word adds to the score of each row that has it."""

    rows: Rows
    scores: Floats


def compute_norms(lengths: Lengths) -> Norms:
    """Return the weight of one occurrence, from each length against the average."""
    count = max(lengths.count, 1)
    return Norms(
        _compute_norm(lengths.context, CONTEXT_LENGTH, count) * np.float32(CONTEXT_WEIGHT),
        _compute_norm(lengths.body, BODY_LENGTH, count),
    )


def merge_postings(postings: list[Postings]) -> Postings:
    """Merge the postings of a word's variants into those of one word."""
    if len(postings) == 1:
        return postings[0]
    rows, places = np.unique(np.concatenate([p.rows for p in postings]), return_inverse=True)
    context, body = np.zeros(len(rows), np.uint16), np.zeros(len(rows), np.uint16)
    np.add.at(context, places, np.concatenate([p.context for p in postings]))
    np.add.at(body, places, np.concatenate([p.body for p in postings]))
    return Postings(rows, context, body)


def compute_share(postings: Postings, norms: Norms, count: int) -> TermShare:
    """Return the amount that one word adds to the score of each row that has it; never below zero."""
    frequency = min(len(postings.rows), count)
    weight = log(1 + (count - frequency + 0.5) / (frequency + 0.5))
    counts = postings.context * norms.context[postings.rows] + postings.body * norms.body[postings.rows]
    return TermShare(postings.rows, (weight * (K1 + 1) * counts / (counts + K1)).astype(np.float32))


def count_shares(shares: Iterable[TermShare], row: int) -> int:
    """Return how many of these words a row has."""
    places = ((share.rows, int(np.searchsorted(share.rows, row))) for share in shares)
    return sum(place < len(rows) and int(rows[place]) == row for rows, place in places)


def select_best(scores: Floats, passages: NDArray[np.int64], k: int) -> list[tuple[int, float]]:
    """Return the k passages with the highest scores above zero, best first; of equal ones, the smallest ids."""
    sample = scores[::_SAMPLED]
    # The k-th highest score of some rows is at most that of all, so that most rows need no second look.
    least = np.partition(sample, len(sample) - k)[len(sample) - k] if 0 < k <= len(sample) else np.float32(0)
    rows = np.flatnonzero(scores >= least) if least > 0 else np.flatnonzero(scores)
    if 0 < k < len(rows):
        least = np.partition(scores[rows], len(rows) - k)[len(rows) - k]
        rows = rows[scores[rows] >= least]
    rows = rows[np.lexsort((passages[rows], -scores[rows]))][: max(k, 0)]
    return list(zip(passages[rows].tolist(), scores[rows].tolist(), strict=True))


def _compute_norm(lengths: Floats, share: float, count: int) -> Floats:
    average = max(float(lengths.sum(dtype=np.float64)) / count, 1.0)
    norm: Floats = (1 / (1 - share + share * lengths / average)).astype(np.float32)
    return norm
