"""Earlier conversations are found, renamed and deleted, and a deletion can be undone."""

from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser import papers
from tests.browser.conftest import Browse
from tests.browser.rooms import set_undo_time
from tests.browser.running import Server, until
from tests.browser.words import say
from tests.clock import PATIENCE


def row(page: Page, title: str) -> Locator:
    return page.get_by_role("main").get_by_role("listitem").filter(has_text=title)


def act(page: Page, title: str, what: str) -> None:
    page.get_by_role("button", name=say("conversations.acts", title=title)).click()
    page.get_by_role("menuitem", name=what).click()


def asked(server: Server, folder: Path, question: str) -> str:
    lease = server.add(papers.lease(folder / "lease-0.pdf"))
    return server.ask(question, lease, chatModel="extractive")


def test_conversations_are_found_by_what_was_said_in_them(browse: Browse, scripted: Server, tmp_path: Path) -> None:
    asked(scripted, tmp_path, "How much is the rent per month?")
    garden = papers.titled(tmp_path / "garden.pdf", "The garden", "The garden at Askvoll belongs to the school.")
    scripted.ask("Who owns the garden?", scripted.add(garden), chatModel="extractive")
    page = browse(scripted, "/conversations")
    page.get_by_label(say("conversations.search")).fill("840 EUROS")
    expect(row(page, "How much is the rent per month?").get_by_text("840", exact=True).first).to_be_visible()
    expect(row(page, "Who owns the garden?")).to_have_count(0)
    row(page, "How much is the rent per month?").get_by_role("link").first.click()
    expect(page.get_by_role("heading", name="How much is the rent per month?", level=2)).to_be_visible()


def test_a_conversation_is_renamed_where_it_stands(browse: Browse, scripted: Server, tmp_path: Path) -> None:
    asked(scripted, tmp_path, "When does the lease begin?")
    page = browse(scripted, "/conversations")
    act(page, "When does the lease begin?", say("conversations.rename"))
    page.get_by_label(say("conversations.name")).fill("The beginning")
    with page.expect_response(lambda answer: answer.request.method == "PATCH"):
        page.get_by_label(say("conversations.name")).press("Enter")
    page.reload()
    expect(row(page, "The beginning")).to_be_visible()


@pytest.mark.parametrize("undone", [True, False])
def test_a_deleted_conversation_comes_back_when_it_is_undone_and_else_is_gone(
    browse: Browse, scripted: Server, tmp_path: Path, undone: bool
) -> None:
    title = f"Is it {str(undone).lower()} that the lease runs for nine years?"
    conversation = asked(scripted, tmp_path, title)
    page = browse(scripted, "/conversations")
    set_undo_time(page, PATIENCE)
    act(page, title, say("conversations.delete"))
    expect(row(page, title)).to_have_count(0)
    if undone:
        page.get_by_role("button", name=say("library.undo")).click()
        expect(row(page, title)).to_be_visible()
        page.reload()
        expect(row(page, title)).to_be_visible()
    else:
        # A person who leaves at once means it: the deletion is carried out without a wait.
        page.goto("/settings")
        until(lambda: conversation not in {each["id"] for each in scripted.get("/api/conversations")["conversations"]})
        page.goto("/conversations")
        expect(page.get_by_role("heading", name=say("shell.conversations"), exact=True)).to_be_visible()
        expect(row(page, title)).to_have_count(0)
