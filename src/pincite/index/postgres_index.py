"""The index on PostgreSQL: words in segments, vectors in rows of pgvector's `halfvec`, with HNSW if there are many."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sqlalchemy import Connection, text

from pincite.index import vector_graphs, word_segments
from pincite.index.binary_rows import copy_rows, pack_columns, read_rows
from pincite.index.segment_search import SegmentSearch, Selection
from pincite.index.terms import ANALYSIS, QueryTerm, list_terms
from pincite.index.vector_matrix import KnownVectors, Vector
from pincite.store.database import Database
from pincite.types import Indexed

GRAPH_FROM = 50_000  # vectors of a model from which a graph is built
# Vectors that a search in the graph compares for each result. If only a share of them is in scope, it needs as many
# more for each: below a share, comparing with all that are in scope is quicker, and exact.
VISITS_A_HIT = 10
_LEAST_EFFORT, _MOST_EFFORT = 120, 1000  # pgvector's `hnsw.ef_search`
CANDIDATES_A_HIT = 2  # that a search in the graph keeps; docs/scaling.md has the recall
_MOST_TUPLES = 60_000  # that a search in the graph visits to fill its result when a scope leaves many out
_SHOWN = "(SELECT generation FROM documents WHERE id = :document)"
# One value for all ids, and one for each row: a driver that reads and writes each number takes longer. A single value
# for all rows is slower: joining 390 of them took the server longer than finding them.
_VECTORS = """
SELECT int8send(v.passage) || int8send(v.generation) || halfvec_send(v.vector)
FROM passage_vectors v WHERE v.passage = ANY(CAST(%(ids)s AS bigint[]))
AND v.model = (SELECT id FROM vector_models WHERE name = %(name)s AND dimension = %(dimension)s)
AND EXISTS (SELECT 1 FROM documents d WHERE d.generation = v.generation)
"""
_PLAN = text(
    "SELECT m.id, (SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(:graph || m.id)), "
    "(SELECT reltuples FROM pg_class WHERE oid = 'passage_vectors'::regclass) "
    "FROM vector_models m WHERE m.name = :name AND m.dimension = :dimension"
)


class PostgresIndex:
    """The index of words and vectors. It writes in the caller's transaction."""

    def __init__(
        self,
        graph_from: int = GRAPH_FROM,
        visits_a_hit: int = VISITS_A_HIT,
        candidates_a_hit: float = CANDIDATES_A_HIT,
    ) -> None:
        self.graph_from, self._visits_a_hit, self._candidates_a_hit = graph_from, visits_a_hit, candidates_a_hit
        self._words = SegmentSearch()

    def add(
        self, connection: Connection, document: str, language: str, ids: Sequence[int], indexed: Sequence[Indexed]
    ) -> None:
        """Index a document's passages by their words, replacing earlier words."""
        word_segments.remove_passages(connection, document)
        rows = [
            (id, " ".join(list_terms(piece.context, language)), " ".join(list_terms(piece.body, language)))
            for id, piece in zip(ids, indexed, strict=True)
        ]
        self.add_words(connection, rows)
        word_segments.note_change(connection)
        connection.execute(
            text("UPDATE documents SET analysis = :analysis WHERE id = :document"),
            {"analysis": ANALYSIS, "document": document},
        )

    def add_words(self, connection: Connection, rows: Sequence[tuple[int, str, str]]) -> None:
        """Add passages of a hidden generation: each with its id, the terms of its context and those of its body."""
        word_segments.add_segment(connection, rows)

    def change_context(self, connection: Connection, document: str, rows: Sequence[tuple[str, int]]) -> None:
        """Replace the context terms of a document's passages; keep their body terms and remove the vectors."""
        word_segments.change_contexts(connection, rows)
        self.remove_vectors(connection, document)

    def remove(self, connection: Connection, document: str) -> None:
        """Remove a document's words and vectors; its passages stay."""
        word_segments.remove_passages(connection, document)
        self.remove_vectors(connection, document)

    def add_vectors(
        self, connection: Connection, document: str, model: str, ids: Sequence[int], vectors: Vector
    ) -> None:
        """Store a batch of a document's vectors, one for each passage id."""
        if not len(ids) == len(vectors):
            raise ValueError("the number of ids and of vectors must be equal")
        if not len(ids):
            return
        number = _find_model(connection, model, vectors.shape[1], create=True)
        generation = connection.scalar(text(f"SELECT {_SHOWN}"), {"document": document})
        passages = np.asarray(ids, np.int64)
        connection.execute(
            text("DELETE FROM passage_vectors WHERE model = :model AND passage = ANY(:ids)"),
            {"model": number, "ids": passages.tolist()},
        )
        rows = pack_columns(
            (passages, ">i8"),
            (np.full(len(passages), number), ">i4"),
            (np.full(len(passages), generation), ">i8"),
            (vectors, ">f2"),
        )
        copy_rows(connection, "passage_vectors (passage, model, generation, vector)", [rows])

    def remove_vectors(
        self, connection: Connection, document: str, other_than: str | None = None, limit: int = -1
    ) -> bool:
        """Remove a document's vectors, all or those of other models; at most `limit` times a hundred.

        Return whether none is left.
        """
        most = None if limit < 0 else limit * 100
        query = text(
            "DELETE FROM passage_vectors WHERE (passage, model) IN (SELECT passage, v.model FROM passage_vectors v "
            f"JOIN vector_models m ON m.id = v.model WHERE generation = {_SHOWN} "
            "AND (CAST(:other AS text) IS NULL OR m.name <> :other) LIMIT :most)"
        )
        removed = connection.execute(query, {"document": document, "other": other_than, "most": most}).rowcount
        return most is None or removed < most

    def clear_vectors(self, connection: Connection, generation: int, rows: int) -> bool:
        """Remove at most `rows` hundred of a hidden generation's vectors, and return whether none is left."""
        most = rows * 100
        query = text(
            "DELETE FROM passage_vectors WHERE (passage, model) IN "
            "(SELECT passage, model FROM passage_vectors WHERE generation = :generation LIMIT :most)"
        )
        return connection.execute(query, {"generation": generation, "most": most}).rowcount < most

    def list_unembedded(self, connection: Connection, document: str, model: str, limit: int) -> list[int]:
        """Return the passages of a document that have no vector of this model yet, in order."""
        query = text(
            f"SELECT id FROM passages p WHERE generation = {_SHOWN} AND NOT EXISTS (SELECT 1 FROM passage_vectors v "
            "JOIN vector_models m ON m.id = v.model WHERE v.passage = p.id AND m.name = :model) "
            "ORDER BY ordinal LIMIT :limit"
        )
        return list(connection.execute(query, {"document": document, "model": model, "limit": limit}).scalars())

    def lexical(
        self, connection: Connection, question: Sequence[QueryTerm], documents: frozenset[str] | None, k: int
    ) -> list[tuple[int, float]]:
        """Return the k passages whose words answer the question best, with their scores, best first."""
        return self._words.search(connection, question, documents, k)

    def count_words(self, connection: Connection, question: Sequence[QueryTerm], passage: int) -> int:
        """Return how many words of a question a passage has."""
        return self._words.count_words(connection, question, passage)

    def dense(
        self, connection: Connection, vector: Vector, model: str, documents: frozenset[str] | None, k: int
    ) -> list[tuple[int, float]]:
        """Return the k passages nearest to a vector of this model, with their inner products, nearest first."""
        plan = _plan_search(connection, model, len(vector)) if k > 0 else None
        if plan is None:
            return []
        inside = None if documents is None else self._words.select(connection, documents)
        if inside is not None and not inside.count:
            return []
        if plan.has_graph and (inside is None or inside.count**2 > self._visits_a_hit * k * plan.vectors):
            effort = round(k * self._candidates_a_hit)
            found = _find_near(connection, plan.model, vector, inside, k, effort)
            if len(found) == k or (inside is not None and len(found) == inside.count):
                return found
        return _find_near(connection, plan.model, vector, inside, k)

    def vectors(self, connection: Connection, model: str, dimension: int, passages: Sequence[int]) -> KnownVectors:
        """Return those of the passages that have a vector of this model, with their vectors."""
        wanted = np.asarray(passages, np.int64).tolist()
        values = {"name": model, "dimension": dimension, "ids": "{" + ",".join(map(str, wanted)) + "}"}
        sent = b"".join(row[0] for row in read_rows(connection, _VECTORS, values)) if wanted else b""
        row = np.dtype([("passage", ">i8"), ("generation", ">i8"), ("head", ">i4"), ("vector", ">f2", (dimension,))])
        found = np.frombuffer(sent, row)
        generations = dict(zip(found["passage"].tolist(), found["generation"].tolist(), strict=True))
        places = {id: place for place, id in enumerate(generations)}
        ids = [id for id in wanted if id in places]
        return KnownVectors(ids, found["vector"][[places[id] for id in ids]].astype(np.float32), generations)

    def models(self, connection: Connection) -> dict[str, int]:
        """Return the models there are vectors of, and how many of each."""
        query = text(
            "SELECT m.name, count(*) FROM passage_vectors v JOIN vector_models m ON m.id = v.model "
            "JOIN documents d ON d.generation = v.generation GROUP BY 1"
        )
        return {row[0]: int(row[1]) for row in connection.execute(query)}

    def terms(self, connection: Connection, first: str) -> list[tuple[str, int]]:
        """Return the terms that begin with some letters, each with the number of passages that have it."""
        return word_segments.list_terms_from(connection, first)

    def erase_removed_words(self, connection: Connection, pages: int) -> bool:
        """Write one segment with words of removed passages anew, and return whether no such segment is left."""
        return word_segments.erase_removed(connection)

    def merge(self, connection: Connection) -> bool:
        """Join small segments of words; return whether there may be more to join."""
        return word_segments.merge_segments(connection)

    def build_graphs(self, database: Database) -> list[str]:
        """Build the graph of each model that has many vectors and no graph yet; return the names of these models."""
        return vector_graphs.build_graphs(database, self.graph_from)


@dataclass(frozen=True, slots=True)
class _Plan:
    """The number of a model, whether its vectors have a graph, and how many vectors there are, about."""

    model: int
    has_graph: bool
    vectors: int


def _plan_search(connection: Connection, model: str, dimension: int) -> _Plan | None:
    values = {"name": model, "dimension": dimension, "graph": vector_graphs.GRAPH}
    found = connection.execute(_PLAN, values).one_or_none()
    return _Plan(found[0], bool(found[1]), max(int(found[2]), 0)) if found else None


def _find_near(
    connection: Connection, model: int, vector: Vector, inside: Selection | None, k: int, effort: int = 0
) -> list[tuple[int, float]]:
    """Return the k nearest passages: by the graph with some effort, or by comparing with every vector in scope."""
    is_graph = effort > 0
    # Compiling the query takes longer than the query. A search in the graph may come before, in the same transaction.
    # A prepared query is planned for its values each time: how many are in scope decides what is quicker.
    settings: dict[str, object] = {"jit": "off", "enable_sort": "on", "plan_cache_mode": "force_custom_plan"}
    if is_graph:
        settings |= {
            "hnsw.ef_search": min(max(effort, _LEAST_EFFORT), _MOST_EFFORT),
            "hnsw.iterative_scan": "relaxed_order",
            "hnsw.max_scan_tuples": _MOST_TUPLES,
            "hnsw.scan_mem_multiplier": 8,
            "enable_sort": "off",  # else PostgreSQL compares with every vector if it thinks that few are in scope
        }
    changes = ", ".join(f"set_config('{name}', '{value}', true)" for name, value in settings.items())
    connection.exec_driver_sql(f"SELECT {changes}")
    dimension = len(vector)
    compared = f"v.vector::halfvec({dimension})" if is_graph else "v.vector"
    chosen = "EXISTS (SELECT 1 FROM documents d WHERE d.generation = v.generation)"
    values: dict[str, Any] = {"vector": _write_vector(vector), "k": k}
    if inside is not None:
        chosen, values["generations"] = "v.generation = ANY(%(generations)s)", inside.generations.tolist()
    # The model is a literal: the graph is an index over the rows of one model.
    query = (
        f"SELECT v.passage, {compared} <#> CAST(%(vector)s AS halfvec({dimension})) AS distance "
        f"FROM passage_vectors v WHERE v.model = {model} AND {chosen} ORDER BY distance LIMIT %(k)s"
    )
    packed = f"SELECT string_agg(int8send(passage) || float8send(distance), ''::bytea) FROM ({query}) AS n"
    sent = read_rows(connection, packed, values)[0][0] or b""
    found = np.frombuffer(sent, np.dtype([("passage", ">i8"), ("distance", ">f8")]))
    found = found[np.lexsort((found["passage"], found["distance"]))]
    return list(zip(found["passage"].tolist(), (-found["distance"]).tolist(), strict=True))


def _find_model(connection: Connection, name: str, dimension: int, create: bool = False) -> int | None:
    """Return the number of a model with vectors of this dimension; None if there is none."""
    values = {"name": name, "dimension": dimension}
    query = text("SELECT id FROM vector_models WHERE name = :name AND dimension = :dimension")
    found: int | None = connection.scalar(query, values)
    if found is None and create:
        insert = "INSERT INTO vector_models (name, dimension) VALUES (:name, :dimension) ON CONFLICT DO NOTHING"
        connection.execute(text(insert), values)
        found = connection.scalar(query, values)
    return found


def _write_vector(vector: Vector) -> str:
    return "[" + ",".join(map(repr, np.asarray(vector, np.float32).tolist())) + "]"
