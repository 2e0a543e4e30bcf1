"""Render pages that need JavaScript in a headless browser, whose requests all pass the guard."""

import importlib.util
import logging
import os
import shutil
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import anyio
import anyio.to_thread

from pincite.errors import Forbidden, TooLarge, Unavailable, WebError
from pincite.web.browser_relay import Relay
from pincite.web.fetch import HEADERS, Fetched, make_client, translate_errors
from pincite.web.guard import Resolve, resolve_host

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page

    from pincite.settings import Settings

log = logging.getLogger(__name__)

_LONGEST = 45.0  # seconds for one page
_SETTLING = 6.0  # of them, seconds to wait for requests after the page has loaded
_CLOSING = 10.0
_PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_INSTALL = "Install both: `pip install 'pincite[browser]'`, and Chromium (`apt-get install chromium`)."
# The browser has no network: host names do not resolve, its proxy does not exist, and the features that bypass both are
# off.
_ARGUMENTS = (
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",  # the former name of the option
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--mute-audio",
    "--no-first-run",
    "--renderer-process-limit=2",
    "--js-flags=--max-old-space-size=512",
)


def find_missing(settings: "Settings") -> str:
    """Return what is missing to render pages that need JavaScript; "" if nothing is."""
    if not settings.web.render:
        return "web.render is off"
    if importlib.util.find_spec("playwright") is None:
        return "the extra pincite[browser] is not installed"
    return "" if _find_browser(settings) else "there is no Chromium"


class Renderer:
    """A headless browser that renders one page at a time, each in a fresh profile."""

    def __init__(self, settings: "Settings", look_up: Resolve = resolve_host) -> None:
        self._settings = settings
        self._look_up = look_up
        self._room: anyio.Semaphore | None = None

    async def render(self, url: str, into: Path) -> Fetched:
        """Write the HTML of a page after its scripts have run into a file. The caller removes the file."""
        if missing := find_missing(self._settings):
            raise Unavailable(f"This page needs a browser, and {missing}.", _INSTALL, "not_installed")
        from playwright.async_api import Error

        seconds = min(_LONGEST, self._settings.web.seconds)
        self._room = self._room or anyio.Semaphore(1)
        async with self._room:
            try:
                with translate_errors(url, seconds), anyio.fail_after(seconds):
                    return await self._render_page(url, into)
            except Error as error:
                log.info("A browser could not read %s: %s", url, error.message)
                raise WebError(f"A browser could not read {url}.", "Look for another page about it.") from None

    async def _render_page(self, url: str, into: Path) -> Fetched:
        from playwright.async_api import Error

        async with (
            make_client(self._settings, self._look_up) as asking,
            _open_browser(_find_browser(self._settings), into.parent) as browser,
        ):
            context = await browser.new_context(
                user_agent=HEADERS["User-Agent"], accept_downloads=False, service_workers="block"
            )
            relay = Relay(asking)
            await context.route("**/*", relay)
            await context.route_web_socket("**/*", lambda socket: socket.close())
            page = await context.new_page()
            context.on("page", lambda other: other.close())
            try:
                response = await page.goto(url, wait_until="domcontentloaded", timeout=0)
            except Error:
                if relay.refusal:
                    raise relay.refusal from None
                raise
            await _wait_until_idle(page)
            html, status = await page.content(), response.status if response else 200
            if not page.url.startswith(("http://", "https://")):
                raise Forbidden(f"{url} leads to an address that is not http or https.", "Use http or https.")
            data = html.encode("utf-8", "replace")
            if len(data) > self._settings.web.max_page_mb * 1_000_000:
                raise TooLarge(
                    f"The page at {url} has more than {self._settings.web.max_page_mb} MB.",
                    "Raise web.max_page_mb in the settings.",
                )
            await anyio.to_thread.run_sync(into.write_bytes, data)
            return Fetched(into, "page.html", page.url, "text/html", status, fetched=time.time())


@asynccontextmanager
async def _open_browser(program: str, folder: Path) -> AsyncIterator["Browser"]:
    """Start a browser without a profile, our environment variables or a network; its home is in the folder."""
    from playwright.async_api import async_playwright

    playwright = await async_playwright().start()
    try:
        with TemporaryDirectory(prefix="browser-", dir=folder, ignore_cleanup_errors=True) as home:
            browser = await playwright.chromium.launch(
                executable_path=program,
                args=_ARGUMENTS,
                proxy={"server": "http://nowhere.invalid:9", "bypass": "<-loopback>"},
                env={"PATH": os.environ.get("PATH", ""), "HOME": home},
                chromium_sandbox=os.geteuid() != 0,  # Chromium refuses its sandbox to root
            )
            try:
                yield browser
            finally:
                with anyio.move_on_after(_CLOSING, shield=True):
                    await browser.close()
    finally:
        with anyio.move_on_after(_CLOSING, shield=True):
            await playwright.stop()


async def _wait_until_idle(page: "Page") -> None:
    """Wait until a page makes no more requests, or until the time is up."""
    from playwright.async_api import TimeoutError as TookTooLong

    try:
        await page.wait_for_load_state("networkidle", timeout=_SETTLING * 1000)
    except TookTooLong:
        pass


def _find_browser(settings: "Settings") -> str:
    if settings.web.browser:
        return shutil.which(settings.web.browser) or ""
    return next((found for name in _PROGRAMS if (found := shutil.which(name))), "")
