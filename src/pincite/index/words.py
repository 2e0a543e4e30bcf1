"""Finding passages by their words, on SQLite's FTS5: a question's words in, passage ids with BM25 scores out.

FTS5's own `bm25()` is called for one row at a time; reading all occurrences of a word as one string and counting them
with numpy ranks four times faster, with our own weights, and no passage is left out."""

import json
import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection

from pincite.index.analysis import Sought
from pincite.index.bm25 import Lengths, Norms, Postings, Share, merge, norms, share

# Common words are asked for again and again: so many of their rows are remembered, eight bytes each.
_REMEMBERED = 8_000_000
_SCOPES = 16

_STATE = "SELECT value FROM index_state WHERE name IN ('words_added', 'words_changed') ORDER BY name"
_OCCURRENCES = "SELECT group_concat(doc * 2 + (col = 'body')) FROM words_terms WHERE term = ?"
_LENGTHS = "SELECT id, sz FROM words_docsize WHERE id >= ? ORDER BY id"
_INSIDE = "SELECT group_concat(id) FROM passages WHERE document IN (SELECT value FROM json_each(?))"


@dataclass(slots=True)
class _Memory:
    """What is known of the words in one state of the index."""

    added: int
    changed: int
    lengths: Lengths
    norms: Norms
    shares: OrderedDict[Sought, Share] = field(default_factory=OrderedDict)
    size: int = 0
    scopes: OrderedDict[frozenset[str], NDArray[np.bool_]] = field(default_factory=OrderedDict)


class Words:
    """Remembers how long passages are and where common words occur, until words are added or removed."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._memory: _Memory | None = None

    def search(
        self, connection: Connection, question: Sequence[Sought], documents: frozenset[str] | None, k: int
    ) -> list[tuple[int, float]]:
        """The k best passages that have one of the words, best first."""
        memory = self._current(connection)
        scores = np.zeros(len(memory.lengths.body), np.float32)
        for sought in question:
            found = self._share(connection, memory, sought)
            scores[found.rows] += found.scores
        if documents is not None:
            scores *= self._inside(connection, memory, documents)
        rows = np.flatnonzero(scores)
        if 0 < k < len(rows):
            rows = rows[np.argpartition(scores[rows], len(rows) - k)[len(rows) - k :]]
        rows = rows[np.lexsort((rows, -scores[rows]))][: max(k, 0)]
        return list(zip(rows.tolist(), scores[rows].tolist(), strict=True))

    def _current(self, connection: Connection) -> _Memory:
        added, changed = connection.exec_driver_sql(_STATE).scalars()
        with self._lock:
            memory = self._memory
            if memory is None or (memory.added, memory.changed) != (added, changed):
                # Passages are added at the end: only their lengths are read, unless earlier ones changed.
                known = memory.lengths if memory and memory.changed == changed and memory.added < added else None
                lengths = _read_lengths(connection, known)
                memory = self._memory = _Memory(added, changed, lengths, norms(lengths))
            return memory

    def _share(self, connection: Connection, memory: _Memory, sought: Sought) -> Share:
        with self._lock:
            known = memory.shares.get(sought)
            if known is not None:
                memory.shares.move_to_end(sought)
                return known
        variants = [
            _count(connection.exec_driver_sql(_OCCURRENCES, (variant,)).scalar_one()) for variant in sought.variants
        ]
        found = share(merge(variants), memory.norms, memory.lengths.count)
        with self._lock:
            if sought not in memory.shares:
                memory.shares[sought] = found
                memory.size += len(found.rows)
            while memory.size > _REMEMBERED:
                _, forgotten = memory.shares.popitem(last=False)
                memory.size -= len(forgotten.rows)
        return found

    def _inside(self, connection: Connection, memory: _Memory, documents: frozenset[str]) -> NDArray[np.bool_]:
        """Which rows are passages of these documents."""
        known = memory.scopes.get(documents)
        if known is not None:
            return known
        inside = np.zeros(len(memory.lengths.body), np.bool_)
        ids = connection.exec_driver_sql(_INSIDE, (json.dumps(sorted(documents)),)).scalar_one()
        if ids:
            rows = np.fromstring(ids, np.int64, sep=",")
            inside[rows[rows < len(inside)]] = True
        with self._lock:
            memory.scopes[documents] = inside
            while len(memory.scopes) > _SCOPES:
                memory.scopes.popitem(last=False)
        return inside


def _count(occurrences: str | None) -> Postings:
    """Occurrences in their order, each twice its row and one more if it is in the body, as counts for each row."""
    if not occurrences:
        return Postings(np.empty(0, np.int32), np.empty(0, np.uint16), np.empty(0, np.uint16))
    numbers = np.fromstring(occurrences, np.int64, sep=",")
    rows = numbers >> 1
    starts = np.flatnonzero(np.diff(rows, prepend=-1))
    total = np.diff(starts, append=len(rows))
    body = np.add.reduceat(numbers & 1, starts)
    return Postings(rows[starts].astype(np.int32), (total - body).astype(np.uint16), body.astype(np.uint16))


def _read_lengths(connection: Connection, known: Lengths | None) -> Lengths:
    """The number of terms of each row, from the table in which FTS5 keeps them for its own `bm25()`."""
    first = len(known.body) if known else 0
    rows = connection.exec_driver_sql(_LENGTHS, (first,)).all()
    if not rows and known:
        return known
    # Most passages are about as long as one another: few different records have to be decoded.
    decoded = {record: _varints(record) for record in {row[1] for row in rows}}
    ids = np.fromiter((row[0] for row in rows), np.int64, len(rows))
    sizes = np.array([decoded[row[1]] for row in rows], np.float32).reshape(len(rows), 2)
    room = int(ids[-1]) + 1 if len(ids) else 1
    context, body = np.zeros(room, np.float32), np.zeros(room, np.float32)
    if known:
        context[:first], body[:first] = known.context, known.body
    context[ids], body[ids] = sizes[:, 0], sizes[:, 1]
    return Lengths(context, body, len(rows) + (known.count if known else 0))


def _varints(record: bytes) -> tuple[int, int]:
    """The two numbers of a record, seven bits a byte, the high bit set on all but a number's last."""
    numbers = []
    value = 0
    for byte in record:
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            numbers.append(value)
            value = 0
    return numbers[0], numbers[1]
