"""A finished answer can be asked again in other words, rated, and copied."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser import papers
from tests.browser.conftest import Browse, in_both_browsers
from tests.browser.geometry import assert_lit
from tests.browser.rooms import ask, chips, complete, exchange, shown_for_a_moment, viewer
from tests.browser.running import Server
from tests.browser.speaking import Speaker
from tests.browser.words import say

QUESTION = "How long is the notice period?"


@pytest.fixture
def answered(browse: Browse, scripted: Server, speaker: Speaker, tmp_path: Path) -> Page:
    """A page with one question and its answer, which may use the clipboard."""
    lease = scripted.add(papers.lease(tmp_path / "lease-0.pdf"))
    conversation = scripted.ask(QUESTION, lease, chatModel="extractive")
    page = browse(scripted, f"/c/{conversation}", permissions=["clipboard-read", "clipboard-write"])
    expect(chips(complete(exchange(page, QUESTION)))).to_have_count(1)
    return page


def test_a_question_that_is_changed_and_asked_again_takes_the_place_of_the_old_one(
    answered: Page, speaker: Speaker
) -> None:
    speaker.will("The rent is 840 euros a month [1.4].", looking_for="rent")
    complete(ask(answered, "And the rent?"))
    first = exchange(answered, QUESTION)
    first.get_by_role("button", name=say("conversation.edit")).click()
    speaker.will("A deposit lies with the notary in Bergen [1.5].", looking_for="deposit notary")
    changed = "Where is the deposit?"
    answered.get_by_role("textbox", name=say("conversation.edit")).fill(changed)
    answered.get_by_role("button", name=say("conversation.againDropping.one", n=1)).click()
    for _ in range(2):
        expect(complete(exchange(answered, changed))).to_contain_text("A deposit lies with the notary in Bergen")
        expect(answered.get_by_role("main").get_by_role("article")).to_have_count(1)
        answered.reload()


def test_a_rating_is_kept_and_can_be_taken_back(answered: Page) -> None:
    good, bad = (answered.get_by_role("button", name=say(f"conversation.{key}"), exact=True) for key in ("good", "bad"))
    with answered.expect_response("**/rating"):
        good.click()
    answered.reload()
    expect(good).to_have_attribute("aria-pressed", "true")
    with answered.expect_response("**/rating"):
        bad.click()
    expect(good).to_have_attribute("aria-pressed", "false")
    with answered.expect_response("**/rating"):
        bad.click()
    answered.reload()
    expect(bad).to_have_attribute("aria-pressed", "false")


def test_a_copied_answer_brings_its_footnotes(answered: Page) -> None:
    answered.get_by_role("button", name=say("conversation.copy"), exact=True).click()
    with shown_for_a_moment(answered, say("conversation.copied")):
        answered.get_by_role("menuitem", name=say("conversation.copyPlain")).click()
    copied = answered.evaluate("navigator.clipboard.readText()")
    assert papers.NOTICE in copied
    # The passage stands in the answer, with one mark; the footnote names its place.
    assert copied.count("[1]") == 2
    assert say("conversation.footnotePlace", n=1, title="Lease of the mill", place="p. 1") in copied


def test_references_of_a_source_itself_stay_as_written_in_an_answer(
    browse: Browse, scripted: Server, speaker: Speaker, tmp_path: Path
) -> None:
    survey = tmp_path / "survey.md"
    survey.write_text("# Survey of the weir\n\nThe survey [17, 21] says that the weir is 9 m high.\n", encoding="utf-8")
    speaker.will("As the survey says [17, 21], the weir is 9 m high [1].", looking_for="survey weir high")
    question = "How high is the weir?"
    page = browse(scripted, f"/c/{scripted.ask(question, scripted.add(survey))}")
    answered = complete(exchange(page, question))
    expect(answered.locator("[data-answer]")).to_contain_text("As the survey says [17, 21], the weir is 9 m high")
    expect(answered.locator("[data-answer] .chip")).to_have_count(1)


def test_the_link_to_a_passage_can_be_passed_on(answered: Page) -> None:
    assert_lit(answered, (1, papers.NOTICE))
    viewer(answered).get_by_role("button", name=say("viewer.more")).click()
    with shown_for_a_moment(answered, say("viewer.linkCopied")):
        answered.get_by_role("menuitem", name=say("viewer.copyPassage")).click()
    other = answered.context.new_page()
    other.goto(answered.evaluate("navigator.clipboard.readText()"))
    assert_lit(other, (1, papers.NOTICE))


def test_a_conversation_can_be_taken_along_as_a_file(answered: Page) -> None:
    for form in ("md", "html", "json"):
        answered.get_by_role("button", name=say("conversation.menu")).click()
        with answered.expect_download() as begun:
            answered.get_by_role("menuitem", name=say(f"conversation.export.{form}")).click()
        assert begun.value.suggested_filename.endswith(f".{form}")
        written = Path(begun.value.path()).read_text(encoding="utf-8")
        assert papers.NOTICE in (str(json.loads(written)) if form == "json" else written)


def test_the_model_and_the_basis_of_an_answer_are_told(answered: Page) -> None:
    answered.get_by_role("button", name=say("conversation.info")).click()
    told = answered.get_by_role("dialog", name=say("conversation.info"))
    expect(told).to_contain_text(say("conversation.modelSwitch.none"))
    expect(told).to_contain_text(say("conversation.basis.quote"))


def place(shown: Locator) -> tuple[float, float]:
    box = shown.bounding_box()
    assert box is not None
    return box["x"], box["y"]


@in_both_browsers
def test_the_view_stays_where_the_reader_put_it_while_an_answer_grows(answered: Page, speaker: Speaker) -> None:
    lines = (f"A line of an answer that grows, {n} words long.\n\n" for n in range(60))
    speaker.will(*lines, looking_for="lease", ends=False)
    asked = ask(answered, "Tell me everything.")
    expect(asked.get_by_text("A line of an answer that grows")).to_have_count(60)
    first = exchange(answered, QUESTION).get_by_role("heading", level=2)
    first.scroll_into_view_if_needed()
    before = place(first)
    speaker.say(*(f"Another line of it, the {n}th.\n\n" for n in range(40)), ends=True)
    expect(complete(asked).get_by_text("Another line of it")).to_have_count(40)
    assert place(first) == before
    answered.get_by_role("button", name=say("conversation.toEnd")).click()
    expect(asked.get_by_text("Another line of it").last).to_be_in_viewport()
