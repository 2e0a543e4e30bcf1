import gzip
import socket
import threading
import time
import zlib
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.errors import Forbidden, Misuse, TooLarge, WebError
from pincite.settings import load_settings
from pincite.web.content_type import choose_file_name
from pincite.web.fetch import Fetched, fetch
from pincite.web.web_parser import DirectParser
from tests.sites import Site, page, redirect, serving, stream


@pytest.fixture
def site() -> Iterator[Site]:
    with serving() as made:
        yield made


@pytest.fixture
def into(tmp_path: Path) -> Path:
    return tmp_path / "file"


def got(url: str, into: Path, *allow: str, **web: Any) -> Fetched:
    settings = load_settings(web={"allow": allow, **web}, reading={"max_file_mb": 1})
    return anyio.run(fetch, url, settings, into, DirectParser())


def test_a_file_comes_with_its_bytes_its_name_and_its_kind(site: Site, into: Path) -> None:
    site.pages["/papers/r%C3%A9sum%C3%A9.pdf?v=2"] = page(b"%PDF-1.4 ...", {"Content-Type": "application/PDF; x=y"})
    found = got(site.url("/papers/r%C3%A9sum%C3%A9.pdf?v=2"), into, site.host)
    assert into.read_bytes() == b"%PDF-1.4 ..."
    assert (found.path, found.name, found.content_type) == (into, "résumé.pdf", "application/pdf")
    assert site.asked == [("/papers/r%C3%A9sum%C3%A9.pdf?v=2", site.host)]


@pytest.mark.parametrize(
    ("path", "headers", "name"),
    [
        ("/x", {"Content-Disposition": 'attachment; filename="a b.pdf"'}, "a b.pdf"),
        ("/x", {"Content-Disposition": "attachment; filename*=UTF-8''%C3%A9t%C3%A9.pdf"}, "été.pdf"),
        ("/x", {"Content-Disposition": 'attachment; filename="../../etc/passwd.txt"'}, "passwd.txt"),
        (f"/Report-{'a' * 300}.pdf", {}, f"Report-{'a' * 189}.pdf"),
        ("/x", {"Content-Disposition": 'attachment; filename="C:\\\\temp\\\\a.pdf"'}, "a.pdf"),
        ("/download", {"Content-Type": "application/pdf"}, "download.pdf"),
        ("/a/b.html", {"Content-Type": "text/plain"}, "b.html"),
        ("/..%2F..%2Fsecret.txt", {}, "secret.txt"),
        ("/", {"Content-Type": "text/html"}, "127.0.0.1.html"),
    ],
)
def test_the_name_is_that_of_the_server_or_of_the_address(
    site: Site, into: Path, path: str, headers: dict[str, str], name: str
) -> None:
    site.pages[path] = page(b"...", headers)
    assert got(site.url(path), into, site.host).name == name


@given(st.text(max_size=60))
def test_the_name_of_any_fetched_file_is_one_part_of_a_path(said: str) -> None:
    header = (b"Content-Disposition", b"attachment; filename=" + said.encode("utf-8", "replace"))
    kind = (b"Content-Type", b"application/pdf")
    request = httpx2.Request("GET", "http://example.org/a")
    name = choose_file_name(httpx2.Response(200, headers=[header, kind], request=request))
    assert name == Path(name).name
    assert 0 < len(name) <= 210
    assert name.isprintable()


def test_redirects_are_followed_to_where_they_end(site: Site, into: Path) -> None:
    site.pages.update({"/a": redirect("/b"), "/b": redirect(site.url("/c.txt")), "/c.txt": page(b"here")})
    assert got(site.url("/a"), into, site.host).url == site.url("/c.txt")
    assert into.read_bytes() == b"here"


def test_a_circle_of_redirects_ends(site: Site, into: Path) -> None:
    site.pages.update({"/a": redirect("/b"), "/b": redirect("/a")})
    with pytest.raises(WebError, match="more than 5 times"):
        got(site.url("/a"), into, site.host)
    assert len(site.asked) == 6


@pytest.mark.parametrize("spelling", ["127.0.0.1", "localhost", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]"])
def test_a_redirect_to_this_machine_is_refused(site: Site, into: Path, spelling: str) -> None:
    with serving() as secret:
        site.pages["/a"] = redirect(f"http://{spelling}:{secret.port}/secret")
        with pytest.raises(Forbidden):
            got(site.url("/a"), into, site.host)
        assert secret.asked == []


@pytest.mark.parametrize(
    "target",
    [
        *("http://169.254.169.254/latest/meta-data/", "https://169.254.169.254/", "http://10.0.0.1/", "//[::1]/"),
        *("file:///etc/passwd", "ftp://example.org/a", "gopher://127.0.0.1:6379/_INFO", "http://a:b@8.8.8.8/"),
    ],
)
def test_a_redirect_to_where_nobody_may_go_is_refused(site: Site, into: Path, target: str) -> None:
    site.pages["/a"] = redirect(target)
    with pytest.raises(Forbidden) as caught:
        got(site.url("/a"), into, site.host)
    assert caught.value.hint
    assert not into.exists()


def test_this_machine_is_out_of_reach_without_an_exception(site: Site, into: Path) -> None:
    for url in (site.url("/"), "http://127.0.0.1/", "http://localhost:8080/"):
        with pytest.raises(Forbidden):
            got(url, into)
    assert site.asked == []


def test_the_connection_goes_to_the_address_that_was_checked(site: Site, into: Path) -> None:
    """Over a real socket: the name is looked up once, and a second answer would lead elsewhere."""
    answers = ["127.0.0.1", "127.0.0.2"]

    async def rebinding(host: str, port: int) -> list[str]:
        return [answers.pop(0)]

    site.pages["/a"] = page(b"here")
    settings = load_settings(web={"allow": [f"store.example:{site.port}"]})
    anyio.run(fetch, f"http://store.example:{site.port}/a", settings, into, DirectParser(), rebinding)
    assert site.asked == [("/a", f"store.example:{site.port}")]
    assert answers == ["127.0.0.2"]


def test_a_proxy_of_the_environment_is_no_way_around(site: Site, into: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving() as proxy:
        monkeypatch.setenv("HTTP_PROXY", proxy.url(""))
        monkeypatch.setenv("ALL_PROXY", proxy.url(""))
        site.pages["/a"] = page(b"here")
        got(site.url("/a"), into, site.host)
        assert (len(site.asked), proxy.asked) == (1, [])


def test_a_file_that_says_it_is_too_large_is_not_begun(site: Site, into: Path) -> None:
    def respond(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", "1000001")
        handler.end_headers()

    site.pages["/a"] = respond
    with pytest.raises(TooLarge, match="more than 1 MB"):
        got(site.url("/a"), into, site.host)
    assert not into.exists()


def test_an_endless_file_is_cut_off_at_the_limit(site: Site, into: Path) -> None:
    def endless() -> Iterator[bytes]:
        while True:
            yield b"x" * 65_536

    site.pages["/a"] = stream(endless)
    with pytest.raises(TooLarge, match="more than 1 MB"):
        got(site.url("/a"), into, site.host)
    assert into.stat().st_size <= 1_000_000


def test_a_packed_file_is_unpacked(site: Site, into: Path) -> None:
    for encoding, body in (("gzip", gzip.compress(b"word " * 999)), ("deflate", zlib.compress(b"word " * 999))):
        site.pages["/a"] = page(body, {"Content-Encoding": encoding})
        got(site.url("/a"), into, site.host)
        assert into.read_bytes() == b"word " * 999


def test_a_bomb_is_unpacked_no_further_than_the_limit(site: Site, into: Path) -> None:
    site.pages["/a"] = page(gzip.compress(bytes(50_000_000)), {"Content-Encoding": "gzip"})
    with pytest.raises(TooLarge):
        got(site.url("/a"), into, site.host)
    assert into.stat().st_size <= 1_000_000


@pytest.mark.parametrize(
    ("body", "encoding", "said"),
    [
        (b"no gzip", "gzip", "damaged"),
        (gzip.compress(bytes(range(256)) * 99)[:-20], "gzip", "is incomplete"),
        (b"...", "zstd", "zstd"),
    ],
)
def test_a_body_that_cannot_be_unpacked_is_an_error(
    site: Site, into: Path, body: bytes, encoding: str, said: str
) -> None:
    site.pages["/a"] = page(body, {"Content-Encoding": encoding})
    with pytest.raises(WebError, match=said):
        got(site.url("/a"), into, site.host)


def slow_body(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.end_headers()
    for _ in range(600):
        handler.wfile.write(b".")
        handler.wfile.flush()
        time.sleep(0.05)


def slow_headers(handler: BaseHTTPRequestHandler) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
    for number in range(600):
        handler.wfile.write(f"X-{number}: .\r\n".encode())
        handler.wfile.flush()
        time.sleep(0.05)


@pytest.mark.parametrize("respond", [slow_body, slow_headers])
def test_a_server_that_keeps_dribbling_is_left_when_the_time_is_over(site: Site, into: Path, respond: Any) -> None:
    site.pages["/a"] = respond
    with pytest.raises(WebError, match=r"0\.5 seconds") as caught:
        got(site.url("/a"), into, site.host, seconds=0.5)
    assert "web.seconds" in caught.value.hint


def test_a_server_that_says_nothing_is_left_when_the_time_is_over(into: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        host = f"127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(WebError, match=r"0\.3 seconds"):
            got(f"http://{host}/", into, host, seconds=0.3)


def test_a_server_that_is_not_there_or_hangs_up_is_said(into: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        host = f"127.0.0.1:{server.getsockname()[1]}"
        hang_up = threading.Thread(target=lambda: server.accept()[0].close())
        hang_up.start()
        with pytest.raises(WebError, match="could not be fetched"):
            got(f"http://{host}/", into, host)
        hang_up.join()
    with pytest.raises(WebError, match="could not be fetched") as caught:
        got(f"http://{host}/", into, host)
    assert caught.value.hint


@pytest.mark.parametrize(("status", "hint"), [(404, "address"), (403, "login"), (429, "Wait"), (500, "browser")])
def test_a_refusal_is_told_with_what_to_do(site: Site, into: Path, status: int, hint: str) -> None:
    site.pages["/a"] = page(b"no", status=status)
    with pytest.raises(WebError, match=f"answered {status}") as caught:
        got(site.url("/a"), into, site.host)
    assert hint in caught.value.hint
    assert not into.exists()


@pytest.mark.parametrize("url", ["http://１.２/", "http://[::1/", "http://a:b:c/"])
def test_a_text_that_is_no_address_is_refused_as_such(into: Path, url: str) -> None:
    with pytest.raises(Misuse, match="is not an address"):
        got(url, into)


@given(st.text(max_size=40))
def test_any_text_given_for_an_address_is_answered_with_sense(text: str) -> None:
    with pytest.raises((Misuse, WebError)):
        got(f"relative/{text}", Path("/nonexistent/file"))
