import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families as parse
from pydantic import SecretStr
from starlette.testclient import TestClient

from pincite import __version__
from pincite.server import create_app
from pincite.settings import Settings
from pincite.settings_telemetry import TelemetrySettings
from pincite.store.database import Database
from tests.clock import PATIENCE
from tests.server.team import TeamClient, open_team_client

TOKEN = "a-token-for-prometheus"
HERE = ("127.0.0.1", 50_000)


def open_here(settings: Settings, worker: bool = False) -> TestClient:
    """A client on the machine of the server."""
    app = create_app(settings, worker=worker)
    return TestClient(app, "http://127.0.0.1", client=HERE, raise_server_exceptions=False)


def with_telemetry(settings: Settings, **given: Any) -> Settings:
    return settings.model_copy(update={"telemetry": TelemetrySettings(**given)})


def read_metrics(client: TestClient) -> dict[tuple[str, ...], float]:
    """The values of all metrics, by their name and the values of their labels."""
    families = parse(client.get("/metrics").raise_for_status().text)
    return {(each.name, *each.labels.values()): each.value for family in families for each in family.samples}


@pytest.fixture
def local(settings: Settings) -> Iterator[TestClient]:
    with open_here(settings) as client:
        yield client


@pytest.fixture
def team(settings: Settings) -> Iterator[TeamClient]:
    with open_team_client(with_telemetry(settings, metrics="token", metrics_token=SecretStr(TOKEN))) as opened:
        yield opened


def test_health_says_that_the_process_lives_and_asks_no_database(client: TestClient) -> None:
    database: Database = client.app.state.library.database  # type: ignore[attr-defined]
    database.close()
    database.reading = None  # type: ignore[method-assign, assignment]
    assert client.get("/health").json() == {"status": "ok", "version": __version__}
    assert client.head("/health").status_code == 200


def test_a_server_that_can_answer_is_ready_and_names_its_parts(client: TestClient) -> None:
    answer = client.get("/ready")
    assert answer.status_code == 200
    assert answer.json()["status"] == "ready"
    assert answer.json()["waiting"] == 0
    states = {part["name"]: part["state"] for part in answer.json()["parts"]}
    assert states == {"server": "ok", "database": "ok", "index": "ok", "files": "ok", "embedder": "off"}
    assert client.head("/ready").status_code == 200


def test_without_its_database_a_server_is_not_ready_and_says_what_to_do(local: TestClient, settings: Settings) -> None:
    (settings.data / "pincite.db").write_bytes(b"no database" * 1000)
    for name in ("pincite.db-wal", "pincite.db-shm"):
        (settings.data / name).unlink(missing_ok=True)
    local.app.state.library.database.engine.dispose()  # type: ignore[attr-defined]
    answer = local.get("/ready")
    assert answer.status_code == 503
    told = answer.json()
    assert told["status"] == "not_ready"
    assert told["error"]["code"] == "damaged"
    assert "pincite doctor" in told["error"]["hint"]
    states = {part["name"]: part["state"] for part in told["parts"]}
    assert states["database"] == states["index"] == "failed"
    assert "damaged" in next(part["detail"] for part in told["parts"] if part["name"] == "database")
    assert local.get("/health").status_code == 200
    assert local.get("/metrics").status_code == 200


def test_a_stranger_learns_the_states_and_no_detail(team: TeamClient, tmp_path: Path) -> None:
    folder = team.settings.data / "files"
    folder.rmdir() if folder.is_dir() else None
    folder.write_text("not a folder")
    answer = team.client.get("/ready")
    assert answer.status_code == 200
    files = next(part for part in answer.json()["parts"] if part["name"] == "files")
    assert (answer.json()["status"], files["state"], files["detail"]) == ("degraded", "degraded", "")
    assert str(tmp_path) not in answer.text
    assert str(tmp_path) in team.get(team.owner, "/ready").text
    assert str(tmp_path) not in team.get(team.member, "/ready").text


def test_the_metrics_are_those_of_what_happened(settings: Settings) -> None:
    with open_here(settings, worker=True) as local:
        _check_metrics(local)


def _check_metrics(local: TestClient) -> None:
    before = read_metrics(local)
    local.post("/api/documents", files={"file": ("lakes.txt", b"Loch Ness is 230 metres deep.")}).raise_for_status()
    until = time.monotonic() + PATIENCE
    while local.get("/api/documents").json()["documents"][0]["status"] != "ready":
        assert time.monotonic() < until
        time.sleep(0.05)
    local.post("/api/chat", json={"message": "How deep is Loch Ness?"}).raise_for_status()
    local.get("/api/documents/none")
    local.get("/a/page/that/is/not/there")
    after = read_metrics(local)

    def grown(*key: str) -> float:
        return after[key] - before.get(key, 0.0)

    assert grown("pincite_questions_total", "extractive", "done") == 1
    assert grown("pincite_answer_seconds_count", "extractive") == 1
    assert grown("pincite_first_event_seconds_count") == 1
    for stage in ("understand", "route", "gather", "write", "cite"):
        assert grown("pincite_stage_seconds_count", stage) == 1
    assert grown("pincite_sentences_total", "verified") >= 1
    assert grown("pincite_tool_calls_total", "done", "search_documents") >= 1
    assert grown("pincite_http_requests_total", "POST", "/api/chat", "200") == 1
    assert grown("pincite_http_requests_total", "GET", "/api/documents/{document}", "404") == 1
    assert grown("pincite_http_requests_total", "GET", "other", "404") == 1
    assert grown("pincite_errors_total", "not_found") == 2
    assert grown("pincite_ingestion_steps_total", "done", "read") == 1
    assert grown("pincite_ingestion_seconds_count", "read") == 1
    assert after["pincite_open_streams", "events"] == 0
    assert after["pincite_jobs", "normal", "queued", "read"] == 0
    assert after["pincite_database_up",] == 1
    assert after["pincite_database_connections", "most"] > 1
    assert [key[-1] for key in after if key[0] == "pincite_build_info"] == [__version__]


def test_no_label_has_a_name_or_words_of_a_person_or_a_document(local: TestClient) -> None:
    local.post("/api/documents", files={"file": ("Xylophone.txt", b"Zanzibar is an island.")}, data={"library": "Quux"})
    local.post("/api/chat", json={"message": "Where is Zanzibar?", "chatModel": "openai:Frobnicate"})
    local.get("/api/libraries/Quux/shares")
    local.get("/api/documents?words=Zanzibar")
    told = local.get("/metrics").text
    for word in ("Xylophone", "Zanzibar", "Quux", "Frobnicate"):
        assert word not in told


@pytest.mark.parametrize(
    ("metrics", "given", "status"),
    [
        ("off", {"client": HERE}, 404),
        ("local", {"client": HERE}, 200),
        ("local", {"client": ("::1", 1)}, 200),
        ("local", {"client": ("192.0.2.7", 1)}, 401),
        ("local", {"client": HERE, "base_url": "http://testserver"}, 401),
        ("local", {"client": HERE, "headers": {"X-Forwarded-For": "127.0.0.1"}}, 401),
        ("local", {"client": HERE, "headers": {"Forwarded": "for=127.0.0.1"}}, 401),
        ("local", {"client": HERE, "headers": {"X-Forwarded-Proto": "https"}}, 401),
        ("local", {"client": HERE, "headers": {"CF-Connecting-IP": "192.0.2.7"}}, 401),
        ("token", {"client": HERE}, 401),
        ("token", {"client": ("192.0.2.7", 1), "headers": {"Authorization": f"Bearer {TOKEN}"}}, 200),
        ("token", {"client": ("192.0.2.7", 1), "headers": {"Authorization": f"Bearer {TOKEN}x"}}, 401),
        ("off", {"client": HERE, "headers": {"Authorization": f"Bearer {TOKEN}"}}, 404),
    ],
)
def test_the_setting_says_who_may_read_the_metrics(
    settings: Settings, metrics: str, given: dict[str, Any], status: int
) -> None:
    chosen = with_telemetry(settings, metrics=metrics, metrics_token=SecretStr(TOKEN))
    with open_team_client(chosen) as team:
        client = TestClient(team.app, **{"base_url": "http://127.0.0.1", **given})
        client.portal = team.client.portal
        answer = client.get("/metrics")
        assert answer.status_code == status
        assert ("pincite_" in answer.text) == (status == 200)


def test_an_administrator_may_read_the_metrics_and_a_member_may_not(team: TeamClient) -> None:
    assert team.get(team.owner, "/metrics").status_code == 200
    assert team.get(team.member, "/metrics").status_code == 401
    assert team.get(None, "/metrics").status_code == 401
    for person, status in ((team.owner, 200), (team.member, 401)):
        bearer = {"Authorization": f"Bearer {person.token}"}
        assert team.get(None, "/metrics", headers=bearer).status_code == status
