"""The index on PostgreSQL alone: its extension, its graph of vectors, and writers beside each other."""

import threading
import uuid
from collections.abc import Sequence

import numpy as np
import pytest
from sqlalchemy import create_engine, make_url, text

from pincite.errors import StorageError
from pincite.index.postgres_index import PostgresIndex
from pincite.index.terms import list_question_terms
from pincite.index.vector_graphs import GRAPH
from pincite.index.vector_matrix import Vector
from pincite.store import documents
from pincite.store.database import Connection, Database
from pincite.types import Document, Indexed, Passage
from tests.clock import PATIENCE

MODEL = "a-model"


def test_a_database_in_which_the_extension_cannot_be_made_is_refused_with_what_to_do(postgres_server: str) -> None:
    name = f"t{uuid.uuid4().hex}"
    admin = create_engine(postgres_server, isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
        connection.execute(text(f"CREATE ROLE {name} LOGIN"))
    owned = create_engine(make_url(postgres_server).set(database=name), isolation_level="AUTOCOMMIT")
    with owned.connect() as connection:
        connection.execute(text(f"GRANT ALL ON SCHEMA public TO {name}"))
    limited = Database(make_url(postgres_server).set(database=name, username=name))
    try:
        with pytest.raises(StorageError, match=r"cannot create the extension `vector`.*permission denied") as caught:
            limited.migrate()
        assert "CREATE EXTENSION vector" in caught.value.hint
        with owned.connect() as connection:
            connection.execute(text("CREATE EXTENSION vector"))
        limited.migrate()
        with limited.reading() as connection:
            assert connection.scalar(text("SELECT count(*) FROM passage_vectors")) == 0
    finally:
        limited.close()
        owned.dispose()
        with admin.connect() as connection:
            connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
            connection.execute(text(f"DROP ROLE {name}"))
        admin.dispose()


def _add(connection: Connection, index: PostgresIndex, name: str, bodies: Sequence[str]) -> tuple[str, list[int]]:
    stored, _ = documents.create(connection, "local", name.ljust(64, "0"), name, 1)
    read = Document("text", "x" * len(bodies), name, "en")
    ids = documents.write_content(connection, stored.id, read, [Passage(i, i + 1) for i in range(len(bodies))])
    index.add(connection, stored.id, "en", ids, [Indexed("", body) for body in bodies])
    return stored.id, ids


def _make_vectors(count: int, seed: int = 7) -> Vector:
    vectors = np.random.default_rng(seed).standard_normal((count, 16)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors.astype(np.float16).astype(np.float32)


def _fill(database: Database, index: PostgresIndex, count: int, size: int) -> tuple[list[str], list[int], Vector]:
    """Add documents of some passages each, with vectors, as copies of one row: a thousand would take long otherwise."""
    vectors = _make_vectors(count * size)
    with database.writing() as connection:
        pattern, _ = _add(connection, index, "pattern", ["pattern"])
        values = {"pattern": pattern, "count": count - 1, "size": size - 1, "by": size}
        for statement in (
            "INSERT INTO generations (id, document, writer) "
            "SELECT 100 + n, to_char(n, 'FM0000'), '' FROM generate_series(0, :count) n",
            "INSERT INTO documents SELECT (jsonb_populate_record(d, jsonb_build_object("
            "'id', to_char(n, 'FM0000'), 'sha256', to_char(n, 'FM0000'), 'generation', 100 + n))).* "
            "FROM documents d, generate_series(0, :count) n WHERE d.id = :pattern",
            "INSERT INTO passages SELECT (jsonb_populate_record(p, jsonb_build_object("
            "'id', 100 + n * :by + i, 'generation', 100 + n, 'ordinal', i))).* FROM passages p, "
            "generate_series(0, :count) n, generate_series(0, :size) i",
        ):
            connection.execute(text(statement), values)
        ids = [100 + number for number in range(count * size)]
        index.add_words(connection, [(id, "", "word") for id in ids])
        index.add_vectors(connection, "0000", MODEL, ids, vectors)
        connection.execute(text("UPDATE passage_vectors SET generation = 100 + (passage - 100) / :by"), {"by": size})
        connection.execute(text("ANALYZE passage_vectors"))
    return [f"{number:04}" for number in range(count)], ids, vectors


def test_the_graph_is_built_once_and_finds_nearly_all_of_the_nearest(postgres: Database) -> None:
    index = PostgresIndex(graph_from=1000, visits_a_hit=0)
    _, passages, vectors = _fill(postgres, index, 20, 100)
    assert index.build_graphs(postgres) == [MODEL]
    assert index.build_graphs(postgres) == []
    questions = _make_vectors(20, seed=8)
    shares = []
    with postgres.reading() as connection:
        for question in questions:
            found = [id for id, _ in index.dense(connection, question, MODEL, None, 10)]
            truth = [passages[i] for i in np.argsort(-(vectors @ question))[:10]]
            shares.append(len({*found} & {*truth}) / 10)
        assert np.mean(shares) > 0.95


def test_a_scope_of_one_document_in_many_gets_all_its_passages_from_the_graph(postgres: Database) -> None:
    index = PostgresIndex(graph_from=1000, visits_a_hit=0)  # never exact at first
    names, passages, vectors = _fill(postgres, index, 1000, 3)
    index.build_graphs(postgres)
    question = _make_vectors(1, seed=9)[0]
    with postgres.reading() as connection:
        for number in (0, 500, 999):
            mine = slice(number * 3, number * 3 + 3)
            found = index.dense(connection, question, MODEL, frozenset([names[number]]), 5)
            order = np.argsort(-(vectors[mine] @ question))
            assert [id for id, _ in found] == [passages[mine][i] for i in order]
        half = frozenset(names[::2])
        inside = np.arange(3000) // 3 % 2 == 0
        found = index.dense(connection, question, MODEL, half, 20)
        best = np.sort((vectors @ question)[inside])[::-1][:20]
        assert len(found) == 20
        assert sum(score >= best[-1] - 1e-3 for _, score in found) >= 18


def test_an_interrupted_build_is_repaired(postgres: Database) -> None:
    index = PostgresIndex(graph_from=100, visits_a_hit=0)
    _fill(postgres, index, 2, 100)
    index.build_graphs(postgres)
    with postgres.writing() as connection:  # as it is after a build that was broken off
        connection.execute(
            text("UPDATE pg_index SET indisvalid = false WHERE indexrelid = to_regclass(:name)"), {"name": f"{GRAPH}1"}
        )
    question = _make_vectors(1)[0]
    with postgres.reading() as connection:
        assert len(index.dense(connection, question, MODEL, None, 7)) == 7
    assert index.build_graphs(postgres) == [MODEL]


def test_only_one_process_builds(postgres: Database) -> None:
    index = PostgresIndex(graph_from=100)
    _fill(postgres, index, 2, 100)
    with postgres.outside_transactions() as other:
        other.execute(text("SELECT pg_advisory_lock(5046485)"))
        assert index.build_graphs(postgres) == []
    assert index.build_graphs(postgres) == [MODEL]


def test_a_scope_of_fifty_thousand_documents_is_one_value(postgres: Database) -> None:
    index = PostgresIndex()
    names, passages, vectors = _fill(postgres, index, 3, 2)
    scope = frozenset([*names[:2], *(f"{number:032x}" for number in range(50_000))])
    with postgres.reading() as connection:
        found = index.dense(connection, vectors[5], MODEL, scope, 10)
        assert {id for id, _ in found} == {*passages[:4]}
        words = index.lexical(connection, list_question_terms("word", ["en"]), scope, 10)
        assert {id for id, _ in words} == {*passages[:4]}


def test_writers_of_different_documents_and_a_merge_do_not_wait_for_each_other(postgres: Database) -> None:
    index = PostgresIndex()
    for number in range(9):
        with postgres.writing() as connection:
            _add(connection, index, f"old{number}", ["a whale", "a boat"])
    done = threading.Event()
    with postgres.writing() as connection:
        _add(connection, index, "open", ["a whale in a transaction that stays open"])

        def write() -> None:
            with postgres.writing() as other:
                _add(other, index, "beside", ["another whale"])
            with postgres.writing() as other:
                index.merge(other)
            with postgres.writing() as other:
                _add(other, index, "old1", ["a whale once more"])
            done.set()

        threading.Thread(target=write, daemon=True).start()
        assert done.wait(PATIENCE), "a writer waited for a document that is none of its business"
    with postgres.reading() as connection:
        found = index.lexical(connection, list_question_terms("whale", ["en"]), None, 50)
    assert len(found) == 11


def test_a_mark_that_is_set_during_a_merge_is_kept(postgres: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    from pincite.index import word_segments

    index, kept = PostgresIndex(), []
    for number in range(8):
        with postgres.writing() as connection:
            kept.append(_add(connection, index, f"d{number}", ["a whale"]))
    join = word_segments._join_segments

    def join_while_one_is_removed(*given: object) -> object:
        with postgres.writing() as other:
            index.remove(other, kept[3][0])
        return join(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(word_segments, "_join_segments", join_while_one_is_removed)
    with postgres.writing() as connection:
        assert index.merge(connection)
    with postgres.reading() as connection:
        found = index.lexical(connection, list_question_terms("whale", ["en"]), None, 50)
    assert {id for id, _ in found} == {ids[0] for _, ids in kept} - {*kept[3][1]}


def test_no_posting_of_a_removed_passage_is_left_after_erasing(postgres: Database) -> None:
    index = PostgresIndex()
    with postgres.writing() as connection:
        _add(connection, index, "a", ["a whale", "a boat"])
        gone, _ = _add(connection, index, "b", ["a secret whale"])
        kept, _ = _add(connection, index, "c", ["a mentionable storm"])
        documents.remove(connection, gone)
        index.remove(connection, kept)
    is_done = False
    while not is_done:
        with postgres.writing() as connection:
            is_done = index.erase_removed_words(connection, 100)
    with postgres.reading() as connection:
        assert [term for term, _ in index.terms(connection, "")] == ["boat", "whale"]
