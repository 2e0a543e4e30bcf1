"""Copy the index from one database to another, whatever their engines: words as they are stored, vectors bit by bit.

On SQLite the words of a passage are a row; on PostgreSQL they are spread over the postings of a segment, and are put
together again. The order of a passage's words is lost there: no search uses it.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, bindparam, text

from pincite.index import word_segments
from pincite.index.binary_rows import copy_rows, pack_columns
from pincite.index.word_segments import SEGMENT_COLUMNS, Segment, make_segment

_ASKED_AT_ONCE = 500
_VECTORS_IN_ROW = 64  # of SQLite
_GENERATIONS_AT_ONCE = 50
_WORDS_IN_SEGMENT = 2_000  # passages

Words = dict[int, tuple[str, str]]  # the terms of the context and of the body of each passage
_Ids = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class StoredVectors:
    """Vectors of one generation and one model: the ids of the passages in order, and two bytes for each number."""

    model: str
    dimension: int
    passages: tuple[int, ...]
    vectors: bytes


def choose_batch(connection: Connection) -> int:
    """Return how many passages to read at once: on PostgreSQL each reading goes through all postings."""
    return 2_000 if connection.dialect.name == "sqlite" else 50_000


def read_words(connection: Connection, passages: Collection[int]) -> Words:
    """Return the words of those of the passages that have some."""
    if connection.dialect.name != "sqlite":
        return _gather_words(connection, np.array(sorted(passages), np.int64))
    query = text("SELECT rowid, context, body FROM words WHERE rowid IN :ids").bindparams(
        bindparam("ids", expanding=True)
    )
    found: Words = {}
    for ids in _split(sorted(passages), _ASKED_AT_ONCE):
        found.update((row[0], (row[1], row[2])) for row in connection.execute(query, {"ids": ids}))
    return found


def write_words(connection: Connection, words: Mapping[int, tuple[str, str]], is_new: bool = False) -> None:
    """Write the words of passages, in place of those that they have; new ones have none."""
    if not is_new:
        remove_words(connection, words)
    rows = [(id, context, body) for id, (context, body) in sorted(words.items())]
    if not rows:
        return
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("INSERT INTO words (rowid, context, body) VALUES (?, ?, ?)", rows)
        return
    query = text("SELECT id FROM passages WHERE id = ANY(:ids)")
    there = set(connection.scalars(query, {"ids": [row[0] for row in rows]}))
    for first in range(0, len(rows), _WORDS_IN_SEGMENT):
        some = rows[first : first + _WORDS_IN_SEGMENT]
        word_segments.add_segment(connection, [row for row in some if row[0] in there])


def remove_words(connection: Connection, passages: Collection[int]) -> None:
    """Remove the words of some passages."""
    if not passages:
        return
    if connection.dialect.name != "sqlite":
        word_segments.mark_positions(connection, "removed", np.array(sorted(passages), np.int64))
        return
    query = text("DELETE FROM words WHERE rowid IN :ids").bindparams(bindparam("ids", expanding=True))
    for ids in _split(sorted(passages), _ASKED_AT_ONCE):
        connection.execute(query, {"ids": ids})


def compute_word_sums(connection: Connection, passages: Collection[int] | None = None) -> dict[int, int]:
    """Return a number for the words of each passage, or of some: equal for equal words, on both engines."""
    if connection.dialect.name != "sqlite":
        return _sum_postings(connection, passages)
    query = "SELECT rowid, context, body FROM words"
    if passages is not None:
        return {id: _sum_words(*fields) for id, fields in read_words(connection, passages).items()}
    return {row[0]: _sum_words(row[1], row[2]) for row in connection.execute(text(query))}


def count_vectors(connection: Connection) -> int:
    """Return the number of all vectors."""
    one = (
        "sum(length(passages)) / 8 FROM vectors"
        if connection.dialect.name == "sqlite"
        else "count(*) FROM passage_vectors"
    )
    return int(connection.scalar(text(f"SELECT {one}")) or 0)


def read_vectors(connection: Connection, generations: Collection[int]) -> dict[int, list[StoredVectors]]:
    """Return the vectors of some generations, sorted by model and dimension."""
    gathered: dict[int, dict[tuple[str, int], dict[int, bytes]]] = defaultdict(lambda: defaultdict(dict))
    for ids in _split(sorted(generations), _ASKED_AT_ONCE):
        for generation, model, passage, vector in _read_single(connection, ids):
            gathered[generation][model, len(vector) // 2][passage] = vector
    return {
        generation: [
            StoredVectors(model, dimension, tuple(sorted(vectors)), b"".join(vectors[id] for id in sorted(vectors)))
            for (model, dimension), vectors in sorted(models.items())
        ]
        for generation, models in gathered.items()
    }


def write_vectors(connection: Connection, generation: int, stored: Sequence[StoredVectors]) -> None:
    """Write the vectors of a generation, in place of those that it has."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("DELETE FROM vectors WHERE generation = ?", (generation,))
    else:
        connection.execute(text("DELETE FROM passage_vectors WHERE generation = :id"), {"id": generation})
    for each in stored:
        if connection.dialect.name == "sqlite":
            _insert_blocks(connection, generation, each)
        else:
            _insert_rows(connection, generation, each)


def tidy_words(connection: Connection) -> bool:
    """Join small segments of words on PostgreSQL; return whether there may be more to join."""
    return connection.dialect.name != "sqlite" and word_segments.merge_segments(connection)


def iterate_words(connection: Connection) -> Iterator[Words]:
    """Yield the words of all passages, some passages at a time."""
    query = text("SELECT id FROM passages WHERE id > :last ORDER BY id LIMIT :most")
    last, most = 0, choose_batch(connection)
    while ids := list(connection.scalars(query, {"last": last, "most": most})):
        yield read_words(connection, ids)
        last = ids[-1]


def iterate_vectors(connection: Connection) -> Iterator[tuple[int, list[StoredVectors]]]:
    """Yield each generation that has vectors, with these."""
    generations = list(connection.scalars(text("SELECT id FROM generations ORDER BY id")))
    for ids in _split(generations, _GENERATIONS_AT_ONCE):
        yield from read_vectors(connection, ids).items()


def copy_index(source: Connection, target: Connection) -> None:
    """Copy the whole index into a database that has the rows and no index."""
    for words in iterate_words(source):
        write_words(target, words, is_new=True)
    for generation, stored in iterate_vectors(source):
        write_vectors(target, generation, stored)
    announce_changes(target)


def announce_changes(connection: Connection) -> None:
    """Let every process that has the index in memory load it again."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("UPDATE index_state SET value = value + 1")
    else:
        word_segments.note_change(connection)


def _read_single(connection: Connection, generations: Sequence[int]) -> Iterator[tuple[int, str, int, bytes]]:
    """Yield generation, model, passage and vector of each vector."""
    if connection.dialect.name != "sqlite":
        query = text(
            "SELECT v.generation, m.name, v.passage, halfvec_send(v.vector) FROM passage_vectors v "
            "JOIN vector_models m ON m.id = v.model WHERE v.generation = ANY(:ids)"
        )
        for generation, model, passage, sent in connection.execute(query, {"ids": list(generations)}):
            # After two numbers of two bytes; PostgreSQL sends the high byte first.
            yield generation, model, passage, np.frombuffer(sent, ">f2", offset=4).astype("<f2").tobytes()
        return
    query = text("SELECT generation, model, passages, vectors FROM vectors WHERE generation IN :ids ORDER BY id")
    found = connection.execute(query.bindparams(bindparam("ids", expanding=True)), {"ids": list(generations)})
    for generation, model, ids, vectors in found:
        passages = np.frombuffer(ids, np.int64).tolist()
        size = len(vectors) // max(len(passages), 1)
        for place, passage in enumerate(passages):
            yield generation, model, passage, vectors[place * size : (place + 1) * size]


def _insert_blocks(connection: Connection, generation: int, stored: StoredVectors) -> None:
    size = stored.dimension * 2
    for first in range(0, len(stored.passages), _VECTORS_IN_ROW):
        ids = stored.passages[first : first + _VECTORS_IN_ROW]
        connection.exec_driver_sql(
            "INSERT INTO vectors (generation, model, passages, vectors) VALUES (?, ?, ?, ?)",
            (
                generation,
                stored.model,
                np.array(ids, np.int64).tobytes(),
                stored.vectors[first * size : (first + len(ids)) * size],
            ),
        )


def _insert_rows(connection: Connection, generation: int, stored: StoredVectors) -> None:
    values = {"name": stored.model, "dimension": stored.dimension}
    connection.execute(
        text("INSERT INTO vector_models (name, dimension) VALUES (:name, :dimension) ON CONFLICT DO NOTHING"), values
    )
    model = connection.scalar(
        text("SELECT id FROM vector_models WHERE name = :name AND dimension = :dimension"), values
    )
    halves = np.frombuffer(stored.vectors, "<f2").reshape(len(stored.passages), stored.dimension)
    count = len(stored.passages)
    packed = pack_columns(
        (np.array(stored.passages, np.int64), ">i8"),
        (np.full(count, model, np.int32), ">i4"),
        (np.full(count, generation, np.int64), ">i8"),
        (halves, ">f2"),
    )
    copy_rows(connection, "passage_vectors (passage, model, generation, vector)", [packed])


def _gather_words(connection: Connection, wanted: _Ids) -> Words:
    """Put the words of some passages together from the postings of all segments that have them."""
    fields: tuple[dict[int, list[str]], dict[int, list[str]]] = (defaultdict(list), defaultdict(list))
    present: set[int] = set()
    for segment in _read_segments(connection, wanted):
        chosen = segment.kept & np.isin(segment.passages, wanted)
        if not chosen.any():
            continue
        present.update(segment.passages[chosen].tolist())
        for term, is_body, rows, counts in _read_postings(connection, segment):
            valid = chosen[rows] if is_body else chosen[rows] & segment.has_context[rows]
            for passage, count in zip(segment.passages[rows[valid]].tolist(), counts[valid].tolist(), strict=True):
                fields[is_body][passage] += [term] * count
    return {id: (" ".join(sorted(fields[0][id])), " ".join(sorted(fields[1][id]))) for id in sorted(present)}


def _sum_postings(connection: Connection, passages: Collection[int] | None) -> dict[int, int]:
    wanted = None if passages is None else np.array(sorted(passages), np.int64)
    sums: dict[int, int] = defaultdict(int)
    for segment in _read_segments(connection, wanted):
        chosen = segment.kept if wanted is None else segment.kept & np.isin(segment.passages, wanted)
        if not chosen.any():
            continue
        totals = np.zeros(len(segment.passages), np.uint64)
        for term, is_body, rows, counts in _read_postings(connection, segment):
            if not is_body:
                valid = segment.has_context[rows]
                rows, counts = rows[valid], counts[valid]
            with np.errstate(over="ignore"):
                totals[rows] += counts.astype(np.uint64) * np.uint64(_hash_term(term, is_body))
        for id, total in zip(segment.passages[chosen].tolist(), totals[chosen].tolist(), strict=True):
            sums[id] = (sums[id] + total) % 2**64
    return dict(sums)


def _sum_words(context: str, body: str) -> int:
    total = 0
    for is_body, terms in ((False, context), (True, body)):
        for term, count in Counter(terms.split()).items():
            total += count * _hash_term(term, is_body)
    return total % 2**64


_hashes: dict[tuple[str, bool], int] = {}
_HASHES_KEPT = 1_000_000


def _hash_term(term: str, is_body: bool) -> int:
    found = _hashes.get((term, is_body))
    if found is None:
        if len(_hashes) >= _HASHES_KEPT:
            _hashes.clear()
        made = blake2b(term.encode(), digest_size=8, key=b"body" if is_body else b"context")
        found = _hashes[term, is_body] = int.from_bytes(made.digest(), "big")
    return found


def _read_segments(connection: Connection, wanted: _Ids | None) -> Iterator[Segment]:
    """Yield the segments that have some of the passages, one at a time."""
    query, values = "SELECT id FROM word_segments ORDER BY id", {}
    if wanted is not None and len(wanted):
        query = "SELECT id FROM word_segments WHERE first <= :last AND last >= :first ORDER BY id"
        values = {"first": int(wanted.min()), "last": int(wanted.max())}
    for id in connection.scalars(text(query), values).all():
        row = connection.execute(text(f"{SEGMENT_COLUMNS} WHERE id = :id"), {"id": id}).one_or_none()
        if row is None:
            continue
        segment = make_segment(row)
        if wanted is None or np.isin(segment.passages, wanted).any():
            yield segment


def _read_postings(
    connection: Connection, segment: Segment
) -> Iterator[tuple[str, bool, NDArray[np.uint32], NDArray[np.uint16]]]:
    query = text("SELECT term, is_body, rows, counts FROM word_postings WHERE segment = :id")
    found = connection.execute(query.execution_options(stream_results=True, max_row_buffer=2_000), {"id": segment.id})
    for row in found:
        yield row.term, row.is_body, np.frombuffer(row.rows, np.uint32), np.frombuffer(row.counts, np.uint16)


def _split(ids: Sequence[int], size: int) -> Iterator[list[int]]:
    for first in range(0, len(ids), size):
        yield list(ids[first : first + size])
