from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from pincite import __version__
from pincite.errors import Misuse, NotFound, StorageError
from pincite.server import create_app
from pincite.settings import load_settings


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    app = create_app(load_settings(data=tmp_path / "data"))

    @app.get("/raise/{what}")
    def fail(what: str, number: int = 0) -> None:
        missing = NotFound("No such page.", "Look again.")
        known = {"missing": missing, "misuse": Misuse("Not so."), "disk": StorageError("Full.")}
        raise known.get(what, ZeroDivisionError("secret detail"))

    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


def test_health_and_readiness_are_told_apart(client: TestClient) -> None:
    assert client.get("/health").json() == {"status": "ok", "version": __version__}
    assert client.get("/ready").json()["status"] == "ready"


@pytest.mark.parametrize("route", ["/", "/docs"])
def test_the_pages_load_nothing_from_outside(client: TestClient, route: str) -> None:
    page = client.get(route)
    assert page.status_code == 200
    assert "http://" not in page.text.replace("http://testserver", "")
    assert "https://" not in page.text
    assert "<script" not in page.text.replace('<script type="module" crossorigin src="/assets/', "")


def test_every_route_is_in_the_docs_page(client: TestClient) -> None:
    page = client.get("/docs").text
    for path in client.get("/openapi.json").json()["paths"]:
        assert path in page


def test_waiting_documents_are_told(client: TestClient, tmp_path: Path) -> None:
    from pincite.library import open_library

    library = open_library(load_settings(data=tmp_path / "data"))
    (tmp_path / "a.txt").write_text("Text.")
    library.add("local", tmp_path / "a.txt")
    library.close()
    assert client.get("/ready").json()["waiting"] == 1


@pytest.mark.parametrize(
    ("method", "route", "status", "code"),
    [
        ("GET", "/nowhere", 404, "not_found"),
        ("POST", "/health", 405, "method_not_allowed"),
        ("GET", "/raise/missing", 404, "not_found"),
        ("GET", "/raise/misuse", 400, "misuse"),
        ("GET", "/raise/disk", 503, "storage"),
        ("GET", "/raise/disk?number=x", 422, "invalid"),
        ("GET", "/raise/fault", 500, "fault"),
    ],
)
def test_every_error_has_one_shape(client: TestClient, method: str, route: str, status: int, code: str) -> None:
    answer = client.request(method, route)
    assert answer.status_code == status
    assert set(answer.json()) == {"error"}
    assert set(answer.json()["error"]) - {"reason", "params"} == {"code", "message", "hint"}
    assert answer.json()["error"]["code"] == code
    assert answer.json()["error"]["message"]
    assert "secret detail" not in answer.text


def test_a_wrong_method_is_told_which_is_right(client: TestClient) -> None:
    assert client.delete("/health").headers["allow"] == "GET, HEAD"
    assert client.put("/api/conversations").headers["allow"] == "GET"
    assert client.patch("/api/documents/some/file").headers["allow"] == "GET, HEAD"


@pytest.mark.parametrize("route", ["/", "/health"])
def test_a_watchman_may_ask_for_the_head_alone(client: TestClient, route: str) -> None:
    answer = client.head(route)
    assert (answer.status_code, answer.content) == (200, b"")


def test_a_missing_thing_is_named_by_its_path(client: TestClient) -> None:
    assert client.get("/nowhere").json()["error"]["message"] == "There is nothing at /nowhere."


@pytest.mark.parametrize(
    ("path", "given", "field"),
    [
        ("/api/search", {"message": ""}, "body.message"),
        ("/api/documents", {"url": "https://example.org/a.pdf", "library": ""}, "body.library"),
        ("/api/personas", {"name": "", "instructions": "Be brief."}, "body.name"),
        ("/api/locate", {"document": "", "text": "Words"}, "body.document"),
    ],
)
def test_a_field_that_is_empty_is_said_to_be(client: TestClient, path: str, given: dict[str, str], field: str) -> None:
    answer = client.post(path, json=given)
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "invalid")
    assert f"{field}: it is empty" in answer.json()["error"]["message"]
