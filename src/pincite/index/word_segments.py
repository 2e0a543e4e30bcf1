"""Store the words of passages on PostgreSQL, in segments. `segment_search` finds passages by them.

A segment holds the words of some passages. For each word and field it has one row: the positions of the passages in the
segment, and how often each has the word. Adding passages adds a small segment; `merge_segments` joins small segments
into larger ones, so that a word is read in few rows. Postings never change: a passage whose words or context are gone
is marked in its segment, until the segment is written anew.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, text

from pincite.index.binary_rows import copy_rows, pack_row
from pincite.store import lock_keys

_MERGED = 8  # segments of one level that become one of the next
_KEPT_CHANGES = 1_000

_Ids = NDArray[np.int64]
_Counts = NDArray[np.uint16]


@dataclass(frozen=True, slots=True)
class Segment:
    """A segment in memory: the passage, generation and lengths at each position.

    `version` counts the changes of its marks. `merged` has the ids and versions of the segments it was made of.
    """

    id: int
    version: int
    merged: dict[int, int]
    passages: _Ids
    generations: _Ids
    contexts: _Counts
    bodies: _Counts
    kept: NDArray[np.bool_]
    has_context: NDArray[np.bool_]


def add_segment(connection: Connection, rows: Sequence[tuple[int, str, str]]) -> None:
    """Add passages: each with its id, the terms of its context and those of its body, separated by spaces."""
    if not rows:
        return
    rows = sorted(rows)
    ids = np.array([row[0] for row in rows], np.int64)
    contexts, bodies = [row[1].split() for row in rows], [row[2].split() for row in rows]
    query = text("SELECT id, generation FROM passages WHERE id = ANY(:ids)")
    found = {row[0]: row[1] for row in connection.execute(query, {"ids": ids.tolist()})}
    generations = np.array([found[id] for id in ids.tolist()], np.int64)
    segment = _insert_segment(connection, 0, ids, generations, _count_lengths(contexts), _count_lengths(bodies))
    collected: dict[tuple[str, bool], list[tuple[int, int]]] = defaultdict(list)
    for is_body, texts in ((False, contexts), (True, bodies)):
        for position, terms in enumerate(texts):
            for term, count in Counter(terms).items():
                collected[term, is_body].append((position, count))
    _write_postings(
        connection,
        segment,
        ((term, is_body, *zip(*found, strict=True)) for (term, is_body), found in collected.items()),
    )


def change_contexts(connection: Connection, rows: Sequence[tuple[str, int]]) -> None:
    """Replace the context terms of passages; keep their body terms."""
    if not rows:
        return
    ids = np.array(sorted(id for _, id in rows), np.int64)
    mark_positions(connection, "without_context", ids)
    add_segment(connection, [(id, terms, "") for terms, id in rows])
    note_change(connection)


def remove_passages(connection: Connection, document: str) -> None:
    """Remove the words of a document's visible passages."""
    query = "SELECT id FROM passages WHERE generation = (SELECT generation FROM documents WHERE id = :id) ORDER BY id"
    ids = np.fromiter(connection.execute(text(query), {"id": document}).scalars(), np.int64)
    if len(ids):
        mark_positions(connection, "removed", ids)
        note_change(connection)


def note_change(connection: Connection) -> None:
    """Let every process load the index anew."""
    connection.execute(text("INSERT INTO index_changes DEFAULT VALUES"))


def list_terms_from(connection: Connection, first: str) -> list[tuple[str, int]]:
    """Return the terms that begin with some letters, each with the number of passages that have it."""
    query = (
        "SELECT term, sum(length(rows) / 4) FROM word_postings WHERE term >= :first AND term < :last "
        "GROUP BY term ORDER BY term"
    )
    found = connection.execute(text(query), {"first": first, "last": f"{first}\U0010ffff"})
    return [(row[0], int(row[1])) for row in found]


def merge_segments(connection: Connection) -> bool:
    """Join the segments of one level if there are enough of them; return whether there may be more to join."""
    if not connection.scalar(text("SELECT pg_try_advisory_xact_lock(:key)"), {"key": lock_keys.SEGMENTS}):
        return False
    crowded = connection.execute(
        text(
            "SELECT level, array_agg(id ORDER BY id) FROM word_segments GROUP BY level HAVING count(*) >= :most "
            "ORDER BY level LIMIT 1"
        ),
        {"most": _MERGED},
    ).one_or_none()
    _trim_changes(connection)
    if crowded is None:
        return False
    _rewrite_segments(connection, crowded[0] + 1, crowded[1])
    return True


def erase_removed(connection: Connection) -> bool:
    """Write one segment with words of removed passages anew, without them; return whether none is left.

    It waits for a running merge, because the caller tells a person that the words are gone.
    """
    connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": lock_keys.SEGMENTS})
    known = _list_generations(connection)
    query = text(
        "SELECT id, level, generations, removed <> '' OR without_context <> '' FROM word_segments ORDER BY size"
    ).execution_options(stream_results=True, max_row_buffer=1)
    found = [
        (id, level)
        for id, level, generations, is_marked in connection.execute(query)
        if is_marked or not np.isin(np.frombuffer(generations, np.int64), known).all()
    ]
    if found:
        _rewrite_segments(connection, found[0][1], [found[0][0]])
    return len(found) <= 1


def _rewrite_segments(connection: Connection, level: int, ids: Sequence[int]) -> None:
    """Write some segments as one. Writers wait only at the end, when marks that were set meanwhile are taken over."""
    query = f"{SEGMENT_COLUMNS} WHERE id = ANY(:ids) ORDER BY id"
    before = {row.id: row for row in connection.execute(text(query), {"ids": list(ids)})}
    segments = [make_segment(row) for row in before.values()]
    made = _join_segments(connection, level, segments, _list_generations(connection))
    marks: dict[str, list[_Ids]] = {"removed": [], "without_context": []}
    versions: list[int] = []
    for row in connection.execute(text(f"{query} FOR UPDATE"), {"ids": list(ids)}):
        versions += (row.id, row.version)
        for column, found in marks.items():
            now, then = (np.frombuffer(getattr(r, column), np.int64) for r in (row, before[row.id]))
            found.append(np.setdiff1d(now, then))
    if made is not None:
        values = {column: np.unique(np.concatenate(found)).tobytes() for column, found in marks.items()}
        connection.execute(
            text(
                "UPDATE word_segments SET removed = :removed, without_context = :without_context, merged = :merged, "
                "version = :version WHERE id = :id"
            ),
            {
                **values,
                "merged": np.array(versions, np.int64).tobytes(),
                "version": int(any(values.values())),
                "id": made,
            },
        )
    connection.execute(text("DELETE FROM word_segments WHERE id = ANY(:ids)"), {"ids": list(ids)})
    note_change(connection)


def _list_generations(connection: Connection) -> _Ids:
    return read_numbers(connection, "SELECT string_agg(int8send(id), ''::bytea) FROM generations")


def read_numbers(connection: Connection, query: str, **values: Any) -> NDArray[np.int64]:
    """Return the numbers that a query joins into one value: much faster than a row for each."""
    return np.frombuffer(connection.scalar(text(query), values) or b"", ">i8").astype(np.int64)


SEGMENT_COLUMNS = (
    "SELECT id, version, merged, passages, generations, contexts, bodies, removed, without_context FROM word_segments"
)


def _join_segments(connection: Connection, level: int, segments: Sequence[Segment], known: _Ids) -> int | None:
    """Write the passages of some segments as one segment, without those that are removed; return its id, if any."""
    kept = [segment.kept & np.isin(segment.generations, known) for segment in segments]
    parts = list(zip(segments, kept, strict=True))
    passages = np.unique(np.concatenate([segment.passages[mask] for segment, mask in parts]))
    if not len(passages):
        return None
    generations = np.zeros(len(passages), np.int64)
    contexts, bodies = np.zeros(len(passages), np.uint16), np.zeros(len(passages), np.uint16)
    places: dict[int, tuple[_Ids, Segment]] = {}
    for segment, mask in parts:
        place = np.where(mask, np.searchsorted(passages, segment.passages), -1)
        generations[place[mask]] = segment.generations[mask]
        contexts[place[mask]] += np.where(segment.has_context, segment.contexts, 0)[mask].astype(np.uint16)
        bodies[place[mask]] += segment.bodies[mask]
        places[segment.id] = place, segment
    made = _insert_segment(connection, level, passages, generations, contexts, bodies)
    _write_postings(connection, made, _join_postings(connection, places))
    return made


def _join_postings(
    connection: Connection, places: dict[int, tuple[_Ids, Segment]]
) -> "Iterator[tuple[str, bool, _Ids, _Ids]]":
    """Yield the postings of each word in the joined segment. The rows are read by a cursor, a few at a time."""
    query = text(
        "SELECT term, is_body, segment, rows, counts FROM word_postings WHERE segment = ANY(:ids) "
        "ORDER BY term, is_body"
    ).execution_options(stream_results=True, max_row_buffer=2_000)
    found = connection.execute(query, {"ids": sorted(places)})
    for (term, is_body), same in groupby(found, key=lambda row: (row.term, row.is_body)):
        rows, counts = [], []
        for row in same:
            place, segment = places[row.segment]
            positions = np.frombuffer(row.rows, np.uint32)
            moved = place[positions]
            valid = moved >= 0
            if not is_body:
                valid &= segment.has_context[positions]
            rows.append(moved[valid])
            counts.append(np.frombuffer(row.counts, np.uint16)[valid].astype(np.int64))
        all_rows, all_counts = np.concatenate(rows), np.concatenate(counts)
        if len(all_rows):
            order = np.argsort(all_rows, kind="stable")
            yield term, is_body, all_rows[order], all_counts[order]


def _insert_segment(
    connection: Connection, level: int, passages: _Ids, generations: _Ids, contexts: _Counts, bodies: _Counts
) -> int:
    query = text(
        "INSERT INTO word_segments (level, size, first, last, passages, generations, contexts, bodies) "
        "VALUES (:level, :size, :first, :last, :passages, :generations, :contexts, :bodies) RETURNING id"
    )
    values = {
        "level": level,
        "size": len(passages),
        "first": int(passages[0]),
        "last": int(passages[-1]),
        "passages": passages.tobytes(),
        "generations": generations.tobytes(),
        "contexts": contexts.tobytes(),
        "bodies": bodies.tobytes(),
    }
    return int(connection.execute(query, values).scalar_one())


def _write_postings(connection: Connection, segment: int, found: Iterable[tuple[Any, ...]]) -> None:
    """Write the postings of a segment: a word, its field, positions and counts."""
    packed = (
        pack_row(
            term.encode(),
            segment.to_bytes(8, "big"),
            is_body.to_bytes(1, "big"),
            np.asarray(rows, np.uint32).tobytes(),
            np.minimum(counts, 65_535).astype(np.uint16).tobytes(),
        )
        for term, is_body, rows, counts in found
    )
    copy_rows(connection, "word_postings (term, segment, is_body, rows, counts)", packed)


def mark_positions(connection: Connection, column: str, ids: _Ids) -> None:
    """Note in each segment that has some of these passages that their words, or those of their context, are gone.

    A query that waits for the end of a merge finds the former segments gone, and does not see the new one. So the
    segments are looked for again, until all that are there are locked by this transaction.
    """
    chosen = "FROM word_segments WHERE first <= :last AND last >= :first AND id <> ALL(:seen)"
    values = {"first": int(ids.min()), "last": int(ids.max())}
    seen = [0]
    while connection.scalar(text(f"SELECT EXISTS (SELECT 1 {chosen})"), {**values, "seen": seen}):
        # In order, so that two writers cannot wait for each other.
        query = text(f"SELECT id, passages, {column} {chosen} ORDER BY id FOR UPDATE")
        for segment, stored, marked in connection.execute(query, {**values, "seen": seen}).all():
            seen.append(segment)
            inside = np.intersect1d(np.frombuffer(stored, np.int64), ids)
            if len(inside):
                value = np.union1d(np.frombuffer(marked, np.int64), inside).tobytes()
                connection.execute(
                    text(f"UPDATE word_segments SET {column} = :value, version = version + 1 WHERE id = :id"),
                    {"value": value, "id": segment},
                )


def _trim_changes(connection: Connection) -> None:
    """Remove the oldest changes, and add one: without it the rest could look like a former state.

    Many changes are removed at once, because every process reads the index again afterwards.
    """
    count, last = connection.execute(text("SELECT count(*), coalesce(max(id), 0) FROM index_changes")).one()
    if count >= 2 * _KEPT_CHANGES:
        connection.execute(text("DELETE FROM index_changes WHERE id <= :old"), {"old": last - _KEPT_CHANGES})
        note_change(connection)


def make_segment(row: Any) -> Segment:
    passages = np.frombuffer(row.passages, np.int64)
    return Segment(
        row.id,
        row.version,
        {int(id): int(version) for id, version in np.frombuffer(row.merged, np.int64).reshape(-1, 2)},
        passages,
        np.frombuffer(row.generations, np.int64),
        np.frombuffer(row.contexts, np.uint16),
        np.frombuffer(row.bodies, np.uint16),
        ~np.isin(passages, np.frombuffer(row.removed, np.int64)),
        ~np.isin(passages, np.frombuffer(row.without_context, np.int64)),
    )


def _count_lengths(texts: Sequence[Sequence[str]]) -> _Counts:
    return np.array([min(len(terms), 65_535) for terms in texts], np.uint16)
