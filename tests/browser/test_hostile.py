"""Documents and answers that mean harm: nothing of them runs, nothing is fetched, all of it is text."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser import papers
from tests.browser.conftest import Browse
from tests.browser.rooms import arrive, ask, complete, exchange, viewer
from tests.browser.running import Server
from tests.browser.speaking import Speaker
from tests.browser.words import say

IMAGE = '<img src=x onerror="window.ran=1">'
SCRIPT = "<script>window.ran=2</script>"
OVERRIDE = "\u202egnp.elif\u202c"
LONG = "w" * 10_000
TITLE = f"{IMAGE}{SCRIPT}{OVERRIDE}"
ANSWER = f"""It says {IMAGE} and {SCRIPT} and <a href="javascript:window.ran=3">a</a>.

[press](javascript:window.ran=4) [me](JaVaScRiPt&colon;window.ran=5) [too](data:text/html,<script>window.ran=6</script>)
![pixel](http://203.0.113.7/pixel.png) ![own](/api/settings) <http://203.0.113.7/>

[1]: javascript:window.ran=7

See [1] and [1][1] and {OVERRIDE} and {LONG}.

```html
{SCRIPT}
```
"""


@pytest.fixture
def hostile(scripted: Server, tmp_path: Path) -> str:
    """A document whose title and words mean harm."""
    words = ("The harbour of Florø was built in 1901.", IMAGE, SCRIPT, "[press](javascript:window.ran=8)", "w" * 300)
    return scripted.add(papers.titled(tmp_path / "hostile.pdf", TITLE, *words))


def assert_harmless(page: Page) -> None:
    """Nothing ran, nothing can be pressed that would run, no picture but ours is there, and the page is not torn."""
    assert page.evaluate("window.ran") is None
    assert page.locator("a[href^='javascript' i], a[href^='data' i], iframe, object, embed").count() == 0
    assert page.locator("img:not([src='/icon.svg'])").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_a_hostile_answer_is_shown_as_text(browse: Browse, scripted: Server, speaker: Speaker, hostile: str) -> None:
    page = browse(scripted)
    speaker.will(*(ANSWER[at : at + 7] for at in range(0, 700, 7)), ANSWER[700:], looking_for="harbour built")
    question = "When was the harbour built?"
    ask(page, question)
    for _ in range(2):
        answered = complete(exchange(page, question))
        expect(answered).to_contain_text(IMAGE)
        expect(answered).to_contain_text(SCRIPT)
        assert_harmless(page)
        page.reload()


def test_a_hostile_title_and_text_are_shown_as_text_in_every_room(
    browse: Browse, scripted: Server, hostile: str
) -> None:
    conversation = scripted.ask("When was the harbour of Florø built?", hostile, chatModel="extractive")
    page = browse(scripted)
    for path in ("/", "/library", "/conversations", f"/c/{conversation}", f"/d/{hostile}"):
        arrive(page, path)
        if path in ("/library", f"/d/{hostile}"):
            expect(page.get_by_text(IMAGE).first).to_be_visible()
        if path.startswith("/c/"):
            expect(viewer(page)).to_contain_text(IMAGE)
        assert_harmless(page)


def test_a_hostile_question_and_name_are_shown_as_text(browse: Browse, scripted: Server, speaker: Speaker) -> None:
    page = browse(scripted)
    speaker.will("I will not.")
    complete(ask(page, f"{IMAGE} {SCRIPT}"))
    page.goto("/conversations")
    expect(page.get_by_role("main").get_by_role("link", name=f"{IMAGE} {SCRIPT}")).to_be_visible()
    assert_harmless(page)


def test_a_hostile_page_of_the_web_is_shown_as_clean_text(browse: Browse, scripted: Server, tmp_path: Path) -> None:
    made = tmp_path / "trap.html"
    body = f"<h1>Trap</h1><p>Before. &lt;img src=x onerror=window.ran=9&gt; After.</p>{IMAGE}{SCRIPT}"
    made.write_text(f"<html><body>{body}<p>{'Some more words of this page. ' * 20}</p></body></html>", "utf-8")
    page = browse(scripted, f"/d/{scripted.add(made)}")
    expect(page.get_by_text("<img src=x onerror=window.ran=9>")).to_be_visible()
    expect(page.get_by_label(say("viewer.text"))).to_be_visible()
    assert_harmless(page)
