"""Searching through SearXNG, over real HTTP."""

import json
import socket
from collections.abc import Iterator
from typing import Any

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.errors import Forbidden, Misuse, WebError
from pincite.web.search_engine import SearchEngine, SearchResult, SearchResults
from pincite.web.searxng import SearXNG, _parse_result, check_engine
from tests.sites import Respond, Site, page, redirect, searxng, serving

URL = "https://example.org/a?utm_source=x"
PAGE = {
    "url": URL,
    "title": "The <b>rent</b> &amp; the law",
    "content": "What the law says\x00 of   rent.",
    "engine": "google",
    "engines": ["google", "bing"],
    "score": 4.5,
    "publishedDate": "2026-03-04T00:00:00",
}
VIDEO = {
    "category": "videos",
    "url": "https://video.example/1",
    "title": "A talk",
    "engine": "youtube",
    "thumbnail": "//img.example/1.jpg",
    "length": 3723,
}
PICTURE = {
    "category": "images",
    "url": "https://example.org/p",
    "title": "",
    "engine": "bing images",
    "score": "high",
    "img_src": "https://img.example/p.png",
    "thumbnail_src": "/image_proxy?url=x",
}


@pytest.fixture
def site() -> Iterator[Site]:
    with serving() as made:
        yield made


def found(engine: SearchEngine, query: str = "rent", **asked: Any) -> SearchResults:
    return anyio.run(lambda: engine.search(query, **asked))


def test_results_come_as_plain_text_with_all_who_found_them(site: Site) -> None:
    site.pages["/search"] = searxng(PAGE, VIDEO, PICTURE)
    told = found(SearXNG(site.url("/")))
    assert told.results == (
        SearchResult(URL, "The rent & the law", "What the law says of rent.", "bing, google", 4.5, "2026-03-04"),
    )
    assert told.unresponsive == ()


def test_pictures_and_videos_come_with_what_a_gallery_shows(site: Site) -> None:
    site.pages["/search"] = searxng(PAGE, VIDEO, PICTURE)
    (video,) = found(SearXNG(site.url("")), kind="videos").results
    assert (video.thumbnail, video.length) == ("https://img.example/1.jpg", "1:02:03")
    (picture,) = found(SearXNG(site.url("")), kind="images").results
    assert (picture.image, picture.thumbnail) == ("https://img.example/p.png", None)
    assert (picture.title, picture.score) == ("example.org", 0.0)


def test_pictures_of_one_page_are_several_and_a_picture_found_twice_is_one(site: Site) -> None:
    other = {**PICTURE, "img_src": "https://img.example/other.png"}
    site.pages["/search"] = searxng(PICTURE, other, {**PICTURE, "engine": "qwant images"})
    pictures = found(SearXNG(site.url("")), kind="images").results
    assert sorted(each.image or "" for each in pictures) == [other["img_src"], PICTURE["img_src"]]
    assert {each.engine for each in pictures} == {"bing images", "bing images, qwant images"}


@pytest.mark.parametrize("kind", ["images", "videos"])
def test_a_searxng_without_engines_for_pictures_finds_none_rather_than_pages(site: Site, kind: str) -> None:
    site.pages["/search"] = searxng(PAGE)
    assert found(SearXNG(site.url("")), kind=kind) == SearchResults()
    assert found(SearXNG(site.url("")), kind="news").results  # news are pages, wherever they are from


def test_the_page_of_an_encyclopaedia_that_stands_beside_the_results_is_one_of_them(site: Site) -> None:
    box = {"infobox": "Rent", "id": "https://wiki.example/Rent", "content": "What is paid.", "engine": "wikipedia"}
    site.pages["/search"] = searxng(PAGE, boxes=[box, {"infobox": "Odd", "id": "Q1"}])
    told = found(SearXNG(site.url(""))).results
    assert told[1] == SearchResult("https://wiki.example/Rent", "Rent", "What is paid.", "wikipedia", 1.0)
    assert len(told) == 2
    assert anyio.run(lambda: check_engine(site.url(""))).results == 3


def test_each_page_of_the_results_is_another(site: Site) -> None:
    second = {**PAGE, "url": "https://example.org/second", "page": 2}
    site.pages["/search"] = searxng(PAGE, second)
    told = [found(SearXNG(site.url("")), page=number).results for number in (1, 2, 3)]
    assert [[each.url for each in results] for results in told] == [[URL], [second["url"]], []]


def test_language_time_and_page_are_asked_for_as_searxng_names_them(site: Site) -> None:
    site.pages["/searxng/search"] = searxng(PAGE)
    engine = SearXNG(site.url("/searxng/"))
    found(engine, "loi  du\n1er août", kind="news", language="fr", time_range="month", page=3)
    found(engine, "x", language="'; drop")
    assert site.paths == [
        "/searxng/search?q=loi+du+1er+ao%C3%BBt&format=json&categories=news&language=fr&time_range=month&pageno=3",
        "/searxng/search?q=x&format=json&categories=general",
    ]


@pytest.mark.parametrize(
    ("language", "asked"), [("FR", "fr"), ("fr_FR", ""), ("pt-br", "pt-BR"), ("zh-Hant", "zh"), ("français", "")]
)
def test_a_language_is_written_as_searxng_wants_it_or_left_out(site: Site, language: str, asked: str) -> None:
    site.pages["/search"] = searxng(PAGE)
    found(SearXNG(site.url("")), language=language)
    assert site.paths[0].partition("&language=")[2] == asked


@pytest.mark.parametrize(
    ("query", "asked"),
    [
        ("!!g rent", "g+rent"),
        ("rent !images :de <3 ?", "rent+images+de+3"),
        ("Combien ? Oui !", "Combien+Oui"),
        ("a!b c:d 1<2 e?", "a%21b+c%3Ad+1%3C2+e%3F"),
    ],
)
def test_no_word_is_a_command_to_searxng(site: Site, query: str, asked: str) -> None:
    site.pages["/search"] = searxng(PAGE)
    found(SearXNG(site.url("")), query)
    assert site.paths == [f"/search?q={asked}&format=json&categories=general"]


def test_a_search_for_nothing_asks_nobody(site: Site) -> None:
    assert found(SearXNG(site.url("")), "  ") == SearchResults()
    assert site.asked == []


def test_engines_that_did_not_answer_are_told_beside_what_was_found(site: Site) -> None:
    site.pages["/search"] = searxng(PAGE, unresponsive=[["google", "timeout"], ["brave", "<b>CAPTCHA</b>"]])
    assert found(SearXNG(site.url(""))).unresponsive == ("google (timeout)", "brave (CAPTCHA)")


def test_one_page_under_two_addresses_is_one_result(site: Site) -> None:
    again = {**PAGE, "url": "http://www.example.org/a/", "engines": ["qwant"], "score": 1, "title": "x"}
    site.pages["/search"] = searxng(again, PAGE)
    (result,) = found(SearXNG(site.url(""))).results
    assert (result.engine, result.score) == ("bing, google, qwant", 4.5)


@pytest.mark.parametrize("url", ["javascript:alert(1)", "file:///etc/passwd", "ftp://example.org/", "", None, "a"])
def test_an_address_outside_the_web_is_no_result(site: Site, url: str | None) -> None:
    site.pages["/search"] = searxng({**PAGE, "url": url}, {"odd": 1})
    assert found(SearXNG(site.url(""))) == SearchResults()


@pytest.mark.parametrize(
    ("respond", "said", "hint"),
    [
        (page(b"Forbidden", status=403), "answered 403", "formats: [html, json]"),
        (page(b"Too many", status=429), "answered 429", "limiter: false"),
        (page(b"<html>A router</html>"), "not from SearXNG", "home page"),
        (redirect("http://169.254.169.254/"), "redirects to", "final address"),
    ],
)
def test_a_fault_of_the_engine_is_said_with_the_setting_to_change(
    site: Site, respond: Respond, said: str, hint: str
) -> None:
    site.pages["/search"] = respond
    with pytest.raises(WebError, match=said) as caught:
        found(SearXNG(site.url("")))
    assert hint in caught.value.hint
    assert len(site.asked) == 1


def test_an_engine_that_is_not_there_is_said_with_the_setting_to_change() -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        with pytest.raises(WebError, match="no answer") as caught:
            found(SearXNG(f"http://127.0.0.1:{closed.getsockname()[1]}"))
    assert "web.search_url" in caught.value.hint


def test_without_an_address_the_setting_is_named() -> None:
    with pytest.raises(Misuse, match="no search engine") as caught:
        found(SearXNG(""))
    assert "web.search_url" in caught.value.hint


def test_a_cloud_s_machinery_is_not_searched() -> None:
    with pytest.raises(Forbidden):
        found(SearXNG("http://169.254.169.254"))


JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=4,
)
FIELDS = ["title", "content", "engine", "engines", "score", "publishedDate", "img_src", "thumbnail", "length", "url"]


@given(st.dictionaries(st.sampled_from(FIELDS), JSON), st.booleans())
def test_whatever_an_engine_writes_becomes_a_result_or_none(given: dict[str, Any], addressed: bool) -> None:
    if addressed:
        given["url"] = "https://example.org/"
    result = _parse_result(json.loads(json.dumps(given)))
    assert (result is not None) >= addressed
    if result:
        assert result.title
        assert result.score == result.score
