"""The owner's page: invite and manage people, see who uses what, and who did what."""

import re
from urllib.parse import urlsplit

import httpx2
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.barriers import serious
from tests.browser.conftest import Browse
from tests.browser.rooms import arrive
from tests.browser.teams import OWNER, PASSWORD, TeamServer
from tests.browser.test_access import PHONE, wide_as_the_window
from tests.browser.test_accounts import fill_in, heading, menu, sign_in
from tests.browser.test_languages import english_left
from tests.browser.watching import Watch
from tests.browser.words import like, say
from tests.clock import PATIENCE

TABS = ("/people", *(f"/people?tab={each}" for each in ("invitations", "groups", "usage", "audit")))


def row(page: Page, name: str) -> Locator:
    """A person in the list."""
    return page.get_by_role("list", name=say("people.tab.people")).get_by_role("listitem").filter(has_text=name)


def act(page: Page, name: str, key: str) -> None:
    """Choose something from the menu of a person."""
    row(page, name).get_by_role("button", name=say("people.acts", name=name)).click()
    page.get_by_role("menuitem", name=say(key)).click()


def open_tab(page: Page, key: str) -> None:
    page.get_by_role("navigation", name=say("people.tabs")).get_by_role("link", name=say(key)).click()


def test_somebody_is_invited_made_an_owner_disabled_and_removed_and_the_log_tells_it(
    browse: Browse, team: TeamServer
) -> None:
    page = sign_in(browse, team, OWNER, "/people?tab=invitations")
    page.get_by_label(say("people.invite.email")).fill("vera@example.org")
    page.get_by_role("button", name=say("people.invite.make")).click()
    secret = urlsplit(page.get_by_label(say("people.invite.link")).input_value()).fragment
    waiting = page.get_by_role("list", name=say("people.invitations.open")).get_by_role("listitem")
    expect(waiting.filter(has_text="vera@example.org")).to_be_visible()
    body = {"secret": secret, "name": "Vera Holm", "password": PASSWORD}
    assert httpx2.post(f"{team.server.address}/api/account/join", json=body, timeout=PATIENCE).status_code == 200

    open_tab(page, "people.tab.people")
    expect(row(page, "Vera Holm")).to_contain_text(say("people.role.member"))
    act(page, "Vera Holm", "people.role.change")
    page.get_by_role("dialog").get_by_role("radio", name=re.compile(f"^{say('people.role.owner')}")).check()
    page.get_by_role("dialog").get_by_role("button", name=say("settings.save")).click()
    expect(row(page, "Vera Holm")).to_contain_text(say("people.role.owner"))
    act(page, "Vera Holm", "people.disable")
    expect(row(page, "Vera Holm")).to_contain_text(say("people.disabled"))

    act(page, "Vera Holm", "people.remove")
    remove = page.get_by_role("dialog").get_by_role("button", name=say("people.remove.do"))
    expect(remove).to_be_disabled()
    page.get_by_label(say("people.remove.type", name="Vera Holm")).fill("Vera Holm")
    remove.click()
    expect(row(page, "Vera Holm")).to_have_count(0)

    open_tab(page, "people.tab.audit")
    log = page.get_by_role("list", name=say("people.audit")).get_by_role("listitem")
    for key in ("invitation.create", "role.change", "account.disable", "account.remove"):
        expect(log.filter(has_text=say(f"people.audit.{key}")).first).to_contain_text(OWNER)
    with page.expect_download() as saved:
        page.get_by_role("link", name=say("people.audit.export")).click()
    assert "role.change" in saved.value.path().read_text(encoding="utf-8")


def test_an_invitation_that_is_taken_back_opens_nothing(browse: Browse, team: TeamServer) -> None:
    page = sign_in(browse, team, OWNER, "/people?tab=invitations")
    page.get_by_label(say("people.invite.email")).fill("nobody@example.org")
    page.get_by_role("button", name=say("people.invite.make")).click()
    secret = urlsplit(page.get_by_label(say("people.invite.link")).input_value()).fragment
    page.get_by_role("button", name=say("people.invitation.takeBack", name="nobody@example.org")).click()
    expect(page.get_by_text("nobody@example.org")).to_have_count(0)
    answer = httpx2.post(f"{team.server.address}/api/account/invitation", json={"secret": secret}, timeout=PATIENCE)
    assert answer.status_code == 401


def test_a_group_is_made_filled_renamed_and_removed(browse: Browse, team: TeamServer) -> None:
    member = team.add("Wanda Group")
    page = sign_in(browse, team, OWNER, "/people?tab=groups")
    page.get_by_label(say("people.group.name")).fill("Lawyers")
    page.get_by_role("button", name=say("people.group.make")).click()
    page.get_by_label(say("people.group.add", group="Lawyers")).select_option(label=member)
    members = page.get_by_role("list", name=say("people.group.members", name="Lawyers"))
    expect(members.get_by_role("listitem").filter(has_text=member).first).to_be_visible()
    page.get_by_role("button", name=say("people.group.rename", name="Lawyers")).click()
    page.get_by_label(say("people.group.name")).last.fill("Counsel")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Counsel")).to_be_visible()
    page.get_by_role("button", name=say("people.group.leave", name=member, group="Counsel")).click()
    expect(page.get_by_role("button", name=like("people.group.leave", group="Counsel"))).to_have_count(0)
    page.get_by_role("button", name=say("people.group.remove", name="Counsel")).click()
    page.get_by_role("dialog").get_by_role("button", name=say("people.group.remove.do")).click()
    expect(page.get_by_role("heading", name="Counsel")).to_have_count(0)


def test_the_plot_shows_who_used_how_much_in_each_month_and_the_table_says_it(browse: Browse, team: TeamServer) -> None:
    big, small = team.add("Xaver Big"), team.add("Yuki Small")
    team.spend(big, 3000)
    team.spend(big, 1200, months_ago=1)
    team.spend(small, 150, months_ago=1)
    page = sign_in(browse, team, OWNER, "/people?tab=usage")
    plot = page.get_by_role("figure")
    months = plot.get_by_role("button")
    expect(months).to_have_count(6)
    legend = plot.get_by_role("list").get_by_role("listitem")
    months.nth(5).hover()
    expect(legend.filter(has_text=big)).to_contain_text("3,000")
    months.nth(4).hover()
    expect(legend.filter(has_text=big)).to_contain_text("1,200")
    expect(legend.filter(has_text=small)).to_contain_text("150")
    months.nth(5).focus()
    expect(legend.filter(has_text=big)).to_contain_text("3,000")
    assert plot.locator("rect").count() >= 3
    page.get_by_text(say("people.usage.table")).click()
    expect(page.get_by_role("row").filter(has_text=big).get_by_role("cell").last).to_have_text("3,000")
    page.get_by_role("radio", name=say("people.usage.months", n=12)).check(force=True)
    expect(months).to_have_count(12)


def test_nobody_but_an_owner_finds_the_page(browse: Browse, team: TeamServer, watches: dict[Page, Watch]) -> None:
    member = team.add("Zoe Member")
    page = sign_in(browse, team, member, "/people")
    expect(heading(page, "shell.missing")).to_be_visible()
    assert not [each.url for each in watches[page].requests if "/api/people" in each.url]


@pytest.mark.parametrize("viewport", [PHONE, {"width": 1440, "height": 900}], ids=["phone", "wide"])
def test_the_owners_page_keeps_nobody_out(browse: Browse, team: TeamServer, viewport: dict[str, int]) -> None:
    team.spend(OWNER, 10)
    page = sign_in(browse, team, OWNER, viewport=viewport)
    for path in TABS:
        arrive(page, path)
        assert serious(page) == [], path
        assert wide_as_the_window(page), path
    arrive(page, "/people")
    for key in ("people.role.change", "people.reset", "people.quota", "people.access", "people.remove"):
        act(page, OWNER, key)
        expect(page.get_by_role("dialog").locator(".skeleton")).to_have_count(0)
        assert serious(page) == [], key
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)


def test_a_french_owner_gets_french(browse: Browse, team: TeamServer) -> None:
    team.spend(OWNER, 10)
    page = browse(team.server, locale="fr-FR")
    fill_in(page, OWNER, PASSWORD, "fr")
    expect(menu(page, OWNER, "fr")).to_be_visible()
    for path in TABS:
        arrive(page, path)
        assert english_left(page) == [], path
