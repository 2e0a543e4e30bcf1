from pathlib import Path

import pytest
from sqlalchemy import text

from pincite.index.postgres_index import PostgresIndex
from pincite.index.vector_graphs import has_graph
from pincite.library import Library
from pincite.library.graph_builder import GraphBuilder
from pincite.settings import load_settings
from pincite.store.database import Database
from pincite.store.files import FolderFiles
from pincite.store.process_names import get_process_name

VECTORS = (
    "INSERT INTO generations (id, document, writer) VALUES (1, '', :writer)",
    "INSERT INTO vector_models (id, name, dimension) VALUES (1, 'a-model', 3)",
    "INSERT INTO passage_vectors (passage, model, generation, vector) "
    "SELECT n, 1, 1, CAST('[' || n || ',1,1]' AS halfvec) FROM generate_series(1, 200) n",
)


def _fill(database: Database) -> None:
    with database.writing() as connection:
        for statement in VECTORS:
            connection.execute(text(statement), {"writer": get_process_name()} if ":writer" in statement else {})


def test_a_sweep_builds_the_graph_of_many_vectors(postgres: Database, tmp_path: Path) -> None:
    _fill(postgres)
    settings = load_settings(data=tmp_path)
    library = Library(postgres, FolderFiles(tmp_path / "files"), PostgresIndex(graph_from=200), settings)
    library.sweep()
    library._graph_builder.wait()
    with postgres.reading() as connection:
        assert has_graph(connection, 1)
    library.close()


def test_a_build_that_fails_is_tried_again(postgres: Database) -> None:
    _fill(postgres)
    with postgres.writing() as connection:
        connection.execute(text("ALTER TABLE passage_vectors RENAME TO away"))
    builder = GraphBuilder(postgres, PostgresIndex(graph_from=200))
    builder.start()
    builder.wait()
    with postgres.writing() as connection:
        connection.execute(text("ALTER TABLE away RENAME TO passage_vectors"))
    builder.start()
    builder.wait()
    with postgres.reading() as connection:
        assert has_graph(connection, 1)


def test_vectors_are_not_counted_at_every_sweep(postgres: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    index = PostgresIndex()
    looks: list[Database] = []

    def look(database: Database) -> list[str]:
        looks.append(database)
        return []

    monkeypatch.setattr(index, "build_graphs", look)
    builder = GraphBuilder(postgres, index)
    for _ in range(3):
        builder.start()
        builder.wait()
    assert len(looks) == 1
