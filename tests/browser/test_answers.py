"""What a reader can do with a whole answer: find its doubtful sentences, its sources, its versions and its formulas."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser import papers
from tests.browser.conftest import Browse
from tests.browser.rooms import ask, complete, viewer
from tests.browser.running import Server
from tests.browser.staging import Script, Telling, cite, evidence_of
from tests.browser.words import like, say

QUESTION = "How did the year go?"
# How a sentence is drawn where colours are forced: its line, its frame and the icon after it.
DRAWN = """chip => {
  const { textDecorationLine, textDecorationStyle, outlineStyle } = getComputedStyle(chip.closest(".sentence"));
  return [textDecorationLine, textDecorationStyle, outlineStyle, chip.querySelector(".sign").innerHTML].join();
}"""


@pytest.fixture
def doubtful(browse: Browse, stage: Server, script: Script, tmp_path: Path) -> Page:
    """A page with an answer that has every verdict, and its source beside it."""
    document = stage.add(papers.accounts(tmp_path / "accounts.pdf"))
    closed, staff = cite(stage, document, 1, papers.CLOSED), cite(stage, document, 2, papers.STAFF)
    page, telling = browse(stage), Telling(script)
    script.tell(evidence_of(closed), evidence_of(staff))
    asked = ask(page, QUESTION)
    telling.say("", papers.STAFF, staff, support="verified", basis="quote")
    telling.say(" ", "Nine people joined it.", staff, support="partial", unsupported=["joined it"])
    telling.say(" ", "Bergen closed in May.", closed, support="contradicted", source=papers.CLOSED)
    telling.say(" ", "A buyer was found.", support="unsupported")
    telling.say(" ", "The lease was not renewed.", closed, support="unchecked")
    telling.end()
    complete(asked)
    expect(viewer(page).locator("[data-mark][data-chosen]").first).to_be_visible()
    page.keyboard.press("Escape")  # leaves the question
    return page


def test_keys_step_through_the_doubtful_sentences_alone(doubtful: Page) -> None:
    focused, card = doubtful.locator(".chip:focus"), doubtful.get_by_role("tooltip")
    for form in ("partial", "contradicted", "unsupported", "unchecked", "partial"):
        doubtful.keyboard.press("d")
        expect(focused).to_have_attribute("data-form", form)
        expect(card).to_contain_text(say(f"conversation.{form}"))
    doubtful.keyboard.press("Shift+D")
    doubtful.keyboard.press("Shift+D")
    doubtful.keyboard.press("Shift+D")
    expect(focused).to_have_attribute("data-form", "contradicted")
    expect(focused).to_have_attribute("data-chosen", "true")  # and the source shows what it says instead
    doubtful.keyboard.press("?")
    expect(doubtful.get_by_role("dialog")).to_contain_text(say("keys.doubtful"))
    expect(card).to_have_count(0)
    doubtful.keyboard.press("Escape")
    doubtful.get_by_role("button", name=like("conversation.summed.unsupported.one", n=1)).click()
    expect(focused).to_have_attribute("data-form", "unsupported")


def test_five_verdicts_have_five_forms_where_colours_are_forced(doubtful: Page) -> None:
    doubtful.emulate_media(forced_colors="active")
    drawn = [each.evaluate(DRAWN) for each in doubtful.locator("[data-answer] .chip").all()]
    assert len(set(drawn)) == len(drawn) == 5
    contradicted = doubtful.locator('.sentence[data-form="contradicted"]')
    assert contradicted.evaluate("each => getComputedStyle(each).outlineStyle") == "solid"
    expect(doubtful.locator("[data-answer] .says").first).to_contain_text(papers.CLOSED)
