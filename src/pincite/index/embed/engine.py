"""The compiled graph and the fast tokenizer: token ids in, unit vectors out, in batches of like length."""

from __future__ import annotations

import hashlib
import logging
import threading
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pincite.errors import EmbeddingError
from pincite.index.embed import graph, kept
from pincite.index.embed.unit import unit
from pincite.index.embed.vocabulary import SentencePiece, sentencepiece_model
from pincite.index.embed.weights import Weights

_GRAPH = "graph.blob"
_VOCABULARY = "vocabulary.model"
_STEP = 16  # lengths are rounded up to this: attention runs a quarter faster on whole tiles, and shapes repeat
_MOST_TOKENS = 2048  # in one batch, whatever the settings say: more fall out of the processor's cache

log = logging.getLogger(__name__)


class Engine:
    """Loads the compiled model from `models`, or makes it there on first use (a second or two, 90 MB)."""

    def __init__(self, weights: Weights, source: Path, models: Path, threads: int) -> None:
        self._weights = weights
        ov = graph.runtime()
        core = ov.Core()
        # Streams of one thread each: fewest CPU seconds a passage, and no threads that wait for each other.
        config = {"PERFORMANCE_HINT": "THROUGHPUT"}
        if threads:
            config["INFERENCE_NUM_THREADS"] = str(threads)
        folder = models / f"multilingual-e5-small-{_fingerprint(core, ov.__version__, source)}"
        try:
            compiled, vocabulary = _open(ov, core, folder, config) or _make(core, folder, weights, config)
        except RuntimeError as error:
            raise EmbeddingError(
                f"OpenVINO could not load the embedding model: {str(error).strip().splitlines()[-1]}",
                "Set embedding.provider to an endpoint, or to `none` to search by words alone.",
            ) from error
        self._vocabulary = vocabulary
        self._compiled = compiled
        self._lock = threading.Lock()
        self._queue = ov.AsyncInferQueue(compiled)

    @cached_property
    def tokens(self) -> SentencePiece:
        """The fast tokenizer, loaded when it is first asked for: that takes half a second."""
        return SentencePiece(self._vocabulary, self._weights.pieces.unknown)

    def embed(self, texts: Sequence[Sequence[int]], batch: int) -> NDArray[np.float32]:
        """Token ids of each text in, a row for each out, in the same order."""
        if len(texts) == 1:
            # A question does not wait until the passages of a whole document are done.
            request = self._compiled.create_infer_request()
            request.infer(self._inputs(texts))
            return unit(request.get_output_tensor().data)
        out = np.empty((len(texts), self._weights.dimension), np.float32)

        def collect(request: Any, rows: list[int]) -> None:
            out[rows] = request.get_output_tensor().data

        with self._lock:
            self._queue.set_callback(collect)
            try:
                for rows in batches([len(ids) for ids in texts], batch):
                    self._queue.start_async(self._inputs([texts[row] for row in rows]), rows)
            finally:
                self._queue.wait_all()
        return unit(out)

    def _inputs(self, texts: Sequence[Sequence[int]]) -> dict[str, NDArray[np.float32]]:
        length = -(-max(map(len, texts)) // _STEP) * _STEP
        ids = np.full((len(texts), length), self._weights.pieces.padding, np.int64)
        mask = np.zeros((len(texts), length), np.float32)
        for row, text in enumerate(texts):
            ids[row, : len(text)] = text
            mask[row, : len(text)] = 1
        return {"words": self._weights.words(ids), "mask": mask}


def batches(lengths: Sequence[int], most: int) -> Iterator[list[int]]:
    """Lengths in; the numbers of the texts that go together out, longest first, so that little is padding."""
    rows: list[int] = []
    for row in sorted(range(len(lengths)), key=lambda number: -lengths[number]):
        if rows and (len(rows) == most or (len(rows) + 1) * lengths[rows[0]] > _MOST_TOKENS):
            yield rows
            rows = []
        rows.append(row)
    if rows:
        yield rows


def _open(ov: Any, core: Any, folder: Path, config: dict[str, str]) -> tuple[Any, bytes] | None:
    if not kept.is_sound(folder):
        return None
    try:
        blob = ov.tensor_from_file(folder / _GRAPH)
        return core.import_model(blob, "CPU", config), (folder / _VOCABULARY).read_bytes()
    except (RuntimeError, OSError) as error:
        log.warning("the kept embedding model cannot be used and is made anew: %s", error)
        return None


def _make(core: Any, folder: Path, weights: Weights, config: dict[str, str]) -> tuple[Any, bytes]:
    compiled = core.compile_model(graph.build(weights), "CPU", config)
    vocabulary = sentencepiece_model(weights.pieces)
    try:
        kept.keep(folder, {_GRAPH: compiled.export_model().getbuffer(), _VOCABULARY: vocabulary})
    except OSError as error:
        log.warning("the embedding model works but cannot be kept in %s: %s", folder, error)
    return compiled, vocabulary


def _fingerprint(core: Any, version: str, source: Path) -> str:
    """What a compiled graph depends on: graph, OpenVINO, processor and the weights' file."""
    abilities = sorted(core.get_property("CPU", "OPTIMIZATION_CAPABILITIES"))
    processor = core.get_property("CPU", "FULL_DEVICE_NAME")
    with source.open("rb") as file:
        size = file.seek(0, 2)
        file.seek(max(0, size - 65536))
        tail = file.read()
    parts = (graph.VERSION, version, processor, abilities, size)
    return hashlib.sha256(repr(parts).encode() + tail).hexdigest()[:16]
