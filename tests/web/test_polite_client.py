"""Visits to pages, over real HTTP: with manners, within limits, and as the bytes they are."""

import threading
import time
from collections.abc import Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import anyio
import pytest

from pincite.errors import Forbidden, TooLarge, Unsupported, WebError
from pincite.reading.html import decode_page
from pincite.settings import load_settings
from pincite.web.fetch import Fetched, Unchanged, Validators
from pincite.web.polite_client import PoliteClient
from pincite.web.web_parser import DirectParser
from tests.clock import PATIENCE
from tests.sites import Site, dripping, endless, html, page, redirect, serving, stream

CLOSED = page(b"User-agent: *\nDisallow: /closed\n")


@pytest.fixture
def site() -> Iterator[Site]:
    with serving() as made:
        yield made


@pytest.fixture
def into(tmp_path: Path) -> Path:
    return tmp_path / "file"


def visitor(*sites: Site, **web: Any) -> PoliteClient:
    usual = {"allow": [site.host for site in sites], "pause_seconds": 0, "max_page_mb": 1}
    return PoliteClient(load_settings(web=usual | web, reading={"max_file_mb": 2}), DirectParser())


def visited(url: str, into: Path, *sites: Site, asked_for: bool = False, **web: Any) -> Fetched:
    found = anyio.run(lambda: visitor(*sites, **web).visit(url, into, asked_for=asked_for))
    assert isinstance(found, Fetched)
    return found


def test_a_page_comes_with_when_it_came_and_how_its_server_knows_it(site: Site, into: Path) -> None:
    site.pages["/a"] = html("<p>Hi", {"ETag": '"v1"', "Last-Modified": "Tue, 03 Nov 2026 10:00:00 GMT"})
    before = time.time()
    found = visited(site.url("/a"), into, site)
    assert into.read_bytes() == b"<p>Hi"
    assert (found.status, found.content_type, found.url) == (200, "text/html", site.url("/a"))
    assert found.validators == Validators('"v1"', "Tue, 03 Nov 2026 10:00:00 GMT")
    assert before <= found.fetched <= time.time()


def test_a_page_that_has_not_changed_is_not_sent_again(site: Site, into: Path) -> None:
    def respond(handler: BaseHTTPRequestHandler) -> None:
        (page(b"", status=304) if handler.headers["If-None-Match"] == '"v1"' else html("new"))(handler)

    site.pages.update({"/a": respond, "/old": redirect("/a")})
    for path in ("/a", "/old"):
        known = Validators('"v1"', "Tue, 03 Nov 2026 10:00:00 GMT")
        same = anyio.run(partial(visitor(site).visit, site.url(path), into, known=known))
        assert isinstance(same, Unchanged)
        assert same.url == site.url("/a")
        assert not into.exists()
    assert site.headers[-1]["if-modified-since"] == "Tue, 03 Nov 2026 10:00:00 GMT"
    changed = anyio.run(lambda: visitor(site).visit(site.url("/a"), into, known=Validators('"v0"')))
    assert isinstance(changed, Fetched)
    assert into.read_bytes() == b"new"


def test_a_304_that_nobody_asked_for_is_an_error(site: Site, into: Path) -> None:
    site.pages["/a"] = page(b"", status=304)
    with pytest.raises(WebError, match="304"):
        visited(site.url("/a"), into, site)


def test_a_version_that_is_no_valid_header_is_not_sent_back(site: Site, into: Path) -> None:
    site.pages["/a"] = html("x", {"ETag": "e" * 600, "Last-Modified": "caf\xe9"})
    assert visited(site.url("/a"), into, site).validators == Validators()


def test_robots_txt_is_honoured_also_behind_a_redirect_unless_a_person_gave_the_address(site: Site, into: Path) -> None:
    site.pages.update({"/robots.txt": CLOSED, "/closed/a": html("secret"), "/a": redirect("/closed/a")})
    for path in ("/closed/a", "/a"):
        with pytest.raises(Forbidden, match=r"robots\.txt") as caught:
            visited(site.url(path), into, site)
        assert "address in your question" in caught.value.hint
    assert "/closed/a" not in site.paths
    before = len(site.asked)
    visited(site.url("/a"), into, site, asked_for=True)
    assert site.paths[before:] == ["/a", "/closed/a"]
    assert into.read_bytes() == b"secret"


def test_robots_txt_is_asked_for_once_by_a_house(site: Site, into: Path) -> None:
    site.pages.update({"/robots.txt": redirect("/r.txt"), "/r.txt": CLOSED, "/a": html("a"), "/b": html("b")})

    async def visits() -> None:
        one = visitor(site)
        for path in ("/a", "/b", "/a"):
            await one.visit(site.url(path), into)
        with pytest.raises(Forbidden):
            await one.visit(site.url("/closed"), into)

    anyio.run(visits)
    assert site.paths.count("/robots.txt") == 1


def test_a_site_whose_robots_txt_is_broken_is_left_alone_and_one_without_is_read(site: Site, into: Path) -> None:
    site.pages.update({"/a": html("a"), "/robots.txt": page(b"", status=500)})
    with pytest.raises(Forbidden):
        visited(site.url("/a"), into, site)
    site.pages["/robots.txt"] = redirect("http://169.254.169.254/robots.txt")
    visited(site.url("/a"), into, site)
    del site.pages["/robots.txt"]
    visited(site.url("/a"), into, site)


def test_a_host_is_asked_by_two_at_once_and_no_more(site: Site, tmp_path: Path) -> None:
    lock, now, most = threading.Lock(), 0, 0
    both = threading.Barrier(2)

    def respond(handler: BaseHTTPRequestHandler) -> None:
        nonlocal now, most
        with lock:
            now += 1
            most = max(most, now)
        both.wait(PATIENCE)
        time.sleep(0.05)  # for a third one
        with lock:
            now -= 1
        html("x")(handler)

    site.pages["/a"] = respond

    async def visits() -> None:
        one = visitor(site)
        async with anyio.create_task_group() as group:
            for number in range(6):
                group.start_soon(one.visit, site.url("/a"), tmp_path / str(number))

    anyio.run(visits)
    assert most == 2


def test_a_host_that_has_had_enough_is_not_asked_again_for_a_while(site: Site, into: Path) -> None:
    site.pages["/a"] = html("no", {"Retry-After": "120"}, 429)

    async def visits() -> None:
        one = visitor(site)
        with pytest.raises(WebError, match="answered 429"):
            await one.visit(site.url("/a"), into)
        with pytest.raises(WebError, match="another 1"):
            await one.visit(site.url("/b"), into)

    anyio.run(visits)
    assert "/b" not in site.paths


def test_a_page_that_sends_its_reader_on_by_itself_is_followed_once(site: Site, into: Path) -> None:
    site.pages.update(
        {
            "/a": html('<meta http-equiv="refresh" content="0;url=/b">'),
            "/b": redirect("/c"),
            "/c": html('<meta http-equiv="refresh" content="0;url=/d">here'),
        }
    )
    assert visited(site.url("/a"), into, site).url == site.url("/c")
    assert into.read_bytes().endswith(b"here")


@pytest.mark.parametrize("target", ["http://169.254.169.254/", "http://localhost:1/", "file:///etc/passwd"])
def test_a_page_that_sends_its_reader_inside_is_not_followed(site: Site, into: Path, target: str) -> None:
    site.pages["/a"] = html(f'<meta http-equiv="refresh" content="0;url={target}">')
    with pytest.raises(Forbidden):
        visited(site.url("/a"), into, site)


@pytest.mark.parametrize(
    ("headers", "said"),
    [
        ({"Content-Type": "video/mp4"}, "a video"),
        ({"Content-Type": "Audio/mpeg; x=y"}, "sound"),
        ({"Content-Type": "application/x-msdownload"}, "application/x-msdownload"),
        ({"Content-Type": "text/event-stream"}, "text/event-stream"),
        ({"Content-Type": "application/octet-stream", "Content-Length": "21000000"}, "large file of unknown type"),
    ],
)
def test_a_response_that_is_no_document_is_refused_before_its_body(
    site: Site, into: Path, headers: dict[str, str], said: str
) -> None:
    sent = threading.Event()

    def respond(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        for name, value in headers.items():
            handler.send_header(name, value)
        handler.end_headers()
        for _ in range(1000):
            handler.wfile.write(b"x" * 65_536)
        sent.set()

    site.pages["/a"] = respond
    with pytest.raises(Unsupported, match=said) as caught:
        visited(site.url("/a"), into, site)
    assert caught.value.hint
    assert not into.exists()
    assert not sent.is_set()


def test_a_document_that_does_not_say_what_it_is_is_taken(site: Site, into: Path) -> None:
    site.pages["/a.pdf"] = page(b"%PDF-1.4", {"Content-Type": "application/octet-stream"})
    assert visited(site.url("/a.pdf"), into, site).name == "a.pdf"


def test_an_endless_page_is_refused_at_its_own_limit_and_a_file_at_its(site: Site, into: Path) -> None:
    def more() -> Iterator[bytes]:
        while True:
            yield b"more " * 9999

    site.pages["/a"] = endless
    with pytest.raises(TooLarge, match=r"page .* more than 1 MB") as caught:
        visited(site.url("/a"), into, site)
    assert "web.max_page_mb" in caught.value.hint
    site.pages["/b"] = stream(more, {"Content-Type": "text/plain"})
    with pytest.raises(TooLarge, match=r"file .* more than 2 MB"):
        visited(site.url("/b"), into, site)


def test_a_page_that_drips_is_left_when_the_time_is_over_and_its_place_is_free_again(site: Site, into: Path) -> None:
    site.pages.update({"/a": dripping, "/b": html("b")})

    async def visits() -> None:
        one = visitor(site, seconds=0.5, per_host=1)
        with pytest.raises(WebError, match=r"0\.5 seconds"):
            await one.visit(site.url("/a"), into, asked_for=True)
        await one.visit(site.url("/b"), into, asked_for=True)

    anyio.run(visits)


@pytest.mark.parametrize(
    ("body", "said", "text"),
    [
        ("été".encode("cp1252"), "text/html; charset=utf-8", "été"),
        ("été".encode(), "text/html; charset=iso-8859-1", "été"),
        ("été".encode(), "text/html", "été"),
        ("été".encode(), "text/html; charset=nonsense", "été"),
        ("été".encode("utf-16"), "text/html", "été"),
    ],
)
def test_a_wrong_or_missing_encoding_changes_no_byte(site: Site, into: Path, body: bytes, said: str, text: str) -> None:
    site.pages["/a"] = page(body, {"Content-Type": said})
    visited(site.url("/a"), into, site)
    assert into.read_bytes() == body
    assert decode_page(into.read_bytes()) == text


def test_a_visit_that_is_cancelled_ends_at_once(site: Site, into: Path) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def waiting() -> Iterator[bytes]:
        yield b"x"
        begun.set()
        go_on.wait(PATIENCE)

    site.pages["/a"] = stream(waiting)

    async def visits() -> bool:
        one = visitor(site, per_host=1)
        async with anyio.create_task_group() as group:
            group.start_soon(lambda: one.visit(site.url("/a"), into, asked_for=True))
            await anyio.to_thread.run_sync(begun.wait)
            group.cancel_scope.cancel()
        return go_on.is_set()

    assert anyio.run(visits) is False
    go_on.set()
