"""The judge over HTTP: which model it is, how far it can be trusted, and measuring that."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from pincite.evaluate import judge_agreement as measuring
from pincite.server import create_app
from pincite.server import judge_routes as serving
from pincite.settings import load_settings
from tests.clock import PATIENCE, wait_until
from tests.evaluate.judges import NAME, opening


@pytest.fixture
def judged(tmp_path: Path) -> Iterator[TestClient]:
    """A client of a server that has a model to judge with."""
    settings = load_settings(data=tmp_path / "data", embedding={"provider": "none"}, models={"chat": NAME})
    with TestClient(create_app(settings), raise_server_exceptions=False) as client:
        yield client


def scripted(monkeypatch: pytest.MonkeyPatch, opened: Any) -> None:
    monkeypatch.setattr(measuring, "open_judge", opened)
    monkeypatch.setattr(serving, "open_judge", opened)


def ended(client: TestClient) -> dict[str, Any]:
    """Wait until the judge is measured, and return what the server says about it."""
    wait_until(lambda: client.get("/api/judge").json()["state"] != "running")
    told: dict[str, Any] = client.get("/api/judge").json()
    return told


def test_a_judge_is_measured_in_the_background_and_the_result_is_told(
    judged: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripted(monkeypatch, opening(lambda each: "supported" if each.kind == "swap" else each.label))
    before = judged.get("/api/judge").json()
    assert (before["setting"], before["model"], before["measured"], before["state"]) == ("model", NAME, None, "idle")
    begun = judged.post("/api/judge/calibrate")
    assert begun.status_code == 202
    told = ended(judged)
    assert (told["state"], told["done"], told["total"], told["error"]) == ("done", 80, 80, "")
    kept = told["measured"]
    assert (kept["agreed"], kept["total"], kept["passed"], kept["doubted"], kept["model"]) == (76, 80, 4, 0, NAME)
    assert kept["when"] > 1e9
    assert judged.get("/api/settings").json()["judge"] == {"setting": "model", "model": NAME, "measured": kept}


def test_one_measurement_runs_at_a_time(judged: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    go_on = threading.Event()
    opened = opening()

    def open_slowly(*given: Any) -> Any:
        go_on.wait(PATIENCE)
        return opened(*given)

    monkeypatch.setattr(measuring, "open_judge", open_slowly)
    monkeypatch.setattr(serving, "open_judge", opened)
    assert judged.post("/api/judge/calibrate").json()["state"] == "running"
    refused = judged.post("/api/judge/calibrate")
    assert refused.status_code == 409
    assert refused.json()["error"]["code"] == "busy"
    go_on.set()
    assert ended(judged)["state"] == "done"
    assert judged.post("/api/judge/calibrate").status_code == 202


def test_a_model_that_gives_no_verdict_is_told_as_a_failure(
    judged: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripted(monkeypatch, opening(lambda _: None))
    judged.post("/api/judge/calibrate")
    told = ended(judged)
    assert told["state"] == "failed"
    assert NAME in told["error"]
    assert told["measured"] is None


def test_where_no_model_judges_nothing_can_be_measured(client: TestClient) -> None:
    told = client.get("/api/judge").json()
    assert (told["setting"], told["model"], told["measured"]) == ("model", "", None)
    refused = client.post("/api/judge/calibrate")
    assert refused.status_code == 400
    assert "Choose a model" in refused.json()["error"]["hint"]
    assert client.get("/api/judge").json()["state"] == "idle"


def test_after_any_failure_to_open_the_judge_it_can_be_measured_again(
    judged: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> Any:
        raise ImportError("The provider's library is broken.")

    scripted(monkeypatch, fail)
    assert judged.post("/api/judge/calibrate").status_code == 500
    assert judged.get("/api/judge").json()["state"] == "idle"
    scripted(monkeypatch, opening())
    assert judged.post("/api/judge/calibrate").status_code == 202
    assert ended(judged)["state"] == "done"
