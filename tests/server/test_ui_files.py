"""The page as it is served: every room from one document, packed, kept, and with nothing from elsewhere."""

import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from pincite.server import create_app
from pincite.settings import load_settings


@pytest.fixture
def built(tmp_path: Path) -> Path:
    page = tmp_path / "page"
    (page / "assets").mkdir(parents=True)
    (page / "pdfjs" / "wasm").mkdir(parents=True)
    (page / "index.html").write_text("<!doctype html><title>Pincite</title>")
    (page / "icon.svg").write_text("<svg/>")
    (page / "assets" / "index-1a2b.js").write_text("1")
    (page / "assets" / "index-1a2b.js.gz").write_bytes(gzip.compress(b"1"))
    (page / "pdfjs" / "wasm" / "a.wasm").write_bytes(b"\0asm")
    (page / ".secret").write_text("no")
    return page


@pytest.fixture
def client(tmp_path: Path, built: Path) -> Iterator[TestClient]:
    settings = load_settings(data=tmp_path / "data", server={"page": str(built)})
    with TestClient(create_app(settings), base_url="http://localhost") as client:
        yield client


@pytest.mark.parametrize("room", ["/", "/sign-in", "/account"])
def test_with_accounts_the_page_is_told_before_it_asks(tmp_path: Path, built: Path, room: str) -> None:
    (built / "index.html").write_text('<!doctype html><html lang="en"><title>Pincite</title>')
    for mode, marked in (("local", False), ("team", True)):
        settings = load_settings(data=tmp_path / mode, server={"page": str(built)}, accounts={"mode": mode})
        with TestClient(create_app(settings), base_url="http://localhost") as client:
            answer = client.get(room)
            assert ('<html data-accounts="team" lang="en">' in answer.text) is marked
            assert answer.headers["cache-control"] == "no-cache"
            assert "default-src 'none'" in answer.headers["content-security-policy"]
            assert client.head(room).status_code == 200


@pytest.mark.parametrize("room", ["/", "/c/some-id", "/d/some-id?span=1-2", "/library", "/conversations", "/settings"])
def test_every_room_is_the_same_page_and_is_asked_for_anew(client: TestClient, room: str) -> None:
    answer = client.get(room)
    assert answer.text.startswith("<!doctype html>")
    assert answer.headers["cache-control"] == "no-cache"
    assert client.head(room).status_code == 200


def test_nothing_on_the_page_may_come_from_elsewhere_or_run_unless_it_was_built(client: TestClient) -> None:
    policy = client.get("/").headers["content-security-policy"]
    allowed = {part.split()[0]: part.split()[1:] for part in policy.split("; ")}
    assert allowed["default-src"] == ["'none'"]
    assert allowed["script-src"] == ["'self'", "'wasm-unsafe-eval'"]
    assert allowed["style-src"] == ["'self'"]
    assert allowed["frame-ancestors"] == ["'none'"]
    assert "http" not in policy


def test_a_browser_caches_built_files_and_gets_them_compressed(client: TestClient) -> None:
    packed = client.get("/assets/index-1a2b.js")
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.headers["content-type"].startswith("text/javascript")
    assert "immutable" in packed.headers["cache-control"]
    assert packed.text == "1"
    plain = client.get("/assets/index-1a2b.js", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.text == "1"
    assert client.get("/pdfjs/wasm/a.wasm").headers["content-type"] == "application/wasm"


@pytest.mark.parametrize(
    "path",
    [
        "/assets/none.js",
        "/assets/..%2Findex.html",
        "/assets/.secret",
        "/pdfjs/../.secret",
        "/pdfjs/wasm/..%2f..%2f.secret",
        f"/assets/{'a' * 300}.js",
        "/assets/%00",
    ],
)
def test_nothing_but_what_was_built_can_be_had(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert answer.json()["error"]["code"] == "not_found"


def test_without_a_built_page_the_server_says_how_to_build_it(tmp_path: Path) -> None:
    settings = load_settings(data=tmp_path / "data", server={"page": str(tmp_path / "nowhere")})
    with TestClient(create_app(settings), base_url="http://localhost") as client:
        assert "make page" in client.get("/").text


def test_a_person_at_an_unknown_address_gets_the_page_and_a_program_gets_json(client: TestClient) -> None:
    shown = client.get("/nosuch", headers={"accept": "text/html,*/*;q=0.8"})
    assert (shown.status_code, shown.headers["cache-control"]) == (404, "no-cache")
    assert shown.text.startswith("<!doctype html>")
    assert "default-src 'none'" in shown.headers["content-security-policy"]
    for path, accept in (("/nosuch", "*/*"), ("/api/nosuch", "text/html"), ("/assets/nosuch.js", "text/html")):
        told = client.get(path, headers={"accept": accept})
        assert (told.status_code, told.json()["error"]["code"]) == (404, "not_found"), path
    assert client.post("/nosuch", headers={"accept": "text/html"}).json()["error"]["code"] == "not_found"
