"""The settings: what is about a person stays in their browser until they send it, and the look is the browser's own."""

from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.conftest import Browse
from tests.browser.rooms import ask, complete
from tests.browser.running import Server
from tests.browser.speaking import Speaker
from tests.browser.watching import Watch
from tests.browser.words import say

ABOUT_ME = "I am a lighthouse keeper who likes short words."


def test_about_me_goes_with_a_question_only_when_it_is_switched_on_and_is_never_stored(
    browse: Browse, scripted: Server, speaker: Speaker, watches: dict[Page, Watch]
) -> None:
    page = browse(scripted, "/settings")
    me = page.get_by_role("region", name=say("settings.you"))
    me.get_by_label(say("settings.me"), exact=True).fill(ABOUT_ME)
    for switched in (False, True):
        if switched:
            page.goto("/settings")
            page.get_by_role("switch", name=say("settings.me.send")).last.check(force=True)
        page.goto("/")
        speaker.will("Good evening.")
        complete(ask(page, f"Good evening, keeper number {int(switched)}?"))
    without, given = watches[page].sent("POST", "/api/chat")
    assert "userProfile" not in without
    assert given["userProfile"] == ABOUT_ME
    assert holds(scripted.data, "keeper number 1")
    assert not holds(scripted.data, ABOUT_ME)


def holds(folder: Path, words: str) -> bool:
    """Whether these words stand in any file there."""
    return any(words.encode() in path.read_bytes() for path in folder.rglob("*") if path.is_file())


def test_a_chosen_theme_is_kept_and_nobody_is_told(
    browse: Browse, scripted: Server, watches: dict[Page, Watch]
) -> None:
    page = browse(scripted, "/settings", color_scheme="light")
    html = page.locator("html")
    expect(html).to_have_attribute("data-theme", "light")
    page.get_by_role("radio", name=say("settings.theme.dark")).check(force=True)
    expect(html).to_have_attribute("data-theme", "dark")
    page.reload()
    expect(html).to_have_attribute("data-theme", "dark")
    assert {request.method for request in watches[page].requests} == {"GET"}


def test_the_system_model_follows_the_chat_model_until_that_is_switched_off(browse: Browse, scripted: Server) -> None:
    page = browse(scripted, "/settings")
    system = page.get_by_label(say("settings.system"), exact=True)
    expect(system).to_be_disabled()
    page.get_by_role("switch", name=say("settings.linked")).uncheck(force=True)
    expect(system).to_be_enabled()


def test_a_model_is_really_asked_when_it_is_tested(browse: Browse, scripted: Server, speaker: Speaker) -> None:
    page = browse(scripted, "/settings")
    models = page.get_by_role("region", name=say("settings.models"))
    speaker.will("pong")
    models.get_by_role("button", name=say("settings.test")).first.click()
    expect(models.get_by_text("It answers")).to_be_visible()
    assert [request for request in speaker.wire.asked if request.body]
