"""Where an answer is looked for, over HTTP: what can be asked for, and what it takes."""

from collections.abc import AsyncIterator, Iterator
from typing import get_args

import pytest
from starlette.testclient import TestClient

from pincite import events
from pincite.answer.context import Context
from pincite.errors import Unavailable
from pincite.server import create_app
from pincite.server.error_responses import register_error_handlers
from pincite.settings import Settings
from pincite.types import Focus

ROUTES = ("/api/chat", "/api/search")


@pytest.fixture
def client(settings: Settings) -> Iterator[TestClient]:
    """A client of a server that answers with where it looked."""

    async def telling(context: Context) -> AsyncIterator[events.Data]:
        yield events.Text(delta=f"Looked in {context.asked.focus}.")

    with TestClient(create_app(settings, answer=telling)) as client:
        yield client


def test_a_page_learns_which_there_are_and_whether_the_web_is_searched(client: TestClient) -> None:
    told = client.get("/api/settings").json()
    assert told["focus_modes"] == list(get_args(Focus))
    assert told["search_url"] == ""


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("focus", ["all", "documents", "chat", "research"])
def test_without_a_search_engine_everything_works_but_the_web(client: TestClient, route: str, focus: str) -> None:
    came = client.post(route, json={"message": "How deep?", "focusMode": focus})
    assert came.status_code == 200
    assert f"Looked in {focus}." in came.text


@pytest.mark.parametrize("route", ROUTES)
def test_the_web_without_a_search_engine_is_refused_with_the_setting_to_set(client: TestClient, route: str) -> None:
    refused = client.post(route, json={"message": "How deep?", "focusMode": "web"})
    assert (refused.status_code, refused.json()["error"]["code"]) == (400, "misuse")
    assert refused.json()["error"]["reason"] == "no_search_engine"
    assert "web.search_url" in refused.json()["error"]["hint"]
    assert client.get("/api/conversations").json()["total"] == 0
    given = {"message": "What does https://example.org/lakes say?", "focusMode": "web"}
    assert client.post(route, json=given).status_code == 200
    client.put("/api/settings", json={"search_url": "http://localhost:8888"})
    assert client.post(route, json={"message": "How deep?", "focusMode": "web"}).status_code == 200


def test_a_focus_that_needs_something_not_installed_says_so() -> None:
    from fastapi import FastAPI

    app = FastAPI()
    register_error_handlers(app)

    @app.get("/video")
    def video() -> None:
        raise Unavailable("It takes the extra pincite[youtube].", "Install it.")

    told = TestClient(app).get("/video")
    assert (told.status_code, told.json()["error"]) == (
        501,
        {"code": "unavailable", "message": "It takes the extra pincite[youtube].", "hint": "Install it."},
    )
