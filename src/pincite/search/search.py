"""Search for the passages that answer a question: by words, by vectors, or by both, fused and perhaps reranked."""

import logging
import threading
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, replace
from math import inf
from typing import TYPE_CHECKING, Protocol

import numpy as np

from pincite.embedding.language_gap import get_language_gap
from pincite.errors import EmbeddingError, Misuse, RerankError
from pincite.index import Index
from pincite.index.terms import list_question_terms
from pincite.search.fuse import fuse_scores, rank_scores, scale_scores, weigh_meaning
from pincite.search.request import Mode as Mode
from pincite.settings import Settings
from pincite.store import document_text, documents, stored_passages
from pincite.store.database import Connection, Database
from pincite.telemetry import span
from pincite.text.language import detect_question_language
from pincite.types import Hit, Scope, Span

if TYPE_CHECKING:
    from pincite.index.vector_matrix import Vector
    from pincite.search.reranker import Reranker
    from pincite.search.spelling import CorrectedQuestion

_log = logging.getLogger(__name__)

# The cosine of the built-in model below which the best passage of a search without a matching word is taken for chance:
# nine of ten made-up words stay below it, one in a hundred questions that a document answers does.
_E5, _E5_LEAST = "multilingual-e5-small", 0.835
# How far the best passage moves the question's vector: its other words help to find similar passages.
_FEEDBACK = 0.15
_KEYWORDS = 2  # words of a search that is for these words, if a passage has them all


class QueryEmbedder(Protocol):
    """The part of an embedder that a search needs."""

    @property
    def name(self) -> str: ...

    def queries(self, texts: Sequence[str]) -> "Sequence[Vector] | Vector": ...


@dataclass(frozen=True, slots=True)
class RankedPassage:
    """A passage in a ranking: its score, and the two scores it comes from."""

    id: int
    score: float
    lexical: float
    dense: float


@dataclass(frozen=True, slots=True)
class _Sides:
    """The passages that a search found by words and by vectors, each with its score, and the question's vector.

    `language` is the question's, "" if unknown. `are_keywords` says that it has few words, and a passage has them all.
    """

    mode: Mode
    words: dict[int, float]
    near: dict[int, float]
    vector: "Vector | None"
    language: str = ""
    are_keywords: bool = False


class _ChosenDocuments:
    """The documents of a scope, listed once for the two sides of a search."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._lock = threading.Lock()
        self._listed: list[frozenset[str] | None] = []

    def list_ids(self, connection: Connection) -> frozenset[str] | None:
        """Return the ids of the documents; None means all."""
        with self._lock:
            if not self._listed:
                self._listed.append(documents.list_ids_in_scope(connection, self._scope))
            return self._listed[0]


class PassageSearch:
    """A search over a database and its index, with an embedder or without; threads may share it."""

    def __init__(
        self,
        database: Database,
        index: Index,
        embedder: QueryEmbedder | None,
        settings: Settings,
        reranker: "Reranker | None" = None,
    ) -> None:
        self._database = database
        self._index = index
        self._embedder = embedder
        self._settings = settings
        self._reranker = reranker
        self._warned: set[str] = set()
        # Why the embedder failed at the last question; None if it did not.
        self.embedder_error: EmbeddingError | None = None
        if reranker is None and settings.rerank.url:
            from pincite.search.reranker import Reranker

            self._reranker = Reranker(settings.rerank)

    def search(self, question: str, scope: Scope, k: int = 10, mode: Mode = "hybrid") -> list[Hit]:
        """Return the k best passages for a question, best first; those that a reranker chose come before the rest."""
        deep = max(k, self._settings.rerank.top_k) if self._reranker else k
        with span("search", mode=mode) as opened:
            opened.set_text(query=question)
            hits = self._database.repeat(lambda: self._find_hits(question, scope, deep, mode))
            found = self._rerank_hits(question, hits)[: max(k, 0)]
            opened.set(passages=len(found))
        return found

    def select(self, question: str, scope: Scope, limit: int = 5) -> list[Hit]:
        """Return the passages that a model is given: those that the reranker chose, and no others.

        Without a reranker, or when it does not answer, they are the first `limit` of the search.
        """
        hits = self.search(question, scope, max(limit, self._settings.rerank.return_k))
        return [hit for hit in hits if hit.chosen] or hits[:limit]

    def correct(self, question: str, scope: Scope) -> "CorrectedQuestion":
        """Return the question with each word that no document in scope has replaced by the nearest known word."""
        from pincite.search.spelling import correct_words

        knows = getattr(self._embedder, "knows", None)
        return self._database.repeat(lambda: correct_words(question, self._database, self._index, scope, knows))

    def rank(self, question: str, scope: Scope, limit: int = 100, mode: Mode = "hybrid") -> list[tuple[int, float]]:
        """Return passage ids with their fused scores to any depth, without reranking, for evaluation."""
        return [(found.id, found.score) for found in self.ranking(question, scope, limit, mode)]

    def ranking(self, question: str, scope: Scope, limit: int = 100, mode: Mode = "hybrid") -> list[RankedPassage]:
        """Return the passages for a question in order, with the scores that decided it."""
        sides = self._search_sides(question, scope, limit, mode)
        with self._database.searching() as connection:
            return self._rank_sides(connection, sides, limit)

    def _find_hits(self, question: str, scope: Scope, limit: int, mode: Mode) -> list[Hit]:
        sides = self._search_sides(question, scope, limit, mode)
        # One transaction for the ranking and the texts: a second one would cost a few more waits for the server.
        with self._database.searching() as connection:
            return self._load_hits(connection, scope.owner, self._rank_sides(connection, sides, limit))

    def _search_sides(self, question: str, scope: Scope, limit: int, mode: Mode) -> _Sides:
        """Search by words and by vectors, as the mode has it."""
        if not question.strip() or limit <= 0:
            return _Sides(mode, {}, {}, None)
        if mode == "dense" and self._settings.embedding.provider == "none" and self._embedder is None:
            raise Misuse(
                "Searching by meaning needs an embedder.",
                "Set embedding.provider and run `pincite reindex`, or search with --mode lexical.",
            )
        depth, chosen = max(self._settings.search.candidates, limit), _ChosenDocuments(scope)
        language = detect_question_language(question)
        if mode == "hybrid" and self._embedder is not None:
            # The model and the database do not wait for each other.
            with ThreadPoolExecutor(1) as beside:
                later = beside.submit(copy_context().run, self._search_words, question, chosen, depth)
                vector, near = self._search_vectors(question, chosen, depth)
                words, are_keywords = later.result()
                return _Sides(mode, words, near, vector, language, are_keywords)
        vector, near = (None, {}) if mode == "lexical" else self._search_vectors(question, chosen, depth)
        return _Sides(mode, {} if near else self._search_words(question, chosen, depth)[0], near, vector, language)

    def _rank_sides(self, connection: Connection, sides: _Sides, limit: int) -> list[RankedPassage]:
        words, near = sides.words, sides.near
        gaps = self._list_language_gaps(connection, sides.language, words.keys() | near.keys()) if near else {}
        if near and sides.vector is not None and sides.mode == "hybrid":
            if not words and max(_add_gaps(near, gaps).values()) < self._least_similarity():
                return []
            fused, near = self._fuse_sides(connection, words, near, sides.vector, gaps, sides.are_keywords)
        elif near:
            near = _add_gaps(near, gaps)
            fused = self._scale_vector_scores(near)
        else:
            fused = scale_scores(words, 0.0, max(words.values())) if words else {}
        best = rank_scores(fused)[: max(limit, 0)]
        return [RankedPassage(id, score, words.get(id, 0.0), near.get(id, 0.0)) for id, score in best]

    def _least_similarity(self) -> float:
        """Return the similarity that a passage needs to be found where no word matches."""
        given = self._settings.search.least_similarity
        if given is not None:
            return given
        return _E5_LEAST if self._embedder is not None and self._embedder.name == _E5 else -inf

    def _list_language_gaps(self, connection: Connection, language: str, ids: Iterable[int]) -> dict[int, float]:
        """Return what is added to the cosines of passages in another language than the question's."""
        if self._embedder is None or not get_language_gap(self._embedder.name, "en", "fr") or not language:
            return {}
        languages = stored_passages.map_to_languages(connection, sorted(ids))
        gaps = {id: get_language_gap(self._embedder.name, language, code) for id, code in languages.items()}
        return {id: gap for id, gap in gaps.items() if gap}

    def _scale_vector_scores(self, near: dict[int, float]) -> dict[int, float]:
        """Return scores from 0 to 1 for passages found by vectors alone: cosines, or scaled inner products."""
        if self._settings.embedding.similarity == "cosine":
            return scale_scores(near, 0.0, 1.0)
        return scale_scores(near, min(0.0, *near.values()), max(near.values()))

    def _fuse_sides(
        self,
        connection: Connection,
        words: dict[int, float],
        near: dict[int, float],
        vector: "Vector",
        gaps: dict[int, float],
        are_keywords: bool,
    ) -> tuple[dict[int, float], dict[int, float]]:
        """Fuse both sides into one score, after moving the question a little towards its best passage."""
        assert self._embedder is not None
        weight, depth = self._settings.search.dense_weight, self._settings.search.candidates
        ids = sorted(words.keys() | near.keys())
        known, vectors, of = self._index.vectors(connection, self._embedder.name, len(vector), ids)
        others = [id for id in ids if id not in of]
        if others:  # they have no vector yet, or are gone
            of = of | stored_passages.map_to_generations(connection, others)
        words = {id: score for id, score in words.items() if id in of}
        near = _add_gaps(dict(zip(known, (vectors @ vector).tolist(), strict=True)), gaps)
        if weight is None:
            weight = weigh_meaning(words, near, depth, are_keywords)
        if not near:
            return fuse_scores(words, near, weight, depth, of), near
        first = fuse_scores(words, near, weight, depth, of)
        best = min(first, key=lambda id: (-first[id], id))
        if best in near:
            towards = vectors[known.index(best)]
            # As if both vectors had length one.
            share = _FEEDBACK * np.linalg.norm(vector) / max(float(np.linalg.norm(towards)), 1e-9)
            moved = dict(zip(known, (vectors @ (vector + share * towards)).tolist(), strict=True))
            return fuse_scores(words, _add_gaps(moved, gaps), weight, depth, of), near
        return first, near

    def _search_words(self, question: str, chosen: _ChosenDocuments, depth: int) -> tuple[dict[int, float], bool]:
        """Return the passages with words of a question, and whether the best has all of its words, which are few."""
        with span("search words"), self._database.searching() as connection:
            inside = chosen.list_ids(connection)
            asked = list_question_terms(question, documents.list_languages(connection))
            found = self._index.lexical(connection, asked, inside, depth)
            are_few = bool(found) and len(asked) <= _KEYWORDS
            return dict(found), are_few and self._index.count_words(connection, asked, found[0][0]) == len(asked)

    def list_cosines(self, question: str, scope: Scope, depth: int) -> list[float]:
        """Return the similarities of the passages nearest to a question, highest first; none without an embedder."""
        near = self._search_vectors(question, _ChosenDocuments(scope), depth)[1]
        with self._database.searching() as connection:
            gaps = self._list_language_gaps(connection, detect_question_language(question), near)
        return sorted(_add_gaps(near, gaps).values(), reverse=True)

    def _search_vectors(
        self, question: str, chosen: _ChosenDocuments, depth: int
    ) -> "tuple[Vector | None, dict[int, float]]":
        """Return the question's vector and the passages near it; none when there is no embedder, or it fails."""
        if self._embedder is None:
            return None, {}
        try:
            with span("embed question"):
                vector: Vector = self._embedder.queries([question])[0]
        except EmbeddingError as error:
            self.embedder_error = error
            self._warn("embedder", f"{error.message} Searching by words alone. {error.hint}")
            return None, {}
        self.embedder_error = None
        with span("search vectors"), self._database.searching() as connection:
            inside = chosen.list_ids(connection)
            near = dict(self._index.dense(connection, vector, self._embedder.name, inside, depth))
            if not near:
                self._warn_of_other_model(self._index.models(connection), self._embedder.name)
        return vector, near

    def _load_hits(self, connection: Connection, person: str, ranking: Sequence[RankedPassage]) -> list[Hit]:
        scores = {found.id: found for found in ranking}
        rows = stored_passages.get_visible(connection, person, [found.id for found in ranking])
        places = [Span(row.document, row.passage.start, row.passage.end) for row in rows]
        texts = document_text.read_texts(connection, places)
        return [
            Hit(
                span=place,
                title=row.title,
                kind=row.kind,
                text=text,
                score=scores[row.id].score,
                page=row.passage.first_page,
                last_page=row.passage.last_page,
                headings=row.passage.headings,
                label=row.label,
                lexical=scores[row.id].lexical,
                dense=scores[row.id].dense,
            )
            for row, place, text in zip(rows, places, texts, strict=True)
        ]

    def _rerank_hits(self, question: str, hits: list[Hit]) -> list[Hit]:
        """Put the reranker's first few before the rest; keep the fused order if it does not answer."""
        settings = self._settings.rerank
        asked = hits[: settings.top_k]
        if self._reranker is None or not asked:
            return hits
        try:
            with span("rerank", passages=len(asked)):
                order = self._reranker.rerank(question, [hit.text for hit in asked])[: settings.return_k]
        except RerankError as error:
            self._warn("reranker", f"{error.message} The order is that of the search. {error.hint}")
            return hits
        # Fused scores are at most 1, so the reranked passages score above them and the list stays sorted.
        above = scale_scores(dict(order), order[-1][1], order[0][1])
        first = [replace(asked[place], score=1 + above[place], chosen=True) for place, _ in order]
        taken = {place for place, _ in order}
        return first + [hit for place, hit in enumerate(hits) if place not in taken]

    def _warn_of_other_model(self, models: dict[str, int], name: str) -> None:
        if models and name not in models:
            known = ", ".join(sorted(models))
            self._warn(
                "model",
                f"The stored vectors are of {known}, the embedder is {name}: searching by words alone. "
                "Run `pincite reindex`.",
            )

    def _warn(self, about: str, message: str) -> None:
        if about not in self._warned:
            self._warned.add(about)
            _log.warning(message)


def _add_gaps(cosines: dict[int, float], gaps: dict[int, float]) -> dict[int, float]:
    return {id: cosine + gaps.get(id, 0.0) for id, cosine in cosines.items()} if gaps else cosines
