"""The web over HTTP: an answer cites a page that is kept here, and who stops it stops everything."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from starlette.testclient import TestClient

from pincite.server import create_app
from pincite.settings import Settings, load_settings
from tests import sites
from tests.sites import Site

PAGE = """<html><head><title>Deep lakes</title></head><body><article><h1>Deep lakes</h1>
<p>The lake of Corvel is forty metres deep, and nobody has seen its ground in winter.</p>
<p>Its water is cold all the year, and it has no outlet.</p></article></body></html>"""


@pytest.fixture
def site() -> Iterator[Site]:
    with sites.serving() as site:
        site.pages["/lakes"] = sites.html(PAGE)
        site.pages["/slow"] = sites.dripping
        site.pages["/search"] = sites.searxng({"url": site.url("/lakes"), "title": "Deep lakes"})
        yield site


@pytest.fixture
def settings(tmp_path: Path, site: Site) -> Settings:
    web = {
        "search_url": site.url("/"),
        "allow": [site.host],
        "pause_seconds": 0,
        "seconds": 600,
        "page_seconds": 120,
        "render": False,
    }
    return load_settings(data=tmp_path / "data", embedding={"provider": "none"}, web=web)


def test_a_citation_of_the_web_opens_in_our_copy_when_the_page_is_gone(settings: Settings, site: Site) -> None:
    with TestClient(create_app(settings)) as client:
        asked = {"message": "How deep is the lake of Corvel?", "focusMode": "web"}
        answer = client.post("/api/search", json=asked).json()
        site.pages.clear()
        (cited, *_) = answer["citations"]
        quoted = next(each for each in answer["sentences"] if cited["n"] in each["citations"])
        assert (cited["url"], quoted["support"], quoted["basis"]) == (site.url("/lakes"), "verified", "quote")
        where = f"/api/documents/{cited['document']}"
        kept = client.get(f"{where}/text", params={"start": cited["start"], "end": cited["end"]}).json()
        told = client.get(where).json()
        copy = client.get(f"{where}/file")
    assert kept["text"] == cited["quote"]
    assert (told["url"], told["libraries"], len(told["snapshots"])) == (site.url("/lakes"), ["web"], 1)
    assert "forty metres deep" in copy.text
    assert "sandbox" in copy.headers["content-security-policy"]


def test_stopping_an_answer_stops_the_page_that_is_fetched_for_it(settings: Settings, site: Site) -> None:
    async def run() -> tuple[list[str], dict[str, object]]:
        app = create_app(settings)
        door = httpx2.ASGITransport(app)
        async with (
            app.router.lifespan_context(app),
            httpx2.AsyncClient(transport=door, base_url="http://localhost") as go,
        ):
            asking = asyncio.create_task(go.post("/api/chat", json={"message": f"What does {site.url('/slow')} say?"}))
            while "/slow" not in site.paths:
                await asyncio.sleep(0.02)
            (talk,) = (await go.get("/api/conversations")).json()["conversations"]
            stopped = await go.post(f"/api/conversations/{talk['id']}/stop")
            assert stopped.json() == {"stopped": True}
            lines = (await asking).text.splitlines()
        said = [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: ")]
        return [event["type"] for event in said], said[-1]["data"]

    types, answer = asyncio.run(run())
    assert types[-1] == "message_completed"
    assert answer["stopped"] is True
