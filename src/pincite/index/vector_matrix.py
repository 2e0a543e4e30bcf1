"""Hold all vectors of one model in memory, and scan them exactly for the nearest passages."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float32]
_Number = TypeVar("_Number", np.int32, np.int64)


@dataclass(frozen=True, slots=True)
class Batch:
    """A stored row of vectors: its id, its document, the ids of the passages, and their vectors as bytes."""

    id: int
    document: str
    passages: bytes
    vectors: bytes


@dataclass(frozen=True, slots=True)
class View:
    """The vectors at one moment. It stays valid while the matrix grows or shrinks."""

    vectors: Vector
    passages: NDArray[np.int64]
    documents: NDArray[np.int32]
    codes: Mapping[str, int]
    order: NDArray[np.int64]

    def nearest(self, vector: Vector, documents: frozenset[str] | None, k: int) -> list[tuple[int, float]]:
        """Return the k passages nearest to a vector, nearest first, among these documents or all."""
        passages = self.passages
        if documents is None:
            scores = _compute_products(self.vectors, vector)
        else:
            allowed = np.zeros(len(self.codes) + 1, bool)
            allowed[[self.codes[document] for document in documents if document in self.codes]] = True
            inside = np.flatnonzero(allowed[self.documents])
            # Selecting rows copies them, which pays only if they are few.
            few = len(inside) * 4 < len(passages)
            scores = (
                _compute_products(self.vectors[inside], vector)
                if few
                else _compute_products(self.vectors, vector)[inside]
            )
            passages = passages[inside]
        if 0 < k < len(scores):
            best = np.argpartition(scores, len(scores) - k)[len(scores) - k :]
            scores, passages = scores[best], passages[best]
        order = np.lexsort((passages, -scores))[: max(k, 0)]
        return list(zip(passages[order].tolist(), scores[order].tolist(), strict=True))

    def of(self, passages: Sequence[int]) -> tuple[list[int], Vector]:
        """Return those of the passages that have a vector, and their vectors, a row each."""
        wanted = np.asarray(passages, np.int64)
        if not len(self.passages) or not len(wanted):
            return [], self.vectors[:0]
        places = np.searchsorted(self.passages, wanted, sorter=self.order)
        rows = self.order[np.minimum(places, len(self.passages) - 1)]
        there = self.passages[rows] == wanted
        return wanted[there].tolist(), self.vectors[rows[there]]


class KnownVectors(NamedTuple):
    """Passages that have a vector, the vectors, a row each, and the visible generation that each passage is of."""

    ids: list[int]
    vectors: Vector
    generations: dict[int, int]


class Matrix:
    """Vectors in one array, with the passage, document and batch of each. The caller holds a lock for changes."""

    def __init__(self, dimension: int) -> None:
        self.dimension = dimension
        self.size = 0
        self._codes: dict[str, int] = {}
        self._vectors = np.empty((0, dimension), np.float32)
        self._passages = np.empty(0, np.int64)
        self._documents = np.empty(0, np.int32)
        self._batches = np.empty(0, np.int64)

    def reserve(self, more: int) -> None:
        """Make space for so many more vectors; the array grows by half at least, so that small batches stay cheap."""
        if self.size + more <= len(self._vectors):
            return
        room = max(self.size + more, self.size * 3 // 2)
        vectors = np.empty((room, self.dimension), np.float32)
        vectors[: self.size] = self._vectors[: self.size]
        self._vectors = vectors
        self._passages = _enlarge_array(self._passages, self.size, room)
        self._documents = _enlarge_array(self._documents, self.size, room)
        self._batches = _enlarge_array(self._batches, self.size, room)

    def add(self, batches: Sequence[Batch]) -> None:
        """Append batches; views that were taken earlier do not change."""
        counts = [len(batch.passages) // 8 for batch in batches]
        added = sum(counts)
        if not added:
            return
        self.reserve(added)
        new = slice(self.size, self.size + added)
        halves = np.frombuffer(b"".join(batch.vectors for batch in batches), np.float16)
        self._vectors[new] = halves.reshape(added, self.dimension)
        self._passages[new] = np.frombuffer(b"".join(batch.passages for batch in batches), np.int64)
        codes = [self._codes.setdefault(batch.document, len(self._codes)) for batch in batches]
        self._documents[new] = np.repeat(codes, counts)
        self._batches[new] = np.repeat([batch.id for batch in batches], counts)
        self.size += added

    def keep(self, batches: Iterable[int]) -> None:
        """Remove all batches but these."""
        kept = np.isin(self._batches[: self.size], np.fromiter(batches, np.int64))
        if kept.all():
            return
        self._vectors = self._vectors[: self.size][kept]
        self._passages = self._passages[: self.size][kept]
        self._documents = self._documents[: self.size][kept]
        self._batches = self._batches[: self.size][kept]
        self.size = len(self._passages)

    def view(self) -> View:
        """Return the vectors as they are now."""
        passages = self._passages[: self.size]
        return View(
            self._vectors[: self.size],
            passages,
            self._documents[: self.size],
            dict(self._codes),
            np.argsort(passages, kind="stable"),
        )


def _compute_products(vectors: Vector, vector: Vector) -> Vector:
    # Row by row: `@` starts threads that busy-wait for the next product and slow everything else down.
    products: Vector = np.vecdot(vectors, vector)
    return products


def _enlarge_array(values: NDArray[_Number], size: int, room: int) -> NDArray[_Number]:
    larger = np.empty(room, values.dtype)
    larger[:size] = values[:size]
    return larger
