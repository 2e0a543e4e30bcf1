"""The model in plain numpy: one text's token ids in, its vector out, straight from the packed weights.

Unpacking takes 30 ms and nothing needs to be built or compiled, so a single question is answered several times sooner
than OpenVINO can start. It is also the reference that the graph is tested against.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pincite.index.embed.weights import Weights

_ONE_THREAD = 1 << 18  # multiplications; OpenBLAS uses threads above


def forward(weights: Weights, ids: Sequence[int]) -> NDArray[np.float32]:
    """Token ids, start and end included, in; the unit vector of the text out."""
    tokens = np.asarray(ids, np.int64)
    x = weights.words(tokens) + weights.vector("emb.pos").reshape(-1, weights.dimension)[: len(tokens)]
    x = _norm(weights, x + weights.vector("emb.type")[: weights.dimension], "emb.ln")
    for layer in (f"l{number}." for number in range(weights.layers)):
        x = _norm(weights, x + _attention(weights, x, layer), layer + "aln")
        inner = _gelu(_linear(weights, x, layer + "fi"))
        x = _norm(weights, x + _linear(weights, inner, layer + "fo"), layer + "oln")
    total = x.sum(axis=0)
    vector: NDArray[np.float32] = total / np.linalg.norm(total)
    return vector


def _linear(weights: Weights, x: NDArray[np.float32], name: str) -> NDArray[np.float32]:
    matrix = weights.matrix(name + ".w", x.shape[1])
    # In slices too small for numpy's BLAS to share among threads: on a busy machine its threads wait for each other
    # for a second where one alone needs 60 ms.
    rows = min(128, 1 << max(1, _ONE_THREAD // x.size).bit_length() - 1)
    product = matrix.reshape(-1, rows, x.shape[1]) @ x.T
    return product.reshape(-1, len(x)).T + weights.vector(name + ".b")


def _attention(weights: Weights, x: NDArray[np.float32], layer: str) -> NDArray[np.float32]:
    length, width = x.shape
    size = width // weights.heads
    query, key, value = (
        _linear(weights, x, layer + name).reshape(length, weights.heads, size).transpose(1, 0, 2) for name in "qkv"
    )
    scores = query @ key.transpose(0, 2, 1) / np.float32(size**0.5)
    scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
    mixed = (scores / scores.sum(axis=-1, keepdims=True)) @ value
    return _linear(weights, mixed.transpose(1, 0, 2).reshape(length, width), layer + "ao")


def _norm(weights: Weights, x: NDArray[np.float32], name: str) -> NDArray[np.float32]:
    centred = x - x.mean(axis=-1, keepdims=True)
    deviation = np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + np.float32(weights.epsilon))
    scaled: NDArray[np.float32] = centred / deviation * weights.vector(name + ".w")
    return scaled + weights.vector(name + ".b")


def _gelu(x: NDArray[np.float32]) -> NDArray[np.float32]:
    # numpy has no error function; this rational form (Abramowitz and Stegun 7.1.26) is right to 1.5e-7.
    z = np.abs(x) * np.float32(0.5**0.5)
    t = 1 / (1 + np.float32(0.3275911) * z)
    series = np.zeros_like(t)
    for factor in (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592):
        series = (series + np.float32(factor)) * t
    tail = series * np.exp(-z * z)
    gelu: NDArray[np.float32] = x * np.where(x < 0, tail, 2 - tail) * np.float32(0.5)
    return gelu
