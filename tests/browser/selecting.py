"""Select words of a source, and find the menu that opens beside them."""

from playwright.sync_api import Locator, Page, expect

from tests.browser.running import until
from tests.browser.words import say

_SELECT = """(words) => {
  const walker = document.createTreeWalker(document.querySelector("[data-scroller]"), NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const at = node.data.indexOf(words);
    if (at >= 0) return getSelection().setBaseAndExtent(node, at, node, at + words.length);
  }
}"""


def select_words(page: Page, words: str) -> None:
    """Select the first of these words in the source, as a program does."""
    page.evaluate(_SELECT, words)


_SELECT_LINES = """([first, last]) => {
  const lines = [...document.querySelectorAll(".words-layer > span")];
  const [begin, end] = [first, last].map((words) => lines.find((line) => line.textContent.includes(words)).firstChild);
  getSelection().setBaseAndExtent(begin, 0, end, end.length);
}"""


def select_lines(page: Page, first: str, last: str) -> None:
    """Select lines of a drawn page, from the first to the last, as a program does."""
    expect(page.locator(".words-layer > span", has_text=last)).to_be_attached()
    page.evaluate(_SELECT_LINES, [first, last])


def drag_over(page: Page, words: str) -> None:
    """Select a line of a page, or cited words of a text, with the mouse, until the menu opens."""
    line = page.locator(".words-layer > span, [role=link]", has_text=words)

    def opens_menu() -> bool:
        box = line.bounding_box()
        assert box
        middle = box["y"] + box["height"] / 2
        page.mouse.move(box["x"] + 1, middle)
        page.mouse.down()
        page.mouse.move(box["x"] + box["width"] / 2, middle, steps=4)
        page.mouse.move(box["x"] + box["width"] - 1, middle, steps=4)
        page.mouse.up()
        page.wait_for_timeout(300)
        return page.locator(".selection-menu").is_visible()

    until(opens_menu)  # a page that is drawn anew loses the selection


def selection_menu(page: Page, language: str = "en") -> Locator:
    return page.get_by_role("toolbar", name=say("selection.menu", language))
