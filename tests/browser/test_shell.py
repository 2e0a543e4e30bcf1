"""The frame of the page: addresses, the way back, workspaces, the last conversations, the search over everything."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser import papers
from tests.browser.conftest import Browse, in_both_browsers, start_server
from tests.browser.rooms import ask, complete, composer, exchange, shown_for_a_moment
from tests.browser.running import Server, until
from tests.browser.speaking import Speaker
from tests.browser.test_notebooks import make_notebook
from tests.browser.watching import SERVER_GONE, Watch
from tests.browser.words import say

QUESTION = "How much is the rent?"


@pytest.fixture
def lease(scripted: Server, tmp_path: Path) -> str:
    return scripted.add(papers.lease(tmp_path / "lease-0.pdf"))


@in_both_browsers
def test_back_after_a_question_returns_to_the_start_and_back_again_leaves(
    browse: Browse, scripted: Server, speaker: Speaker, lease: str
) -> None:
    speaker.will(f"{papers.RENT} [1]", looking_for="rent")
    page = browse(scripted, "/library")
    page.get_by_role("link", name=say("shell.ask"), exact=True).click()
    complete(ask(page, QUESTION))
    expect(page).not_to_have_url(scripted.address + "/")
    page.go_back()
    expect(page).to_have_url(scripted.address + "/")
    expect(page.get_by_role("heading", name=say("conversation.begin"), level=1)).to_be_visible()
    expect(composer(page)).to_have_value("")
    expect(exchange(page, QUESTION)).to_have_count(0)
    page.go_forward()
    complete(exchange(page, QUESTION))
    page.go_back()
    page.go_back()
    expect(page.get_by_role("heading", name=say("shell.library"), level=1)).to_be_visible()


@pytest.mark.parametrize(("locale", "language"), [("en-US", "en"), ("fr-FR", "fr")])
def test_an_address_that_does_not_exist_is_told_kindly_with_a_way_on(
    browse: Browse, scripted: Server, watches: dict[Page, Watch], locale: str, language: str
) -> None:
    page = browse(scripted, locale=locale)
    watches[page].expect("404.*/nosuch")
    answer = page.goto("/nosuch")
    assert answer is not None
    assert answer.status == 404
    expect(page.get_by_role("heading", name=say("shell.missing", language), level=1)).to_be_visible()
    page.get_by_role("main").get_by_role("link", name=say("shell.ask", language)).click()
    expect(composer(page, language)).to_be_visible()


def test_the_list_of_conversations_comes_by_itself_when_the_server_is_back(
    browse: Browse, scripted: Server, watches: dict[Page, Watch], lease: str
) -> None:
    scripted.ask(QUESTION, lease, chatModel="extractive")
    page = browse(scripted, "/settings")
    watches[page].expect(*SERVER_GONE)
    page.get_by_role("link", name=say("shell.conversations"), exact=True).click()
    expect(page.get_by_role("main").get_by_role("link", name=QUESTION).first).to_be_visible()
    page.get_by_role("link", name=say("shell.settings")).click()
    scripted.kill()
    page.get_by_role("link", name=say("shell.conversations"), exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text(say("errors.offline"))
    scripted.start()
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.get_by_role("main").get_by_role("link", name=QUESTION).first).to_be_visible()


def panel(page: Page) -> Locator:
    return page.get_by_role("navigation", name=say("workspaces.panel"))


def test_a_workspace_is_made_searches_its_libraries_lists_its_conversations_and_deletes_nothing(
    browse: Browse, scripted: Server, speaker: Speaker, watches: dict[Page, Watch], tmp_path: Path
) -> None:
    mill = scripted.send(papers.lease(tmp_path / "lease-0.pdf"), library="Mill")
    until(lambda: scripted.get(f"/api/documents/{mill}")["status"] == "ready")
    scripted.ask("How much is the rent?", mill, chatModel="extractive")
    page = browse(scripted)
    panel(page).get_by_role("button", name=say("workspaces.menu", name=say("workspaces.everything"))).click()
    page.get_by_role("menuitem", name=say("workspaces.add")).click()
    form = page.get_by_role("dialog", name=say("workspaces.new"))
    expect(form.get_by_label(say("workspaces.name"))).to_be_focused()
    page.keyboard.type("Mill report")
    form.get_by_label("Mill", exact=True).check()
    form.get_by_label(say("workspaces.instructions")).fill("Answer for the miller.")
    form.get_by_role("button", name=say("settings.save")).click()
    expect(panel(page).get_by_role("button", name=say("workspaces.menu", name="Mill report"))).to_be_visible()
    speaker.will(f"{papers.RENT} [1]", looking_for="rent")
    question = "How much is the rent of the mill, for the report?"
    complete(ask(page, question))
    (sent,) = watches[page].sent("POST", "/api/chat")
    (made,) = [each for each in scripted.get("/api/workspaces") if each["name"] == "Mill report"]
    assert sent["workspace"] == made["id"]
    page.get_by_role("link", name=say("shell.conversations"), exact=True).click()
    rows = page.get_by_role("main").get_by_role("listitem")
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text(question)
    panel(page).get_by_role("button", name=say("workspaces.menu", name="Mill report")).click()
    page.get_by_role("menuitem", name=say("workspaces.change", name="Mill report")).click()
    with shown_for_a_moment(page, say("workspaces.removed", name="Mill report")):
        page.get_by_role("dialog").get_by_role("button", name=say("workspaces.remove")).click()
    page.goto("/settings")  # leaving the page carries it out
    until(lambda: made["id"] not in {each["id"] for each in scripted.get("/api/workspaces")})
    assert question in {each["title"] for each in scripted.get("/api/conversations")["conversations"]}
    assert scripted.get(f"/api/documents/{mill}")["status"] == "ready"


def test_an_open_workspace_shows_what_is_in_it_and_its_library_lists_its_documents_first(
    browse: Browse, scripted: Server, tmp_path: Path
) -> None:
    scripted.send(papers.write(tmp_path / "weir.md", "# The weir\n\nIt has three gates.\n"), library="Weir")
    scripted.send(papers.write(tmp_path / "tarn.md", "# The tarn\n\nIt is shallow.\n"))
    scripted.ask("How many gates has the weir?", chatModel="extractive")  # the panel is closed while it is empty
    page = browse(scripted)
    panel(page).get_by_role("button", name=say("workspaces.menu", name=say("workspaces.everything"))).click()
    page.get_by_role("menuitem", name=say("workspaces.add")).click()
    form = page.get_by_role("dialog", name=say("workspaces.new"))
    page.keyboard.type("Weir report")
    form.get_by_label("Weir", exact=True).check()
    form.get_by_label(say("workspaces.instructions")).fill("Answer for the weir keeper.")
    form.get_by_role("button", name=say("settings.save")).click()
    expect(composer(page)).to_be_focused()
    inside = panel(page)
    expect(inside.get_by_role("link", name=f"Weir {say('library.documents.one', n=1)}")).to_be_visible()
    expect(inside).to_contain_text("Answer for the weir keeper.")
    inside.get_by_role("link", name=say("workspaces.addDocuments")).click()
    listed = page.locator(".document")  # the card in a row has lists too
    expect(listed).to_have_count(1)
    expect(listed).to_contain_text("The weir")
    expect(page.get_by_label(say("library.into"))).to_have_value("Weir")
    page.get_by_role("button", name=say("workspaces.showAll")).click()
    expect(listed.filter(has_text="The tarn")).to_have_count(1)


def test_the_last_conversations_are_in_sight_and_wait_behind_a_button_where_there_is_no_room(
    browse: Browse, scripted: Server, lease: str
) -> None:
    scripted.ask("When was the last one?", lease, chatModel="extractive")
    page = browse(scripted, "/settings")
    recent = panel(page).get_by_role("link", name="When was the last one?")
    expect(recent).to_be_visible()
    page.set_viewport_size({"width": 390, "height": 844})
    expect(panel(page)).to_have_count(0)
    page.get_by_role("button", name=say("workspaces.panel")).click()
    expect(recent).to_be_visible()
    page.keyboard.press("Escape")
    expect(panel(page)).to_have_count(0)
    page.get_by_role("button", name=say("workspaces.panel")).click()
    recent.click()
    expect(page.get_by_role("heading", name="When was the last one?", level=1)).to_be_visible()
    expect(panel(page)).to_have_count(0)


def test_the_panel_stays_closed_while_it_is_empty_and_does_not_open_beside_an_answer(
    browse: Browse, tmp_path: Path
) -> None:
    server = start_server(tmp_path / "data", EMBEDDING__PROVIDER="none")
    try:
        server.add(papers.lease(tmp_path / "lease.pdf"))
        page = browse(server)
        button = page.get_by_role("button", name=say("workspaces.panel"))
        page.wait_for_load_state("networkidle")
        expect(button).to_have_attribute("aria-expanded", "false")
        expect(panel(page)).to_have_count(0)
        # A person may open it all the same, and it stays as they left it.
        button.click()
        expect(panel(page)).to_be_visible()
        page.reload()
        expect(panel(page)).to_be_visible()

        page = browse(server, viewport={"width": 1700, "height": 900})
        complete(ask(page, "How much is the rent?"))
        expect(panel(page)).to_have_count(0)
        page.get_by_role("link", name=say("shell.library")).click()
        expect(panel(page).get_by_role("link", name="How much is the rent?")).to_be_visible()
        page.reload()
        expect(panel(page).get_by_role("link", name="How much is the rent?")).to_be_visible()
    finally:
        server.stop()


@in_both_browsers
@pytest.mark.parametrize(("locale", "language"), [("en-US", "en"), ("fr-FR", "fr")])
def test_everything_is_found_by_the_keyboard(
    browse: Browse, scripted: Server, lease: str, locale: str, language: str
) -> None:
    scripted.ask("How much is the rent in winter?", lease, chatModel="extractive")
    make_notebook(scripted, "Visits", "The millrace was dredged by hand.")
    page = browse(scripted, "/library", locale=locale)
    expect(page.get_by_role("heading", name=say("shell.library", language), level=1)).to_be_visible()

    def search(words: str) -> Locator:
        field = page.get_by_role("combobox", name=say("search.title", language))
        expect(field).to_have_count(0)  # the last search is closed: else the key closes it
        page.keyboard.press("Control+k")
        expect(field).to_be_focused()
        page.keyboard.type(words)
        return page.get_by_role("listbox")

    found = search("rent in winter")
    talks = found.get_by_role("group", name=say("shell.conversations", language))
    expect(talks.get_by_role("option").first).to_contain_text("How much is the rent in winter?")
    expect(
        found.get_by_role("group", name=say("search.passages", language)).get_by_role("option").first
    ).to_be_visible()
    while not talks.get_by_role("option", selected=True).count():
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="How much is the rent in winter?", level=1)).to_be_visible()

    found = search("Lease of the mill")
    expect(
        found.get_by_role("group", name=say("search.documents", language)).get_by_role("option").first
    ).to_be_visible()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/d/"))

    found = search("millrace dredged")
    note = found.get_by_role("group", name=say("search.notes", language)).get_by_role("option").first
    expect(note).to_contain_text("The millrace was dredged by hand.")
    note.click()
    expect(page.get_by_role("heading", name="Visits", level=1)).to_be_visible()

    search("theme sombre" if language == "fr" else "dark theme")
    expect(page.get_by_role("option", selected=True)).to_have_text(say("search.action.dark", language))
    page.keyboard.press("Enter")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")

    search("ollama")
    expect(page.get_by_role("option", selected=True)).to_have_text(say("settings.setup", language))
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=say("settings.setup", language), level=2)).to_be_focused()


@in_both_browsers
def test_the_search_opens_again_right_after_it_was_closed(browse: Browse, scripted: Server) -> None:
    page = browse(scripted, "/library")
    expect(page.get_by_role("heading", name=say("shell.library"), level=1)).to_be_visible()
    field = page.get_by_role("combobox", name=say("search.title"))
    page.keyboard.press("Control+k")
    expect(field).to_be_focused()
    page.keyboard.type("dark theme")
    expect(page.get_by_role("option", name=say("search.action.dark"), selected=True)).to_be_visible()
    # Both keys come before the browser says that the dialog is closed, as they may on a busy machine.
    field.evaluate(
        """async (field) => {
            field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
            await Promise.resolve();
            document.dispatchEvent(new KeyboardEvent("keydown", { key: "k", ctrlKey: true }));
        }"""
    )
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(field).to_be_focused()
    expect(field).to_have_value("")


def test_escape_leaves_a_field_so_that_letters_are_keys_again(browse: Browse, scripted: Server, lease: str) -> None:
    scripted.ask(QUESTION, lease, chatModel="extractive")
    page = browse(scripted, "/conversations")
    field = page.get_by_label(say("conversations.search"))
    field.fill("rent")
    page.keyboard.press("Escape")
    expect(field).to_have_value("")
    page.keyboard.press("Escape")
    expect(field).not_to_be_focused()
    page.keyboard.press("?")
    keys = page.get_by_role("dialog", name=say("shell.help"))
    expect(keys).to_contain_text(say("keys.search"))
