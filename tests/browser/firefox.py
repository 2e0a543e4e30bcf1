"""A real Firefox: Debian's, without a window, driven by the same Playwright as Chromium."""

import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Playwright

from tests.browser import firefox_relay

PROGRAM = shutil.which("firefox-esr") or shutil.which("firefox")
MISSING = "There is no Firefox here: `apt-get install firefox-esr`, and the page is tested in it too."
# Playwright fills a field by assigning its value, unseen by React. This inserts the text as typing does.
INSERT_TEXT = """Object.defineProperty(window, "__pw_bidiInsertText", {
  get: () => (text) => void document.execCommand("insertText", false, text),
  set: () => {},
})"""
# Playwright cannot set these for one page of this Firefox, so they are set for all pages: less motion, and the typeface
# that it gives to Chromium.
_PREFERENCES: dict[str, str | float | bool] = {
    "ui.prefersReducedMotion": 1,
    "font.name.sans-serif.x-western": "Arial",
}


@contextmanager
def launch_firefox(playwright: Playwright) -> Iterator[Browser]:
    """Open Firefox until the block ends."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "firefox"
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{firefox_relay.__file__}" "{PROGRAM}" "$@"\n')
        program.chmod(0o700)
        browser = playwright.firefox.launch(
            channel="moz-firefox", executable_path=program, firefox_user_prefs=_PREFERENCES
        )
        yield browser
        browser.close()
