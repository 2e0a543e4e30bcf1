"""From an address to something that can be read, with a browser or without."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest

from pincite.settings import load_settings
from pincite.web.browser_rendering import Renderer, find_missing
from pincite.web.fetch import Unchanged, Validators
from pincite.web.polite_client import PoliteClient
from pincite.web.readable_page import OpenedPage, open_page
from pincite.web.web_parser import DirectParser
from tests.sites import Site, cookie_wall, html, page, serving, shell

needs_browser = pytest.mark.skipif(
    bool(find_missing(load_settings())),
    reason="There is no Chromium here: `apt-get install chromium`, and rendering is tested too.",
)


@pytest.fixture
def site() -> Iterator[Site]:
    with serving() as made:
        yield made


def read(site: Site, path: str, into: Path, known: Validators | None = None, **web: Any) -> OpenedPage | Unchanged:
    settings = load_settings(web={"allow": [site.host], "pause_seconds": 0, **web})
    return anyio.run(
        lambda: open_page(
            site.url(path),
            into,
            PoliteClient(settings, DirectParser()),
            Renderer(settings),
            asked_for=True,
            known=known,
        )
    )


@needs_browser
def test_a_page_that_its_script_makes_is_read_as_the_script_leaves_it(site: Site, tmp_path: Path) -> None:
    site.pages["/a"] = shell
    found = read(site, "/a", tmp_path / "file")
    assert isinstance(found, OpenedPage)
    assert (found.emptiness, found.is_rendered, found.problem) == ("", True, "")
    assert "made by a script</div>" in (tmp_path / "file").read_text()
    # The version that a server gives is not that of the page as a browser made it.
    assert found.fetched.validators == Validators()
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


@pytest.mark.slow
@needs_browser
def test_a_page_that_a_browser_finds_empty_too_is_kept_as_it_came(site: Site, tmp_path: Path) -> None:
    site.pages["/a"] = html("<title>Just a moment...</title><script>document.body.append('x')</script>Wait.")
    found = read(site, "/a", tmp_path / "file")
    assert isinstance(found, OpenedPage)
    assert (found.emptiness, found.is_rendered) == ("blocked", False)
    assert (tmp_path / "file").read_text().endswith("Wait.")


def test_without_a_browser_the_shell_is_kept_and_it_is_said_what_is_missing(site: Site, tmp_path: Path) -> None:
    site.pages["/a"] = shell
    found = read(site, "/a", tmp_path / "file", render=False)
    assert isinstance(found, OpenedPage)
    assert (found.emptiness, found.is_rendered) == ("script", False)
    assert "needs a browser" in found.problem
    assert "<div id=root></div>" in (tmp_path / "file").read_text()


def test_a_wall_of_cookies_is_told_from_a_page(site: Site, tmp_path: Path) -> None:
    site.pages["/a"] = cookie_wall
    found = read(site, "/a", tmp_path / "file", render=False)
    assert isinstance(found, OpenedPage)
    assert found.emptiness == "consent"


def test_a_page_readable_as_it_came_needs_no_browser(site: Site, tmp_path: Path) -> None:
    site.pages.update({"/a": html("<p>Words."), "/b": page(b"%PDF-1.4", {"Content-Type": "application/pdf"})})
    for path in ("/a", "/b"):
        found = read(site, path, tmp_path / "file")
        assert isinstance(found, OpenedPage)
        assert (found.emptiness, found.is_rendered) == ("", False)
    assert site.paths == ["/a", "/b"]


def test_a_page_that_has_not_changed_is_not_opened_again(site: Site, tmp_path: Path) -> None:
    site.pages["/a"] = page(b"", status=304)
    assert isinstance(read(site, "/a", tmp_path / "file", Validators('"v1"')), Unchanged)
