"""Servers and workers on one PostgreSQL, each killed in turn: nothing is lost and nothing is doubled.

`python benchmarks/cluster.py` is the long form of this test.
"""

from pathlib import Path

import pytest

from tests.cluster import start_cluster
from tests.cluster_load import Run, list_settings, run_under_failures, serve_models
from tests.postgres_server import Unavailable, start_postgres

_RUN = Run(servers=2, workers=2, people=4, uploaders=1, calm_seconds=2, away_seconds=5, pause=1.5)


@pytest.mark.slow
def test_killed_processes_and_a_stopped_database_lose_nothing_and_double_nothing(tmp_path: Path) -> None:
    try:
        postgres = start_postgres()
    except Unavailable as reason:
        pytest.skip(f"NOT TESTED ON POSTGRESQL: {reason}")
    try:
        with (
            serve_models(words=60, seconds=3) as models,
            start_cluster(tmp_path, postgres.url, **list_settings(models)) as cluster,
        ):
            outcome = run_under_failures(cluster, postgres, postgres.url, _RUN)
    finally:
        postgres.remove()
    stored, load = outcome.stored, outcome.load
    assert stored.differences == []
    assert stored.documents >= 10
    assert stored.answers.total() >= 10
    # Answers that a killed server was writing are closed by another one. A query that was under way when the database
    # stopped may end its answer with an error of its own; all others wait.
    assert set(stored.faults) <= {"interrupted", "database_away"}
    assert stored.answers["done"] > stored.answers["failed"]
    assert any(question.connections > 1 for question in load.questions), "no stream was taken to another server"
