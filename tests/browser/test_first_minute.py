"""The first minute: a paper is dropped, asked about, and the exact words are lit, without reading anything."""

import re
from pathlib import Path

from playwright.sync_api import expect

from tests.browser import papers
from tests.browser.conftest import Browse, in_both_browsers_at_once
from tests.browser.geometry import assert_lit
from tests.browser.rooms import ask, chips, complete, composer, drop, viewer
from tests.browser.running import Server
from tests.browser.words import say


@in_both_browsers_at_once
def test_a_paper_is_dropped_asked_about_and_every_citation_lands_on_its_words(
    browse: Browse, server: Server, tmp_path: Path
) -> None:
    page = browse(server)
    drop(page, composer(page), papers.lease(tmp_path / "lease.pdf"))
    about = page.get_by_role("list", name=say("conversation.scope.chosen"))
    expect(about).to_contain_text("Lease of the mill")

    answered = complete(ask(page, "On which day of the month is the rent of 840 euros paid?"))
    expect(page).to_have_url(like_address(server, "/c/"))
    expect(answered).to_contain_text(papers.RENT)
    # Nobody has clicked: the source is there, at the first citation, with its words lit.
    expect(viewer(page)).to_be_visible()
    assert_lit(page, (1, papers.RENT))

    # The passage is shown whole, and what answers is lit in it too.
    passage = answered.locator(".passage").first
    expect(passage).to_contain_text(papers.DEPOSIT)
    expect(passage.locator("mark")).to_contain_text([papers.RENT])
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(viewer(page)).to_have_count(0)
    chips(answered).first.click()
    assert_lit(page, (1, papers.RENT))


def like_address(server: Server, path: str) -> re.Pattern[str]:
    return re.compile(re.escape(server.address + path) + ".+")


def test_the_library_takes_a_file_reads_it_before_ones_eyes_and_it_can_be_asked_about(
    browse: Browse, server: Server, tmp_path: Path
) -> None:
    page = browse(server, "/library")
    paper = papers.titled(tmp_path / "ferry.pdf", "The ferry", "The ferry to Askvoll leaves at seven every morning.")
    page.get_by_label(say("library.files"), exact=True).set_input_files(paper)
    line = page.get_by_role("listitem").filter(has_text="The ferry")
    expect(line).to_have_attribute("data-status", "ready")
    # The box lies under the icon until it is pointed at: the click goes where a person clicks.
    line.get_by_role("checkbox").check(force=True)
    page.get_by_role("button", name=say("library.ask")).click()
    answered = complete(ask(page, "When does the ferry to Askvoll leave?"))
    chips(answered).first.click()
    assert_lit(page, (1, "The ferry to Askvoll leaves at seven every morning."))


def test_an_answer_without_a_source_says_what_came_nearest(browse: Browse, server: Server, tmp_path: Path) -> None:
    server.add(papers.lease(tmp_path / "lease.pdf"))
    page = browse(server)
    answered = complete(ask(page, "What does the lease of the mill say about Kubernetes?"))
    expect(answered).to_contain_text("No document mentions Kubernetes.")
    expect(chips(answered)).to_have_count(0)
    expect(viewer(page)).to_have_count(0)
    answered.get_by_role("button", name=re.compile("nearest passage")).click()
    expect(answered.locator(".passage").first).to_be_visible()
