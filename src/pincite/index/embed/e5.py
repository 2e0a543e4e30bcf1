"""The built-in embedder: multilingual-e5-small from the installed wheel, run by OpenVINO."""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pincite.errors import EmbeddingError
from pincite.index.embed.forward import forward_batch, has_one_thread
from pincite.index.embed.naming import vector_name
from pincite.index.embed.vocabulary import Cutter, Tokens, fold, has_piece, score_piece
from pincite.index.embed.weights import Weights, read_weights, wheel_file
from pincite.settings import EmbeddingSettings

if TYPE_CHECKING:
    from pincite.index.embed.engine import Engine

MODEL = "multilingual-e5-small"
_LONGEST_FIRST = 256  # characters: a first question beyond these is not embedded sooner in numpy
# Characters of all texts together up to which numpy (2 ms of CPU a token on one thread) costs less than starting
# OpenVINO (0.4 s, then 1 ms a token), and up to which the slow tokenizer costs less than loading the fast one (0.5 s).
_FEW = 2_000
_FEW_TO_CUT = 16_000


class E5:
    """Embeds the first few texts in plain numpy, then loads OpenVINO, and its tokenizer after some more.

    A command that asks one question ends before either is loaded. A server calls `load` at its start.
    """

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
        self._cutter = Cutter(self._weights.pieces)
        self._lock = threading.Lock()
        self._engine: Engine | None = None
        self._characters = 0  # of all texts up to now, as long as they are few
        self._asked: dict[str, NDArray[np.float32]] = {}

    def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Questions in, a row for each out. The last question is kept: searching and choosing both ask for it."""
        if len(texts) != 1:
            return self._embed([self._settings.query_prefix + text for text in texts])
        found = self._asked.get(texts[0])
        if found is None:
            found = self._embed([self._settings.query_prefix + texts[0]], is_first=not self._asked)
            self._asked = {texts[0]: found}
        return found.copy()

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Passages in, a row for each out; what lies beyond 512 tokens of one is left out."""
        return self._embed([self._settings.passage_prefix + text for text in texts])

    def knows(self, word: str) -> bool:
        """Whether the vocabulary has a word whole, in small letters or with a capital: a frequent word, spelt well."""
        forms = dict.fromkeys((word, word.lower(), word.capitalize()))
        return any(has_piece(self._weights.pieces, fold(form, self._weights.pieces.folds)[1:]) for form in forms)

    def share_capitals(self, word: str) -> float:
        """The share of a word's uses that have a capital, by the vocabulary; 0 where it does not have the word."""
        pieces = self._weights.pieces
        scores = [score_piece(pieces, fold(form, pieces.folds)[1:]) for form in (word.capitalize(), word.lower())]
        great, small = (0.0 if score is None else math.exp(score) for score in scores)
        return great / (great + small) if great else 0.0

    def load(self) -> None:
        """Load OpenVINO and the fast tokenizer now, so that nobody waits for them later."""
        self._characters = _FEW_TO_CUT + 1
        _ = self._loaded().tokens

    def _embed(self, texts: Sequence[str], is_first: bool = False) -> NDArray[np.float32]:
        if not texts:
            return np.empty((0, self.dimension), np.float32)
        self._characters += sum(map(len, texts))
        is_short = self._characters <= (_FEW if has_one_thread() else _LONGEST_FIRST if is_first else 0)
        if self._engine is None and is_short:
            return forward_batch(self._weights, self._ids(texts))
        engine = self._loaded()
        ids = self._ids(texts, engine.tokens if self._characters > _FEW_TO_CUT else None)
        return engine.embed(ids, self._settings.batch)

    def _ids(self, texts: Sequence[str], tokens: Tokens | None = None) -> list[list[int]]:
        """The token ids of each text; without `tokens` they are cut by the tokenizer that needs no loading."""
        pieces = self._weights.pieces
        folded = [fold(text, pieces.folds) for text in texts]
        cut = [tokens(text) for text in folded] if tokens else self._cutter.cut(folded)
        most = self._weights.positions - 2
        return [[pieces.start, *inner[:most], pieces.end] for inner in cut]

    def _loaded(self) -> Engine:
        with self._lock:
            if self._engine is None:
                from pincite.index.embed.engine import Engine

                self._engine = Engine(self._weights, self._path, self._models, self._settings.threads)
            return self._engine
