"""The watch over every test sees what goes wrong: without it, the rest would promise less than it says."""

import time

from playwright.sync_api import Page

from tests.browser.conftest import Browse
from tests.browser.running import Server
from tests.browser.watching import Watch
from tests.clock import PATIENCE

WRONG = (
    ("setTimeout(() => { throw new Error('It broke.') })", "Uncaught: It broke."),
    ("console.error('It complains.')", "Console: It complains."),
    ("new Image().src = 'http://203.0.113.7/pixel.png'", "Content Security Policy"),
    ("fetch('/api/documents/none')", "404"),
    ("open('http://127.0.0.1:9/')", "A request left: http://127.0.0.1:9/"),
)


def test_whatever_a_page_does_wrong_is_seen(browse: Browse, scripted: Server, watches: dict[Page, Watch]) -> None:
    page = browse(scripted)
    watch = watches[page]
    for wrong, seen in WRONG:
        assert not any(seen in each for each in watch.left)
        page.evaluate(f"() => {{ {wrong} }}")
        ends = time.monotonic() + PATIENCE
        while not any(seen in each for each in watch.left):
            assert time.monotonic() < ends, watch.left
            page.wait_for_timeout(50)
    watch.expect("")
