from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import Connection, event, text

from pincite.cli.doctor_store import check_queue
from pincite.errors import StorageError
from pincite.index import vector_graphs
from pincite.index.postgres_index import PostgresIndex
from pincite.index.vector_graphs import FailedBuild, has_graph, read_failures
from pincite.library import Library
from pincite.library.graph_builder import GraphBuilder
from pincite.settings import load_settings
from pincite.store import documents
from pincite.store.database import Database
from pincite.store.files import FolderFiles
from pincite.store.process_names import get_process_name

VECTORS = (
    "INSERT INTO generations (id, document, writer) VALUES (1, '', :writer)",
    "INSERT INTO vector_models (id, name, dimension) VALUES (1, 'a%model', 3)",
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
    library.graph_builder.wait()
    with postgres.reading() as connection:
        assert has_graph(connection, 1)
    library.close()


def _spoil(database: Database) -> None:
    """Let the build fail: something else has the name of the graph."""
    with database.writing() as connection:
        connection.execute(text("CREATE TABLE ix_passage_vectors_graph_1 (nothing integer)"))


def _count_builds(database: Database) -> list[str]:
    """Return the statements by which builds begin, as they are sent."""
    sent: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        if statement.startswith("DROP INDEX CONCURRENTLY"):
            sent.append(statement)

    event.listen(database.engine, "before_cursor_execute", note)
    return sent


def test_a_build_that_fails_is_tried_again_after_a_pause_that_grows(
    postgres: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    _fill(postgres)
    _spoil(postgres)
    index, sent = PostgresIndex(graph_from=200), _count_builds(postgres)
    with pytest.raises(StorageError, match=r"a%model cannot be built: .*is not an index") as caught:
        index.build_graphs(postgres)
    assert "tried again in 60 seconds" in caught.value.hint
    tried = len(sent)
    assert tried > 0
    assert PostgresIndex(graph_from=200).build_graphs(postgres) == []  # another process knows of it as well
    assert len(sent) == tried
    monkeypatch.setattr(vector_graphs, "_FIRST_PAUSE", 0.0)
    with pytest.raises(StorageError):
        index.build_graphs(postgres)
    monkeypatch.undo()
    with postgres.writing() as connection:
        failure = read_failures(connection)["a%model"]
        connection.execute(text("DROP TABLE ix_passage_vectors_graph_1"))
    assert (failure.attempts, round(failure.next_at - failure.at)) == (2, 240)
    assert FailedBuild(50, 0.0, "").next_at == 21_600
    monkeypatch.setattr(vector_graphs, "_FIRST_PAUSE", 0.0)
    assert index.build_graphs(postgres) == ["a%model"]
    with postgres.reading() as connection:
        assert has_graph(connection, 1)
        assert read_failures(connection) == {}


def test_the_connection_that_builds_has_the_lock(postgres: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    _fill(postgres)
    build, held = vector_graphs._build, []

    def look(connection: Connection, id: int, name: str, dimension: int) -> str:
        locks = text("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()")
        held.append(connection.scalar(locks))
        return build(connection, id, name, dimension)

    monkeypatch.setattr(vector_graphs, "_build", look)
    assert PostgresIndex(graph_from=200).build_graphs(postgres) == ["a%model"]
    assert held == [1]


def test_a_build_that_fails_keeps_nobody_from_searching_and_is_told(
    postgres: Database, tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    _fill(postgres)
    _spoil(postgres)
    settings = load_settings(data=tmp_path)
    index = PostgresIndex(graph_from=200)
    library = Library(postgres, FolderFiles(tmp_path / "files"), index, settings)
    for _ in range(3):
        library.sweep()
        library.graph_builder.wait()
    assert len([record for record in caplog.records if "cannot be built" in record.getMessage()]) == 1
    with postgres.writing() as connection:
        documents.create(connection, "local", "0" * 64, "heron.md", 1)
        connection.execute(text("UPDATE documents SET generation = 1"))
        found = index.dense(connection, np.array([1, 0, 0], np.float32), "a%model", None, 3)
    assert [passage for passage, _ in found] == [200, 199, 198]
    monkeypatch.setattr("pincite.index.postgres_index.GRAPH_FROM", 200)
    told = [each for each in check_queue(library) if each.name == "graphs"]
    assert [each.state for each in told] == ["wrong"]
    assert "vectors of a%model have none; building it failed 1 times: " in told[0].detail
    library.close()


def test_a_build_that_fails_half_way_leaves_no_index_behind(postgres: Database) -> None:
    _fill(postgres)
    with postgres.writing() as connection:
        connection.execute(
            text("INSERT INTO passage_vectors (passage, model, generation, vector) VALUES (900, 1, 1, '[1,2]')")
        )
    with pytest.raises(StorageError, match="dimensions"):
        PostgresIndex(graph_from=200).build_graphs(postgres)
    with postgres.reading() as connection:
        assert connection.scalar(text("SELECT to_regclass('ix_passage_vectors_graph_1')")) is None


def test_a_database_that_fails_is_not_asked_at_every_sweep(postgres: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[Database] = []

    def look(database: Database) -> list[str]:
        looks.append(database)
        raise StorageError("It fails.")

    index = PostgresIndex()
    monkeypatch.setattr(index, "build_graphs", look)
    builder = GraphBuilder(postgres, index)
    for _ in range(3):
        builder.start()
        builder.wait()
    assert len(looks) == 1


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
