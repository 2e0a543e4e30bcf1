"""Embed with the compiled graph and the fast tokenizer, in batches of similar length."""

from __future__ import annotations

import hashlib
import logging
import platform
import threading
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pincite.embedding import atomic_folder, model_graph
from pincite.embedding.signal_stack import keep_signal_stack
from pincite.embedding.tokenizer import SentencePieceTokenizer, make_sentencepiece_model
from pincite.embedding.unit_vectors import scale_to_unit
from pincite.embedding.weights import Weights
from pincite.errors import EmbeddingError

_GRAPH = "graph.blob"
_VOCABULARY = "vocabulary.model"
_STEP = 16  # lengths are rounded up to this: attention is a quarter faster on whole tiles, and shapes repeat
_GROUP = 64  # values that are rounded to 8 bits with one scale; with 32 or 128 embedding takes some 15 % longer
_MOST_TOKENS = 2048  # in one batch, whatever the settings: more do not fit into the processor's cache

log = logging.getLogger(__name__)


class EmbeddingEngine:
    """Load the compiled model from `models`, or compile it there on first use (a second or two, 30 to 90 MB)."""

    def __init__(self, weights: Weights, source: Path, models: Path, threads: int) -> None:
        self._weights = weights
        with keep_signal_stack():
            self._compiled, self._vocabulary = _load_model(weights, source, models, threads)
        self._lock = threading.Lock()
        self._queue = model_graph.import_openvino().AsyncInferQueue(self._compiled)

    @cached_property
    def tokens(self) -> SentencePieceTokenizer:
        """The fast tokenizer, loaded on first use, which takes half a second."""
        return SentencePieceTokenizer(self._vocabulary, self._weights.pieces.unknown)

    def embed(self, texts: Sequence[Sequence[int]], batch: int) -> NDArray[np.float32]:
        """Embed texts given as token ids, one row each, in the same order."""
        if len(texts) == 1:
            # A question does not wait for the passages of a whole document.
            request = self._compiled.create_infer_request()
            request.infer(self._inputs(texts))
            return scale_to_unit(request.get_output_tensor().data)
        out = np.empty((len(texts), self._weights.dimension), np.float32)

        def collect(request: Any, rows: list[int]) -> None:
            out[rows] = request.get_output_tensor().data

        with self._lock:
            self._queue.set_callback(collect)
            try:
                for rows in group_by_length([len(ids) for ids in texts], batch, len(self._queue)):
                    self._queue.start_async(self._inputs([texts[row] for row in rows]), rows)
            finally:
                self._queue.wait_all()
        return scale_to_unit(out)

    def _inputs(self, texts: Sequence[Sequence[int]]) -> dict[str, NDArray[np.float32]]:
        length = -(-max(map(len, texts)) // _STEP) * _STEP
        ids = np.full((len(texts), length), self._weights.pieces.padding, np.int64)
        mask = np.zeros((len(texts), length), np.float32)
        for row, text in enumerate(texts):
            ids[row, : len(text)] = text
            mask[row, : len(text)] = 1
        return {"words": self._weights.words(ids), "mask": mask}


def group_by_length(lengths: Sequence[int], most: int, streams: int = 1) -> Iterator[list[int]]:
    """Yield groups of text indices with similar lengths, longest first, to minimise padding.

    Each stream has one thread, so a few texts are shared out to all streams.
    """
    most = min(most, -(-len(lengths) // streams))
    rows: list[int] = []
    for row in sorted(range(len(lengths)), key=lambda number: -lengths[number]):
        if rows and (len(rows) == most or (len(rows) + 1) * lengths[rows[0]] > _MOST_TOKENS):
            yield rows
            rows = []
        rows.append(row)
    if rows:
        yield rows


def gains_by_rounding(core: Any) -> bool:
    """Return whether 8-bit integers are faster: on x86 processors without bf16, which is faster still."""
    is_x86 = platform.machine().lower() in ("x86_64", "amd64")
    return is_x86 and "BF16" not in core.get_property("CPU", "OPTIMIZATION_CAPABILITIES")


def _load_model(weights: Weights, source: Path, models: Path, threads: int) -> tuple[Any, bytes]:
    """Return the compiled model and the vocabulary, from the folder of models or made anew."""
    ov = model_graph.import_openvino()
    core = ov.Core()
    # Streams of one thread each need the fewest CPU seconds per passage, and no thread waits for another.
    config = {"PERFORMANCE_HINT": "THROUGHPUT"}
    is_quantized = gains_by_rounding(core)
    if is_quantized:
        config["DYNAMIC_QUANTIZATION_GROUP_SIZE"] = str(_GROUP)
    if threads:
        config["INFERENCE_NUM_THREADS"] = str(threads)
    folder = models / f"multilingual-e5-small-{_compute_fingerprint(core, ov.__version__, source)}"
    try:
        return _open_compiled(ov, core, folder, config) or _compile_model(core, folder, weights, config, is_quantized)
    except RuntimeError as error:
        raise EmbeddingError(
            f"OpenVINO could not load the embedding model: {str(error).strip().splitlines()[-1]}",
            "Set embedding.provider to an endpoint, or to `none` to search by words alone.",
        ) from error


def _open_compiled(ov: Any, core: Any, folder: Path, config: dict[str, str]) -> tuple[Any, bytes] | None:
    if not atomic_folder.is_intact(folder):
        return None
    try:
        blob = ov.tensor_from_file(folder / _GRAPH)
        return core.import_model(blob, "CPU", config), (folder / _VOCABULARY).read_bytes()
    except (RuntimeError, OSError) as error:
        log.warning("the cached embedding model cannot be used and is compiled again: %s", error)
        return None


def _compile_model(
    core: Any, folder: Path, weights: Weights, config: dict[str, str], is_quantized: bool
) -> tuple[Any, bytes]:
    compiled = core.compile_model(model_graph.build_graph(weights, is_quantized), "CPU", config)
    vocabulary = make_sentencepiece_model(weights.pieces)
    try:
        atomic_folder.write_folder(folder, {_GRAPH: compiled.export_model().getbuffer(), _VOCABULARY: vocabulary})
    except OSError as error:
        log.warning("the embedding model works but cannot be cached in %s: %s", folder, error)
    return compiled, vocabulary


def _compute_fingerprint(core: Any, version: str, source: Path) -> str:
    """Return a hash of everything a compiled graph depends on: graph, OpenVINO, processor and weights file."""
    abilities = sorted(core.get_property("CPU", "OPTIMIZATION_CAPABILITIES"))
    processor = core.get_property("CPU", "FULL_DEVICE_NAME")
    with source.open("rb") as file:
        size = file.seek(0, 2)
        file.seek(max(0, size - 65536))
        tail = file.read()
    parts = (model_graph.VERSION, version, processor, abilities, size)
    return hashlib.sha256(repr(parts).encode() + tail).hexdigest()[:16]
