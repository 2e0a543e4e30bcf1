"""Run the model in plain numpy, directly from the packed weights.

Unpacking takes 40 ms and nothing is built or compiled, so a question and a few sentences are embedded before OpenVINO
could start. It is also the reference for testing the graph.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import accumulate, pairwise

import numpy as np
from numpy.typing import NDArray

from pincite.embedding.unit_vectors import scale_to_unit
from pincite.embedding.weights import Weights

_ONE_THREAD = 1 << 18  # multiplications; OpenBLAS uses threads for more
_STRIP = 64  # rows that are activated together


def has_one_thread() -> bool:
    """Return whether numpy's BLAS uses one thread, as in commands that answer one question."""
    return os.environ.get("OPENBLAS_NUM_THREADS") == "1"


def forward(weights: Weights, ids: Sequence[int]) -> NDArray[np.float32]:
    """Embed one text, given as token ids with start and end, as a unit vector."""
    vector: NDArray[np.float32] = forward_batch(weights, [ids])[0]
    return vector


def forward_batch(weights: Weights, texts: Sequence[Sequence[int]]) -> NDArray[np.float32]:
    """Embed texts together, one row each. Each matrix is unpacked once for all of them."""
    ends = [0, *accumulate(map(len, texts))]
    stretches = [slice(start, end) for start, end in pairwise(ends)]
    tokens = np.concatenate([np.asarray(ids, np.int64) for ids in texts])
    places = np.concatenate([np.arange(len(ids)) for ids in texts])
    x = weights.words(tokens) + weights.vector("emb.pos").reshape(-1, weights.dimension)[places]
    x = _norm(weights, x + weights.vector("emb.type")[: weights.dimension], "emb.ln")
    for layer in (f"l{number}." for number in range(weights.layers)):
        x = _norm(weights, x + _attention(weights, x, layer, stretches), layer + "aln")
        inner = _gelu(_linear(weights, x, layer + "fi"))
        x = _norm(weights, x + _linear(weights, inner, layer + "fo"), layer + "oln")
    return scale_to_unit(np.stack([x[stretch].sum(axis=0) for stretch in stretches]))


def _linear(weights: Weights, x: NDArray[np.float32], name: str) -> NDArray[np.float32]:
    matrix = weights.matrix(name + ".w", x.shape[1])
    if has_one_thread():
        whole: NDArray[np.float32] = x @ matrix.T
        whole += weights.vector(name + ".b")
        return whole
    # In slices too small for numpy's BLAS to use threads: on a busy machine its threads wait for each other for a
    # second where one thread needs 60 ms.
    rows = min(128, 1 << max(1, _ONE_THREAD // x.size).bit_length() - 1)
    product = matrix.reshape(-1, rows, x.shape[1]) @ x.T
    return product.reshape(-1, len(x)).T + weights.vector(name + ".b")


def _attention(weights: Weights, x: NDArray[np.float32], layer: str, stretches: Sequence[slice]) -> NDArray[np.float32]:
    width = x.shape[1]
    size = width // weights.heads
    query, key, value = (_linear(weights, x, layer + name).reshape(-1, weights.heads, size) for name in "qkv")
    mixed = np.empty_like(x)
    for stretch in stretches:
        scores = query[stretch].transpose(1, 0, 2) @ key[stretch].transpose(1, 2, 0) / np.float32(size**0.5)
        scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
        weighed = (scores / scores.sum(axis=-1, keepdims=True)) @ value[stretch].transpose(1, 0, 2)
        mixed[stretch] = weighed.transpose(1, 0, 2).reshape(-1, width)
    return _linear(weights, mixed, layer + "ao")


def _norm(weights: Weights, x: NDArray[np.float32], name: str) -> NDArray[np.float32]:
    centred = x - x.mean(axis=-1, keepdims=True)
    deviation = np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + np.float32(weights.epsilon))
    scaled: NDArray[np.float32] = centred / deviation * weights.vector(name + ".w")
    return scaled + weights.vector(name + ".b")


def _gelu(x: NDArray[np.float32]) -> NDArray[np.float32]:
    """Apply the activation in strips that fit into the processor's cache; it is a fifth of the work."""
    gelu = np.empty_like(x)
    for start in range(0, len(x), _STRIP):
        strip, out = x[start : start + _STRIP], gelu[start : start + _STRIP]
        # numpy has no error function; this rational form (Abramowitz and Stegun 7.1.26) is exact to 1.5e-7.
        z = np.abs(strip)
        z *= np.float32(0.5**0.5)
        t = z * np.float32(0.3275911)
        t += 1
        np.divide(1, t, out=t)
        series = np.zeros_like(t)
        for factor in (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592):
            series += np.float32(factor)
            series *= t
        np.exp(-z * z, out=z)
        series *= z
        error = np.copysign(1 - series, strip)
        error += 1
        np.multiply(strip, error, out=out)
        out *= np.float32(0.5)
    return gelu
