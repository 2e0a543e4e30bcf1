"""A reader highlights words of a source and comments on them; nobody else sees it, and it stays."""

from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.browser import papers
from tests.browser.barriers import serious
from tests.browser.conftest import Browse, in_both_browsers
from tests.browser.rooms import arrive, set_undo_time
from tests.browser.running import Server
from tests.browser.selecting import drag_over, select_words, selection_menu
from tests.browser.words import like, say
from tests.clock import PATIENCE

FERRY = "The ferry leaves at nine and comes back at noon."


def notes(page: Page) -> Locator:
    return page.locator(".note")


def test_words_of_a_page_are_highlighted_and_commented_on_and_stay(
    browse: Browse, scripted: Server, tmp_path: Path
) -> None:
    document = scripted.add(papers.own_lease(tmp_path))
    page = browse(scripted, f"/d/{document}")
    drag_over(page, papers.RENT)
    selection_menu(page).get_by_role("button", name=say("selection.comment")).click()
    page.get_by_role("textbox", name=say("notes.comment")).fill("Is this net of tax?")
    page.get_by_role("button", name=say("notebook.save")).click()
    expect(notes(page)).to_contain_text("Is this net of tax?")
    arrive(page, f"/d/{document}")
    lit = page.locator(".marks [data-tone=note-yellow]").first
    expect(lit).to_be_visible()
    start, end = scripted.span(document, papers.RENT)
    (boxes,) = scripted.get(f"/api/documents/{document}/boxes", start=start, end=end)
    left, top, *_ = boxes["rects"][0]
    sheet, box = page.locator("[data-page='1']").bounding_box(), lit.bounding_box()
    assert sheet
    assert box
    scale = sheet["width"] / boxes["width"]
    assert abs(box["x"] - sheet["x"] - left * scale) < 2
    assert abs(box["y"] - sheet["y"] - top * scale) < 2
    lit.click()
    expect(notes(page)).to_contain_text("Is this net of tax?")
    notes(page).get_by_role("button", name=like("notes.acts")).click()
    page.get_by_role("menuitemradio", name=say("notes.colour.green")).click()
    expect(page.locator(".marks [data-tone=note-green]").first).to_be_visible()
    assert serious(page) == []
    set_undo_time(page, PATIENCE)
    notes(page).get_by_role("button", name=like("notes.acts")).click()
    page.get_by_role("menuitem", name=say("notes.remove")).click()
    expect(page.locator(".marks [data-tone^=note-]")).to_have_count(0)
    page.get_by_role("button", name=say("library.undo")).click()
    expect(page.locator(".marks [data-tone=note-green]").first).to_be_visible()


@in_both_browsers
def test_words_below_a_highlight_are_selected_and_a_press_still_opens_the_highlight(
    browse: Browse, scripted: Server, tmp_path: Path
) -> None:
    document = scripted.add(papers.own_lease(tmp_path))
    page = browse(scripted, f"/d/{document}")
    drag_over(page, papers.NOTICE)
    selection_menu(page).get_by_role("button", name=say("selection.highlight")).click()
    lit = page.locator(".marks [data-tone=note-yellow]").first
    expect(lit).to_be_visible()
    arrive(page, f"/d/{document}")
    expect(lit).to_be_visible()
    drag_over(page, papers.NOTICE)
    assert len(page.evaluate("String(getSelection())")) > len(papers.NOTICE) - 4
    expect(notes(page)).to_have_count(0)
    page.keyboard.press("Escape")
    expect(selection_menu(page)).to_have_count(0)
    lit.click()
    expect(notes(page)).to_contain_text(papers.NOTICE)


def test_words_of_a_text_are_highlighted_kept_and_found_by_a_search(
    browse: Browse, scripted: Server, tmp_path: Path
) -> None:
    document = scripted.add(papers.write(tmp_path / "ferry.md", f"# Ferry\n\n{FERRY} It is slow.\n"))
    page = browse(scripted, f"/d/{document}")
    expect(page.get_by_text(FERRY)).to_be_visible()
    select_words(page, FERRY)
    selection_menu(page).get_by_role("button", name=say("selection.highlight")).click()
    expect(page.locator(".clean [data-tone=note-yellow]")).to_have_text(FERRY)
    select_words(page, "It is slow.")
    selection_menu(page).get_by_role("button", name=say("selection.keep")).click()
    expect(page.get_by_text(like("notebook.kept"))).to_be_visible()
    arrive(page, "/notebooks")
    page.get_by_role("searchbox", name=say("notebook.search")).fill("ferry noon")
    page.get_by_role("link", name="Ferry", exact=True).click()
    expect(page.locator(".lit.chosen")).to_have_text(FERRY)


def test_a_comment_that_is_being_written_is_not_lost_and_one_never_written_leaves_nothing(
    browse: Browse, scripted: Server, tmp_path: Path
) -> None:
    document = scripted.add(papers.own_lease(tmp_path))
    page = browse(scripted, f"/d/{document}")
    field = page.get_by_role("textbox", name=say("notes.comment"))

    def begin_comment(words: str) -> None:
        drag_over(page, words)
        selection_menu(page).get_by_role("button", name=say("selection.comment")).click()
        expect(field).to_be_focused()

    begin_comment(papers.RENT)
    field.press("Escape")
    expect(notes(page)).to_have_count(0)
    expect(page.locator(".marks [data-tone^=note-]")).to_have_count(0)
    begin_comment(papers.RENT)
    field.fill("Is this net of tax?")
    field.press("Escape")
    expect(notes(page)).to_contain_text("Is this net of tax?")
    notes(page).get_by_role("button", name=like("notes.acts")).click()
    page.get_by_role("menuitem", name=say("notes.commentEdit")).click()
    field.fill("Is this with heating?")
    with page.expect_response(lambda response: response.request.method == "PATCH"):
        page.get_by_role("link", name=say("shell.library")).first.click()
    arrive(page, f"/d/{document}")
    page.locator(".marks [data-tone=note-yellow]").first.click()
    expect(notes(page)).to_contain_text("Is this with heating?")
