"""A book of five hundred pages: only what is near the view is drawn, and any page is a moment away."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser import papers
from tests.browser.conftest import Browse
from tests.browser.geometry import assert_lit
from tests.browser.running import Server
from tests.browser.words import say

FEW = 30


@pytest.fixture
def book(browse: Browse, scripted: Server, tmp_path: Path) -> Page:
    page = browse(scripted, f"/d/{scripted.add(papers.ledger(tmp_path / 'ledger.pdf'))}")
    expect(page.locator("[data-page='1']")).to_contain_text("number1 of")
    return page


def test_a_page_far_away_is_shown_when_it_is_asked_for(book: Page) -> None:
    box = book.get_by_role("textbox", name=say("viewer.pageOf", count=500))
    box.fill("480")
    box.press("Enter")
    wanted = book.locator("[data-page='480']")
    expect(wanted).to_be_in_viewport()
    expect(wanted).to_contain_text("Entry number480 of the ledger.")
    expect(box).to_have_value("480")
    assert 0 < book.locator("canvas").count() < FEW


def test_few_pages_are_drawn_however_far_one_scrolls(book: Page) -> None:
    book.locator("[data-page='1']").hover()
    for _ in range(25):
        book.mouse.wheel(0, 4000)
        book.evaluate("() => new Promise(requestAnimationFrame)")
        assert book.locator("canvas").count() < FEW
        assert book.locator("[data-page]").count() < FEW


def test_words_are_found_in_the_document_and_lit_where_they_stand(book: Page) -> None:
    book.get_by_role("button", name=say("viewer.find")).click()
    field = book.get_by_role("searchbox", name=say("viewer.find"))
    quote = "Entry number321 of the ledger."
    field.fill(quote.upper())
    expect(book.get_by_text(say("viewer.foundOf", place=1, count=1))).to_be_visible()
    assert_lit(book, (321, quote))
    field.fill("number501")
    expect(book.get_by_text(say("viewer.foundNone"))).to_be_visible()
    field.press("Escape")
    expect(field).to_be_hidden()
