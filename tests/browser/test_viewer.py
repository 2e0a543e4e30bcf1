"""The source beside the answer: little is lit, the quote is there at once, and the passage is seen whole."""

import json
import re
from pathlib import Path
from typing import Any

from fpdf import FPDF
from playwright.sync_api import Page, Route, expect

from tests.browser import papers
from tests.browser.barriers import load_axe
from tests.browser.conftest import Browse, in_both_browsers
from tests.browser.geometry import assert_lit, lit, words
from tests.browser.rooms import ask, complete, viewer
from tests.browser.running import Server
from tests.browser.speaking import Speaker
from tests.browser.test_highlights import zoom
from tests.browser.words import say
from tests.pdfs import make

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 780}, "has_touch": True, "is_mobile": True}
# As wide as a page of a book: on a phone, letters of a size that is comfortable to read would cut off every line.
WIDE = (
    "The tenant keeps the wheel, the sluice and the millstones in good repair, and tells the owner within",
    "eight days of any damage that the river has done; the owner answers within a month whether he pays",
    "for it. What neither of them pays for comes from the deposit that lies with the notary in Bergen.",
)
FILLING = "Nothing happens here at all.\n\n" * 30
NOTES = f"# Notes\n\n{FILLING}## Costs\n\n- rent\n- repairs\n\n> Paid in advance.\n"
LANDMARKS = """async () => {
  const rules = ["page-has-heading-one", "region", "landmark-complementary-is-top-level", "landmark-unique"];
  const { violations } = await axe.run(document, { runOnly: { type: "rule", values: rules } });
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
}"""


def lease_answer(scripted: Server, speaker: Speaker, tmp_path: Path) -> str:
    """A conversation whose answer cites two sentences of the lease."""
    document = scripted.add(papers.lease(tmp_path / "lease-0.pdf"))
    said = f"{papers.NOTICE[:-1]} [1.3]. {papers.RENT[:-1]} [1.4]."
    speaker.will(said, looking_for="notice period rent")
    return scripted.ask("How long is the notice period, and what is the rent?", document)


def notes(scripted: Server, folder: Path) -> str:
    path = folder / "notes.md"
    path.write_text(NOTES, encoding="utf-8")
    return scripted.add(path)


def landmark_faults(page: Page) -> list[str]:
    load_axe(page)
    found: list[str] = page.evaluate(LANDMARKS)
    return found


@in_both_browsers
def test_the_quote_stands_above_the_page_before_it_is_drawn_and_the_legend_is_closed_once(
    browse: Browse, scripted: Server, speaker: Speaker, tmp_path: Path
) -> None:
    conversation = lease_answer(scripted, speaker, tmp_path)
    page = browse(scripted)
    held: list[Route] = []
    page.route(re.compile(r"/api/documents/\w+/(file|pages)"), lambda route: held.append(route))
    page.goto(f"/c/{conversation}")
    quote = viewer(page).get_by_role("region", name=say("viewer.quotedIn", n=1))
    expect(quote).to_have_text(f"“{papers.NOTICE}”")
    expect(viewer(page).locator("canvas")).to_have_count(0)
    for route in held:
        route.continue_()
    page.unroute_all()
    # The chosen words are lit strongly, the other citation has a thin line and no ground.
    assert_lit(page, (1, papers.NOTICE))
    other = page.locator(".marks .lit:not(.chosen)[data-tone=pin]").first
    assert other.evaluate("(mark) => getComputedStyle(mark).backgroundColor") == "rgba(0, 0, 0, 0)"
    assert "inset" not in other.evaluate("(mark) => getComputedStyle(mark).boxShadow") != "none"
    expect(page.locator(".marks [data-tone=passage]").first).to_be_visible()
    legend = viewer(page).get_by_role("note", name=say("viewer.legend"))
    expect(legend).to_contain_text(say("viewer.legend.passage"))
    legend.get_by_role("button").click()
    expect(legend).to_have_count(0)
    page.reload()
    expect(quote).to_be_visible()
    expect(legend).to_have_count(0)


def test_the_whole_passage_comes_into_view_at_any_zoom(browse: Browse, scripted: Server, tmp_path: Path) -> None:
    document = scripted.add(papers.columns(tmp_path / "columns.pdf"))
    quote = " ".join(papers.RIGHT)
    start, end = scripted.span(document, quote)
    for share in ("50%", "200%", "300%"):
        page = browse(scripted, f"/d/{document}", viewport={"width": 900, "height": 420})
        zoom(page, share)
        page.goto(f"/d/{document}?span={start}-{end}")
        assert_lit(page, (1, quote))
        view = page.locator("[data-scroller]").bounding_box()
        assert view
        lines = words(page, 1, quote)
        assert len(lines) == len(papers.RIGHT)
        if share == "300%":  # the column is higher than the window: it is seen from its beginning
            lines = lines[:3]
        for line in lines:
            assert view["x"] <= line.left < line.right <= view["x"] + view["width"], share
            assert view["y"] <= line.top < line.bottom <= view["y"] + view["height"], share
        page.close()


@in_both_browsers
def test_on_a_phone_the_passage_is_large_enough_to_read_and_the_quote_is_whole(
    browse: Browse, scripted: Server, speaker: Speaker, tmp_path: Path
) -> None:
    conversation = lease_answer(scripted, speaker, tmp_path)
    page = browse(scripted, f"/c/{conversation}", **PHONE)
    page.locator(".chip").first.click()
    quote = viewer(page).get_by_role("region", name=say("viewer.quotedIn", n=1))
    expect(quote).to_have_text(f"“{papers.NOTICE}”")
    assert quote.evaluate("(shown) => shown.scrollHeight <= shown.clientHeight")
    [line] = assert_lit(page, (1, papers.NOTICE))
    assert line.bottom - line.top >= 11
    assert 0 <= line.left < 60
    view = page.locator("[data-scroller]").bounding_box()
    assert view
    assert view["y"] <= line.top < line.bottom <= view["y"] + view["height"]
    # The reader's own zoom is left alone.
    page.get_by_role("button", name=say("viewer.more")).click()
    page.get_by_role("menuitem", name=say("viewer.fitWidth")).click()
    sheet = page.locator("[data-page='1']")
    expect(sheet).to_be_in_viewport()
    assert (sheet.bounding_box() or {"width": 999})["width"] <= 390


def test_a_long_quote_shows_whole_lines_and_a_button_shows_the_rest(
    browse: Browse, scripted: Server, speaker: Speaker, tmp_path: Path
) -> None:
    said = f"The pump was found dry {', and it was oiled by the keeper of the lock' * 12}."
    document = scripted.add(papers.write(tmp_path / "pump.md", f"# The pump\n\n{said}\n"))
    speaker.will(f"{said[:-1]} [1.1].", looking_for="pump")
    page = browse(
        scripted, f"/c/{scripted.ask('How was the pump found?', document)}", viewport={"width": 1300, "height": 900}
    )
    quote = viewer(page).get_by_role("region", name=say("viewer.quotedIn", n=1))
    words = quote.locator("p")
    expect(words).to_have_text(f"“{said}”")
    expect(viewer(page).locator(".lit.chosen").first).to_be_visible()  # the source is drawn anew when its text comes
    whole = quote.get_by_role("button", name=say("conversation.question.whole"))
    expect(whole).to_be_visible()
    lines = words.evaluate("(shown) => shown.clientHeight / parseFloat(getComputedStyle(shown).lineHeight)")
    assert round(lines, 1) == 4
    whole.press("Enter")
    assert words.evaluate("(shown) => shown.scrollHeight <= shown.clientHeight")
    expect(quote.get_by_role("button", name=say("conversation.question.fold"))).to_be_focused()


@in_both_browsers
def test_on_a_phone_no_line_of_a_passage_is_cut_off(browse: Browse, scripted: Server, tmp_path: Path) -> None:
    def draw(pdf: FPDF) -> None:
        pdf.add_page()
        pdf.set_font("Helvetica", size=10)
        for at, line in enumerate(WIDE):
            pdf.text(50, 300 + 13 * at, line)

    document = scripted.add(make(tmp_path / "wide.pdf", draw))
    quote = " ".join(WIDE)
    start, end = scripted.span(document, quote)
    page = browse(scripted, f"/d/{document}?span={start}-{end}", **PHONE)
    assert_lit(page, (1, quote))
    lines = lit(page, 1, "[data-chosen]")
    assert len(lines) == len(WIDE)
    assert all(0 <= line.left < line.right <= PHONE["viewport"]["width"] for line in lines)
    # They fill the screen: the page's own margins are out of view.
    assert max(line.right for line in lines) - min(line.left for line in lines) > 340
    sheet = page.locator("[data-page='1']").bounding_box()
    assert sheet
    assert sheet["width"] > PHONE["viewport"]["width"]


def test_in_forced_colours_every_mark_has_a_line(
    browse: Browse, scripted: Server, speaker: Speaker, tmp_path: Path
) -> None:
    conversation = lease_answer(scripted, speaker, tmp_path)
    page = browse(scripted, f"/c/{conversation}", forced_colors="active")
    assert_lit(page, (1, papers.NOTICE))
    edge = "(mark, side) => parseFloat(getComputedStyle(mark)[side])"
    assert page.locator(".marks .chosen").first.evaluate(edge, "outlineWidth") >= 2
    assert page.locator(".marks .lit:not(.chosen)[data-tone=pin]").first.evaluate(edge, "borderBottomWidth") >= 2
    assert page.locator(".marks [data-tone=passage]").first.evaluate(edge, "borderLeftWidth") >= 2


def test_a_text_is_shown_without_its_signs_and_its_outline_follows_the_reader(
    browse: Browse, scripted: Server, tmp_path: Path
) -> None:
    page = browse(scripted, f"/d/{notes(scripted, tmp_path)}")
    page.get_by_role("button", name=say("viewer.panel")).click()
    panel = page.get_by_role("navigation", name=say("viewer.panel"))
    current = panel.locator("[aria-current]")
    expect(current).to_have_text("Notes")
    page.get_by_role("region", name=say("viewer.text")).press("End")
    expect(current).to_have_text("Costs")
    items = page.locator("article").get_by_role("listitem")
    assert items.all_inner_texts() == ["rent", "repairs"]
    assert page.get_by_role("blockquote").inner_text() == "Paid in advance."


def test_a_source_has_one_main_heading_and_lies_in_landmarks(
    browse: Browse, scripted: Server, speaker: Speaker, tmp_path: Path
) -> None:
    page = browse(scripted, f"/d/{notes(scripted, tmp_path)}")
    expect(page.get_by_role("heading", level=1)).to_have_text("Notes")
    assert landmark_faults(page) == []
    page.goto(f"/c/{lease_answer(scripted, speaker, tmp_path)}")
    assert_lit(page, (1, papers.NOTICE))
    assert [fault for fault in landmark_faults(page) if "heading-one" not in fault] == []


def test_pages_are_named_and_stepped_by_their_printed_numbers_and_links_are_followed(
    browse: Browse, scripted: Server, tmp_path: Path
) -> None:
    document = scripted.add(papers.labelled(tmp_path / "labelled.pdf"))
    page = browse(scripted, f"/d/{document}")
    box = page.get_by_role("textbox", name=say("viewer.pageOf", count=5))
    expect(box).to_have_value("i")
    bar = page.locator(".page-box")
    expect(bar).to_contain_text("(1 of 5)")
    box.fill("2")
    box.press("Enter")
    expect(box).to_have_value("2")
    expect(bar).to_contain_text("(4 of 5)")
    page.locator("[data-scroller]").press("p")
    expect(box).to_have_value("1")
    page.locator("[data-scroller]").press("Home")
    out = page.get_by_role("link", name=say("viewer.linkOut", url="https://example.org/mill"))
    expect(out).to_have_attribute("rel", "noopener noreferrer")
    expect(out).to_have_attribute("target", "_blank")
    last = say("pages.printed", label="3", pages=5)
    page.get_by_role("button", name=say("viewer.linkTo", page=last), exact=True).click()
    expect(bar).to_contain_text("(5 of 5)")
    page.get_by_role("button", name=say("viewer.panel")).click()
    panel = page.get_by_role("navigation", name=say("viewer.panel"))
    panel.get_by_role("button", name=say("viewer.outline")).click()
    section = panel.get_by_role("button", name="Of the mill 2", exact=True)
    section.click()
    expect(box).to_have_value("2")
    expect(section).to_have_attribute("aria-current", "location")


@in_both_browsers
def test_dark_pages_are_remembered_and_light_is_the_beginning(browse: Browse, scripted: Server, tmp_path: Path) -> None:
    document = scripted.add(papers.lease(tmp_path / "lease-0.pdf"))
    page = browse(scripted, f"/d/{document}", color_scheme="dark")
    shade = "(sheet) => getComputedStyle(sheet).filter"
    sheet = page.locator("[data-page='1']")
    assert "invert" not in sheet.evaluate(shade)
    page.get_by_role("button", name=say("viewer.darkPages")).click()
    assert "invert" in sheet.evaluate(shade)
    page.reload()
    assert "invert" in sheet.evaluate(shade)
    page.get_by_role("button", name=say("viewer.lightPages")).click()
    assert "invert" not in sheet.evaluate(shade)


def test_a_command_wins_over_the_first_citation_and_a_malformed_one_is_only_reported(
    browse: Browse, scripted: Server, speaker: Speaker, tmp_path: Path
) -> None:
    lease = scripted.add(papers.lease(tmp_path / "lease-0.pdf"))
    page = browse(scripted)
    page.evaluate("localStorage['pincite.viewer.trace'] = 'true'")
    # Other tests have added documents with pages: the question is about this one.
    chosen = json.dumps([{"id": lease, "title": "Lease"}])
    page.evaluate("(chosen) => { sessionStorage['pincite.scope.'] = chosen; }", chosen)
    page.reload()
    lines: list[str] = []
    page.on("console", lambda message: lines.append(message.text))
    said = f"{papers.NOTICE[:-1]} [1.3].\n\nNAVIGATE: 3\nHIGHLIGHT: 4,100\n"
    speaker.will(said, looking_for="notice period rent")
    answered = complete(ask(page, "How long is the notice period of the lease?"))
    expect(page.get_by_role("textbox", name=say("viewer.pageOf", count=3))).to_have_value("3")
    expect(answered).not_to_contain_text("NAVIGATE")
    expect(answered.locator(".answer")).not_to_contain_text("HIGHLIGHT")
    answered.get_by_role("button", name=re.compile(r"\d steps?\b")).click()
    told = say("errors.misuse.command_malformed", line="HIGHLIGHT: 4,100")
    expect(answered.locator(".step[data-status=error]")).to_have_text(say("conversation.notShown", message=told))
    for step in ("parser: Navigate match: page 3", "container: opens page 3", "viewer: goes to page 3"):
        assert any(step in line for line in lines), step
    # Who comes back finds the page that the answer leads to, and not its first citation.
    page.reload()
    expect(page.get_by_role("textbox", name=say("viewer.pageOf", count=3))).to_have_value("3")
