"""Compute vectors of texts for one question, each text once."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class TextVectors:
    """Embeds texts and keeps their vectors: one question compares sentences with the same sources many times."""

    def __init__(self, embed: "Callable[[Sequence[str]], NDArray[np.float32]]") -> None:
        self._embed = embed
        self._vectors: dict[str, NDArray[np.float32]] = {}

    def embed_texts(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """Return a unit vector for each text."""
        import numpy as np

        new = list(dict.fromkeys(text for text in texts if text not in self._vectors))
        if new:
            self._vectors.update(zip(new, self._embed(new), strict=True))
        return np.stack([self._vectors[text] for text in texts])
