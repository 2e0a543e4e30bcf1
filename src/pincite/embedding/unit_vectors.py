"""Scale vectors to length one, so that their inner product is their cosine."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from pincite.embedding import Embedder


def scale_to_unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Scale rows to length one; a row of zeros stays zero."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(lengths, np.finfo(np.float32).tiny), np.float32)


class UnitEmbedder:
    """Wrap an embedder that returns vectors of any length, and scale them to length one."""

    def __init__(self, embedder: "Embedder") -> None:
        self._embedder = embedder

    @property
    def name(self) -> str:
        return self._embedder.name

    @property
    def dimension(self) -> int:
        return self._embedder.dimension

    def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed questions, one row of length one each."""
        return scale_to_unit(self._embedder.queries(texts))

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed passages, one row of length one each."""
        return scale_to_unit(self._embedder.passages(texts))
