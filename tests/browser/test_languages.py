"""The page speaks French to a browser that asks for it, in every view, without a word of English left."""

import re
from functools import cache
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser import papers
from tests.browser.conftest import Browse, in_both_browsers
from tests.browser.rooms import arrive
from tests.browser.running import Server
from tests.browser.words import like, resources, say

# Everything a person can read or hear: texts, and the names of what has no text.
SAID = """() => {
  const said = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    if (node.parentElement.checkVisibility()) said.add(node.data.trim());
  for (const each of document.querySelectorAll("*"))
    for (const name of ["aria-label", "title", "placeholder", "alt"])
      if (each.getAttribute(name)) said.add(each.getAttribute(name));
  said.add(document.title);
  return [...said].filter(Boolean);
}"""


def english_left(page: Page) -> list[str]:
    """Return the English texts on the page for which there is a French translation."""
    patterns = translated()
    return [
        said
        for said in page.evaluate(SAID)
        if any(english.match(said) and not spoken.match(said) for english, spoken in patterns)
    ]


@cache
def translated() -> list[tuple[re.Pattern[str], re.Pattern[str]]]:
    """A pattern of every English text with that of its French translation, where they differ."""
    french = resources("fr")
    # Questions one might ask are in the language of their document; "3 of 7" is too little to know English by.
    asked = {key: text for key, text in resources("en").items() if not key.startswith("conversation.suggest.")}
    own = {key: re.sub(r"\{\w+\}", "", text) for key, text in asked.items() if text != french[key]}
    keys = [key for key, text in own.items() if len(re.findall("[a-z]", text)) > 3]
    return [(like(key), like(key, "fr")) for key in keys]


def rooms(server: Server, folder: Path) -> list[str]:
    """A path for each room, with something in it."""
    lease = server.add(papers.lease(folder / "lease-0.pdf"))
    conversation = server.ask("How much is the rent?", lease, chatModel="extractive")
    return ["/", f"/c/{conversation}", "/library", "/conversations", "/settings", f"/d/{lease}"]


@in_both_browsers
def test_a_french_browser_gets_french_in_every_room(browse: Browse, scripted: Server, tmp_path: Path) -> None:
    paths = rooms(scripted, tmp_path)
    page = browse(scripted, locale="fr-FR")
    for path in paths:
        arrive(page, path)
        expect(page.locator("html")).to_have_attribute("lang", "fr")
        expect(page.get_by_role("link", name=say("shell.library", "fr"))).to_be_visible()
        assert english_left(page) == [], path
    page.goto("/")
    expect(page.get_by_role("textbox", name=say("conversation.ask", "fr"))).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name=say("shell.help", "fr"))).to_be_visible()
    assert english_left(page) == []


def test_the_language_can_be_chosen_and_is_kept(browse: Browse, scripted: Server) -> None:
    page = browse(scripted, "/settings")
    expect(page.get_by_role("heading", name=say("shell.settings"), level=1)).to_be_visible()
    page.get_by_role("radio", name=say("settings.language.fr")).check(force=True)
    expect(page.get_by_role("heading", name=say("shell.settings", "fr"), level=1)).to_be_visible()
    page.goto("/library")
    expect(page.get_by_role("heading", name=say("shell.library", "fr"), level=1)).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "fr")
