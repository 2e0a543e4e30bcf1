"""A real browser: Debian's Chromium, without a window and without a word to anybody outside."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Playwright, sync_playwright

PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
MISSING = "There is no Chromium here: `apt-get install chromium`, and the page is tested too."
_SILENT = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


@contextmanager
def chromium(*arguments: str) -> Iterator[Browser]:
    """A browser, until the block ends."""
    with sync_playwright() as playwright, launch_chromium(playwright, *arguments) as browser:
        yield browser


@contextmanager
def launch_chromium(playwright: Playwright, *arguments: str) -> Iterator[Browser]:
    """Open Chromium until the block ends."""
    browser = playwright.chromium.launch(executable_path=PROGRAM, args=[*_SILENT, *arguments])
    yield browser
    browser.close()
