"""Little room: what stands side by side does not lie over its neighbour, and a line that is too long breaks well."""

import textwrap
from pathlib import Path

import pytest
from fpdf import FPDF
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Browse
from tests.browser.rooms import ask, chips, complete, composer, point_at, viewer
from tests.browser.running import Server
from tests.browser.speaking import Speaker
from tests.pdfs import make

FACT = "The old ferry crossed the Sandvik strait eleven times a day in the summer of 1934."
LONG = "Which ferry crossed the strait in the summer of 1934, how often did it cross on a day, and who steered it then?"


@pytest.fixture
def paper(tmp_path: Path, scripted: Server) -> str:
    """A document whose title fits nowhere."""

    title = "Annual report of the Sandvik ferry company for the shareholders - June 30, 1934"

    def draw(pdf: FPDF) -> None:
        pdf.set_title(title)
        pdf.add_page()
        pdf.cell(0, 14, FACT, new_x="LMARGIN", new_y="NEXT")
        pdf.ln(30)
        pdf.cell(0, 14, title)  # a long title counts if the document says its words

    return scripted.add(make(tmp_path / "ferry.pdf", draw))


@pytest.mark.parametrize("width", [390, 820, 1100])
def test_the_title_of_a_source_lies_over_nothing(
    browse: Browse, scripted: Server, speaker: Speaker, paper: str, width: int
) -> None:
    speaker.will(f"{FACT} [1]", looking_for="ferry strait")
    page = browse(scripted, viewport={"width": width, "height": 900})
    answered = complete(ask(page, "How often did the ferry cross?"))
    if width < 1100:
        chips(answered).first.click()
    begins = viewer(page).get_by_role("textbox").first
    expect(begins).to_be_visible()
    title = viewer(page).get_by_role("heading", level=2)
    expect(title).to_contain_text("Annual report")
    ends = title.evaluate(
        "title => [...title.querySelectorAll('span')].map(each => each.getBoundingClientRect().right)"
    )
    assert max(ends) <= _edges(begins)[0]


def test_the_card_of_a_citation_never_lies_over_the_source(
    browse: Browse, scripted: Server, speaker: Speaker, paper: str
) -> None:
    speaker.will(f"{FACT} [1]", looking_for="ferry strait")
    page = browse(scripted)
    chip = chips(complete(ask(page, "How often did it cross?"))).first
    expect(viewer(page)).to_be_visible()
    card = point_at(chip)
    assert _edges(card)[1] <= _edges(viewer(page))[0]
    chip.click()
    expect(card).to_be_hidden()


def test_a_long_step_begins_beside_its_sign(browse: Browse, scripted: Server, speaker: Speaker, paper: str) -> None:
    speaker.will(f"{FACT} [1]", looking_for=LONG)
    page = browse(scripted, viewport={"width": 390, "height": 844})
    answered = complete(ask(page, "How often did it cross?"))
    answered.get_by_role("button", expanded=False).filter(has_text="1 step").click()
    line = answered.get_by_role("listitem").filter(has_text="who steered it then")
    sign, words = line.get_by_role("img").bounding_box(), line.get_by_text("who steered").bounding_box()
    assert sign
    assert words
    assert sign["x"] + sign["width"] <= words["x"]
    assert words["y"] <= sign["y"] + sign["height"] / 2


def test_a_passage_of_a_long_text_stays_in_view_when_the_screen_is_turned(
    browse: Browse, scripted: Server, tmp_path: Path
) -> None:
    paper = tmp_path / "rivers.txt"
    paper.write_text("\n\n".join(f"River {n} has bridges that nobody living saw built. " * 3 for n in range(400)))
    document = scripted.add(paper)
    start, end = scripted.span(document, "River 250 has bridges")
    page = browse(scripted, f"/d/{document}?span={start}-{end}")
    mark = page.get_by_text("River 250 has bridges").first
    expect(mark).to_be_in_viewport()
    page.set_viewport_size({"width": 390, "height": 844})
    expect(mark).to_be_in_viewport()


@pytest.mark.parametrize("name", ["long.md", "long.py"])
def test_words_far_in_a_line_of_code_come_into_view(
    browse: Browse, scripted: Server, tmp_path: Path, name: str
) -> None:
    line = "crane = lift(" + ", ".join(f"load_{n}" for n in range(40)) + ")"
    text = f"{line}\nprint(crane)\n" * 20
    (tmp_path / name).write_text(f"# Crane\n\n```\n{text}```\n" if name == "long.md" else text, encoding="utf-8")
    document = scripted.add(tmp_path / name)
    start, end = scripted.span(document, "load_30, load_31")
    page = browse(scripted, f"/d/{document}?span={start}-{end}", viewport={"width": 390, "height": 844})
    chosen = page.locator(".lit.chosen").first
    expect(chosen).to_be_in_viewport(ratio=1)
    # Words at the beginning of a line are not scrolled away.
    start, end = scripted.span(document, "crane = lift")
    page.goto(f"/d/{document}?span={start}-{end}")
    expect(chosen).to_be_in_viewport(ratio=1)


def test_a_text_file_reflows_on_a_phone_and_its_tables_scroll_in_their_own_box(
    browse: Browse, scripted: Server, tmp_path: Path
) -> None:
    lines = textwrap.wrap("The grey heron builds its nest in the reeds of the northern shore. " * 6, 74)
    table = "\n".join(
        f"{name:24}{'nests':>20}{'eggs':>20}{year:>12}" for year, name in enumerate(("North", "South"), 1990)
    )
    (tmp_path / "herons.txt").write_text("\n".join(lines) + f"\n\n{table}\n", encoding="utf-8")
    document = scripted.add(tmp_path / "herons.txt")
    start, end = scripted.span(document, "South")
    page = browse(scripted, f"/d/{document}?span={start}-{end}", viewport={"width": 390, "height": 844})
    paragraph = page.get_by_text("The grey heron").first
    # Every line but the last fills the width: none ends where the file's lines do.
    widths = paragraph.evaluate(
        "text => { const range = document.createRange(); range.selectNodeContents(text);"
        " return [...range.getClientRects()].map(line => line.width) }"
    )
    assert min(widths[:-1]) > 0.7 * max(widths)
    scroller = page.locator("[data-scroller]")
    assert scroller.evaluate("box => box.scrollWidth <= box.clientWidth")
    box = page.locator("pre", has_text="South")
    assert box.evaluate("box => [box.scrollWidth > box.clientWidth, box.innerText.split('\\n').length]") == [True, 2]


def test_the_hint_of_an_empty_box_is_not_cut_across(browse: Browse, scripted: Server) -> None:
    page = browse(scripted, viewport={"width": 320, "height": 700}, locale="fr-FR")
    box = composer(page, "fr")
    expect(box).to_be_visible()
    assert box.evaluate("box => box.scrollHeight <= box.clientHeight")


def _edges(place: Locator) -> tuple[float, float]:
    box = place.bounding_box()
    assert box
    return box["x"], box["x"] + box["width"]
