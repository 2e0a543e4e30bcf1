"""A real browser before the real program. Servers, browser and documents are made once for each process of a run."""

import json
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Playwright, expect, sync_playwright

import pincite.server
from tests import sites
from tests.browser import chrome, firefox
from tests.browser.running import Server
from tests.browser.speaking import Speaker, speaking
from tests.browser.staging import Script, staged
from tests.browser.teams import TeamServer, open_team
from tests.browser.watching import Watch, watching
from tests.clock import PATIENCE
from tests.sites import Site

# Read before the variables of the developer are forgotten: a page that was built elsewhere may be tried.
PAGE_FOLDER = os.environ.get("PINCITE_SERVER__PAGE", "")
# A busy machine is no failure.
expect.set_options(timeout=1000 * PATIENCE)

Browse = Callable[..., Page]
# For what a reader relies on in any browser. Without it a test runs in Chromium, or in all of $TEST_BROWSER. The quick
# run tries Firefox in a few of them.
_FIREFOX = pytest.param("firefox", marks=pytest.mark.slow)
in_both_browsers = pytest.mark.parametrize("browser", ["chromium", _FIREFOX], indirect=True)
in_both_browsers_at_once = pytest.mark.parametrize("browser", ["chromium", "firefox"], indirect=True)
WIDE = {"width": 1440, "height": 900}


def _require(program: str | None, missing: str) -> None:
    folder = Path(PAGE_FOLDER or Path(pincite.server.__file__).parent / "page")
    if not program:
        pytest.skip(f"THE PAGE IS NOT TESTED. {missing}")
    if not (folder / "index.html").is_file():
        pytest.skip("THE PAGE IS NOT TESTED. It is not built here: `make page` builds it.")


@pytest.fixture(scope="session")
def _playwright() -> Iterator[Playwright]:
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def _chromium(_playwright: Playwright) -> Iterator[Browser]:
    _require(chrome.WINDOWLESS, chrome.MISSING)
    with chrome.launch_chromium(_playwright) as browser:
        yield browser


@pytest.fixture(scope="session")
def _firefox(_playwright: Playwright) -> Iterator[Browser]:
    _require(firefox.PROGRAM, firefox.MISSING)
    with firefox.launch_firefox(_playwright) as browser:
        yield browser


@pytest.fixture
def browser(request: pytest.FixtureRequest) -> Browser:
    """The browser of a test, one for all tests of a process: Chromium, or what `in_both_browsers` says."""
    name = getattr(request, "param", os.environ.get("TEST_BROWSER", "chromium"))
    found: Browser = request.getfixturevalue(f"_{name}")
    return found


@pytest.fixture(scope="session")
def server(models: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The program as it comes: the built-in embedding model, and `extractive`."""
    data = tmp_path_factory.mktemp("server")
    (data / "models").symlink_to(models)
    started = start_server(data)
    yield started
    started.stop()


@pytest.fixture(scope="session")
def _speaker() -> Iterator[Speaker]:
    with speaking() as speaker:
        yield speaker


@pytest.fixture(scope="session")
def _scripted(_speaker: Speaker, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    started = start_server(tmp_path_factory.mktemp("scripted"), EMBEDDING__PROVIDER="none", **_speaker.settings)
    yield started
    started.stop()


@pytest.fixture
def speaker(_speaker: Speaker) -> Iterator[Speaker]:
    """The model of the scripted server; whatever it is saying at the end of the test is broken off."""
    _speaker.forget()
    yield _speaker
    _speaker.forget()


@pytest.fixture
def scripted(_scripted: Server, speaker: Speaker) -> Server:
    """The program with a model that says what the test tells it, over documents that are found by words alone."""
    if not _scripted.is_running:
        _scripted.start()  # a test that kills it may have failed before it could bring it back
    return _scripted


@pytest.fixture(scope="session")
def _staged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Script]]:
    script = Script()
    with staged(tmp_path_factory.mktemp("staged"), script, PAGE_FOLDER) as server:
        yield server, script


@pytest.fixture
def script(_staged: tuple[Server, Script]) -> Script:
    """The answers of the staged server."""
    return _staged[1]


@pytest.fixture
def stage(_staged: tuple[Server, Script]) -> Server:
    """The program with answers that the test tells, event by event."""
    return _staged[0]


@pytest.fixture(scope="session")
def outside() -> Iterator[Site]:
    """A small web over real HTTP: the pages that a test puts there, and the search engine that finds them."""
    with sites.serving() as site:
        yield site


@pytest.fixture(scope="session")
def abroad(outside: Site, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The program with a search engine, `extractive`, documents that are found by words, and that web alone."""
    web = {"WEB__SEARCH_URL": f"http://{outside.host}", "WEB__ALLOW": json.dumps([outside.host])}
    manners = {"WEB__PAUSE_SECONDS": "0", "WEB__RENDER": "false"}
    started = start_server(tmp_path_factory.mktemp("abroad"), EMBEDDING__PROVIDER="none", **web, **manners)
    yield started
    started.stop()


@pytest.fixture(scope="session")
def team(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TeamServer]:
    """The program in team mode, with `extractive`, its first owner, and guests."""
    with open_team(tmp_path_factory.mktemp("team"), start_server, ACCOUNTS__GUESTS="true") as opened:
        yield opened


def start_server(data: Path, **settings: str) -> Server:
    """Start the program over a data folder, with the page that is tested."""
    if PAGE_FOLDER:
        settings["SERVER__PAGE"] = PAGE_FOLDER
    made = Server(data, settings)
    made.start()
    return made


@pytest.fixture
def browse(browser: Browser, watches: dict[Page, Watch]) -> Iterator[Browse]:
    """Opens a browser of its own on a server: `browse(server, "/library", locale="fr-FR")`."""
    with ExitStack() as opened:

        def open_page(server: Server, path: str = "/", **options: Any) -> Page:
            usual = {"viewport": WIDE, "locale": "en-US", "reduced_motion": "reduce", "base_url": server.address}
            context = opened.enter_context(browser.new_context(**{**usual, **options}))
            context.set_default_timeout(1000 * PATIENCE)
            if browser.browser_type.name == "firefox":
                context.add_init_script(firefox.INSERT_TEXT)
            watch = opened.enter_context(watching(context, server.address))
            page = context.new_page()
            watches[page] = watch
            page.goto(path)
            return page

        yield open_page


@pytest.fixture
def watches() -> dict[Page, Watch]:
    """The faults and the requests of each page that was opened."""
    return {}
