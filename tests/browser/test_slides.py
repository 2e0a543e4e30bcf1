"""Slides and Word documents as they look: the cited words are lit, and selected words are those of the text."""

from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect
from pptx.util import Inches

from tests import files
from tests.browser.conftest import Browse, in_both_browsers
from tests.browser.rooms import viewer
from tests.browser.running import Server, until
from tests.browser.selecting import select_words, selection_menu
from tests.browser.speaking import Speaker
from tests.browser.words import say

CRANE = "The crane of Brevik lifts nine tons."
NOTES = "The harbour master counts the ropes on Monday."


def harbour(folder: Path) -> Path:
    """A deck of three slides; the sentence about the crane is in three runs."""

    def build(deck: Any) -> None:
        deck.core_properties.title = "The harbour of Brevik"
        for title in ("Quay", "Crane", "Rope"):
            slide = deck.slides.add_slide(deck.slide_layouts[5])
            slide.shapes.title.text = title
        box = deck.slides[1].shapes.add_textbox(Inches(1), Inches(4), Inches(8), Inches(1)).text_frame
        for at, words in enumerate(("The crane of Brevik ", "lifts", " nine tons. It stands on the old quay.")):
            run = box.paragraphs[0].add_run()
            run.text, run.font.bold = words, at == 1
        deck.slides[1].notes_slide.notes_text_frame.text = NOTES

    made = folder / "brevik.pptx"
    made.write_bytes(files.slides(build))
    return made


def assert_words_lit(page: Page, words: str) -> None:
    """These words are lit, and no others, once the document is drawn."""
    until(lambda: "".join(page.locator("[data-scroller] .lit.chosen").all_inner_texts()) == words)


@in_both_browsers
def test_the_cited_words_are_lit_on_their_slide_and_in_its_text(
    browse: Browse, scripted: Server, speaker: Speaker, tmp_path: Path
) -> None:
    document = scripted.add(harbour(tmp_path))
    speaker.will(f"{CRANE[:-1]} [1.1].", looking_for="crane Brevik lifts tons")
    conversation = scripted.ask("How many tons does the crane of Brevik lift?", document)
    page = browse(scripted, f"/c/{conversation}")
    slide = viewer(page).locator("[data-page='2'] .slide")
    expect(slide.locator(".lit.chosen").first).to_be_in_viewport()
    assert_words_lit(page, CRANE)
    assert page.locator(".lit.chosen").count() == 3  # one for each run
    assert slide.locator(".lit.chosen").nth(1).evaluate("(word) => getComputedStyle(word).fontWeight") == "700"
    box, inside = slide.locator(".lit.chosen").first.bounding_box(), slide.bounding_box()
    assert box
    assert inside
    assert abs((box["x"] - inside["x"]) / inside["width"] - (1 + 0.1) / 10) < 0.01  # an inch and the inset, of ten
    assert 4 / 7.5 < (box["y"] - inside["y"]) / inside["height"] < 5 / 7.5
    expect(slide.locator("[data-passage]").first).to_be_visible()
    viewer(page).get_by_role("button", name=say("viewer.more")).click()
    page.get_by_role("menuitem", name=say("viewer.asText")).click()
    expect(page.locator(".slide")).to_have_count(0)
    expect(page.locator("[data-scroller] .lit.chosen")).to_have_text(CRANE)


def test_words_on_a_slide_are_copied_with_their_slide_found_and_commented_on(
    browse: Browse, scripted: Server, tmp_path: Path
) -> None:
    document = scripted.add(harbour(tmp_path))
    page = browse(scripted, f"/d/{document}?page=2", permissions=["clipboard-read", "clipboard-write"])
    expect(page.locator("[data-page='2'] .slide")).to_be_visible()
    expect(page.get_by_text(NOTES)).to_be_visible()
    select_words(page, "nine tons")
    selection_menu(page).get_by_role("button", name=say("selection.copy")).click()
    assert page.evaluate("navigator.clipboard.readText()") == "“nine tons” (The harbour of Brevik, slide 2)"
    select_words(page, "old quay")
    selection_menu(page).get_by_role("button", name=say("selection.comment")).click()
    page.get_by_role("textbox", name=say("notes.comment")).fill("Which one?")
    page.get_by_role("button", name=say("notebook.save")).click()
    expect(page.locator(".slide [data-tone=note-yellow]")).to_have_text("old quay")
    note = scripted.get(f"/api/documents/{document}/annotations")[0]
    assert scripted.text(document)[note["start"] : note["end"]] == "old quay"
    page.get_by_role("button", name=say("viewer.thumbnails"), exact=True).click()
    small = page.locator(".thumbnail-page .slide")
    expect(small).to_have_count(3)
    expect(small.locator("[data-from]")).to_have_count(0)
    page.get_by_role("button", name="Slide 3").click()
    expect(page.locator("[data-page='3'] .slide")).to_be_in_viewport()
    expect(page.get_by_role("textbox", name=say("viewer.slideOf", count=3))).to_have_value("3")
    page.locator("[data-scroller]").press("p")
    expect(page.get_by_role("textbox", name=say("viewer.slideOf", count=3))).to_have_value("2")


LEASE = "The lease of the quay ends in May 2031."


def agreement(folder: Path) -> Path:
    """A Word document with a list, whose second item is in three runs, far below its beginning."""

    def build(document: Any) -> None:
        document.core_properties.title = "Agreement on the quay"
        document.add_heading("Agreement on the quay", 1)
        for at in range(40):
            document.add_paragraph(f"Article {at} says nothing about the matter, and nobody quotes it.")
        document.add_paragraph("The rope is counted every year.", style="List Number")
        paragraph = document.add_paragraph(style="List Number")
        for at, words in enumerate(("The lease of the quay ", "ends in May 2031", ". It is not renewed.")):
            paragraph.add_run(words).bold = at == 1

    made = folder / "agreement.docx"
    made.write_bytes(files.word(build))
    return made


@in_both_browsers
def test_the_cited_words_are_lit_in_a_word_document_with_its_look(
    browse: Browse, scripted: Server, tmp_path: Path
) -> None:
    document = scripted.add(agreement(tmp_path))
    start, end = scripted.span(document, LEASE)
    page = browse(scripted, f"/d/{document}?span={start}-{end}", permissions=[])
    chosen = page.locator(".drawn .lit.chosen")
    expect(chosen.first).to_be_in_viewport()
    assert_words_lit(page, LEASE)
    assert chosen.nth(1).evaluate("(word) => getComputedStyle(word).fontWeight") == "700"
    item = page.locator("[data-block]", has=page.locator(".lit.chosen"))
    expect(item).to_contain_text("2. The lease of the quay ends in May 2031. It is not renewed.")
    select_words(page, "not renewed")
    expect(selection_menu(page)).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("button", name=say("viewer.asText")).first.click()
    expect(page.locator(".drawn")).to_have_count(0)
    expect(chosen).to_have_count(0)
    assert_words_lit(page, LEASE)
