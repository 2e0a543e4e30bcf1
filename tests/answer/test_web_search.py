"""A search of the web reads the best pages, waits for no slow one, and gives passages that are kept."""

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from pincite.answer.context import Context
from pincite.answer.services import Services
from pincite.answer.web_search import WebSearchResult, find_in_document, search_pages
from pincite.errors import Forbidden, WebError
from pincite.store.documents import StoredDocument
from pincite.types import Hit
from tests import pdfs, sites
from tests.answer.outside import article, found, standing, turned
from tests.sites import Site

DEEP = "The lake of Corvel is forty metres deep, and nobody has seen its ground in winter for a hundred years."


@pytest.fixture(scope="module")
def services(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    """Shared: the processes that read cost half a second to start."""
    with standing(tmp_path_factory.mktemp("web"), site) as services:
        yield services


@pytest.fixture(autouse=True)
def _empty(site: Site) -> None:
    site.pages.clear()
    site.asked.clear()


def look(services: Services, query: str) -> WebSearchResult:
    return asyncio.run(search_pages(turned(services, query), query))


async def opened(context: Context, url: str, query: str = "", asked_for: bool = False) -> list[Hit]:
    return await find_in_document(context, await context.services.page_reader.read("local", url, asked_for), query)


def titles(looked: WebSearchResult) -> list[str]:
    return list(dict.fromkeys(hit.title for hit in looked.hits))


def test_the_pages_that_are_found_are_read_and_their_passages_come_back(services: Services, site: Site) -> None:
    site.pages["/deep"] = article("The lake of Corvel", DEEP)
    site.pages["/bread"] = article("Bread", "Bread is baked from flour, water and salt in every village of the valley.")
    found(site, ("/bread", "Bread of the valley"), ("/deep", "How deep the lake of Corvel is"))
    looked = look(services, "How deep is the lake of Corvel?")
    assert titles(looked)[0] == "The lake of Corvel"
    assert DEEP in looked.hits[0].text
    assert looked.pages == 2
    assert looked.unread == ()


def test_a_page_that_fails_leaves_its_place_to_the_next(services: Services, site: Site) -> None:
    site.pages["/deep"] = article("Corvel", DEEP)
    gone = [(f"/gone/{n}", "The lake of Corvel is deep") for n in range(services.settings.web.pages)]
    found(site, *gone, ("/deep", "Another page"))
    looked = look(services, "How deep is the lake of Corvel?")
    assert titles(looked) == ["Corvel"]
    assert [each.result.url for each in looked.failures] == [site.url(path) for path, _ in gone]
    assert all("404" in each.why for each in looked.failures)


def test_where_nothing_can_be_read_not_every_result_is_tried(services: Services, site: Site) -> None:
    found(site, *((f"/gone/{n}", f"The lake of Corvel, part {n}") for n in range(60)))
    looked = look(services, "How deep is the lake of Corvel?")
    assert looked.hits == ()
    tried = [path for path in site.paths if path.startswith("/gone")]
    assert len(tried) == len(looked.failures) == 4 * services.settings.web.pages
    assert len(looked.unread) == 60


def test_no_more_pages_are_read_than_the_settings_say(services: Services, site: Site) -> None:
    paths = [f"/page/{n}" for n in range(8)]
    site.pages.update({path: article(f"Corvel {path}", f"{DEEP} {path}") for path in paths})
    found(site, *((path, "The lake of Corvel") for path in paths))
    looked = look(services, "How deep is the lake of Corvel?")
    assert looked.pages == services.settings.web.pages
    assert {each.why for each in looked.unread} == {""}
    assert sum(path in paths for path in site.paths) == looked.pages


class Dawdling:
    """Has read one page, and comes to no end with any other."""

    def __init__(self, url: str, document: StoredDocument) -> None:
        self._read = {url: document}
        self._never = asyncio.Event()

    def start_readers(self) -> None:
        """It is awake already."""

    async def read(self, owner: str, url: str, asked_for: bool = False) -> StoredDocument:
        if url not in self._read:
            await self._never.wait()
        return self._read[url]


def test_a_slow_page_is_not_waited_for(services: Services, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    site.pages["/deep"] = article("Corvel", DEEP)
    found(site, ("/slow", "The lake of Corvel is deep"), ("/deep", "The lake of Corvel is deep"))
    web = services.settings.web.model_copy(update={"page_seconds": 0.2})
    monkeypatch.setattr(services, "settings", services.settings.model_copy(update={"web": web}))
    deep = site.url("/deep")
    monkeypatch.setattr(services, "page_reader", Dawdling(deep, asyncio.run(services.page_reader.read("local", deep))))
    looked = look(services, "How deep is the lake of Corvel?")
    assert titles(looked) == ["Corvel"]
    (slow,) = looked.failures
    assert slow.result.url == site.url("/slow")
    assert slow.why.startswith("it took longer than 0.2")


def test_when_no_page_can_be_read_each_says_why(services: Services, site: Site) -> None:
    site.pages["/wall"] = sites.cookie_wall
    site.pages["/trap"] = sites.redirect("http://169.254.169.254/latest/meta-data")
    site.pages["/film"] = sites.page(b"0000", {"Content-Type": "video/mp4"})
    found(site, ("/wall", "Corvel one"), ("/trap", "Corvel two"), ("/film", "Corvel three"), ("/gone", "Corvel four"))
    looked = look(services, "How deep is the lake of Corvel?")
    assert looked.hits == ()
    why = {each.result.url.rpartition("/")[2]: each.why for each in looked.unread}
    assert "consent" in why["wall"]
    assert "169.254.169.254" in why["trap"]
    assert "a video" in why["film"]
    assert "404" in why["gone"]


def test_an_engine_that_finds_nothing_gives_nothing_and_says_who_was_silent(services: Services, site: Site) -> None:
    found(site, unresponsive=[["duckduckgo", "CAPTCHA"]])
    looked = look(services, "How deep is the lake of Corvel?")
    assert (looked.hits, looked.unread) == ((), ())
    assert "duckduckgo" in looked.unresponsive[0]


def test_a_page_found_twice_is_read_once(services: Services, site: Site) -> None:
    site.pages["/same"] = article("Corvel", DEEP)
    found(site, ("/same", "The lake"), ("/same?utm_source=x", "The lake of Corvel"), ("/same#top", "The lake"))
    assert look(services, "How deep is the lake of Corvel?").pages == 1
    assert sum(path.startswith("/same") for path in site.paths) == 1


def test_a_copy_of_a_page_says_nothing_twice(services: Services, site: Site) -> None:
    site.pages["/one"] = article("Corvel", DEEP)
    site.pages["/two"] = article("Corvel", DEEP)
    found(site, ("/one", "The lake of Corvel"), ("/two", "The lake of Corvel"))
    looked = look(services, "How deep is the lake of Corvel?")
    assert len([hit for hit in looked.hits if DEEP in hit.text]) == 1


def test_every_page_has_its_share_of_the_passages(services: Services, site: Site) -> None:
    site.pages["/long"] = article(
        "Lakes", *(f"The lake of Corvel is deep, {n}. " + "It is so. " * 80 for n in range(30))
    )
    site.pages["/short"] = article("A note", "Nobody ever measured what lies under the water there, people say.")
    found(site, ("/long", "The lake of Corvel"), ("/short", "A note on a lake"))
    looked = look(services, "How deep is the lake of Corvel?")
    assert titles(looked) == ["Lakes", "A note"]
    assert len(looked.hits) <= 10


class Lakes:
    """An embedder to which a text speaks of depth, in any language, or does not."""

    name, dimension = "lakes", 2

    def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        deep = ("profond", "forty metres deep")
        return np.array([[1, 0] if any(word in text for word in deep) else [0, 1] for text in texts], np.float32)

    passages = queries


def test_a_page_in_another_language_is_read_by_what_it_means(
    services: Services, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    paragraphs = [f"Paragraph {n} is about something else and says it at length. " * 20 for n in range(3)]
    site.pages["/en"] = article("A book", *paragraphs, DEEP, *paragraphs)
    found(site, ("/en", "A book"))
    monkeypatch.setattr(services, "embedder", Lakes())
    looked = look(services, "Quelle profondeur ?")
    assert DEEP in looked.hits[0].text


def test_a_site_that_asks_robots_to_stay_away_is_not_read(tmp_path: Path) -> None:
    with sites.serving() as shy, standing(tmp_path, shy) as services:
        shy.pages["/robots.txt"] = sites.page(b"User-agent: *\nDisallow: /deep", {"Content-Type": "text/plain"})
        shy.pages["/deep"] = article("Corvel", DEEP)
        found(shy, ("/deep", "The lake of Corvel"))
        looked = look(services, "How deep is the lake of Corvel?")
        assert looked.hits == ()
        assert "robots" in looked.unread[0].why
        assert "/deep" not in shy.paths


def test_an_engine_that_is_not_there_says_which_setting_to_change(site: Site, tmp_path: Path) -> None:
    with standing(tmp_path, site, search_url="http://127.0.0.1:9") as services, pytest.raises(WebError) as told:
        look(services, "How deep is the lake of Corvel?")
    assert "web.search_url" in told.value.hint


def test_one_page_gives_its_passages_for_a_query_and_its_outline_for_none(services: Services, site: Site) -> None:
    paragraphs = [f"Paragraph {n} is about the number {n} and says it at some length. " * 12 for n in range(60)]
    site.pages["/book"] = article("A book", *paragraphs, DEEP)
    context = turned(services, "Anything")
    about = asyncio.run(opened(context, site.url("/book"), "How deep is the lake of Corvel?"))
    assert DEEP in about[0].text
    outline = asyncio.run(opened(context, site.url("/book")))
    assert outline[0].span.start == 0
    assert [hit.span.start for hit in outline] == sorted(hit.span.start for hit in outline)


def test_a_pdf_at_an_address_has_pages(services: Services, site: Site, tmp_path: Path) -> None:
    made = pdfs.simple(tmp_path / "report.pdf", pages=2).read_bytes()
    site.pages["/report"] = sites.page(made, {"Content-Type": "application/pdf"})
    hits = asyncio.run(opened(turned(services, "Anything"), site.url("/report")))
    assert {hit.kind for hit in hits} == {"pdf"}
    assert hits[0].page == 1


def test_an_address_inside_is_not_opened(services: Services) -> None:
    with pytest.raises(Forbidden):
        asyncio.run(opened(turned(services, "Anything"), "http://169.254.169.254/latest/meta-data", asked_for=True))
