"""The built-in embedder: multilingual-e5-small from the installed wheel, run by OpenVINO."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pincite.errors import EmbeddingError
from pincite.index.embed.engine import Engine
from pincite.index.embed.forward import forward
from pincite.index.embed.naming import vector_name
from pincite.index.embed.vocabulary import Cutter, Tokens, fold
from pincite.index.embed.weights import Weights, read_weights, wheel_file
from pincite.settings import EmbeddingSettings

MODEL = "multilingual-e5-small"
_LONGEST_FIRST = 256  # characters: beyond, the quick start of the first question is not one


class E5:
    """Answers the first short question in plain numpy, then loads OpenVINO; `passages` always uses OpenVINO."""

    def __init__(self, settings: EmbeddingSettings, data: Path) -> None:
        if settings.model != MODEL:
            raise EmbeddingError(
                f"The built-in embedder has one model, {MODEL}, not {settings.model}.",
                "Set embedding.provider to `hub`, `openai` or `tei` for another model.",
            )
        self.name = vector_name(settings)
        self._settings = settings
        self._models = data / "models"
        self._path = wheel_file()
        self._weights: Weights = read_weights(self._path)
        self.dimension = self._weights.dimension
        self._lock = threading.Lock()
        self._engine: Engine | None = None
        self._asked = False

    def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Questions in, a row for each out."""
        texts = [self._settings.query_prefix + text for text in texts]
        if self._engine is None and not self._asked and len(texts) == 1 and len(texts[0]) <= _LONGEST_FIRST:
            self._asked = True
            return forward(self._weights, self._ids(texts[0], Cutter(self._weights.pieces)))[np.newaxis]
        return self._embed(texts)

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Passages in, a row for each out; what lies beyond 512 tokens of one is left out."""
        return self._embed([self._settings.passage_prefix + text for text in texts])

    def _embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if not texts:
            return np.empty((0, self.dimension), np.float32)
        engine = self._loaded()
        return engine.embed([self._ids(text, engine.tokens) for text in texts], self._settings.batch)

    def _ids(self, text: str, tokens: Tokens) -> list[int]:
        pieces = self._weights.pieces
        inner = tokens(fold(text, pieces.folds))[: self._weights.positions - 2]
        return [pieces.start, *inner, pieces.end]

    def _loaded(self) -> Engine:
        with self._lock:
            if self._engine is None:
                self._engine = Engine(self._weights, self._path, self._models, self._settings.threads)
            return self._engine
