"""The built-in embedder: multilingual-e5-small from the installed wheel, run by OpenVINO."""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pincite.embedding.numpy_forward import forward_batch, has_one_thread
from pincite.embedding.tokenizer import LookupTokenizer, Tokenizer, fold_text, has_piece, score_piece
from pincite.embedding.vector_names import make_vector_name
from pincite.embedding.weights import Weights, find_wheel_file, read_weights
from pincite.errors import EmbeddingError
from pincite.settings import EmbeddingSettings

if TYPE_CHECKING:
    from pincite.embedding.graph_runner import EmbeddingEngine

MODEL = "multilingual-e5-small"
_LONGEST_FIRST = 256  # characters; a longer first question is not embedded faster in numpy
# The total characters up to which numpy (2 ms of CPU per token on one thread) costs less than starting OpenVINO (0.4 s,
# then 1 ms per token), and up to which the slow tokenizer costs less than loading the fast one (0.5 s).
_FEW = 2_000
_FEW_TO_CUT = 16_000


class E5Embedder:
    """Embed the first few texts in plain numpy, then load OpenVINO, and later its tokenizer.

    A command that asks one question ends before either is loaded. A server calls `load` when it starts.
    """

    def __init__(self, settings: EmbeddingSettings, data: Path) -> None:
        if settings.model != MODEL:
            raise EmbeddingError(
                f"The built-in embedder has one model, {MODEL}, not {settings.model}.",
                "Set embedding.provider to `hub`, `openai` or `tei` for another model.",
            )
        self.name = make_vector_name(settings)
        self._settings = settings
        self._models = data / "models"
        self._path = find_wheel_file()
        self._weights: Weights = read_weights(self._path)
        self.dimension = self._weights.dimension
        self._cutter = LookupTokenizer(self._weights.pieces)
        self._lock = threading.Lock()
        self._engine: EmbeddingEngine | None = None
        self._characters = 0  # of all texts so far
        self._asked: dict[str, NDArray[np.float32]] = {}

    def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed questions, one row each. Cache the last question, because search and answer both embed it."""
        if len(texts) != 1:
            return self._embed([self._settings.query_prefix + text for text in texts])
        found = self._asked.get(texts[0])
        if found is None:
            found = self._embed([self._settings.query_prefix + texts[0]], is_first=not self._asked)
            self._asked = {texts[0]: found}
        return found.copy()

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed passages, one row each; text beyond 512 tokens is cut off."""
        return self._embed([self._settings.passage_prefix + text for text in texts])

    def knows(self, word: str) -> bool:
        """Return whether the vocabulary contains a whole word, in lower case or capitalised."""
        forms = dict.fromkeys((word, word.lower(), word.capitalize()))
        return any(has_piece(self._weights.pieces, fold_text(form, self._weights.pieces.folds)[1:]) for form in forms)

    def share_capitals(self, word: str) -> float | None:
        """Return the share of a word's uses that are capitalised, by the vocabulary; None for an unknown word."""
        pieces = self._weights.pieces
        scores = [score_piece(pieces, fold_text(form, pieces.folds)[1:]) for form in (word.capitalize(), word.lower())]
        great, small = (0.0 if score is None else math.exp(score) for score in scores)
        return great / (great + small) if great or small else None

    def load(self) -> None:
        """Load OpenVINO and the fast tokenizer now, so that no request waits for them."""
        self._characters = _FEW_TO_CUT + 1
        _ = self._load_engine().tokens

    def _embed(self, texts: Sequence[str], is_first: bool = False) -> NDArray[np.float32]:
        if not texts:
            return np.empty((0, self.dimension), np.float32)
        self._characters += sum(map(len, texts))
        is_short = self._characters <= (_FEW if has_one_thread() else _LONGEST_FIRST if is_first else 0)
        if self._engine is None and is_short:
            return forward_batch(self._weights, self._tokenize(texts))
        engine = self._load_engine()
        ids = self._tokenize(texts, engine.tokens if self._characters > _FEW_TO_CUT else None)
        return engine.embed(ids, self._settings.batch)

    def _tokenize(self, texts: Sequence[str], tokens: Tokenizer | None = None) -> list[list[int]]:
        """Return the token ids of each text; without `tokens`, use the tokenizer that needs no loading."""
        pieces = self._weights.pieces
        folded = [fold_text(text, pieces.folds) for text in texts]
        cut = [tokens(text) for text in folded] if tokens else self._cutter.cut(folded)
        most = self._weights.positions - 2
        return [[pieces.start, *inner[:most], pieces.end] for inner in cut]

    def _load_engine(self) -> EmbeddingEngine:
        with self._lock:
            if self._engine is None:
                from pincite.embedding.graph_runner import EmbeddingEngine

                self._engine = EmbeddingEngine(self._weights, self._path, self._models, self._settings.threads)
            return self._engine
