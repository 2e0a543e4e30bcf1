"""Measure the way of a newcomer from an empty folder to the first cited answer: clicks and seconds.

    python benchmarks/first_sight.py [--setup]

A server is started on an empty data folder. A browser opens its page, presses the button of the sample, presses the
first suggested question, and waits until the answer is complete and the cited words are lit in the source. With
`--setup` the repository is cloned first and set up as `make serve` does it: the packages of Python and of the page are
installed, and the page is built. How long that takes depends on the network.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from playwright.sync_api import Page
from tests.browser.chrome import chromium
from tests.program import serving

from pincite.evaluate.machine_info import describe_machine

_ROOT = Path(__file__).parent.parent
_WAIT = 120_000  # ms
_QUESTION = ".card-questions button, .suggestions button"


class Clicker:
    """Clicks in a page, and counts the clicks."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self.clicks = 0

    def click(self, selector: str) -> None:
        self._page.locator(selector).first.click(timeout=_WAIT)
        self.clicks += 1


def set_up(folder: Path) -> None:
    """Clone the repository and set it up, as `make serve` does before it starts the server."""
    subprocess.run(["git", "clone", "--quiet", _ROOT, folder], check=True)
    subprocess.run(["make", "--silent", "setup"], cwd=folder, check=True, stdout=subprocess.DEVNULL)


def answer_first_question(address: str) -> tuple[int, dict[str, float]]:
    """Return the clicks until the first cited answer, and the seconds until each thing was seen."""
    seen: dict[str, float] = {}
    with chromium() as browser, browser.new_context(viewport={"width": 1440, "height": 900}) as context:
        page = context.new_page()
        begun = time.perf_counter()

        def note(name: str) -> None:
            seen[name] = time.perf_counter() - begun

        page.goto(address)
        page.locator("#ask").wait_for(timeout=_WAIT)
        note("question box")
        clicker = Clicker(page)
        clicker.click(".sample button")
        page.locator(_QUESTION).first.wait_for(timeout=_WAIT)
        note("suggested questions")
        clicker.click(_QUESTION)
        page.locator("article[data-state=done]").first.wait_for(timeout=_WAIT)
        note("cited answer")
        page.locator("aside.viewer mark").first.wait_for(timeout=_WAIT)
        note("source lit")
    return clicker.clicks, seen


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--setup", action="store_true", help="clone the repository and set it up first")
    given = parser.parse_args()
    print(describe_machine())
    with tempfile.TemporaryDirectory() as folder:
        if given.setup:
            begun = time.perf_counter()
            set_up(Path(folder) / "clone")
            print(f"clone and set-up: {time.perf_counter() - begun:.0f} s")
        begun = time.perf_counter()
        with serving(Path(folder) / "data") as address:
            print(f"server ready: {time.perf_counter() - begun:.1f} s")
            clicks, seen = answer_first_question(address)
    for name, seconds in seen.items():
        print(f"{name}: {seconds:.1f} s")
    print(f"clicks: {clicks}")


if __name__ == "__main__":
    main()
