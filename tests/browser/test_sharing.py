"""Sharing on the page: a library with a person, who reads and asks but changes nothing; a conversation by a link."""

import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser import papers
from tests.browser.barriers import serious
from tests.browser.conftest import Browse
from tests.browser.rooms import arrive, ask, chips, complete, viewer
from tests.browser.teams import TeamServer
from tests.browser.test_access import PHONE, wide_as_the_window
from tests.browser.test_accounts import heading, sign_in
from tests.browser.test_languages import english_left
from tests.browser.watching import Watch
from tests.browser.words import like, say

QUESTION = "How much is the rent?"
TITLE = "Lease of the mill"
MAIN = say("library.default")


def card(page: Page, owner: str = "") -> Locator:
    """The main library: one's own, or that of somebody else."""
    group = page.get_by_role("region", name=say("library.sharedWithMe" if owner else "library.mine"))
    found = group.get_by_role("listitem").filter(has_text=MAIN)
    return found.filter(has_text=say("library.from", owner=owner)) if owner else found


def open_sharing(page: Page) -> Locator:
    """The dialog that shares one's main library."""
    card(page).get_by_role("button", name=say("sharing.library", name=MAIN)).click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_label(say("sharing.who"))).to_be_visible()
    return dialog


def share(page: Page, name: str, access: str = "reader") -> None:
    """Share one's main library with a person, as a person does."""
    dialog = open_sharing(page)
    dialog.get_by_label(say("sharing.who")).select_option(label=name)
    dialog.get_by_role("combobox", name=say("sharing.access"), exact=True).select_option(access)
    dialog.get_by_role("button", name=say("sharing.share"), exact=True).click()
    expect(dialog.get_by_role("listitem").filter(has_text=name)).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


def make_link(page: Page) -> str:
    """The path of a new link to the open conversation."""
    page.get_by_role("button", name=say("conversation.menu")).click()
    page.get_by_role("menuitem", name=say("sharing.link.menu")).click()
    dialog = page.get_by_role("dialog", name=say("sharing.link"))
    dialog.get_by_role("button", name=say("sharing.link.make")).click()
    address = urlsplit(dialog.get_by_label(say("sharing.link.new")).input_value())
    return f"{address.path}#{address.fragment}"


def test_a_shared_library_is_read_and_asked_about_but_not_changed_until_it_is_taken_back(
    browse: Browse, team: TeamServer, watches: dict[Page, Watch], tmp_path: Path
) -> None:
    giver, reader = team.add("Ines Giver"), team.add("Olav Reader")
    lease = team.send(giver, papers.lease(tmp_path / "lease.pdf"))
    mine = sign_in(browse, team, giver, "/library")
    expect(card(mine)).to_contain_text(say("library.private"))
    share(mine, reader)
    expect(card(mine)).to_contain_text(say("library.shared"))

    theirs = sign_in(browse, team, reader, "/library")
    expect(card(theirs, giver)).to_contain_text(say("library.access.reader"))
    expect(card(theirs, giver).get_by_role("button", name=like("sharing.library"))).to_have_count(0)
    theirs.get_by_role("button", name=say("library.acts", title=TITLE)).click()
    expect(theirs.get_by_role("menuitem", name=say("library.open"))).to_be_visible()
    for key in ("library.rename", "library.remove"):
        expect(theirs.get_by_role("menuitem", name=say(key))).to_have_count(0)
    theirs.keyboard.press("Escape")
    theirs.get_by_role("checkbox", name=say("library.choose", title=TITLE)).check(force=True)
    chosen = theirs.get_by_role("toolbar", name=say("library.chosen.acts"))
    expect(chosen.get_by_role("button", name=say("library.ask"))).to_be_visible()
    expect(chosen.get_by_role("button", name=say("library.remove"))).to_have_count(0)
    theirs.goto("/")
    answered = complete(ask(theirs, QUESTION))
    chips(answered).first.click()
    expect(viewer(theirs)).to_contain_text(papers.RENT)

    dialog = open_sharing(mine)
    dialog.get_by_role("button", name=say("sharing.takeBack.from", name=reader)).click()
    expect(dialog.get_by_text(say("sharing.nobody"))).to_be_visible()
    watches[theirs].expect("404")
    arrive(theirs, "/library")
    expect(theirs.get_by_role("region", name=say("library.sharedWithMe"))).to_have_count(0)
    theirs.goto(f"/d/{lease}")
    expect(theirs.get_by_text(say("viewer.gone"))).to_be_visible()


def test_a_writer_adds_to_the_library_of_somebody_else(browse: Browse, team: TeamServer, tmp_path: Path) -> None:
    giver, writer = team.add("Jan Giver"), team.add("Petra Writer")
    team.send(giver, papers.lease(tmp_path / "lease.pdf"))
    share(sign_in(browse, team, giver, "/library"), writer, "writer")
    page = sign_in(browse, team, writer, "/library")
    expect(card(page, giver)).to_contain_text(say("library.access.writer"))
    page.get_by_label(say("library.into")).select_option(f"~{giver}/default")
    added = tmp_path / "barn.txt"
    added.write_text("The barn is let for 200 euros a month.", encoding="utf-8")
    page.get_by_label(say("library.files")).last.set_input_files(added)
    expect(card(page, giver)).to_contain_text(say("library.documents.other", n=2))


def test_a_conversation_is_read_by_its_link_without_an_account_until_it_is_taken_back(
    browse: Browse, team: TeamServer, watches: dict[Page, Watch], tmp_path: Path
) -> None:
    giver = team.add("Kira Giver")
    team.send(giver, papers.lease(tmp_path / "lease.pdf"))
    mine = sign_in(browse, team, giver, f"/c/{team.ask(giver, QUESTION)}")
    path = make_link(mine)

    page = browse(team.server, path)
    expect(page.get_by_role("heading", name=QUESTION, level=1)).to_be_visible()
    expect(page.get_by_text(say("sharing.shown.by", name=giver))).to_be_visible()
    assert page.evaluate("location.href") == f"{team.server.address}/shared"
    chips(page.get_by_role("main")).first.click()
    expect(viewer(page)).to_contain_text(papers.RENT)
    expect(viewer(page)).to_contain_text(say("sharing.shown.locked"))
    page.keyboard.press("Escape")
    expect(viewer(page)).to_have_count(0)
    assert not [each.url for each in watches[page].requests if "/api/documents" in each.url]
    expect(page.get_by_role("textbox")).to_have_count(0)
    page.reload()
    expect(page.get_by_text(say("sharing.shown.by", name=giver))).to_be_visible()

    mine.get_by_role("button", name=like("sharing.link.takeBack")).click()
    expect(mine.get_by_text(say("sharing.links.none"))).to_be_visible()
    watches[page].expect("404")
    page.reload()
    expect(heading(page, "sharing.shown.gone")).to_be_visible()
    again = browse(team.server, "/shared")
    expect(heading(again, "sharing.shown.incomplete")).to_be_visible()


@pytest.mark.parametrize("viewport", [PHONE, {"width": 1440, "height": 900}], ids=["phone", "wide"])
def test_sharing_keeps_nobody_out_and_speaks_french(
    browse: Browse, team: TeamServer, tmp_path: Path, viewport: dict[str, int]
) -> None:
    giver = team.add(f"Lena {viewport['width']}")
    team.send(giver, papers.lease(tmp_path / "lease.pdf"))
    conversation = team.ask(giver, QUESTION)
    page = sign_in(browse, team, giver, "/library", viewport=viewport)
    open_sharing(page)
    assert serious(page) == []
    assert wide_as_the_window(page)
    arrive(page, f"/c/{conversation}")
    path = make_link(page)
    assert serious(page) == []
    assert wide_as_the_window(page)
    read = browse(team.server, path, viewport=viewport, locale="fr-FR")
    chips_in_french = read.get_by_role("main").get_by_role("button", name=like("conversation.chip", "fr"))
    chips_in_french.first.click()
    expect(viewer(read)).to_contain_text(papers.RENT)
    assert serious(read) == []
    assert wide_as_the_window(read)
    assert english_left(read) == []
    assert not re.search("#", read.url)
