"""Nobody is kept out by what opens on top of a room, nor on a phone. `test_screens.py` looks at each room alone."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser import papers
from tests.browser.barriers import serious
from tests.browser.conftest import Browse
from tests.browser.rooms import arrive, chips, complete, exchange, point_at, viewer
from tests.browser.running import Server, until
from tests.browser.speaking import Speaker
from tests.browser.words import say

QUESTION = "How much is the rent?"
PHONE = {"width": 390, "height": 844}


@pytest.fixture
def lease(scripted: Server, tmp_path: Path) -> str:
    return scripted.add(papers.lease(tmp_path / "lease-0.pdf"))


@pytest.fixture
def conversation(scripted: Server, lease: str) -> str:
    return scripted.ask(QUESTION, lease, chatModel="extractive")


def test_a_dialog_keeps_nobody_out(browse: Browse, scripted: Server, speaker: Speaker, lease: str) -> None:
    # A passage stands in its card already: only a citation of prose brings a card of its own.
    speaker.will(f"{papers.RENT} [1]", looking_for="rent")
    conversation = scripted.ask(QUESTION, lease)
    page = browse(scripted, f"/c/{conversation}")
    answered = complete(exchange(page, QUESTION))
    point_at(chips(answered).first)
    assert serious(page) == []
    page.get_by_role("button", name=say("viewer.panel")).click()
    page.get_by_role("button", name=say("conversation.info")).click()
    assert serious(page) == []
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    assert serious(page) == []
    page.keyboard.press("Escape")
    page.keyboard.press("Control+k")
    page.keyboard.type("rent")
    expect(page.get_by_role("option").first).to_be_visible()
    assert serious(page) == []
    page.keyboard.press("Escape")
    arrive(page, "/conversations")
    panel = page.get_by_role("navigation", name=say("workspaces.panel"))
    expect(panel.get_by_role("link").first).to_be_visible()
    assert serious(page) == []
    panel.get_by_role("button").first.click()
    page.get_by_role("menuitem", name=say("workspaces.add")).click()
    expect(page.get_by_role("dialog").get_by_role("checkbox").first).to_be_visible()
    assert serious(page) == []


def wide_as_the_window(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))


def test_on_a_phone_the_source_is_a_sheet_over_the_conversation_and_nothing_runs_over_the_edge(
    browse: Browse, scripted: Server, lease: str, conversation: str
) -> None:
    page = browse(scripted, f"/c/{conversation}", viewport=PHONE, has_touch=True, is_mobile=True)
    answered = complete(exchange(page, QUESTION))
    assert viewer(page).count() == 0
    assert wide_as_the_window(page)
    chips(answered).first.tap()
    sheet = viewer(page)
    expect(sheet.locator("[data-mark][data-chosen]").first).to_be_in_viewport()
    expect(sheet).to_contain_text(papers.RENT)
    box = sheet.bounding_box()
    assert box is not None
    assert (box["x"], box["width"]) == (0, PHONE["width"])
    assert wide_as_the_window(page)
    assert serious(page) == []
    sheet.get_by_role("button", name=say("viewer.close")).first.tap()
    expect(sheet).to_have_count(0)
    chips(answered).first.tap()
    expect(sheet).to_be_in_viewport()
    page.go_back()
    expect(sheet).to_have_count(0)
    assert page.url.endswith(f"/c/{conversation}")
    for path in ("/", "/library", "/conversations", "/settings", f"/d/{lease}"):
        arrive(page, path)
        assert wide_as_the_window(page), path
        assert serious(page) == [], path


def test_back_on_a_phone_closes_the_search_the_navigation_and_a_dialog_before_it_leaves(
    browse: Browse, scripted: Server, conversation: str
) -> None:
    page = browse(scripted, f"/c/{conversation}", viewport=PHONE, has_touch=True)
    view = page.url
    chips(complete(exchange(page, QUESTION))).first.tap()
    expect(viewer(page)).to_be_in_viewport()
    page.keyboard.press("Control+k")
    search = page.get_by_role("dialog", name=say("search.title"))
    expect(search).to_be_visible()
    page.go_back()
    expect(search).to_have_count(0)
    expect(viewer(page)).to_be_in_viewport()
    page.go_back()
    expect(viewer(page)).to_have_count(0)
    page.get_by_role("button", name=say("workspaces.panel"), exact=True).tap()
    panel = page.get_by_role("navigation", name=say("workspaces.panel"))
    expect(panel).to_be_visible()
    page.go_back()
    expect(panel).to_have_count(0)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert page.url == view
    # What was closed in another way leaves nothing behind to go back over.
    page.keyboard.press("Control+k")
    page.keyboard.press("Escape")
    expect(search).to_have_count(0)
    until(lambda: page.evaluate("history.state?.layers ?? 0") == 0)


def test_the_library_can_be_used_on_a_phone(browse: Browse, scripted: Server, lease: str) -> None:
    page = browse(scripted, "/library", viewport=PHONE, has_touch=True, is_mobile=True)
    page.get_by_role("link", name="Lease of the mill").first.tap()
    expect(viewer(page)).to_be_in_viewport()
