"""Whether a search engine of one's own answers, over real HTTP."""

import json
import socket
from collections.abc import Iterator
from typing import Any

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.errors import Forbidden, Misuse
from pincite.web.searxng import EngineCheck, check_engine, normalise_address
from tests.sites import Respond, Site, page, redirect, serving, stream

SEARCH = "/search?q=wikipedia&format=json"


@pytest.fixture
def site() -> Iterator[Site]:
    with serving() as made:
        yield made


def answer(**given: Any) -> Respond:
    """A page as SearXNG writes it."""
    usual = {"query": "wikipedia", "number_of_results": 0, "results": [], "unresponsive_engines": []}
    return page(json.dumps(usual | given).encode(), {"Content-Type": "application/json"})


def checked(url: str, *found: str, **given: Any) -> EngineCheck:
    if found:

        async def look_up(host: str, port: int) -> list[str]:
            return list(found)

        given["look_up"] = look_up
    return anyio.run(lambda: check_engine(url, **given))


RESULT = {"url": "https://example.org", "title": "A page", "content": "…"}


@pytest.mark.parametrize("path", ["", "/", "/search", "/search/", "/searxng/", "/searxng/search"])
def test_an_engine_that_finds_something_is_well(site: Site, path: str) -> None:
    own = "/searxng" if "searxng" in path else ""
    site.pages[own + SEARCH] = answer(results=[RESULT] * 3)
    assert checked(f" {site.url(path)} ") == EngineCheck(True, "It found 3 results.", "", 3)
    assert site.asked == [(own + SEARCH, site.host)]


def test_an_engine_may_be_on_a_private_network_under_any_name(site: Site) -> None:
    site.pages[SEARCH] = answer(results=[RESULT])
    told = checked(f"http://searxng:{site.port}", "127.0.0.1")
    assert told.ok
    assert site.asked == [(SEARCH, f"searxng:{site.port}")]


def test_engines_that_did_not_answer_are_named(site: Site) -> None:
    silent = [["google", "timeout"], ["bing", "CAPTCHA"], [], "odd", [3, 4], ["brave"]]
    site.pages[SEARCH] = answer(results=[RESULT], unresponsive_engines=silent)
    told = checked(site.url(""))
    assert told == EngineCheck(
        True, "It found 1 results. No answer from google (timeout), bing (CAPTCHA), brave.", "", 1
    )
    site.pages[SEARCH] = answer(unresponsive_engines=silent * 9)
    told = checked(site.url(""))
    assert (told.ok, told.results) == (False, 0)
    assert "google (timeout)" in told.detail
    assert "and 22 more" in told.detail
    assert "reaches the internet" in told.hint
    site.pages[SEARCH] = answer()
    told = checked(site.url(""))
    assert not told.ok
    assert "engines" in told.hint


@pytest.mark.parametrize(
    ("respond", "detail", "hint"),
    [
        (page(b"Forbidden", status=403), "answered 403", "formats: [html, json]"),
        (page(b"Too many", status=429), "answered 429", "limiter: false"),
        (page(b"Who?", status=401), "answered 401", "login"),
        (page(b"", status=404), "answered 404", "home page"),
        (page(b"oh", status=500), "answered 500", "log"),
        (page(b"<html>A router</html>"), "not from SearXNG", "home page"),
        (page(b"[]"), "not from SearXNG", "home page"),
        (page(b'{"results": 3, "query": ""}'), "not from SearXNG", "home page"),
        (page(b'{"results": []}'), "not from SearXNG", "home page"),
        (page(b"\xff\xfe\x00"), "not from SearXNG", "home page"),
        (page(b"[" * 200_000), "not from SearXNG", "home page"),
        (redirect("https://elsewhere.example/search?q=x"), "redirects to https://elsewhere.example.", "final address"),
        (redirect("http://169.254.169.254/latest/meta-data"), "redirects to", "final address"),
        (page(b"", status=302), "redirects to another address", "final address"),
        (redirect("http://a:b"), "no answer from", "Check the address"),
    ],
)
def test_faults_of_the_engine_are_told_apart_with_a_remedy(
    site: Site, respond: Respond, detail: str, hint: str
) -> None:
    site.pages[SEARCH] = respond
    told = checked(site.url(""))
    assert not told.ok
    assert detail in told.detail
    assert hint in told.hint
    assert len(site.asked) == 1  # nobody is followed elsewhere


def test_an_answer_without_end_is_not_read_to_its_end(site: Site) -> None:
    def endless() -> Iterator[bytes]:
        while True:
            yield b" " * 65_536

    site.pages[SEARCH] = stream(endless)
    assert "too long" in checked(site.url("")).detail


def test_an_engine_that_says_nothing_is_not_waited_for(site: Site) -> None:
    def dripping() -> Iterator[bytes]:
        while True:
            yield b" "

    site.pages[SEARCH] = stream(dripping)
    told = checked(site.url(""), seconds=0.2)
    assert not told.ok
    assert "within 0.2 seconds" in told.detail


def test_an_address_where_nobody_is_is_told() -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        told = checked(f"http://127.0.0.1:{closed.getsockname()[1]}")
    assert not told.ok
    assert "no answer from http://127.0.0.1" in told.detail
    assert "is running" in told.hint


def test_a_name_that_nobody_has_is_told() -> None:
    told = checked("http://nobody.invalid:8080")
    assert not told.ok
    assert "no server called nobody.invalid" in told.detail


@pytest.mark.parametrize(
    "number",
    [
        "169.254.169.254",
        "169.254.0.1",
        "168.63.129.16",
        "fd00:ec2::254",
        "fe80::1",
        "::ffff:169.254.169.254",
        "64:ff9b::a9fe:a9fe",
        "2002:a9fe:a9fe::1",
        "::a9fe:a9fe",
    ],
)
def test_the_machinery_of_a_cloud_is_no_search_engine(site: Site, number: str) -> None:
    host = f"[{number}]" if ":" in number else number
    with pytest.raises(Forbidden):
        normalise_address(f"http://{host}:{site.port}")
    for url in (f"http://{host}:{site.port}", f"http://metadata.example:{site.port}"):
        told = checked(url, number)
        assert (told.ok, "no" in told.hint or "Give" in told.hint) == (False, True)
    # Not even one that also leads to where it might be.
    assert not checked(f"http://both.example:{site.port}", "127.0.0.1", number).ok
    assert site.asked == []


@pytest.mark.parametrize(
    "given",
    [
        *("", "   ", "localhost:8080", "ftp://x", "file:///etc/passwd", "http://", "http://?q", "javascript:alert(1)"),
        *("http://x/?q=1", "http://x/#a", "http://[", "http://☃/", "//x", "http://x:99999", "http://x:0", "gopher://x"),
    ],
)
def test_a_wrong_address_is_refused(given: str) -> None:
    with pytest.raises(Misuse) as refused:
        normalise_address(given)
    assert refused.value.hint
    assert not checked(given).ok


def test_a_password_is_not_kept_in_an_address() -> None:
    with pytest.raises(Forbidden):
        normalise_address("http://ann:secret@localhost:8080")
    assert "secret" not in str(checked("http://ann:secret@localhost:8080"))


@given(st.text() | st.from_regex(r"https?://[\w.\[\]:@%-]{0,20}(/[\w%?#-]{0,9})?"))
def test_an_address_is_refused_or_stays_as_it_is_kept(given: str) -> None:
    try:
        kept = normalise_address(given)
    except (Misuse, Forbidden):
        return
    assert kept.startswith(("http://", "https://"))
    assert normalise_address(kept) == kept
