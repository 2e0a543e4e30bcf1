"""The web at the terminal: searched, read, cited from our own copy, and stopped when a person has had enough."""

import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests import program, sites
from tests.cli.conftest import Ran
from tests.clock import PATIENCE
from tests.sites import Site

Pincite = Callable[..., Ran]
QUESTION = "How high is the dam of Tignes?"
PAGE = """<html><head><title>Dams of France</title></head><body><article><h1>Dams of France</h1>
<p>The highest dam in France is Tignes: the dam of Tignes is 180 metres high. It was completed in 1952.</p>
<p>The dam of Serre-Ponçon is 123 metres high and holds more than a cubic kilometre of water.</p>
</article></body></html>
"""


@pytest.fixture
def site() -> Iterator[Site]:
    with sites.serving() as site:
        site.pages["/dams"] = sites.html(PAGE)
        site.pages["/search"] = sites.searxng({"url": site.url("/dams"), "title": "Dams of France"})
        yield site


@pytest.fixture
def searched(site: Site, monkeypatch: pytest.MonkeyPatch) -> Site:
    """A web that can be searched, and read on this machine."""
    monkeypatch.setenv("PINCITE_WEB__SEARCH_URL", site.url("/"))
    monkeypatch.setenv("PINCITE_WEB__ALLOW", f'["{site.host}"]')
    monkeypatch.setenv("PINCITE_WEB__PAUSE_SECONDS", "0")
    return site


def test_an_answer_from_the_web_shows_the_address_and_the_day_and_opens_our_copy(
    pincite: Pincite, searched: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    ran = pincite("ask", QUESTION, "--focus", "web", "--open", "1")
    assert ran.status == 0, ran.said
    assert "180 metres high" in ran.out
    assert any(line.startswith(f"[1] {searched.url('/dams')}, as it was on 20") for line in ran.out.splitlines())
    searched.pages["/dams"] = sites.missing
    copy = Path(ran.said.splitlines()[-1].removeprefix("Source 1 is shown in ")).read_text(encoding="utf-8")
    assert '<mark id="quote">' in copy
    assert "This is our copy, as the page was on 20" in copy
    assert f'href="{searched.url("/dams")}#:~:text=' in copy


def test_a_conversation_that_was_had_shows_the_same(pincite: Pincite, searched: Site) -> None:
    said = pincite("ask", QUESTION, "--focus", "web", "--conversation", "new").out
    shown = pincite("conversations", "show", "last").out
    address = f"{searched.url('/dams')}, as it was on 20"
    assert f"[1] {address}" in said
    assert f"    {address}" in shown


def test_without_a_search_engine_the_hint_names_the_setting(pincite: Pincite) -> None:
    ran = pincite("ask", QUESTION, "--focus", "web")
    assert (ran.status, ran.out) == (2, "")
    assert "web.search_url" in ran.said


def test_an_unanswered_web_question_is_no_reason_to_add_documents(pincite: Pincite, searched: Site) -> None:
    searched.pages["/search"] = sites.searxng()
    ran = pincite("ask", QUESTION, "--focus", "web")
    assert ran.status == 1
    assert "pincite add" not in ran.said


@pytest.mark.slow
def test_a_search_can_be_stopped_while_a_page_comes_and_nothing_of_it_stays(site: Site, tmp_path: Path) -> None:
    site.pages["/slow"] = sites.dripping
    settings = {"WEB__ALLOW": f'["{site.host}"]', "EMBEDDING__PROVIDER": "none", "WEB__SECONDS": "600"}
    asked = program.start("ask", f"What does {site.url('/slow')} say?", data=tmp_path / "data", **settings)
    while "/slow" not in site.paths:
        assert asked.poll() is None, asked.communicate()
        time.sleep(0.05)
    asked.send_signal(signal.SIGINT)
    out, said = asked.communicate(timeout=PATIENCE)
    assert asked.returncode == 1, said  # the search alone was stopped, and nothing had been found
    assert "The search was stopped" in said
    assert "Traceback" not in said + out
    assert left(tmp_path / "data") == []


def left(data: Path) -> list[str]:
    """The processes that still work in a data folder, which their surroundings name."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if f"PINCITE_DATA={data}".encode() in (process / "environ").read_bytes():
                found.append((process / "cmdline").read_text())
        except OSError:
            pass  # it ended meanwhile, or is another's
    return found
