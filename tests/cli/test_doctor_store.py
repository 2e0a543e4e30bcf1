"""The doctor on a real PostgreSQL, on one that is away, and with files and a queue in all states."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, text

from pincite.isolation.limit_check import Limit
from pincite.library import open_library
from pincite.settings import load_settings
from pincite.store.database import Database
from pincite.store.table_revisions import HEAD
from tests.cli.conftest import Ran
from tests.free_ports import find_free_port
from tests.otlp_receiver import receive_traces


@pytest.fixture(autouse=True)
def _limits(monkeypatch: pytest.MonkeyPatch) -> None:
    limit = Limit("network: a reader opens no connection", True, "")
    monkeypatch.setattr("pincite.isolation.limit_check.check_limits", lambda _: [limit])


@pytest.fixture
def address(postgres: Database, monkeypatch: pytest.MonkeyPatch) -> str:
    """The address of a PostgreSQL database, which the settings name."""
    shown = postgres.engine.url.render_as_string(hide_password=False)
    monkeypatch.setenv("PINCITE_DATABASE", shown)
    return shown


def by_name(ran: Ran) -> dict[str, dict[str, Any]]:
    return {finding["name"]: finding for finding in ran.json}


def test_all_of_postgresql_is_looked_at(pincite: Callable[..., Ran], address: str) -> None:
    ran = pincite("doctor", "--json")
    assert ran.status == 0, ran.out
    found = by_name(ran)
    assert {name: found[name]["state"] for name in ("postgres", "pgvector", "tables", "connections", "clock")} == {
        "postgres": "ok",
        "pgvector": "ok",
        "tables": "ok",
        "connections": "ok",
        "clock": "ok",
    }
    assert found["postgres"]["detail"].startswith("PostgreSQL 1")
    assert found["tables"]["detail"] == f"revision {HEAD}"
    assert found["files"]["state"] == "ok"
    assert found["documents"]["state"] == "ok"


def test_no_name_touches_what_is_said_of_it(pincite: Callable[..., Ran], address: str) -> None:
    assert " connections " in pincite("doctor").out


def test_a_database_that_is_away_is_said_once_and_the_rest_is_checked(
    pincite: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PINCITE_DATABASE", f"postgresql://ada:s3cret-word@127.0.0.1:{find_free_port()}/pincite")
    ran = pincite("doctor", "--json")
    assert ran.status == 1
    wrong = [finding for finding in ran.json if finding["state"] == "wrong"]
    assert [finding["name"] for finding in wrong] == ["database"]
    assert "refused" in wrong[0]["detail"]
    assert wrong[0]["remedy"]
    assert by_name(ran)["files"]["state"] == "ok"
    assert "s3cret-word" not in ran.out + ran.said


def test_a_fault_of_postgresql_is_said_with_a_remedy(
    pincite: Callable[..., Ran], address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = create_engine(address)
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = 'from the future'"))
    engine.dispose()
    monkeypatch.setenv("PINCITE_POSTGRES__CONNECTIONS", "900")
    monkeypatch.setenv("PINCITE_POSTGRES__REPLICA", address)
    ran = pincite("doctor", "--json")
    assert ran.status == 1
    found = by_name(ran)
    for name in ("tables", "connections", "replica"):
        assert found[name]["state"] == "wrong"
        assert found[name]["remedy"]
    assert "no standby" in found["replica"]["detail"]


def test_the_doctor_does_not_migrate_postgresql_before_it_looks(
    pincite: Callable[..., Ran], postgres_server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PINCITE_DATABASE", postgres_server.replace("/postgres?", "/template1?"))
    from pincite.cli.doctor_store import check_postgres

    found = {finding.name: finding for finding in check_postgres(load_settings())}
    assert found["tables"].state == "missing"
    assert found["pgvector"].state == "wrong"
    assert "CREATE EXTENSION" in found["pgvector"].remedy


def test_files_that_cannot_be_written_are_wrong(pincite: Callable[..., Ran], tmp_path: Path) -> None:
    (tmp_path / "data").mkdir(mode=0o700)
    (tmp_path / "data" / "files").write_text("not a folder")
    ran = pincite("doctor", "--json")
    assert ran.status == 1
    assert by_name(ran)["files"]["state"] == "wrong"


def test_the_queue_is_told_with_the_oldest_step_and_its_troubles(
    pincite: Callable[..., Ran], folder: Path, tmp_path: Path
) -> None:
    library = open_library(load_settings(data=tmp_path / "data"))
    library.add("somebody else", folder / "lease.md")
    with library.database.writing() as connection:
        connection.execute(text("UPDATE jobs SET created = created - 7200, deaths = 2"))
    library.close()
    found = by_name(pincite("doctor", "--json"))
    assert "the oldest for 2 hours" in found["work"]["detail"]
    assert "nobody is at it" in found["work"]["detail"]
    assert "workers died at 1 steps" in found["deaths"]["detail"]


def test_telemetry_is_told_and_a_collector_is_asked(
    pincite: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = by_name(pincite("doctor", "--json"))
    assert "this machine" in found["metrics"]["detail"]
    assert found["traces"]["state"] == "missing"
    assert found["logs"]["detail"] == "text on stderr"
    with receive_traces() as received:
        monkeypatch.setenv("PINCITE_TELEMETRY__TRACES", received.url)
        assert by_name(pincite("doctor", "--json"))["traces"]["state"] == "ok"
        assert received.paths == ["/v1/traces"]
    monkeypatch.setenv("PINCITE_TELEMETRY__TRACES", f"http://ada:s3cret-word@127.0.0.1:{find_free_port()}")
    ran = pincite("doctor", "--json")
    assert ran.status == 1
    assert by_name(ran)["traces"]["state"] == "wrong"
    assert "s3cret-word" not in ran.out
