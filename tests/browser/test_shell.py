"""The frame of the page: addresses, the way back, and a server that was away."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser import papers
from tests.browser.conftest import Browse
from tests.browser.rooms import ask, complete, composer, exchange
from tests.browser.running import Server
from tests.browser.speaking import Speaker
from tests.browser.watching import Watch
from tests.browser.words import say

QUESTION = "How much is the rent?"


@pytest.fixture
def lease(scripted: Server, tmp_path: Path) -> str:
    return scripted.add(papers.lease(tmp_path / "lease-0.pdf"))


def test_back_after_a_question_returns_to_the_start_and_back_again_leaves(
    browse: Browse, scripted: Server, speaker: Speaker, lease: str
) -> None:
    speaker.will(f"{papers.RENT} [1]", looking_for="rent")
    page = browse(scripted, "/library")
    page.get_by_role("link", name=say("shell.ask"), exact=True).click()
    complete(ask(page, QUESTION))
    expect(page).not_to_have_url(scripted.address + "/")
    page.go_back()
    expect(page).to_have_url(scripted.address + "/")
    expect(page.get_by_role("heading", name=say("conversation.begin"), level=1)).to_be_visible()
    expect(composer(page)).to_have_value("")
    expect(exchange(page, QUESTION)).to_have_count(0)
    page.go_forward()
    complete(exchange(page, QUESTION))
    page.go_back()
    page.go_back()
    expect(page.get_by_role("heading", name=say("shell.library"), level=1)).to_be_visible()


@pytest.mark.parametrize(("locale", "language"), [("en-US", "en"), ("fr-FR", "fr")])
def test_an_address_that_does_not_exist_is_told_kindly_with_a_way_on(
    browse: Browse, scripted: Server, watches: dict[Page, Watch], locale: str, language: str
) -> None:
    page = browse(scripted, locale=locale)
    watches[page].expect("404.*/nosuch")
    answer = page.goto("/nosuch")
    assert answer is not None
    assert answer.status == 404
    expect(page.get_by_role("heading", name=say("shell.missing", language), level=1)).to_be_visible()
    page.get_by_role("main").get_by_role("link", name=say("shell.ask", language)).click()
    expect(composer(page, language)).to_be_visible()


def test_the_list_of_conversations_comes_by_itself_when_the_server_is_back(
    browse: Browse, scripted: Server, watches: dict[Page, Watch], lease: str
) -> None:
    scripted.ask(QUESTION, lease, chatModel="extractive")
    page = browse(scripted, "/settings")
    watches[page].expect("ERR_CONNECTION_REFUSED", "ERR_CONNECTION_RESET")
    page.get_by_role("link", name=say("shell.conversations")).click()
    expect(page.get_by_role("main").get_by_role("link", name=QUESTION).first).to_be_visible()
    page.get_by_role("link", name=say("shell.settings")).click()
    scripted.kill()
    page.get_by_role("link", name=say("shell.conversations")).click()
    expect(page.get_by_role("alert")).to_contain_text(say("errors.offline"))
    scripted.start()
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.get_by_role("main").get_by_role("link", name=QUESTION).first).to_be_visible()
