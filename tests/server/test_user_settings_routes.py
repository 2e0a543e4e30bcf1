"""Where the web is searched, set from the page and tried, over HTTP."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from pincite.server import create_app
from pincite.server.search_engine_trials import EngineTrials
from pincite.settings import load_settings
from tests.server.team import open_team_client
from tests.sites import page, serving


@contextmanager
def opened(folder: Path, **web: Any) -> Iterator[TestClient]:
    with TestClient(create_app(load_settings(data=folder, embedding={"provider": "none"}, web=web))) as client:
        yield client


async def no_wait(_: float) -> None:
    pass


def where(client: TestClient) -> tuple[str, str]:
    told = client.get("/api/settings").json()
    return told["search_url"], told["search_url_from"]


def test_an_address_set_on_the_page_wins_over_the_file_until_it_is_taken_back(tmp_path: Path) -> None:
    with opened(tmp_path) as client:
        assert where(client) == ("", "")
    with opened(tmp_path, search_url="http://searx.example/searxng") as client:
        assert where(client) == ("http://searx.example/searxng", "file")
        told = client.put("/api/settings", json={"search_url": " http://localhost:8888/search "})
        assert told.status_code == 200
        assert (told.json()["search_url"], told.json()["search_url_from"]) == ("http://localhost:8888", "page")
        assert told.json() == client.get("/api/settings").json()
    with opened(tmp_path, search_url="http://searx.example/searxng") as client:
        assert where(client) == ("http://localhost:8888", "page")
        client.put("/api/settings", json={"search_url": "  "})
        assert where(client) == ("http://searx.example/searxng", "file")


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 422),
        ({"search_url": None}, 422),
        ({"search_url": "x" * 2001}, 422),
        ({"search_url": "http://x", "owner": "eve"}, 422),
        ([], 422),
        ({"search_url": "localhost"}, 400),
        ({"search_url": "ftp://localhost"}, 400),
        ({"search_url": "javascript:alert(1)"}, 400),
        ({"search_url": "http://\0/\ud800"}, 400),
        ({"search_url": "http://ann:secret@localhost"}, 403),
        ({"search_url": "http://169.254.169.254/"}, 403),
        ({"search_url": "http://[fd00:ec2::254]/"}, 403),
    ],
)
def test_a_wrong_address_of_a_search_engine_is_not_kept(tmp_path: Path, body: Any, status: int) -> None:
    with opened(tmp_path) as client:
        content = json.dumps(body)  # also what no client could encode
        answer = client.put("/api/settings", content=content, headers={"Content-Type": "application/json"})
        assert answer.status_code == status, answer.text
        assert answer.json()["error"]["hint"]
        assert "secret" not in answer.json()["error"]["message"]
        assert where(client) == ("", "")


def test_a_page_of_another_site_sets_nothing(tmp_path: Path) -> None:
    with opened(tmp_path) as client:
        body, origin = {"search_url": "http://evil.example"}, {"Origin": "http://evil.example"}
        assert client.put("/api/settings", json=body, headers=origin).status_code == 403
        assert where(client) == ("", "")


def test_a_search_engine_is_tried_with_a_real_search(tmp_path: Path) -> None:
    found = {"query": "wikipedia", "results": [{"url": "http://x"}] * 2, "unresponsive_engines": [["bing", "timeout"]]}
    with serving() as site, opened(tmp_path) as client:
        site.pages["/search?q=wikipedia&format=json"] = page(json.dumps(found).encode())
        told = client.post("/api/settings/search/test", json={"url": site.url("/")}).json()
        assert told == {
            "ok": True,
            "detail": "It found 2 results. No answer from bing (timeout).",
            "hint": "",
            "results": 2,
        }
        site.pages["/search?q=wikipedia&format=json"] = page(b"Forbidden", status=403)
        client.app.state.engine_trials = EngineTrials(sleep=no_wait)  # type: ignore[attr-defined]
        told = client.post("/api/settings/search/test", json={"url": site.url("/")}).json()
        assert (told["ok"], told["results"]) == (False, 0)
        assert "formats: [html, json]" in told["hint"]
        assert where(client) == ("", "")  # to try is not to set


@pytest.mark.parametrize("url", ["ftp://x", "http://ann:secret@x", "http://169.254.169.254", "nonsense", "http://x/?q"])
def test_an_address_that_cannot_be_tried_is_told_and_no_error(tmp_path: Path, url: str) -> None:
    with opened(tmp_path) as client:
        answer = client.post("/api/settings/search/test", json={"url": url})
        assert answer.status_code == 200
        assert not answer.json()["ok"]
        assert answer.json()["hint"]
        assert "secret" not in answer.text
        for body in ({}, {"url": ""}, {"url": 7}, {"url": "x" * 2001}, {"url": url, "more": 1}):
            assert client.post("/api/settings/search/test", json=body).status_code == 422


def test_only_an_owner_of_the_server_says_where_it_sends_requests(tmp_path: Path) -> None:
    """The address may be inside the server's own network: a member could look around there with questions."""
    with open_team_client(load_settings(data=tmp_path, embedding={"provider": "none"})) as team:
        for body in ({"search_url": "http://127.0.0.1:22"}, {"search_url": "http://169.254.169.254"}):
            for sender in (team.member, team.guest):
                refused = team.put(sender, "/api/settings", json=body)
                assert (refused.status_code, refused.json()["error"]["reason"]) == (403, "scope")
                assert not team.get(sender, "/api/settings").json()["search_url"]
        kept = team.put(team.owner, "/api/settings", json={"search_url": "http://127.0.0.1:8080"})
        assert kept.json()["search_url"] == "http://127.0.0.1:8080"
