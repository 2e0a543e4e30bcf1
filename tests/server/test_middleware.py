import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from starlette.testclient import TestClient

from pincite.server import create_app
from pincite.settings import Settings
from tests.server.conftest import quoting

Asked = Callable[..., int]


@pytest.fixture
def asked(settings: Settings) -> Iterator[Asked]:
    """The status a server with these settings answers with, asked under a name."""
    with ExitStack() as stack:

        def ask(name: str, **given: Any) -> int:
            server = settings.server.model_copy(update={"hosts": (), **given})
            app = create_app(settings.model_copy(update={"server": server}), answer=quoting)
            client = stack.enter_context(TestClient(app, base_url="http://localhost"))
            return client.get("/api/conversations", headers={"Host": name}).status_code

        yield ask


@pytest.mark.parametrize("name", ["localhost", "LOCALHOST:8000", "127.0.0.1:8000", "[::1]:8000", "a.localhost:1"])
def test_a_server_answers_to_the_names_of_this_machine(asked: Asked, name: str) -> None:
    assert asked(name) == 200


@pytest.mark.parametrize(
    "name",
    [
        *("evil.example", "evil.example:8000", "localhost.evil.example", "127.0.0.1.evil.example", "evillocalhost"),
        *("a@b", "192.168.1.5:8000", "[2001:db8::1]", "", f"{socket.gethostname()}.evil.example"),
    ],
)
def test_a_name_that_was_turned_to_this_machine_is_not_answered(asked: Asked, name: str) -> None:
    assert asked(name) == 421


def test_a_refused_host_name_is_answered_with_the_setting_for_names(client: TestClient) -> None:
    answer = client.get("/", headers={"Host": "evil.example"})
    assert answer.status_code == 421
    assert answer.json()["error"]["code"] == "host"
    assert "evil.example" in answer.json()["error"]["message"]
    assert "server.hosts" in answer.json()["error"]["hint"]


def test_a_server_that_listens_to_a_network_answers_there_and_under_the_names_it_was_given(asked: Asked) -> None:
    assert asked("192.168.1.5:8000", host="192.168.1.5") == 200
    assert asked("192.168.1.6", host="192.168.1.5") == 421
    assert asked("box.example:80", host="Box.example") == 200
    for everywhere in ("0.0.0.0", "::"):
        assert asked("192.168.1.5:8000", host=everywhere) == 200
        assert asked("[2001:db8::1]:8000", host=everywhere) == 200
        assert asked(socket.gethostname(), host=everywhere) == 200
        assert asked("evil.example", host=everywhere) == 421
    assert asked("pincite.example.org", hosts=("Pincite.example.org",)) == 200
    assert asked("evil.example", hosts=("pincite.example.org",)) == 421
    assert asked("any.example", hosts=("*",)) == 200


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("http://evil.example", 403),
        ("null", 403),
        ("http://[", 403),
        ("http://192.168.1.5:5173", 403),
        ("http://192.168.1.5:8000", 202),
        ("http://testserver:5173", 403),
        ("https://testserver", 202),
    ],
)
def test_where_browsers_say_only_where_a_page_is_from_that_counts(settings: Settings, origin: str, status: int) -> None:
    server = settings.server.model_copy(update={"host": "0.0.0.0"})
    app = create_app(settings.model_copy(update={"server": server}), answer=quoting)
    with TestClient(app, base_url="http://192.168.1.5:8000") as client:
        added = client.post("/api/documents", files={"file": ("a.txt", "Planted.")}, headers={"Origin": origin})
    assert added.status_code == status


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "", None])
def test_an_address_that_is_not_sent_as_json_is_not_added(client: TestClient, kind: str | None) -> None:
    headers = {} if kind is None else {"Content-Type": kind}
    answer = client.post("/api/documents", content='{"url": "https://example.org/a.pdf"}', headers=headers)
    assert answer.status_code == 415
    assert "application/json" in answer.json()["error"]["message"]


@pytest.mark.parametrize("site", ["cross-site", "same-site", "same-origin", "none", ""])
def test_a_page_of_another_site_reads_nothing_new_and_changes_nothing(client: TestClient, site: str) -> None:
    headers = {"Sec-Fetch-Site": site} if site else {}
    added = client.post("/api/documents", files={"file": ("a.txt", "Planted.")}, headers=headers)
    assert added.status_code == (403 if site.endswith("-site") else 202)
    assert client.get("/api/documents", headers=headers).json()["total"] == (0 if site.endswith("-site") else 1)


@pytest.mark.parametrize("path", ["/api/chat", "/api/search", "/api/personas"])
def test_a_body_without_end_is_left_as_soon_as_it_is_too_large(client: TestClient, path: str) -> None:
    taken = 0

    def endless() -> Iterator[bytes]:
        nonlocal taken
        yield b'{"message": "'
        while taken < 50:
            taken += 1
            yield b"a" * 1_000_000

    answer = client.post(path, content=endless(), headers={"Content-Type": "application/json"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (413, "too_large")


@pytest.mark.parametrize("path", ["/api/search", "/api/documents", "/api/account"])
def test_a_path_with_a_line_break_at_its_end_is_no_way_around_the_limits(client: TestClient, path: str) -> None:
    """A regular expression that ends with `$` matches before it, and a comparison of the path does not."""
    for method in ("GET", "POST"):
        answer = client.request(method, f"{path}%0A", json={"message": "How deep?"})
        assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not_found")
