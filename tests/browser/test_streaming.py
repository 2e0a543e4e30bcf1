"""An answer while it is written: left, come back to, stopped, seen twice, and the server lost on the way."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser import papers
from tests.browser.conftest import Browse, in_both_browsers, in_both_browsers_at_once
from tests.browser.rooms import arrive, ask, chips, complete, composer, exchange, viewer
from tests.browser.running import Server
from tests.browser.speaking import Speaker
from tests.browser.watching import SERVER_GONE, Watch
from tests.browser.words import say

QUESTION = "What does the lease say about notice and rent?"
FIRST = "The notice period is three months for the tenant [1.3]. "
SECOND = "The rent is 840 euros a month [1.4]."
WHOLE = "The notice period is three months for the tenant"


@pytest.fixture
def begun(browse: Browse, scripted: Server, speaker: Speaker, tmp_path: Path) -> Page:
    """A page on which the first sentence of an answer stands, and the second is awaited."""
    scripted.add(papers.lease(tmp_path / "lease-0.pdf"))
    speaker.will(FIRST, "The rent", looking_for="notice period rent", ends=False)
    page = browse(scripted)
    expect(ask(page, QUESTION)).to_contain_text("The rent")
    expect(viewer(page).locator("[data-mark][data-chosen]").first).to_be_visible()
    return page


@in_both_browsers_at_once
def test_a_reload_in_the_middle_of_an_answer_goes_on_and_nothing_is_doubled_or_lost(
    begun: Page, speaker: Speaker
) -> None:
    begun.reload()
    answered = exchange(begun, QUESTION)
    expect(answered).to_contain_text("The rent")
    speaker.say(" is 840 euros a month [1.4].", ends=True)
    complete(answered)
    expect(chips(answered)).to_have_count(2)
    said = answered.inner_text()
    assert (said.count(WHOLE), said.count("The rent is 840 euros a month")) == (1, 1)
    assert begun.get_by_role("main").get_by_role("article").count() == 1
    begun.reload()
    expect(chips(answered)).to_have_count(2)
    assert answered.inner_text().count(WHOLE) == 1


def test_a_source_that_was_closed_stays_closed_while_answers_come(begun: Page, speaker: Speaker) -> None:
    viewer(begun).get_by_role("button", name=say("viewer.close")).last.click()
    expect(viewer(begun)).to_have_count(0)
    speaker.say(" is 840 euros a month [1.4].", ends=True)
    answered = complete(exchange(begun, QUESTION))
    expect(chips(answered)).to_have_count(2)
    assert viewer(begun).count() == 0
    chips(answered).first.click()
    expect(viewer(begun)).to_be_visible()


@in_both_browsers
def test_written_words_stay_when_the_answer_is_stopped(begun: Page, speaker: Speaker) -> None:
    begun.get_by_role("button", name=say("conversation.stop")).click()
    answered = complete(exchange(begun, QUESTION))
    for _ in range(2):
        expect(answered).to_contain_text(WHOLE)
        expect(answered).to_contain_text(say("conversation.stopped"))
        begun.reload()


def test_two_tabs_on_a_conversation_end_with_the_same_answer(begun: Page, speaker: Speaker) -> None:
    other = begun.context.new_page()
    other.goto(begun.url)
    expect(exchange(other, QUESTION)).to_contain_text("The rent")
    speaker.say(" is 840 euros a month [1.4].", ends=True)
    for page in (begun, other):
        expect(chips(complete(exchange(page, QUESTION)))).to_have_count(2)
    speaker.will("It is six months for the owner [1.3].", looking_for="notice period owner")
    second = "And for the owner?"
    ask(begun, second)
    for page in (begun, other):
        expect(complete(exchange(page, second))).to_contain_text("It is six months for the owner")
    # Not the inner text: what is scrolled away is not drawn, and has none.
    answers = [page.locator("[data-answer]").all_text_contents() for page in (begun, other)]
    assert len(answers[0]) == 2
    assert answers[0] == answers[1]


def test_a_tab_that_reads_a_source_keeps_it_while_another_asks(begun: Page, speaker: Speaker) -> None:
    speaker.say(" is 840 euros a month [1.4].", ends=True)
    complete(exchange(begun, QUESTION))
    viewer(begun).get_by_role("button", name=say("viewer.close")).last.click()
    chips(exchange(begun, QUESTION)).first.click()
    chosen = viewer(begun).locator("[data-mark][data-chosen]").first
    expect(chosen).to_be_visible()
    before = chosen.get_attribute("data-mark")
    other = begun.context.new_page()
    other.goto(begun.url)
    complete(exchange(other, QUESTION))
    expect(viewer(other)).to_be_visible()
    speaker.will("The rent is 840 euros a month [1.4].", looking_for="rent a month")
    second = "And how much is the rent?"
    ask(other, second)
    for page in (other, begun):
        expect(chips(complete(exchange(page, second)))).to_have_count(1)
    expect(viewer(other).locator("[data-mark][data-chosen]").first).not_to_have_attribute("data-mark", before or "")
    expect(viewer(begun).locator("[data-mark][data-chosen]").first).to_have_attribute("data-mark", before or "")


def test_a_question_that_the_server_does_not_get_is_told_at_its_field_until_it_is_back(
    begun: Page, scripted: Server, speaker: Speaker, watches: dict[Page, Watch]
) -> None:
    speaker.say(" is 840 euros a month [1.4].", ends=True)
    complete(exchange(begun, QUESTION))
    watches[begun].expect(*SERVER_GONE)
    scripted.kill()
    composer(begun).fill("And for the owner?")
    composer(begun).press("Enter")
    told = begun.locator(".ask-place").get_by_role("alert")
    expect(told).to_contain_text(say("errors.offline"))
    expect(told).to_be_in_viewport()
    expect(composer(begun)).to_have_value("And for the owner?")
    scripted.start()
    expect(told).to_have_count(0)


def test_a_server_that_is_lost_is_said_and_the_page_goes_on_when_it_is_back(
    begun: Page, scripted: Server, speaker: Speaker, watches: dict[Page, Watch]
) -> None:
    watches[begun].expect(*SERVER_GONE)
    library = begun.context.new_page()
    arrive(library, "/library")
    scripted.kill()
    for page in (begun, library):
        expect(page.get_by_text(say("shell.offline"))).to_be_visible()
    expect(exchange(begun, QUESTION)).to_contain_text(WHOLE)
    expect(library.get_by_role("link", name="Lease of the mill").first).to_be_visible()
    scripted.start()
    for page in (begun, library):
        expect(page.get_by_text(say("shell.offline"))).to_be_hidden()
    answered = exchange(begun, QUESTION)
    expect(answered).to_contain_text(WHOLE)
    expect(answered.get_by_role("alert")).to_contain_text(say("errors.interrupted"))
    speaker.will(FIRST, SECOND, looking_for="notice period rent")
    answered.get_by_role("button", name=say("conversation.again")).first.click()
    expect(chips(complete(answered))).to_have_count(2)
    expect(begun.get_by_role("main").get_by_role("article")).to_have_count(1)


def test_a_source_that_cannot_be_loaded_leaves_the_answer_standing(
    browse: Browse, scripted: Server, watches: dict[Page, Watch], tmp_path: Path
) -> None:
    lease = scripted.add(papers.lease(tmp_path / "lease-0.pdf"))
    conversation = scripted.ask("How much is the rent?", lease, chatModel="extractive")
    page = browse(scripted)
    watches[page].expect("ERR_FAILED", "dynamically imported module", "preload CSS")
    page.route("**/assets/Viewer-*", lambda route: route.abort())
    page.goto(f"/c/{conversation}")
    expect(viewer(page).get_by_role("alert")).to_be_visible()
    expect(exchange(page, "How much is the rent?")).to_contain_text(papers.RENT)
    page.unroute("**/assets/Viewer-*")
    viewer(page).get_by_role("button", name=say("shell.reload")).click()
    expect(viewer(page).locator("[data-mark][data-chosen]").first).to_be_visible()


def test_an_answer_that_fails_says_why_and_can_be_asked_again(
    browse: Browse, scripted: Server, speaker: Speaker
) -> None:
    speaker.fail(500, "the model is out of breath")
    page = browse(scripted)
    answered = ask(page, "Are you there?")
    expect(answered.get_by_role("alert")).to_be_visible()
    speaker.will("Here I am.")
    answered.get_by_role("button", name=say("conversation.again")).click()
    expect(complete(answered)).to_contain_text("Here I am.")
    expect(answered.get_by_role("alert")).to_have_count(0)
