"""Pages of other origins may use the API only if the settings name them, and then with tokens, not with cookies."""

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient, WebSocketDenialResponse

from pincite.errors import PinciteError
from pincite.server import create_app
from pincite.settings import Settings, load_settings
from tests.server.conftest import quoting

TOOL = "https://tool.example.org"
STRANGERS = [
    "https://evil.example",
    "http://tool.example.org",
    "https://tool.example.org:8443",
    "https://tool.example.org.evil.example",
    "https://TOOL.example.org",
    "null",
    "*",
    "",
]


@pytest.fixture
def client(settings: Settings) -> Iterator[TestClient]:
    server = settings.server.model_copy(update={"origins": (TOOL,)})
    app = create_app(settings.model_copy(update={"server": server}), answer=quoting)
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


def ask_first(client: TestClient, origin: str, method: str = "POST") -> dict[str, str]:
    headers = {"Origin": origin, "Access-Control-Request-Method": method}
    answer = client.options("/api/chat", headers=headers)
    return {"status": str(answer.status_code), **answer.headers}


@pytest.mark.parametrize("origin", [TOOL, *STRANGERS])
def test_without_the_setting_no_page_of_another_origin_reads_anything(settings: Settings, origin: str) -> None:
    with TestClient(create_app(settings, answer=quoting)) as client:
        assert ask_first(client, origin)["status"] == "403"
        for answer in (client.get("/api/documents", headers={"Origin": origin}), client.get("/none")):
            assert not any(name.startswith("access-control") for name in answer.headers)


def test_a_named_origin_is_told_that_it_may_ask(client: TestClient) -> None:
    told = ask_first(client, TOOL)
    assert told["status"] == "204"
    assert told["access-control-allow-origin"] == TOOL
    assert "PATCH" in told["access-control-allow-methods"]
    assert "Authorization" in told["access-control-allow-headers"]
    assert "origin" in told["vary"].lower()
    assert "access-control-allow-credentials" not in told


@pytest.mark.parametrize("origin", STRANGERS)
def test_an_origin_that_is_not_named_is_refused(client: TestClient, origin: str) -> None:
    assert ask_first(client, origin)["status"] == "403"
    for method in ("GET", "POST"):
        answer = client.request(method, "/api/documents", headers={"Origin": origin})
        assert not any(name.startswith("access-control") for name in answer.headers)
        assert method == "GET" or answer.status_code == 403
        assert "origin" in answer.headers["vary"].lower()


def test_a_page_of_a_named_origin_reads_and_changes(client: TestClient) -> None:
    headers = {"Origin": TOOL, "Sec-Fetch-Site": "cross-site"}
    added = client.post("/api/documents", files={"file": ("a.txt", "Planted.")}, headers=headers)
    assert added.status_code == 202
    listed = client.get("/api/documents", headers=headers)
    assert listed.json()["total"] == 1
    missing = client.get("/api/documents/none", headers=headers)
    for answer in (added, listed, missing):
        assert answer.headers["access-control-allow-origin"] == TOOL
        assert "Retry-After" in answer.headers["access-control-expose-headers"]
        assert "access-control-allow-credentials" not in answer.headers


def test_a_fault_can_be_read_by_a_named_origin(settings: Settings) -> None:
    server = settings.server.model_copy(update={"origins": (TOOL,)})
    app = create_app(settings.model_copy(update={"server": server}), answer=quoting)

    @app.get("/broken")
    def broken() -> None:
        raise RuntimeError("broken")

    with TestClient(app, raise_server_exceptions=False) as client:
        answer = client.get("/broken", headers={"Origin": TOOL})
    assert (answer.status_code, answer.headers["access-control-allow-origin"]) == (500, TOOL)


def test_the_cookies_of_a_named_origin_do_not_arrive_and_it_gets_none(settings: Settings) -> None:
    server = settings.server.model_copy(update={"origins": (TOOL,)})
    app = create_app(settings.model_copy(update={"server": server}), answer=quoting)

    from fastapi import Request, Response

    @app.post("/cookies")
    def cookies(request: Request, response: Response) -> dict[str, str]:
        response.set_cookie("given", "by the server")
        return dict(request.cookies)

    with TestClient(app) as client:
        theirs = client.post("/cookies", headers={"Origin": TOOL, "Cookie": "a=1; b=2"})
        ours = client.post("/cookies", headers={"Origin": "http://testserver", "Cookie": "a=1; b=2"})
    assert (theirs.json(), ours.json()) == ({}, {"a": "1", "b": "2"})
    assert "set-cookie" not in theirs.headers
    assert "set-cookie" in ours.headers


def test_a_named_origin_may_open_a_websocket_and_others_may_not(client: TestClient) -> None:
    with client.websocket_connect("/ws", headers={"Origin": TOOL}) as socket:
        socket.send_json({"type": "identify", "version": 1})
        assert socket.receive_json()["type"] == "identified"
    for origin in STRANGERS:
        with (
            pytest.raises(WebSocketDenialResponse) as denied,
            client.websocket_connect("/ws", headers={"Origin": origin}),
        ):
            pass
        assert denied.value.status_code == 403


@pytest.mark.parametrize("origin", ["*", "null", "https://*.example.org", "https://a.example/path", "a.example", "//a"])
def test_a_setting_that_would_allow_more_than_one_origin_is_refused(origin: str) -> None:
    with pytest.raises(PinciteError, match="origins"):
        load_settings(server={"origins": [origin]})
    assert load_settings(server={"origins": ["moz-extension://1a-2b"]}).server.origins == ("moz-extension://1a-2b",)
