"""Scale vectors to length one, so that their inner product is their cosine."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pincite.embedding.embedder_wrapper import EmbedderWrapper


def scale_to_unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Scale rows to length one; a row of zeros stays zero."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(lengths, np.finfo(np.float32).tiny), np.float32)


class UnitEmbedder(EmbedderWrapper):
    """Wrap an embedder that returns vectors of any length, and scale them to length one."""

    def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed questions, one row of length one each."""
        return scale_to_unit(self._embedder.queries(texts))

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed passages, one row of length one each."""
        return scale_to_unit(self._embedder.passages(texts))
