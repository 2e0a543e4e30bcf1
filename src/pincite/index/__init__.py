"""Index passages by words and by vectors. `Index` is the interface; each database engine has one adapter."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from pincite.types import Indexed

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pincite.index.terms import QueryTerm
    from pincite.index.vector_matrix import KnownVectors, Vector
    from pincite.store.database import Database


# The tables of the indexes: the migrations make them for one engine each, and only this package reads them. SQLite's
# full-text search makes further tables, whose names begin with `words`.
INDEX_TABLES = frozenset(
    {"words", "vectors", "index_state"}
    | {"word_segments", "word_postings", "vector_models", "passage_vectors", "index_changes"}
)


class Index(Protocol):
    """The index of a database engine. It writes in the caller's transaction, and returns the best results first.

    `documents` limits a search to some documents; None means all.
    """

    def add(
        self,
        connection: "Connection",
        document: str,
        language: str,
        ids: Sequence[int],
        indexed: Sequence[Indexed],
    ) -> None: ...

    def add_words(self, connection: "Connection", rows: Sequence[tuple[int, str, str]]) -> None: ...

    def change_context(self, connection: "Connection", document: str, rows: Sequence[tuple[str, int]]) -> None: ...

    def clear_vectors(self, connection: "Connection", generation: int, rows: int) -> bool: ...

    def remove(self, connection: "Connection", document: str) -> None: ...

    def erase_removed_words(self, connection: "Connection", pages: int) -> bool: ...

    def add_vectors(
        self, connection: "Connection", document: str, model: str, ids: Sequence[int], vectors: "Vector"
    ) -> None: ...

    def remove_vectors(
        self, connection: "Connection", document: str, other_than: str | None = None, limit: int = -1
    ) -> bool: ...

    def list_unembedded(self, connection: "Connection", document: str, model: str, limit: int) -> list[int]: ...

    def lexical(
        self,
        connection: "Connection",
        question: "Sequence[QueryTerm]",
        documents: frozenset[str] | None,
        k: int,
    ) -> list[tuple[int, float]]: ...

    def count_words(self, connection: "Connection", question: "Sequence[QueryTerm]", passage: int) -> int: ...

    def dense(
        self,
        connection: "Connection",
        vector: "Vector",
        model: str,
        documents: frozenset[str] | None,
        k: int,
    ) -> list[tuple[int, float]]: ...

    def vectors(
        self, connection: "Connection", model: str, dimension: int, passages: Sequence[int]
    ) -> "KnownVectors": ...

    def models(self, connection: "Connection") -> dict[str, int]: ...

    def terms(self, connection: "Connection", first: str) -> list[tuple[str, int]]: ...

    def merge(self, connection: "Connection") -> bool: ...

    def build_graphs(self, database: "Database") -> list[str]: ...
