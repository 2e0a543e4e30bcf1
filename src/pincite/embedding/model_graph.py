"""Build the model as an OpenVINO graph from the packed weights.

The graph takes word embeddings, not ids: looking up a few hundred rows in the mapped file is fast, and keeps the
vocabulary, nine tenths of the model, out of memory and out of the cache. Separate query, key and value products and
plain attention were faster here than fused ones.

On x86 processors without bf16 the weights are 8-bit integers, and OpenVINO rounds what they are multiplied with too, in
groups of 64 with a scale of their own. The cosine with exact vectors is .9998 (`benchmarks/embedding_speed.py`).
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pincite.embedding.weights import Weights

VERSION = "2"  # of the graph below; a new version rebuilds every cached one
_LARGEST = 127  # the largest 8-bit integer that is used


def import_openvino() -> ModuleType:
    """Import OpenVINO without its conversion tools, which send a usage report over the network when imported."""
    tools = "openvino.tools.ovc"
    hidden = tools not in sys.modules
    if hidden:
        sys.modules[tools] = None  # type: ignore[assignment]  # makes importing it an ImportError, which is expected
    try:
        import openvino
    finally:
        if hidden:
            del sys.modules[tools]
    module: ModuleType = openvino
    return module


def build_graph(weights: Weights, is_quantized: bool = False) -> Any:
    """Build a graph from `words` (batch, length, dimension) and `mask` (batch, length) to summed vectors.

    `is_quantized` stores the matrices as 8-bit integers, each row with its scale.
    """
    ov = import_openvino()
    from openvino import opset15 as op

    width, size = weights.dimension, weights.dimension // weights.heads

    def real(values: NDArray[np.float32] | float) -> Any:
        return op.constant(np.ascontiguousarray(values, np.float32))

    def whole(*values: int) -> Any:
        return op.constant(np.array(values, np.int64))

    def matrix(values: NDArray[np.float32]) -> Any:
        if not is_quantized:
            return real(values)
        scales = np.abs(values).max(axis=1, keepdims=True) / _LARGEST
        rounded = np.rint(values / np.where(scales, scales, 1)).astype(np.int8)
        return op.multiply(op.convert(op.constant(rounded), "f32"), real(scales))

    def linear(x: Any, name: str, incoming: int) -> Any:
        product = op.matmul(x, matrix(weights.matrix(name + ".w", incoming)), False, True)
        return op.add(product, real(weights.vector(name + ".b")))

    def norm(x: Any, name: str) -> Any:
        even = op.mvn(x, whole(-1), True, weights.epsilon, "inside_sqrt")
        return op.add(op.multiply(even, real(weights.vector(name + ".w"))), real(weights.vector(name + ".b")))

    def heads(x: Any) -> Any:
        return op.transpose(op.reshape(x, whole(0, 0, weights.heads, size), True), whole(0, 2, 1, 3))

    def attention(x: Any, layer: str) -> Any:
        query, key, value = (heads(linear(x, layer + name, width)) for name in "qkv")
        scores = op.multiply(op.matmul(query, key, False, True), real(size**-0.5))
        mixed = op.matmul(op.softmax(op.add(scores, bias), -1), value, False, False)
        return linear(op.reshape(op.transpose(mixed, whole(0, 2, 1, 3)), whole(0, 0, width), True), layer + "ao", width)

    words = op.parameter([-1, -1, width], ov.Type.f32, name="words")
    mask = op.parameter([-1, -1], ov.Type.f32, name="mask")
    bias = op.multiply(op.subtract(op.unsqueeze(mask, whole(1, 2)), real(1.0)), real(1e4))
    places = weights.vector("emb.pos").reshape(-1, width) + weights.vector("emb.type")[:width]
    length = op.gather(op.shape_of(words), whole(1), whole(0))
    x = norm(op.add(words, op.slice(real(places), whole(0), length, whole(1), whole(0))), "emb.ln")
    for layer in (f"l{number}." for number in range(weights.layers)):
        x = norm(op.add(attention(x, layer), x), layer + "aln")
        inner = op.gelu(linear(x, layer + "fi", width), "erf")
        x = norm(op.add(linear(inner, layer + "fo", weights.inner), x), layer + "oln")
    total = op.reduce_sum(op.multiply(x, op.unsqueeze(mask, whole(2))), whole(1), False)
    return ov.Model([op.result(total)], [words, mask], "multilingual-e5-small")
