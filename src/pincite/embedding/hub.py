"""Embed with a model from a hub or a folder, run by `sentence-transformers` if that extra is installed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pincite.embedding.unit_vectors import scale_to_unit
from pincite.embedding.vector_names import make_vector_name
from pincite.errors import EmbeddingError
from pincite.settings import EmbeddingSettings


class HubEmbedder:
    """Load the model of the settings; it is stored in the data folder after the first download."""

    def __init__(self, settings: EmbeddingSettings, data: Path) -> None:
        try:
            from sentence_transformers import SentenceTransformer
        except ImportError as error:
            raise EmbeddingError(
                f"Hub models need the package `sentence-transformers`: {error}", "Run: pip install pincite[hub]"
            ) from error
        try:
            self._model = SentenceTransformer(
                settings.model, cache_folder=str(data / "models" / "hub"), token=settings.key.get_secret_value() or None
            )
            self.dimension = int(self._model.get_sentence_embedding_dimension())
        except (OSError, ValueError, TypeError, RuntimeError) as error:
            raise EmbeddingError(
                f"The hub model {settings.model} cannot be loaded: {str(error).strip().splitlines()[0][:200]}",
                "Check embedding.model and the network; a path to a folder with the model works offline.",
            ) from None
        self.name = make_vector_name(settings)
        self._settings = settings

    def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed questions, one row each."""
        return self._embed([self._settings.query_prefix + text for text in texts])

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed passages, one row each."""
        return self._embed([self._settings.passage_prefix + text for text in texts])

    def _embed(self, texts: list[str]) -> NDArray[np.float32]:
        if not texts:
            return np.empty((0, self.dimension), np.float32)
        vectors = self._model.encode(
            texts, batch_size=self._settings.batch, convert_to_numpy=True, show_progress_bar=False
        )
        rows = np.asarray(vectors, np.float32)
        return rows if self._settings.similarity == "dot" else scale_to_unit(rows)
