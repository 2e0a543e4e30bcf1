"""Pages that need JavaScript, in a real browser that can reach nobody by itself."""

import importlib.util
import shutil
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest

from pincite.errors import Unavailable, WebError
from pincite.settings import load_settings
from pincite.web.browser_rendering import Renderer, find_missing
from pincite.web.fetch import Fetched
from tests.sites import Site, html, page, redirect, serving
from tests.thorough import keep_some

needs_browser = pytest.mark.skipif(
    bool(find_missing(load_settings())),
    reason="There is no Chromium here: `apt-get install chromium`, and rendering is tested too.",
)
WRITE = "<body><div id=root></div><script>document.getElementById('root').textContent = {}</script></body>"


@pytest.fixture
def site() -> Iterator[Site]:
    with serving() as made:
        yield made


@pytest.fixture
def into(tmp_path: Path) -> Path:
    return tmp_path / "file"


def rendered(site: Site, path: str, into: Path, **web: Any) -> Fetched:
    renderer = Renderer(load_settings(web={"allow": [site.host], **web}))
    return anyio.run(renderer.render, site.url(path), into)


@needs_browser
def test_a_page_is_read_as_its_scripts_leave_it(site: Site, into: Path) -> None:
    site.pages["/a/page"] = html(
        "<body><div id=root></div><script src=app.js></script><script>localStorage.x = 1</script></body>"
    )
    site.pages["/a/app.js"] = page(
        b"fetch('data.json').then(r => r.json()).then(d => document.getElementById('root').textContent = d.text)",
        {"Content-Type": "text/javascript"},
    )
    site.pages["/a/data.json"] = page('{"text": "Été à Rome"}'.encode(), {"Content-Type": "application/json"})
    found = rendered(site, "/a/page", into)
    assert "Été à Rome" in into.read_text(encoding="utf-8")
    assert (found.url, found.content_type, found.status) == (site.url("/a/page"), "text/html", 200)
    assert all("pincite" in headers["user-agent"].lower() for headers in site.headers)


@pytest.mark.slow
@needs_browser
def test_redirects_of_the_server_and_of_a_script_are_followed_to_where_the_page_is(site: Site, into: Path) -> None:
    site.pages.update(
        {
            "/a": redirect("/deep/b"),
            "/deep/b": html("<script>location.replace('c')</script>"),
            "/deep/c": html("<body><script src=c.js></script></body>"),
            "/deep/c.js": page(b"document.body.append('arrived')", {"Content-Type": "text/javascript"}),
        }
    )
    found = rendered(site, "/a", into)
    assert "arrived" in into.read_text()
    assert found.url == site.url("/deep/c")


TRAPS = """<section><p class=told>nothing came</p>
<img src="{0}/img"><iframe src="{0}/frame" name="f{1}"></iframe><link rel=stylesheet href="{0}/style">
<link rel=prefetch href="{0}/prefetch"><link rel=preconnect href="{0}"><link rel=dns-prefetch href="{0}">
<video src="{0}/video"></video><object data="{0}/object"></object><embed src="{0}/embed">
<script src="{0}/script"></script>
<script>{{
  const told = document.currentScript.parentElement.querySelector('.told');
  fetch('{0}/fetch', {{mode: 'no-cors'}}).catch(() => told.dataset.fetch = 'refused');
  fetch('/bounce?{0}').catch(() => told.dataset.bounce = 'refused');
  const asked = new XMLHttpRequest(); asked.open('GET', '{0}/xhr'); asked.send();
  navigator.sendBeacon('{0}/beacon', 'x');
  new EventSource('{0}/events');
  new WebSocket('{0}/socket'.replace('http', 'ws')).onopen = () => told.textContent = 'open';
  new Worker(URL.createObjectURL(new Blob(["fetch('{0}/worker')"])));
  navigator.serviceWorker.register('/sw.js').catch(() => 0);
  window.open('{0}/popup');
  const form = document.createElement('form'); form.action = '{0}/form'; form.target = 'f{1}'; form.method = 'post';
  document.body.append(form); form.submit();
  const peer = new RTCPeerConnection({{iceServers: [{{urls: '{0}'.replace('http://', 'stun:')}}]}});
  peer.createDataChannel('x');
  peer.createOffer().then(offer => peer.setLocalDescription(offer));
  try {{ new WebTransport('{0}/'.replace('http', 'https')); }} catch (error) {{ told.dataset.transport = error; }}
  told.dataset.end = 'reached';
}}</script></section>"""
SPELLINGS = ("127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "2130706433")


@needs_browser
def test_no_request_of_a_page_reaches_this_machine(site: Site, into: Path) -> None:
    """The page tries to reach this machine by several names: over HTTP, sockets, datagrams and a redirect."""
    with serving() as secret, socket.socket(type=socket.SOCK_DGRAM) as datagrams:
        datagrams.bind(("127.0.0.1", secret.port))
        datagrams.setblocking(False)
        names = [f"http://{spelling}:{secret.port}" for spelling in SPELLINGS]
        traps = "".join(TRAPS.format(name, number) for number, name in enumerate(names))
        site.pages["/a"] = html(f"<!doctype html><body>{traps}</body>")
        site.pages.update({f"/bounce?{name}": redirect(f"{name}/bounced") for name in names})
        rendered(site, "/a", into)
        text = into.read_text()
        for tried in ("nothing came", 'data-fetch="refused"', 'data-bounce="refused"', 'data-end="reached"'):
            assert text.count(tried) == len(names)
        assert "data-transport" not in text
        assert [path for path in site.paths if path.startswith("/bounce")]
        assert (secret.asked, secret.connections) == ([], [])
        with pytest.raises(BlockingIOError):
            datagrams.recv(1)


@pytest.mark.slow
@needs_browser
def test_a_page_that_goes_inside_by_itself_is_not_followed(site: Site, into: Path) -> None:
    with serving() as secret:
        secret.pages["/"] = html("secret")
        site.pages["/a"] = html(f"<script>location = 'http://127.0.0.1:{secret.port}/'</script>")
        try:
            rendered(site, "/a", into)
            assert "secret" not in into.read_text()
        except WebError:
            assert not into.exists()
        assert secret.asked == []


@pytest.mark.slow
@needs_browser
def test_a_script_without_end_is_left_when_the_time_is_over(site: Site, into: Path) -> None:
    site.pages["/a"] = html("<p>x</p><script>setTimeout(() => { while (true); }, 50)</script>")
    with pytest.raises(WebError, match="seconds"):
        rendered(site, "/a", into, seconds=5)


@pytest.mark.slow
@needs_browser
def test_a_file_that_is_no_page_is_not_opened(site: Site, into: Path) -> None:
    site.pages["/a"] = page(b"%PDF-1.4", {"Content-Type": "application/pdf"})
    with pytest.raises(WebError, match="a file, not a page"):
        rendered(site, "/a", into)


@needs_browser
@pytest.mark.parametrize(
    "url", keep_some(["http://169.254.169.254/", "http://localhost:8000/", "file:///etc/passwd"], one_in=3)
)
def test_an_address_inside_is_not_opened(into: Path, url: str) -> None:
    with pytest.raises(WebError) as caught:
        anyio.run(Renderer(load_settings()).render, url, into)
    assert caught.value.hint
    assert not into.exists()


def test_without_a_browser_it_is_said_what_to_install(into: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(**web: Any) -> Unavailable:
        with pytest.raises(Unavailable) as caught:
            anyio.run(Renderer(load_settings(web=web)).render, "https://example.org/", into)
        return caught.value

    assert "web.render is off" in refused(render=False).message
    missing = refused(browser="/no/such/chromium")
    assert "no Chromium" in missing.message
    assert "pincite[browser]" in missing.hint
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert "not installed" in refused().message
    monkeypatch.undo()
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert "no Chromium" in refused().message
