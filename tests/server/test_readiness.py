"""When a server says that it is ready: with its models, its database, its index and its files."""

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest

from pincite.answer.services import Services, open_services
from pincite.errors import EmbeddingError
from pincite.server import readiness
from pincite.server.readiness import Readiness, ReadyReport
from pincite.server.warm_up import WarmUp
from pincite.settings import load_settings
from pincite.store import move_records
from pincite.store.files import FileStore
from tests.clock import PATIENCE
from tests.postgres_server import RunningPostgres, Unavailable, start_postgres


class Warming:
    """A warm-up that lasts as long as the test wants."""

    is_running = False


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Services]:
    opened = open_services(load_settings(data=tmp_path / "data", embedding={"provider": "none"}))
    yield opened
    opened.close()


def check(ready: Readiness) -> ReadyReport:
    return asyncio.run(ready.check())


def open_readiness(services: Services, now: list[float]) -> Readiness:
    return Readiness(services, cast(WarmUp, Warming()), lambda: now[0])


def states(report: ReadyReport) -> dict[str, str]:
    return {part.name: part.state for part in report.parts}


def test_it_is_not_ready_while_it_starts_and_while_it_stops(services: Services) -> None:
    warming = Warming()
    ready = Readiness(services, cast(WarmUp, warming))
    warming.is_running = True
    starting = check(ready).failed
    assert starting
    assert starting.code == "starting"
    warming.is_running = False
    assert check(ready).failed is None
    ready.drain()
    draining = check(ready).failed
    assert draining
    assert draining.code == "draining"


def test_an_embedder_that_is_away_is_told_and_does_not_stop_answers(tmp_path: Path) -> None:
    given = {"provider": "tei", "url": "http://127.0.0.1:9"}
    services = open_services(load_settings(data=tmp_path / "data", embedding=given))
    try:
        now = [0.0]
        ready = open_readiness(services, now)
        assert states(check(ready))["embedder"] == "ok"
        services.search.embedder_error = EmbeddingError("http://127.0.0.1:9 does not answer.", "Start it.")
        report = check(ready)
        assert (report.failed, report.is_degraded) == (None, True)
        embedder = report.parts[-1]
        assert "127.0.0.1" in embedder.detail
        assert "127.0.0.1" not in embedder.message + embedder.hint
    finally:
        services.close()


def test_an_old_revision_is_not_ready_and_a_newer_one_is_told(services: Services) -> None:
    from sqlalchemy import text

    now = [0.0]
    ready = open_readiness(services, now)

    def set_revision(revision: str) -> None:
        with services.library.database.writing() as connection:
            connection.execute(text("UPDATE alembic_version SET version_num = :revision"), {"revision": revision})

    set_revision("0010")
    old = check(ready).failed
    assert old
    assert old.code == "revision"
    now[0] += 10
    set_revision("from the future")
    newer = check(ready)
    assert (newer.failed, states(newer)["database"]) == (None, "degraded")


def test_a_store_that_was_moved_away_is_not_ready(services: Services) -> None:
    database = services.library.database
    ready = open_readiness(services, [0.0])
    with database.writing() as connection:
        move_records.begin(connection, "m1", "source", "postgresql://pincite@db.internal/pincite", {}, 1.0)
        move_records.end(connection, "m1", "moved", 2.0)
    failed = check(ready).failed
    assert failed
    assert (failed.name, failed.code) == ("database", "moved")
    assert "db.internal" in failed.detail  # for those who run the server
    assert "db.internal" not in failed.message + failed.hint


def test_a_check_that_takes_too_long_is_a_failure_and_results_are_kept_for_seconds(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    now, going = [0.0], threading.Event()
    ready = open_readiness(services, now)
    assert check(ready).failed is None

    class Hanging:
        def check(self) -> list[object]:
            going.wait(PATIENCE)
            return []

    services.library.files = cast(FileStore, Hanging())
    assert states(check(ready))["files"] == "ok"  # as it was found a moment ago
    now[0] += 20
    found = readiness.check_store(services.library)
    monkeypatch.setattr(readiness, "check_store", lambda _: found)  # which may be slow too
    monkeypatch.setattr(readiness, "_SECONDS", 0.5)
    try:
        failed = check(ready).failed
        assert failed
        assert failed.name == "files"
        assert "0.5 seconds" in failed.detail
    finally:
        going.set()


@pytest.fixture
def server() -> Iterator[RunningPostgres]:
    try:
        made = start_postgres()
    except Unavailable as reason:
        pytest.skip(f"NOT TESTED ON POSTGRESQL: {reason}")
    yield made
    made.remove()


def test_a_server_is_ready_again_when_its_postgresql_is_back(server: RunningPostgres, tmp_path: Path) -> None:
    settings = load_settings(data=tmp_path / "data", database=server.url, embedding={"provider": "none"})
    services = open_services(settings)
    try:
        now = [0.0]
        ready = open_readiness(services, now)
        assert states(check(ready))["database"] == "ok"
        server.stop()
        now[0] += 10
        failed = check(ready).failed
        assert failed
        assert (failed.name, failed.code) == ("database", "database_away")
        server.start()
        now[0] += 10
        assert check(ready).failed is None
    finally:
        services.close()
