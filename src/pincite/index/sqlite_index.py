"""The index on SQLite: words in FTS5, vectors in rows that are scanned exactly in memory."""

from collections.abc import Sequence

import numpy as np
from sqlalchemy import Connection

from pincite.index.stored_vectors import Vectors
from pincite.index.terms import ANALYSIS, QueryTerm, list_terms
from pincite.index.vector_matrix import KnownVectors, Vector
from pincite.index.word_search import WordIndex
from pincite.store import stored_passages
from pincite.store.database import Database
from pincite.types import Indexed

_SHOWN = "(SELECT generation FROM documents WHERE id = ?)"


class SqliteIndex:
    """The index of words and vectors. It writes in the caller's transaction; the matrix in memory follows."""

    def __init__(self) -> None:
        self._words = WordIndex()
        self._vectors = Vectors()

    def add(
        self,
        connection: Connection,
        document: str,
        language: str,
        ids: Sequence[int],
        indexed: Sequence[Indexed],
    ) -> None:
        """Index a document's passages by their words, replacing earlier words."""
        self._remove_words(connection, document)
        rows = [
            (id, " ".join(list_terms(piece.context, language)), " ".join(list_terms(piece.body, language)))
            for id, piece in zip(ids, indexed, strict=True)
        ]
        self.add_words(connection, rows)
        _advance_state(connection, "words_added")
        connection.exec_driver_sql("UPDATE documents SET analysis = ? WHERE id = ?", (ANALYSIS, document))

    def add_words(self, connection: Connection, rows: Sequence[tuple[int, str, str]]) -> None:
        """Add passages of a hidden generation: each with its id, the terms of its context and those of its body."""
        if rows:
            connection.exec_driver_sql("INSERT INTO words (rowid, context, body) VALUES (?, ?, ?)", list(rows))

    def change_context(self, connection: Connection, document: str, rows: Sequence[tuple[str, int]]) -> None:
        """Replace the context terms of a document's passages; keep their body terms and remove the vectors."""
        connection.exec_driver_sql("UPDATE words SET context = ? WHERE rowid = ?", list(rows))
        _advance_state(connection, "words_changed")
        self.remove_vectors(connection, document)

    def remove(self, connection: Connection, document: str) -> None:
        """Remove a document's words and vectors; its passages stay."""
        self._remove_words(connection, document)
        self.remove_vectors(connection, document)

    def erase_removed_words(self, connection: Connection, pages: int) -> bool:
        """Rewrite at most so many pages of the words, and return whether all are rewritten.

        FTS5 keeps the words of removed passages until it merges the parts of its index that contain them.
        """
        before = connection.exec_driver_sql("SELECT total_changes()").scalar_one()
        connection.exec_driver_sql("INSERT INTO words (words, rank) VALUES ('merge', ?)", (-pages,))
        return bool(connection.exec_driver_sql("SELECT total_changes()").scalar_one() - before < 2)

    def add_vectors(
        self, connection: Connection, document: str, model: str, ids: Sequence[int], vectors: Vector
    ) -> None:
        """Store a batch of a document's vectors, one for each passage id."""
        if not len(ids) == len(vectors):
            raise ValueError("the number of ids and of vectors must be equal")
        if not len(ids):
            return
        passages = np.asarray(ids, np.int64).tobytes()
        stored = np.ascontiguousarray(vectors, np.float16).tobytes()
        connection.exec_driver_sql(
            "INSERT INTO vectors (generation, model, passages, vectors) "
            "SELECT generation, ?, ?, ? FROM documents WHERE id = ?",
            (model, passages, stored, document),
        )

    def remove_vectors(
        self, connection: Connection, document: str, other_than: str | None = None, limit: int = -1
    ) -> bool:
        """Remove a document's vectors, all or those of other models; at most `limit` batches.

        Return whether none is left.
        """
        some = f"SELECT id FROM vectors WHERE generation = {_SHOWN} AND model IS NOT ? LIMIT ?"
        removed = connection.exec_driver_sql(f"DELETE FROM vectors WHERE id IN ({some})", (document, other_than, limit))
        return limit < 0 or removed.rowcount < limit

    def clear_vectors(self, connection: Connection, generation: int, rows: int) -> bool:
        """Remove at most `rows` batches of a hidden generation's vectors, and return whether none is left."""
        removed = connection.exec_driver_sql(
            "DELETE FROM vectors WHERE id IN (SELECT id FROM vectors WHERE generation = ? LIMIT ?)", (generation, rows)
        )
        return removed.rowcount < rows

    def list_unembedded(self, connection: Connection, document: str, model: str, limit: int) -> list[int]:
        """Return the passages of a document that have no vector of this model yet, in order."""
        batches = connection.exec_driver_sql(
            f"SELECT passages FROM vectors WHERE generation = {_SHOWN} AND model = ?", (document, model)
        )
        done = {int(id) for row in batches for id in np.frombuffer(row[0], np.int64)}
        ids = connection.exec_driver_sql(
            f"SELECT id FROM passages WHERE generation = {_SHOWN} ORDER BY ordinal", (document,)
        ).scalars()
        return [id for id in ids if id not in done][:limit]

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
        return self._vectors.view(connection, model, len(vector)).nearest(vector, documents, k)

    def vectors(self, connection: Connection, model: str, dimension: int, passages: Sequence[int]) -> KnownVectors:
        """Return those of the passages that have a vector of this model, with their vectors."""
        ids, vectors = self._vectors.view(connection, model, dimension).of(passages)
        generations = stored_passages.map_to_generations(connection, ids)
        # The vectors may be of a later state than this connection sees.
        seen = [place for place, id in enumerate(ids) if id in generations]
        return KnownVectors([ids[place] for place in seen], vectors[seen], generations)

    def models(self, connection: Connection) -> dict[str, int]:
        """Return the models there are vectors of, and how many of each."""
        rows = connection.exec_driver_sql(
            "SELECT model, sum(length(vectors.passages)) / 8 FROM vectors JOIN documents USING (generation) GROUP BY 1"
        )
        return {row[0]: row[1] for row in rows}

    def terms(self, connection: Connection, first: str) -> list[tuple[str, int]]:
        """Return the terms that begin with some letters, each with the number of passages that have it."""
        connection.exec_driver_sql(
            "CREATE VIRTUAL TABLE IF NOT EXISTS temp.vocabulary USING fts5vocab(main, words, row)"
        )
        rows = connection.exec_driver_sql(
            "SELECT term, doc FROM temp.vocabulary WHERE term >= ? AND term < ?", (first, f"{first}\U0010ffff")
        )
        return [(row[0], row[1]) for row in rows]

    def merge(self, connection: Connection) -> bool:
        """Do nothing, because FTS5 merges its own segments."""
        return False

    def build_graphs(self, database: Database) -> list[str]:
        """Do nothing, because every vector is compared."""
        return []

    def _remove_words(self, connection: Connection, document: str) -> None:
        removed = connection.exec_driver_sql(
            f"DELETE FROM words WHERE rowid IN (SELECT id FROM passages WHERE generation = {_SHOWN})", (document,)
        )
        if removed.rowcount:
            _advance_state(connection, "words_changed")


def _advance_state(connection: Connection, name: str) -> None:
    """Raise a counter, so that every process reloads what it has in memory."""
    connection.exec_driver_sql("UPDATE index_state SET value = value + 1 WHERE name = ?", (name,))
