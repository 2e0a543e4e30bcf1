"""Vectors of length one, whose inner product is their cosine."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from pincite.index.embed import Embedder


def unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Rows in, the same rows scaled to length one out; a row of zeros stays one."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(lengths, np.finfo(np.float32).tiny), np.float32)


class UnitEmbedder:
    """Wraps an embedder whose vectors keep the model's own lengths: its rows are scaled to length one."""

    def __init__(self, embedder: "Embedder") -> None:
        self._embedder = embedder

    @property
    def name(self) -> str:
        return self._embedder.name

    @property
    def dimension(self) -> int:
        return self._embedder.dimension

    def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Questions in, a row of length one for each out."""
        return unit(self._embedder.queries(texts))

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Passages in, a row of length one for each out."""
        return unit(self._embedder.passages(texts))
