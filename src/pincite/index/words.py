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
_INSIDE = """
SELECT group_concat(p.id) FROM passages p JOIN documents d ON d.generation = p.generation
WHERE d.id IN (SELECT value FROM json_each(?))
"""
# Rows of generations that no document names are being written, or wait to be removed.
_HIDDEN = "SELECT id FROM generations WHERE NOT EXISTS (SELECT 1 FROM documents WHERE generation = generations.id)"
_HIDDEN_ROWS = "SELECT group_concat(id) FROM passages WHERE generation IN (SELECT value FROM json_each(?))"
_SHOWN_OF = "SELECT count(*) FROM documents WHERE generation IN (SELECT value FROM json_each(?))"


@dataclass(slots=True)
class _Memory:
    """What is known of the words in one state of the index; `hidden` are generations that no search may find."""

    added: int
    changed: int
    lengths: Lengths
    norms: Norms
    hidden: frozenset[int]
    shown: NDArray[np.bool_]
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
                hidden = frozenset(connection.exec_driver_sql(_HIDDEN).scalars())
                known = memory if memory and _only_grew(connection, memory, added, changed) else None
                lengths, shown = _read_lengths(connection, known, hidden)
                memory = self._memory = _Memory(added, changed, lengths, norms(lengths), hidden, shown)
            return memory

    def _share(self, connection: Connection, memory: _Memory, sought: Sought) -> Share:
        with self._lock:
            known = memory.shares.get(sought)
            if known is not None:
                memory.shares.move_to_end(sought)
                return known
        variants = [
            _visible(_count(connection.exec_driver_sql(_OCCURRENCES, (variant,)).scalar_one()), memory)
            for variant in sought.variants
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
        rows = _numbers(connection.exec_driver_sql(_INSIDE, (json.dumps(sorted(documents)),)).scalar_one())
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


def _only_grew(connection: Connection, memory: _Memory, added: int, changed: int) -> bool:
    """Whether everything new stands after all that is known: nothing changed, and nothing hidden came to light."""
    if memory.changed != changed or memory.added >= added:
        return False
    hidden = json.dumps(sorted(memory.hidden))
    return not memory.hidden or not connection.exec_driver_sql(_SHOWN_OF, (hidden,)).scalar_one()


def _visible(found: Postings, memory: _Memory) -> Postings:
    """The postings without rows of hidden generations: those that are known to be, and those written since."""
    room = len(memory.shown)
    if not memory.hidden and not (len(found.rows) and found.rows[-1] >= room):
        return found
    shown = (found.rows < room) & memory.shown[np.minimum(found.rows, room - 1)]
    return Postings(found.rows[shown], found.context[shown], found.body[shown])


def _read_lengths(
    connection: Connection, known: _Memory | None, hidden: frozenset[int]
) -> tuple[Lengths, NDArray[np.bool_]]:
    """The number of terms of each row, from the table in which FTS5 keeps them for its own `bm25()`; and which count.

    A row of a hidden generation has no length and does not count."""
    first = len(known.shown) if known else 0
    rows = connection.exec_driver_sql(_LENGTHS, (first,)).all()
    if not rows and known:
        return known.lengths, known.shown
    # Most passages are about as long as one another: few different records have to be decoded.
    decoded = {record: _varints(record) for record in {row[1] for row in rows}}
    ids = np.fromiter((row[0] for row in rows), np.int64, len(rows))
    sizes = np.array([decoded[row[1]] for row in rows], np.float32).reshape(len(rows), 2)
    room = int(ids[-1]) + 1 if len(ids) else 1
    context, body, shown = np.zeros(room, np.float32), np.zeros(room, np.float32), np.zeros(room, np.bool_)
    if known:
        context[:first], body[:first], shown[:first] = known.lengths.context, known.lengths.body, known.shown
    context[ids], body[ids], shown[ids] = sizes[:, 0], sizes[:, 1], True
    if hidden:
        numbers = _numbers(connection.exec_driver_sql(_HIDDEN_ROWS, (json.dumps(sorted(hidden)),)).scalar_one())
        numbers = numbers[(numbers >= first) & (numbers < room)]
        context[numbers], body[numbers], shown[numbers] = 0, 0, False
    return Lengths(context, body, int(shown.sum())), shown


def _numbers(listed: str | None) -> NDArray[np.int64]:
    return np.fromstring(listed, np.int64, sep=",") if listed else np.empty(0, np.int64)


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
