"""The first ten minutes: an empty library offers a sample, and a document that has arrived shows itself."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Browse, start_server
from tests.browser.rooms import ask, complete, composer, viewer
from tests.browser.running import Server
from tests.browser.words import say


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Server]:
    """The program with nothing in it yet."""
    started = start_server(tmp_path / "data", EMBEDDING__PROVIDER="none")
    yield started
    started.stop()


def test_an_empty_library_offers_a_sample_and_two_presses_lead_to_a_cited_answer(browse: Browse, empty: Server) -> None:
    page = browse(empty)
    expect(composer(page)).to_be_focused()
    page.get_by_role("button", name=say("library.sample")).click()
    suggested = page.get_by_role("list", name=say("conversation.suggestions"))
    expect(suggested.get_by_role("button")).to_have_count(3)
    expect(page.get_by_role("button", name=say("library.sample"))).to_have_count(0)
    suggested.get_by_role("button").first.click()
    answered = complete(page.get_by_role("main").get_by_role("article"))
    expect(answered.locator(".passage mark").first).to_be_visible()
    expect(viewer(page)).to_contain_text("Corvel")


def test_a_question_to_an_empty_library_asks_for_a_document_and_has_the_buttons(browse: Browse, empty: Server) -> None:
    page = browse(empty)
    answered = complete(ask(page, "How high is the dam?"))
    expect(answered).to_contain_text("There are no documents here yet. Add a document, then ask again.")
    expect(answered).not_to_contain_text("I found nothing")
    expect(answered.get_by_role("button", name=say("conversation.empty.add"))).to_be_visible()
    answered.get_by_role("button", name=say("library.sample")).click()
    expect(answered).to_contain_text(say("conversation.empty.ready"))
    again = complete(ask(page, "How high is the wall of the dam?"))
    expect(again).to_contain_text("33 m high")
