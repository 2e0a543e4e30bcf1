"""Everything by the keyboard: asked, stepped through, opened and closed, and the focus is seen and never lost."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser import papers
from tests.browser.conftest import Browse
from tests.browser.rooms import ask, chips, complete, composer, exchange, viewer, wait_until_settled
from tests.browser.running import Server
from tests.browser.speaking import Speaker
from tests.browser.words import like, say

QUESTION = "How much is the rent?"
# What has the focus, and whether it looks otherwise without it, with what is around it: some fields show it on their
# frame. The next Tab goes on from the element that lost the focus in this way.
BLUR = """() => {
  const focused = document.activeElement;
  if (focused === document.body) return null;
  const look = () => {
    const parts = [];
    for (let each = focused, up = 0; each && up < 4; each = each.parentElement, up++) {
      const style = getComputedStyle(each);
      parts.push(style.outlineStyle + style.outlineWidth, style.boxShadow, style.borderColor, style.backgroundImage);
    }
    return parts.join(" ");
  };
  const before = look();
  focused.blur();
  return { name: focused.outerHTML.slice(0, 200), isSeen: look() !== before };
}"""

# The next Tab goes to the first thing of the page, wherever the focus was.
FROM_THE_TOP = """() => {
  const top = document.createElement("span");
  top.tabIndex = -1;
  document.body.prepend(top);
  top.focus();
  top.remove();
}"""


@pytest.fixture
def conversation(scripted: Server, speaker: Speaker, tmp_path: Path) -> str:
    """A conversation of one question, with two citations."""
    lease = scripted.add(papers.lease(tmp_path / "lease-0.pdf"))
    speaker.will(f"{papers.RENT} [1] {papers.DEPOSIT} [1]", looking_for="rent deposit")
    return scripted.ask(QUESTION, lease)


@pytest.fixture
def page(browse: Browse, scripted: Server, conversation: str) -> Page:
    """The conversation on a page."""
    opened = browse(scripted, f"/c/{conversation}")
    expect(chips(complete(exchange(opened, QUESTION)))).to_have_count(2)
    return opened


def chosen(page: Page) -> str:
    """Return the highlighted text of the chosen citation."""
    light = viewer(page).locator("[data-mark][data-chosen]").first
    expect(light).to_be_visible()
    return light.get_attribute("data-mark") or ""


def test_a_question_is_asked_and_its_citations_are_opened_without_a_mouse(
    browse: Browse, server: Server, tmp_path: Path
) -> None:
    server.add(papers.lease(tmp_path / "lease.pdf"))
    page = browse(server)
    # The field has the focus from the beginning; Escape leaves it, and letters are keys.
    expect(composer(page)).to_be_focused()
    page.keyboard.press("Escape")
    expect(composer(page)).not_to_be_focused()
    page.keyboard.press("/")
    expect(composer(page)).to_be_focused()
    page.keyboard.type(QUESTION)
    page.keyboard.press("Enter")
    answered = complete(exchange(page, QUESTION))
    expect(composer(page)).to_be_focused()
    for _ in range(30):
        page.keyboard.press("Shift+Tab")
        if chips(answered).last.evaluate("chip => chip === document.activeElement"):
            break
    expect(chips(answered).last).to_be_focused()
    page.keyboard.press("Enter")
    expect(chips(answered).last).to_have_attribute("data-chosen", "true")
    expect(viewer(page)).to_be_visible()
    expect(chips(answered).last).to_be_focused()


def test_citations_are_stepped_through_and_the_source_is_closed_and_opened_again(page: Page) -> None:
    first = chosen(page)
    page.keyboard.press("j")
    expect(viewer(page).locator(f'[data-mark="{first}"][data-chosen]')).to_have_count(0)
    second = chosen(page)
    page.keyboard.press("k")
    expect(viewer(page).locator(f'[data-mark="{second}"][data-chosen]')).to_have_count(0)
    assert chosen(page) == first
    page.keyboard.press("Escape")
    expect(viewer(page)).to_have_count(0)
    page.keyboard.press("o")
    expect(viewer(page)).to_be_visible()


def test_a_source_that_was_closed_and_opened_again_by_keys_follows_the_next_answer(
    page: Page, speaker: Speaker
) -> None:
    first = chosen(page)
    page.keyboard.press("Escape")
    expect(viewer(page)).to_have_count(0)
    page.keyboard.press("o")
    expect(viewer(page).locator(f'[data-mark="{first}"][data-chosen]')).not_to_have_count(0)
    speaker.will(f"{papers.NOTICE} [1]", looking_for="notice period")
    complete(ask(page, "How long is the notice period?"))
    expect(viewer(page).locator(f'[data-mark="{first}"][data-chosen]')).to_have_count(0)
    assert chosen(page).split(":")[0] != first.split(":")[0]  # a mark of the new answer


def test_the_keys_are_listed_and_letters_in_a_field_are_letters(page: Page) -> None:
    page.keyboard.press("?")
    keys = page.get_by_role("dialog", name=say("shell.help"))
    for means in ("keys.step", "keys.keep", "keys.page", "keys.zoom", "keys.find"):
        expect(keys).to_contain_text(say(means))
    page.keyboard.press("Escape")
    expect(keys).to_have_count(0)
    page.keyboard.press("/")
    page.keyboard.type("j/k?o")
    expect(composer(page)).to_have_value("j/k?o")
    expect(keys).to_have_count(0)


@pytest.mark.parametrize("path", ["/c/{conversation}", "/", "/library", "/conversations", "/settings"])
def test_the_focus_is_always_seen_and_never_lost(
    browse: Browse, scripted: Server, conversation: str, path: str
) -> None:
    page = browse(scripted, path.format(conversation=conversation))
    wait_until_settled(page)
    reached: list[dict[str, Any]] = []
    page.evaluate(FROM_THE_TOP)
    page.keyboard.press("Tab")
    while len(reached) < 60 and (focused := page.evaluate(BLUR)):
        reached.append(focused)
        page.keyboard.press("Tab")
    assert len(reached) > 5
    assert [each["name"] for each in reached if not each["isSeen"]] == []


def test_the_source_takes_no_focus_away_from_who_reads_the_answer(page: Page) -> None:
    first = chips(exchange(page, QUESTION)).first
    first.focus()
    page.keyboard.press("Enter")
    expect(viewer(page).get_by_role("button", name=like("viewer.citationOn", n=1)).first).to_be_visible()
    expect(first).to_be_focused()
