"""A reader selects words in a source and does something with them, by mouse, keyboard or finger."""

from pathlib import Path

from playwright.sync_api import expect

from tests.browser import papers
from tests.browser.conftest import Browse, in_both_browsers_at_once
from tests.browser.rooms import composer
from tests.browser.running import Server
from tests.browser.selecting import drag_over, select_lines, select_words, selection_menu
from tests.browser.words import like, say

HERONS = "The grey heron builds its nest in the reeds of the northern shore."


def test_words_of_a_page_are_selected_with_the_mouse_and_copied_with_their_source(
    browse: Browse, scripted: Server, tmp_path: Path
) -> None:
    document = scripted.add(papers.lease(tmp_path / "lease-0.pdf"))
    page = browse(scripted, f"/d/{document}", permissions=["clipboard-read", "clipboard-write"])
    drag_over(page, papers.RENT)
    selection_menu(page).get_by_role("button", name=say("selection.copy")).click()
    expect(selection_menu(page)).to_have_count(0)
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == f"“{papers.RENT}” (Lease of the mill, p. 1)"
    # A line end is not painted: it would be a stripe below the selected words.
    painted = "getComputedStyle(document.querySelector('.words-layer br'), '::selection').backgroundColor"
    assert page.evaluate(painted) == "rgba(0, 0, 0, 0)"


def test_words_over_a_line_end_hyphen_are_copied_whole_kept_highlighted_and_found_elsewhere(
    browse: Browse, scripted: Server, tmp_path: Path
) -> None:
    document = scripted.add(papers.hyphened(tmp_path / "reeds-0.pdf", "Reeds in June", "The first survey was in June."))
    scripted.add(papers.hyphened(tmp_path / "reeds-1.pdf", "Reeds in July", "The second survey was in July."))
    page = browse(scripted, f"/d/{document}", permissions=["clipboard-read", "clipboard-write"])
    whole = "".join(papers.HYPHENED).replace("sys-tem", "system")

    def act(action: str) -> None:
        select_lines(page, *papers.HYPHENED)
        selection_menu(page).get_by_role("button", name=say(action)).click()

    act("selection.copy")
    expect(page.get_by_text(say("conversation.copied"))).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == f"“{whole}” (Reeds in June, p. 1)"
    act("selection.keep")
    expect(page.get_by_text(like("notebook.kept"))).to_be_visible()
    act("selection.highlight")
    expect(page.locator(".marks [data-tone=note-yellow]").first).to_be_visible()
    (note,) = scripted.get("/api/annotations", document=document)
    assert note["quote"] == whole
    act("selection.elsewhere")
    found = page.get_by_role("dialog").get_by_role("listitem")
    expect(found.first).to_contain_text("Reeds in July")
    expect(found.first).to_contain_text(whole)
    expect(found.filter(has_text="first survey")).to_have_count(0)


def test_selected_words_go_into_the_question_which_is_then_about_their_document(
    browse: Browse, scripted: Server, tmp_path: Path
) -> None:
    document = scripted.add(papers.lease(tmp_path / "lease-0.pdf"))
    page = browse(scripted, f"/d/{document}")
    drag_over(page, papers.RENT)
    selection_menu(page).get_by_role("button", name=say("selection.ask")).click()
    expect(composer(page)).to_have_value(f"“{papers.RENT}” (Lease of the mill, p. 1)\n\n")
    expect(composer(page)).to_be_focused()
    expect(page.get_by_role("form").get_by_text("Lease of the mill", exact=True)).to_be_visible()


def test_cited_words_of_a_text_are_selected_with_the_mouse_and_a_click_on_them_follows_their_link(
    browse: Browse, scripted: Server, tmp_path: Path
) -> None:
    document = scripted.add(papers.write(tmp_path / "herons-one.md", f"# Herons\n\n{HERONS} It is a shy bird.\n"))
    start, end = scripted.span(document, HERONS)
    page = browse(scripted, f"/d/{document}?span={start}-{end}")
    drag_over(page, HERONS)
    assert page.evaluate("getSelection().toString()").strip() == HERONS
    page.keyboard.press("Escape")
    cited = page.get_by_role("link", name=HERONS)
    cited.focus()
    with page.context.expect_page() as opened:
        cited.click(modifiers=["ControlOrMeta"])
    expect(opened.value).to_have_url(f"{scripted.address}/d/{document}?span={start}-{end}")
    opened.value.close()
    with page.context.expect_page() as opened:
        cited.click(button="middle")
    expect(opened.value.locator(".lit.chosen")).to_have_text(HERONS)


@in_both_browsers_at_once
def test_the_keyboard_alone_selects_and_finds_the_same_elsewhere(
    browse: Browse, scripted: Server, tmp_path: Path
) -> None:
    first = scripted.add(papers.write(tmp_path / "herons-one.md", f"# Herons\n\n{HERONS} It is a shy bird.\n"))
    scripted.add(papers.write(tmp_path / "herons-two.md", f"# Shores\n\nWe read: {HERONS} Nobody doubts it.\n"))
    start, end = scripted.span(first, HERONS)
    page = browse(scripted, f"/d/{first}?span={start}-{end}")
    expect(page.locator(".lit.chosen")).to_have_text(HERONS)
    page.keyboard.press("s")
    expect(selection_menu(page)).to_be_visible()
    assert page.evaluate("getSelection().toString()") == HERONS
    page.keyboard.press("Shift+ArrowRight")
    assert page.evaluate("getSelection().toString()").strip() == f"{HERONS} It"
    page.keyboard.press("Enter")
    expect(selection_menu(page).get_by_role("button").first).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    found = page.get_by_role("dialog").get_by_role("listitem")
    expect(found.first).to_contain_text("Shores")
    expect(found.first).to_contain_text(HERONS)
    # The place where the words were selected is not found again.
    expect(found.filter(has_text="shy bird")).to_have_count(0)
    found.first.get_by_role("button").click()
    expect(page.locator(".lit.chosen", has_text="We read")).to_be_in_viewport()


def test_a_finger_selects_in_a_file_of_code_on_a_phone_and_escape_closes_the_menu(
    browse: Browse, scripted: Server, tmp_path: Path
) -> None:
    code = scripted.add(papers.write(tmp_path / "crane.py", "def lift(load):\n    return load * 9.81\n"))
    phone = {"viewport": {"width": 390, "height": 780}, "has_touch": True, "is_mobile": True, "locale": "fr-FR"}
    page = browse(scripted, f"/d/{code}", **phone)
    expect(page.get_by_text("return load")).to_be_visible()
    select_words(page, "return load * 9.81")
    expect(selection_menu(page, "fr")).to_be_in_viewport(ratio=1)
    page.keyboard.press("Escape")
    expect(selection_menu(page, "fr")).to_have_count(0)
    select_words(page, "return load * 9.81")
    selection_menu(page, "fr").get_by_role("button", name=say("selection.ask", "fr")).tap()
    expect(composer(page, "fr")).to_have_value("«\u00a0return load * 9.81\u00a0» (crane.py)\n\n")
