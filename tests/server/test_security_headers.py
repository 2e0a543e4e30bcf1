"""Every response has the headers that protect people in a browser: pages, data, files, streams, errors and faults."""

import asyncio
import base64
import hashlib
import re
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
from starlette.testclient import TestClient, WebSocketDenialResponse

from pincite.server import create_app
from pincite.settings import Settings
from tests.server.conftest import TEXT, conversation_of, quoting
from tests.server.websocket_clients import serving
from tests.work import finish

SCRIPTS = ("script-src", "'unsafe-inline'", "'unsafe-eval'")


@pytest.fixture
def document(client: TestClient) -> str:
    added = client.post("/api/documents", files={"file": ("lakes.html", f"<p>{TEXT}</p>")}).json()["id"]
    finish(client.app.state.library)  # type: ignore[attr-defined]
    return str(added)


def check(headers: Any) -> None:
    """The headers that no response is without."""
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert "camera=()" in headers["permissions-policy"]
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert headers["cache-control"]
    assert "server" not in headers
    for name, _ in headers.multi_items():
        assert len(headers.get_list(name)) == 1 or name == "set-cookie", name


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/api/documents", 200),
        ("GET", "/api/documents/none", 404),
        ("GET", "/nothing-here", 404),
        ("PUT", "/api/documents", 405),
        ("POST", "/api/chat", 422),
        ("GET", "/ws", 426),
        ("GET", "/health", 200),
        ("HEAD", "/health", 200),
        ("GET", "/openapi.json", 200),
    ],
)
def test_data_runs_nothing_loads_nothing_and_is_kept_nowhere(
    client: TestClient, method: str, path: str, status: int
) -> None:
    answer = client.request(method, path)
    assert answer.status_code == status
    check(answer.headers)
    assert answer.headers["content-security-policy"].startswith("default-src 'none'")
    assert answer.headers["content-security-policy"].endswith("sandbox")
    assert answer.headers["cache-control"] == "no-store"


def test_a_fault_of_the_server_has_them_too(settings: Settings) -> None:
    app = create_app(settings, answer=quoting)

    @app.get("/broken")
    def broken() -> None:
        raise RuntimeError("broken")

    with TestClient(app, raise_server_exceptions=False) as client:
        answer = client.get("/broken")
    assert answer.status_code == 500
    check(answer.headers)
    assert answer.headers["cache-control"] == "no-store"


def test_refused_requests_and_websockets_have_them_too(client: TestClient) -> None:
    refused = client.get("/api/documents", headers={"Host": "evil.example"})
    assert refused.status_code == 421
    check(refused.headers)
    foreign = client.post("/api/documents", headers={"Sec-Fetch-Site": "cross-site"})
    assert foreign.status_code == 403
    check(foreign.headers)
    with pytest.raises(WebSocketDenialResponse) as denied, client.websocket_connect("/ws", headers={"Origin": "null"}):
        pass
    assert denied.value.status_code == 403
    check(denied.value.headers)


def test_an_answer_that_is_streamed_has_them_too(client: TestClient) -> None:
    with client.stream("POST", "/api/chat", json={"message": "How deep?"}) as answer:
        answer.read()
    check(answer.headers)
    assert answer.headers["cache-control"] == "no-store"
    events = client.get(f"/api/conversations/{conversation_of(client)}/events")
    check(events.headers)


def test_a_file_is_kept_by_its_readers_browser_alone_and_asked_for_again(client: TestClient, document: str) -> None:
    path = f"/api/documents/{document}/file"
    whole = client.get(path)
    unchanged = client.get(path, headers={"If-None-Match": whole.headers["etag"]})
    part = client.get(path, headers={"Range": "bytes=0-3"})
    beyond = client.get(path, headers={"Range": "bytes=900000-"})
    assert [each.status_code for each in (whole, unchanged, part, beyond)] == [200, 304, 206, 416]
    for answer in (whole, unchanged, part, beyond):
        check(answer.headers)
    for answer in (whole, unchanged, part):
        assert answer.headers["cache-control"] == "private, no-cache"
        assert "cookie" in answer.headers["vary"].lower()
        assert answer.headers["content-security-policy"].startswith("sandbox;")


def test_an_exported_conversation_has_them_too(client: TestClient) -> None:
    conversation = conversation_of(client)
    for format in ("md", "json", "html"):
        answer = client.get(f"/api/conversations/{conversation}/export", params={"format": format})
        check(answer.headers)
        assert "sandbox" in answer.headers["content-security-policy"]


@pytest.fixture
def secure(settings: Settings) -> Iterator[TestClient]:
    with TestClient(create_app(settings, answer=quoting), base_url="https://testserver") as client:
        yield client


def test_over_tls_and_only_there_browsers_are_told_to_use_tls_alone(client: TestClient, secure: TestClient) -> None:
    assert "strict-transport-security" not in client.get("/health").headers
    for path in ("/health", "/api/documents", "/none"):
        assert secure.get(path).headers["strict-transport-security"] == "max-age=31536000"


def test_the_list_of_routes_shows_its_style_and_runs_no_script(client: TestClient) -> None:
    answer = client.get("/docs")
    check(answer.headers)
    style = re.findall(r"<style>(.*?)</style>", answer.text, re.DOTALL)
    assert len(style) == 1
    hash = base64.b64encode(hashlib.sha256(style[0].encode()).digest()).decode()
    policy = answer.headers["content-security-policy"]
    assert f"style-src 'sha256-{hash}'" in policy
    assert not any(word in policy for word in SCRIPTS)
    assert "style=" not in answer.text


@pytest.mark.parametrize("proxies", [("127.0.0.1",), ("192.0.2.1",)])
def test_a_proxy_is_believed_only_if_the_settings_name_it(settings: Settings, proxies: tuple[str, ...]) -> None:
    async def ask() -> httpx2.Response:
        server = settings.server.model_copy(update={"proxies": proxies})
        async with serving(settings.model_copy(update={"server": server})) as running, httpx2.AsyncClient() as client:
            headers = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.44"}
            return await client.get(f"{running.http}/health", headers=headers)

    answer = asyncio.run(ask())
    assert ("strict-transport-security" in answer.headers) == (proxies == ("127.0.0.1",))
    assert "server" not in answer.headers
