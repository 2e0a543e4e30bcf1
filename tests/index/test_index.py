import math
from collections.abc import Sequence

import numpy as np
import pytest
from sqlalchemy import Connection

from pincite.index import Index
from pincite.index.terms import ANALYSIS, list_question_terms
from pincite.index.vector_matrix import Vector
from pincite.store import documents
from pincite.store.database import Database
from pincite.types import Document, Indexed, Passage

MODEL = "a-model"


def make_index(database: Database) -> Index:
    from pincite.index.postgres_index import PostgresIndex
    from pincite.index.sqlite_index import SqliteIndex

    return SqliteIndex() if database.sqlite else PostgresIndex()


def _add(
    connection: Connection, index: Index, name: str, bodies: Sequence[str], context: str = ""
) -> tuple[str, list[int]]:
    stored, _ = documents.create(connection, "local", name.ljust(64, "0"), name, 1)
    pieces = [Passage(i, i + 1) for i in range(len(bodies))]
    read = Document("text", "x" * len(bodies), name, "en")
    ids = documents.write_content(connection, stored.id, read, pieces)
    index.add(connection, stored.id, "en", ids, [Indexed(context, body) for body in bodies])
    return stored.id, ids


def _find(
    connection: Connection, index: Index, question: str, inside: frozenset[str] | None = None, k: int = 10
) -> list[int]:
    return [id for id, _ in index.lexical(connection, list_question_terms(question, ["en"]), inside, k)]


def _vectors(*rows: Sequence[float]) -> Vector:
    return np.array(rows, np.float32)


def test_passages_are_found_by_their_words_best_first(either: Database) -> None:
    index = make_index(either)
    with either.writing() as connection:
        _, ids = _add(
            connection,
            index,
            "a",
            [
                "The whale swims in the sea.",
                "A whale and another whale: whales everywhere.",
                "Nothing but boats.",
                "Boats, ports, seas and sailors of old.",
            ],
        )
        assert _find(connection, index, "whales") == [ids[1], ids[0]]
        assert _find(connection, index, "whale sea") == [ids[0], ids[1], ids[3]]
        assert _find(connection, index, "submarine") == []
        assert _find(connection, index, "boats", k=1) == [ids[2]]


def test_a_word_in_title_or_headings_counts(either: Database) -> None:
    index = make_index(either)
    with either.writing() as connection:
        _, (plain,) = _add(connection, index, "a", ["revenue grew this year"], "Other report")
        _, (named,) = _add(connection, index, "b", ["revenue grew this year"], "ACME 10-K 2022")
        assert _find(connection, index, "ACME revenue 2022") == [named, plain]


def test_the_words_of_a_question_that_a_passage_has_are_counted_in_its_title_too(either: Database) -> None:
    index = make_index(either)
    asked = list_question_terms("whales harbour log", ["en"])
    with either.writing() as connection:
        _, ids = _add(connection, index, "a", ["A whale swims.", "Whales near the harbour.", "Boats."], "Log of 1850")
        assert [index.count_words(connection, asked, id) for id in ids] == [2, 3, 1]
        assert index.count_words(connection, asked, max(ids) + 1) == 0
        assert index.count_words(connection, [], ids[0]) == 0


def test_a_word_that_every_passage_has_still_finds_them(either: Database) -> None:
    index = make_index(either)
    with either.writing() as connection:
        _, ids = _add(connection, index, "a", ["profit of the year", "profit", "loss and profit in some words"])
        assert set(_find(connection, index, "profit")) == set(ids)


def test_the_scores_are_those_of_bm25(either: Database) -> None:
    index = make_index(either)
    bodies = ["whale whale boat", "whale", "boat boat boat harbour sea", "sea"]
    with either.writing() as connection:
        _, ids = _add(connection, index, "a", bodies)
        found = dict(index.lexical(connection, list_question_terms("whale boat", ["en"]), None, 10))
    average = sum(len(body.split()) for body in bodies) / len(bodies)
    for id, body in zip(ids, bodies, strict=True):
        words = body.split()
        expected = 0.0
        for word in ("whale", "boat"):
            rows = sum(word in other.split() for other in bodies)
            count = words.count(word) / (0.25 + 0.75 * len(words) / average)
            expected += math.log(1 + (4 - rows + 0.5) / (rows + 0.5)) * 2.5 * count / (count + 1.5)
        assert found.get(id, 0.0) == pytest.approx(expected, rel=1e-5)


def test_an_index_in_another_process_sees_what_is_added_and_removed(either: Database) -> None:
    here, there = make_index(either), make_index(either)
    with either.writing() as connection:
        first, (one,) = _add(connection, here, "a", ["a whale"])
        here.add_vectors(connection, first, MODEL, [one], _vectors([1, 0]))
    with either.reading() as connection:
        assert _find(connection, there, "whale") == [one]
        assert there.dense(connection, _vectors([1, 0])[0], MODEL, None, 5) == [(one, 1.0)]
    with either.writing() as connection:
        second, (two,) = _add(connection, here, "b", ["whale, whale"])
        here.add_vectors(connection, second, MODEL, [two], _vectors([0.5, 0]))
    with either.reading() as connection:
        assert _find(connection, there, "whale") == [two, one]
        assert there.dense(connection, _vectors([1, 0])[0], MODEL, None, 5) == [(one, 1.0), (two, 0.5)]
    with either.writing() as connection:
        documents.remove(connection, first)
    with either.reading() as connection:
        assert _find(connection, there, "whale") == [two]
        assert there.dense(connection, _vectors([1, 0])[0], MODEL, None, 5) == [(two, 0.5)]


def test_a_removed_document_leaves_nothing_in_the_index(either: Database) -> None:
    index = make_index(either)
    with either.writing() as connection:
        id, ids = _add(connection, index, "a", ["some words", "more words"])
        index.add_vectors(connection, id, MODEL, ids, _vectors([1, 0], [0, 1]))
        documents.remove(connection, id)
        for table in ("words", "vectors") if either.sqlite else ("passage_vectors",):
            assert connection.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar_one() == 0
        if either.sqlite:
            connection.exec_driver_sql("INSERT INTO words (words) VALUES ('integrity-check')")
        assert _find(connection, index, "words") == []


def test_a_document_read_again_is_found_by_its_new_words_only(either: Database) -> None:
    index = make_index(either)
    with either.writing() as connection:
        _add(connection, index, "a", ["old words", "stale vectors"])
        id, ids = _add(connection, index, "a", ["fresh words"])
        assert _find(connection, index, "old stale") == []
        assert _find(connection, index, "fresh") == ids
        index.add(connection, id, "en", ids, [Indexed("", "entirely different and much longer text")])
        assert _find(connection, index, "fresh") == []
        assert _find(connection, index, "different") == ids
        assert documents.get(connection, id).analysis == ANALYSIS


def test_a_search_stays_inside_the_documents_it_is_given(either: Database) -> None:
    index = make_index(either)
    with either.writing() as connection:
        first, (one,) = _add(connection, index, "a", ["whale"])
        second, (two,) = _add(connection, index, "b", ["whale"])
        for id, passage in ((first, one), (second, two)):
            index.add_vectors(connection, id, MODEL, [passage], _vectors([1, 0]))
        vector = _vectors([1, 0])[0]
        for inside, expected in ((frozenset([second]), [two]), (frozenset[str](), []), (None, [one, two])):
            assert _find(connection, index, "whale", inside) == expected
            assert [id for id, _ in index.dense(connection, vector, MODEL, inside, 5)] == expected


def test_embedding_goes_on_where_it_stopped(either: Database) -> None:
    index = make_index(either)
    with either.writing() as connection:
        id, ids = _add(connection, index, "a", ["one", "two", "three", "four", "five"])
        assert index.list_unembedded(connection, id, MODEL, 2) == ids[:2]
        index.add_vectors(connection, id, MODEL, [ids[1], ids[3]], _vectors([1, 0], [0, 1]))
        assert index.list_unembedded(connection, id, MODEL, 10) == [ids[0], ids[2], ids[4]]
        assert index.list_unembedded(connection, id, "another", 10) == ids
        assert index.models(connection) == {MODEL: 2}


def test_only_vectors_of_the_model_that_asks_count(either: Database) -> None:
    index = make_index(either)
    with either.writing() as connection:
        id, (one, two) = _add(connection, index, "a", ["one", "two"])
        index.add_vectors(connection, id, "old", [one], _vectors([1, 0]))
        index.add_vectors(connection, id, MODEL, [two], _vectors([0, 1]))
        index.add_vectors(connection, id, MODEL, [one], _vectors([1, 0, 0]))
        vector = _vectors([1, 0])[0]
        assert index.dense(connection, vector, "old", None, 5) == [(one, 1.0)]
        assert index.dense(connection, vector, MODEL, None, 5) == [(two, 0.0)]
        assert index.dense(connection, vector, "unknown", None, 5) == []
        index.remove_vectors(connection, id, other_than=MODEL)
        assert index.dense(connection, vector, "old", None, 5) == []
        assert index.models(connection) == {MODEL: 2}


def test_the_nearest_are_exactly_the_nearest(either: Database) -> None:
    random = np.random.default_rng(7)
    vectors = random.standard_normal((300, 16)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    index = make_index(either)
    with either.writing() as connection:
        id, ids = _add(connection, index, "a", ["x"] * 300)
        shuffled = random.permutation(300)
        for first in range(0, 300, 8):
            some = shuffled[first : first + 8]
            index.add_vectors(connection, id, MODEL, [ids[i] for i in some], vectors[some])
        question = vectors[42]
        found = index.dense(connection, question, MODEL, None, 20)
        truth = vectors.astype(np.float16).astype(np.float32) @ question
        assert [id for id, _ in found] == [ids[i] for i in np.argsort(-truth)[:20]]
        known, rows, generations = index.vectors(connection, MODEL, len(question), [*ids[::7], 10**9])
        shown = documents.get(connection, id).generation
    assert known == ids[::7]
    assert generations == dict.fromkeys(known, shown)
    np.testing.assert_allclose(rows @ question, truth[::7], atol=1e-5)
