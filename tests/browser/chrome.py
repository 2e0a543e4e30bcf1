"""A real browser: Debian's Chromium, without a window and without a word to anybody outside."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Playwright, sync_playwright

PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
# Chromium without the parts that draw its window: the tests take a quarter less processor time. Not every Linux has it.
WINDOWLESS = shutil.which("chromium-headless-shell") or PROGRAM
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
    """The Chromium that people use, until the block ends."""
    with sync_playwright() as playwright, _launched(playwright, PROGRAM, *arguments) as browser:
        yield browser


@contextmanager
def launch_chromium(playwright: Playwright) -> Iterator[Browser]:
    """Open the Chromium of the tests until the block ends."""
    with _launched(playwright, WINDOWLESS) as browser:
        yield browser


@contextmanager
def _launched(playwright: Playwright, program: str | None, *arguments: str) -> Iterator[Browser]:
    browser = playwright.chromium.launch(executable_path=program, args=[*_SILENT, *arguments])
    yield browser
    browser.close()
