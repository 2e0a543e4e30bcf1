"""Accounts on the page: sign in and be back where one was, join, leave nothing behind, and be out at once."""

import re
from pathlib import Path

import httpx2
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser import papers
from tests.browser.barriers import serious
from tests.browser.conftest import Browse
from tests.browser.rooms import arrive, composer, exchange, shown_for_a_moment
from tests.browser.running import Server
from tests.browser.teams import OWNER, PASSWORD, TeamServer
from tests.browser.test_access import PHONE, wide_as_the_window
from tests.browser.test_languages import english_left
from tests.browser.watching import Watch
from tests.browser.words import like, say

QUESTION = "How much is the rent?"
REFUSED = r"401|the server responded with a status of 40[13]"


def heading(page: Page, key: str, language: str = "en") -> Locator:
    return page.get_by_role("heading", name=say(key, language), level=1)


def fill_in(page: Page, name: str, password: str = PASSWORD, language: str = "en") -> None:
    """Type a name and a password, and send them."""
    page.get_by_label(say("account.nameOrEmail", language)).fill(name)
    page.get_by_label(say("account.password", language), exact=True).fill(password)
    page.get_by_role("button", name=say("account.signIn", language), exact=True).click()


def menu(page: Page, name: str, language: str = "en") -> Locator:
    """The button of the person's menu."""
    return page.get_by_role("button", name=say("account.menu", language, name=name))


def sign_in(browse: Browse, team: TeamServer, name: str, path: str = "/", **options: object) -> Page:
    """A page on which a person is signed in."""
    page = browse(team.server, path, **options)
    fill_in(page, name)
    expect(menu(page, name)).to_be_visible()
    return page


def sign_out(page: Page, name: str) -> None:
    menu(page, name).click()
    page.get_by_role("menuitem", name=say("account.signOut")).click()
    expect(heading(page, "account.signIn")).to_be_visible()


def test_signing_in_leads_back_to_the_page_that_was_asked_for(browse: Browse, team: TeamServer) -> None:
    page = browse(team.server, "/settings")
    expect(heading(page, "account.signIn")).to_be_visible()
    expect(page).to_have_url(re.compile(r"/sign-in\?next=%2Fsettings$"))
    expect(page.get_by_label(say("account.nameOrEmail"))).to_be_focused()
    fill_in(page, OWNER)
    expect(heading(page, "shell.settings")).to_be_visible()
    expect(page).to_have_url(re.compile(r"/settings$"))
    page.reload()
    expect(menu(page, OWNER)).to_be_visible()


@pytest.mark.parametrize("next", ["//evil.example", "https://evil.example/", "/%5Cevil.example", "/api/account/export"])
def test_a_link_to_the_sign_in_leads_nowhere_else(browse: Browse, team: TeamServer, next: str) -> None:
    page = browse(team.server, f"/sign-in?next={next}")
    fill_in(page, OWNER)
    expect(menu(page, OWNER)).to_be_visible()
    assert page.evaluate("location.href").startswith(f"{team.server.address}/")
    expect(page.get_by_role("textbox", name=say("conversation.ask"))).to_be_visible()


def test_a_wrong_password_says_so_in_place_and_keeps_the_name(
    browse: Browse, team: TeamServer, watches: dict[Page, Watch]
) -> None:
    page = browse(team.server, "/sign-in")
    watches[page].expect(REFUSED)
    fill_in(page, OWNER, "not the password")
    expect(page.get_by_role("alert")).to_contain_text(say("errors.not_signed_in.password"))
    expect(page.get_by_label(say("account.nameOrEmail"))).to_have_value(OWNER)
    password = page.get_by_label(say("account.password"), exact=True)
    expect(password).to_be_focused()
    assert password.get_attribute("autocomplete") == "current-password"
    password.fill(PASSWORD)
    password.press("Enter")
    expect(menu(page, OWNER)).to_be_visible()


def test_an_invitation_makes_an_account_once_and_its_secret_leaves_the_address(
    browse: Browse, team: TeamServer, watches: dict[Page, Watch]
) -> None:
    path = team.invite("member", "bo@example.org")
    page = browse(team.server, path)
    expect(heading(page, "account.join")).to_be_visible()
    assert page.evaluate("location.href") == f"{team.server.address}/join"
    expect(page.get_by_text(say("account.join.member"))).to_be_visible()
    expect(page.get_by_label(say("account.email"))).to_have_value("bo@example.org")
    page.get_by_label(say("account.name")).fill("Bo Lind")
    password = page.get_by_label(say("account.password"), exact=True)
    assert password.get_attribute("autocomplete") == "new-password"
    password.fill("short")
    expect(page.get_by_text(say("account.strength.short"))).to_be_visible()
    password.fill("four words of mine together")
    expect(page.get_by_text(say("account.strength.strong"), exact=True)).to_be_visible()
    page.get_by_role("button", name=say("account.join.make")).click()
    expect(menu(page, "Bo Lind")).to_be_visible()
    again = browse(team.server, path)
    watches[again].expect(REFUSED)
    expect(again.get_by_role("alert")).to_contain_text(say("errors.not_signed_in.invitation"))


def test_a_refused_invitation_form_says_what_to_change_and_can_be_sent_again(
    browse: Browse, team: TeamServer, watches: dict[Page, Watch]
) -> None:
    page = browse(team.server, team.invite())
    watches[page].expect("status of 4(00|09|22)")
    page.get_by_label(say("account.name")).fill(OWNER)
    page.get_by_label(say("account.password"), exact=True).fill(PASSWORD)
    page.get_by_role("button", name=say("account.join.make")).click()
    expect(page.get_by_text(say("errors.taken"), exact=False)).to_be_visible()
    expect(page.get_by_label(say("account.name"))).to_have_attribute("aria-invalid", "true")
    page.get_by_label(say("account.name")).fill("Cleo")
    page.get_by_role("button", name=say("account.join.make")).click()
    expect(menu(page, "Cleo")).to_be_visible()


def test_a_reset_link_sets_a_new_password(browse: Browse, team: TeamServer) -> None:
    team.add("Dora")
    page = browse(team.server, team.make_reset("Dora"))
    expect(heading(page, "account.reset")).to_be_visible()
    assert page.evaluate("location.href") == f"{team.server.address}/reset"
    page.get_by_label(say("account.password.new"), exact=True).fill("a new one for the mill")
    page.get_by_role("button", name=say("account.reset.save")).click()
    expect(page.get_by_text(say("account.notice.reset"))).to_be_visible()
    fill_in(page, "Dora", "a new one for the mill")
    expect(menu(page, "Dora")).to_be_visible()


def test_a_token_is_shown_once_and_works_until_it_is_revoked(browse: Browse, team: TeamServer) -> None:
    page = sign_in(browse, team, team.add("Emil"), "/account")
    tokens = page.get_by_role("region", name=say("account.tokens"))
    tokens.get_by_role("button", name=say("account.token.make")).click()
    form = page.get_by_role("dialog", name=say("account.token.make"))
    expect(form.get_by_label(say("account.scope.admin"))).to_have_count(0)
    form.get_by_label(say("account.token.name")).fill("backup")
    form.get_by_role("button", name=say("account.token.make")).click()
    secret = tokens.get_by_label(say("account.token.secret")).input_value()

    def status() -> int:
        headers = {"Authorization": f"Bearer {secret}"}
        return httpx2.get(f"{team.server.address}/api/documents", headers=headers).status_code

    assert status() == 200
    page.reload()
    expect(tokens.get_by_role("listitem").filter(has_text="backup")).to_be_visible()
    assert secret not in page.content()
    tokens.get_by_role("button", name=say("account.token.revoke.name", name="backup")).click()
    page.get_by_role("dialog").get_by_role("button", name=say("account.token.revoke"), exact=True).click()
    expect(tokens.get_by_text(say("account.tokens.none"))).to_be_visible()
    assert status() == 401


def test_a_session_that_is_ended_elsewhere_is_out_at_once_and_goes_on_after_signing_in(
    browse: Browse, team: TeamServer, watches: dict[Page, Watch], tmp_path: Path
) -> None:
    name = team.add("Finn")
    team.send(name, papers.lease(tmp_path / "lease-0.pdf"))
    conversation = team.ask(name, QUESTION)
    page = sign_in(browse, team, name, f"/c/{conversation}")
    watches[page].expect(REFUSED)
    expect(exchange(page, QUESTION)).to_be_visible()
    composer(page).fill("And the deposit")
    other = sign_in(browse, team, name, "/account")
    other.get_by_role("button", name=say("account.sessions.endOthers")).click()
    expect(heading(page, "account.signIn")).to_be_visible()
    expect(page.get_by_text(say("account.notice.ended"))).to_be_visible()
    assert QUESTION not in page.content()
    expect(page.get_by_label(say("account.nameOrEmail"))).to_have_value(name)
    page.get_by_label(say("account.password"), exact=True).fill(PASSWORD)
    page.get_by_role("button", name=say("account.signIn"), exact=True).click()
    expect(exchange(page, QUESTION)).to_be_visible()
    expect(composer(page)).to_have_value("And the deposit")


@pytest.mark.parametrize("path", ["/library", "/conversations", "/settings"])
def test_every_view_is_out_at_once(browse: Browse, team: TeamServer, watches: dict[Page, Watch], path: str) -> None:
    name = team.add(f"Gro {path.title()[1:]}")
    page = sign_in(browse, team, name, path)
    watches[page].expect(REFUSED)
    team.end_sessions(name)
    expect(heading(page, "account.signIn")).to_be_visible()


def test_signing_out_leaves_nothing_on_the_page_in_any_tab(
    browse: Browse, team: TeamServer, watches: dict[Page, Watch], tmp_path: Path
) -> None:
    name = team.add("Hanne")
    document = team.send(name, papers.lease(tmp_path / "lease-0.pdf"))
    conversation = team.ask(name, QUESTION)
    page = sign_in(browse, team, name, f"/c/{conversation}")
    watches[page].expect(REFUSED)
    expect(exchange(page, QUESTION)).to_be_visible()
    composer(page).fill("a secret draft")
    second = page.context.new_page()
    second.goto("/library")
    expect(second.get_by_role("link", name="Lease of the mill").first).to_be_visible()
    sign_out(page, name)
    expect(heading(second, "account.signIn")).to_be_visible()
    for tab in (page, second):
        for path in (f"/c/{conversation}", f"/d/{document}", "/library"):
            tab.goto(path)
            expect(heading(tab, "account.signIn")).to_be_visible()
            assert "Lease of the mill" not in tab.content()
            assert "rent" not in tab.title().lower()
        kept = tab.evaluate("JSON.stringify([{ ...sessionStorage }, { ...localStorage }])")
        assert "secret draft" not in kept
        assert "mill" not in kept
    page.go_back()
    expect(heading(page, "account.signIn")).to_be_visible()


def test_another_person_in_the_same_browser_finds_nothing_of_the_first(browse: Browse, team: TeamServer) -> None:
    first, second = team.add("Ida"), team.add("Jon")
    page = sign_in(browse, team, first, "/settings")
    page.get_by_label(say("settings.me"), exact=True).fill("I keep bees.")
    sign_out(page, first)
    fill_in(page, second)
    expect(menu(page, second)).to_be_visible()
    arrive(page, "/settings")
    expect(page.get_by_label(say("settings.me"), exact=True)).to_have_value("")
    sign_out(page, second)
    fill_in(page, first)
    expect(menu(page, first)).to_be_visible()
    arrive(page, "/settings")
    expect(page.get_by_label(say("settings.me"), exact=True)).to_have_value("I keep bees.")


def test_a_guest_can_ask_but_is_offered_no_way_to_add(browse: Browse, team: TeamServer) -> None:
    page = browse(team.server)
    page.get_by_role("button", name=say("account.guest.begin")).click()
    expect(composer(page)).to_be_visible()
    expect(page.get_by_text(say("account.guest.hint"))).to_be_visible()
    expect(page.get_by_role("button", name=say("conversation.attach"))).to_have_count(0)
    arrive(page, "/library")
    expect(page.get_by_role("button", name=say("library.files"))).to_have_count(0)
    page.get_by_role("link", name=say("account.signIn")).click()
    fill_in(page, team.add("Kari"))
    expect(heading(page, "shell.library")).to_be_visible()
    expect(page.get_by_role("button", name=say("library.files"))).to_be_visible()


def test_a_reader_of_a_shared_library_is_offered_no_way_to_change_it(
    browse: Browse, team: TeamServer, tmp_path: Path
) -> None:
    owner, reader = team.add("Mia"), team.add("Nils")
    team.send(owner, papers.lease(tmp_path / "lease-0.pdf"))
    team.share(owner, "default", reader, "reader")
    page = sign_in(browse, team, reader, "/library")
    page.get_by_role("button", name=say("library.acts", title="Lease of the mill")).click()
    expect(page.get_by_role("menuitem", name=say("library.ask.one"))).to_be_visible()
    for key in ("library.rename", "library.remove"):
        expect(page.get_by_role("menuitem", name=say(key), exact=True)).to_have_count(0)
    page.keyboard.press("Escape")
    page.get_by_role("checkbox", name=say("library.choose", title="Lease of the mill")).check(force=True)
    expect(page.get_by_role("button", name=say("library.ask"))).to_be_visible()
    expect(page.get_by_role("button", name=say("library.remove"), exact=True)).to_have_count(0)
    listed = page.get_by_role("list", name=say("library.list"))
    expect(listed).to_contain_text(f"{say('library.default')} · {owner}")


def test_an_account_is_deleted_after_its_name_and_password_were_typed(
    browse: Browse, team: TeamServer, watches: dict[Page, Watch]
) -> None:
    name = team.add("Olav")
    page = sign_in(browse, team, name, "/account")
    watches[page].expect(REFUSED)
    with page.expect_download() as download:
        page.get_by_role("link", name=say("account.export")).click()
    assert download.value.path().read_bytes().startswith(b"PK")
    page.get_by_role("button", name=say("account.delete")).click()
    form = page.get_by_role("dialog", name=say("account.delete.title"))
    delete = form.get_by_role("button", name=say("account.delete.do"))
    form.get_by_label(say("account.delete.type", name=name)).fill("somebody")
    form.get_by_label(say("account.password"), exact=True).fill("not the password")
    expect(delete).to_be_disabled()
    form.get_by_label(say("account.delete.type", name=name)).fill(name)
    delete.click()
    expect(form.get_by_text(say("account.password.wrong"))).to_be_visible()
    form.get_by_label(say("account.password"), exact=True).fill(PASSWORD)
    delete.click()
    expect(page.get_by_text(say("account.notice.deleted"))).to_be_visible()
    fill_in(page, name)
    expect(page.get_by_role("alert")).to_contain_text(say("errors.not_signed_in.password"))


def test_the_own_account_can_be_used_from_the_keyboard(browse: Browse, team: TeamServer) -> None:
    name = team.add("Lars Moe")
    page = sign_in(browse, team, name)
    menu(page, name).focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("menuitem", name=say("account.title"))).to_be_focused()
    page.keyboard.press("Enter")
    expect(heading(page, "account.title")).to_be_visible()
    expect(page.get_by_role("listitem").filter(has_text=say("account.session.current"))).to_be_visible()
    change = page.get_by_role("button", name=say("account.password.change"))
    change.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_label(say("account.password.old"), exact=True)).to_be_focused()
    page.keyboard.type(PASSWORD)
    page.get_by_label(say("account.password.new"), exact=True).focus()
    page.keyboard.type("another horse and battery")
    with shown_for_a_moment(page, say("account.password.changed")):
        page.keyboard.press("Enter")
    expect(change).to_be_focused()


ENTRIES = ("/sign-in", "/join", "/reset")


@pytest.mark.parametrize("viewport", [PHONE, {"width": 1440, "height": 900}], ids=["phone", "wide"])
def test_no_view_of_accounts_keeps_anybody_out(browse: Browse, team: TeamServer, viewport: dict[str, int]) -> None:
    page = browse(team.server, viewport=viewport)
    for path in (*ENTRIES, team.invite("guest"), team.make_reset(OWNER)):
        page.goto("about:blank")
        arrive(page, path)
        assert serious(page) == [], path
        assert wide_as_the_window(page), path
    arrive(page, "/account")
    fill_in(page, OWNER)
    expect(page.get_by_role("region", name=say("account.tokens"))).to_be_visible()
    expect(page.locator(".skeleton")).to_have_count(0)
    assert serious(page) == []
    assert wide_as_the_window(page)
    menu(page, OWNER).click()
    assert serious(page) == []
    page.keyboard.press("Escape")
    page.get_by_role("button", name=say("account.token.make")).click()
    assert serious(page) == []


def test_a_french_browser_gets_french(browse: Browse, team: TeamServer, watches: dict[Page, Watch]) -> None:
    page = browse(team.server, locale="fr-FR")
    watches[page].expect(REFUSED)
    for path in (*ENTRIES, team.invite(), team.make_reset(OWNER)):
        page.goto("about:blank")
        arrive(page, path)
        assert english_left(page) == [], path
    arrive(page, "/account")
    fill_in(page, OWNER, "faux", "fr")
    expect(page.get_by_role("alert")).to_contain_text(say("errors.not_signed_in.password", "fr"))
    fill_in(page, OWNER, PASSWORD, "fr")
    expect(heading(page, "account.title", "fr")).to_be_visible()
    expect(page.locator(".skeleton")).to_have_count(0)
    assert english_left(page) == []
    menu(page, OWNER, "fr").click()
    expect(page.get_by_role("menuitem", name=say("account.people", "fr"))).to_be_visible()
    assert english_left(page) == []


def test_a_server_without_accounts_shows_none_of_this(browse: Browse, scripted: Server) -> None:
    page = browse(scripted, "/sign-in")
    expect(composer(page)).to_be_visible()
    expect(page.get_by_role("button", name=like("account.menu"))).to_have_count(0)
    assert page.evaluate("location.pathname") == "/"
