"""Keep the vectors of short texts, because questions about the same documents compare the same sentences."""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pincite.embedding.embedder_wrapper import EmbedderWrapper

if TYPE_CHECKING:
    from pincite.embedding import Embedder

_MOST = 4096  # vectors, of one or a few kilobytes each
_LONGEST = 500  # characters of a text whose vector is kept


class CachingEmbedder(EmbedderWrapper):
    """Wrap an embedder, and compute the vector of a short passage once as long as it is used now and then.

    Threads may share it.
    """

    def __init__(self, embedder: "Embedder", most: int = _MOST) -> None:
        super().__init__(embedder)
        self._most = most
        self._lock = threading.Lock()
        self._vectors: OrderedDict[str, NDArray[np.float32]] = OrderedDict()  # the last used at the end

    def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed questions, one row each."""
        return self._embedder.queries(texts)

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed passages, one row each; only those whose vectors are not known."""
        known = self._find_vectors(texts)
        new = [text for text in dict.fromkeys(texts) if text not in known]
        made = dict(zip(new, self._embedder.passages(new), strict=True)) if new else {}
        self._keep_vectors(made)
        known |= made
        return np.stack([known[text] for text in texts]) if texts else np.empty((0, self.dimension), np.float32)

    def _find_vectors(self, texts: Sequence[str]) -> dict[str, NDArray[np.float32]]:
        with self._lock:
            found = {text: self._vectors[text] for text in texts if text in self._vectors}
            for text in found:
                self._vectors.move_to_end(text)
        return found

    def _keep_vectors(self, made: dict[str, NDArray[np.float32]]) -> None:
        with self._lock:
            for text, vector in made.items():
                if len(text) <= _LONGEST:
                    self._vectors[text] = vector.copy()
            while len(self._vectors) > self._most:
                self._vectors.popitem(last=False)
