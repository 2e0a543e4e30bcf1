from collections.abc import Callable
from pathlib import Path
from time import process_time

import numpy as np
import pytest
from fpdf import FPDF
from tests import pdfs

from pincite.reading import read
from pincite.reading.first_page import find_set_title
from pincite.reading.packed_boxes import pack_boxes
from pincite.reading.source import Source
from pincite.types import Document, Page

BODY = pdfs.WORDS_EN


def title(folder: Path, draw: Callable[[FPDF], None], name: str = "harbour_plan.pdf") -> str:
    return read(Source(pdfs.make(folder / "a.pdf", draw), name)).title


def line(pdf: FPDF, size: float, text: str, style: str = "", y: float | None = None) -> None:
    pdf.set_font("Helvetica", style, size)
    if y is not None:
        pdf.set_y(y)
    pdf.cell(475, size * 1.3, text, new_x="LMARGIN", new_y="NEXT")
    pdf.set_font("Helvetica", size=11)


def test_a_title_on_two_lines_is_whole(tmp_path: Path) -> None:
    def draw(pdf: FPDF) -> None:
        pdf.add_page()
        line(pdf, 20, "The price of energy")
        line(pdf, 20, "in every quarter")
        line(pdf, 12, "A. Author")
        pdfs.paragraph(pdf, BODY)

    assert title(tmp_path, draw) == "The price of energy in every quarter"


def test_a_cover_whose_type_is_smaller_than_later_headings_sets_no_title(tmp_path: Path) -> None:
    def draw(pdf: FPDF) -> None:
        pdf.add_page()
        line(pdf, 14, "MAP OF THE COAST")
        for heading in ("Islands", "Forests", "Lakes"):
            pdf.add_page()
            line(pdf, 22, heading)
            pdfs.paragraph(pdf, f"{heading} come first. {BODY} {BODY}")

    assert title(tmp_path, draw) == "harbour plan"


def test_a_page_that_sets_several_things_alike_has_no_title(tmp_path: Path) -> None:
    def draw(pdf: FPDF) -> None:
        pdf.add_page()
        line(pdf, 18, "KINGDOM OF THE NORTH")
        pdfs.paragraph(pdf, BODY)
        pdf.ln(40)
        line(pdf, 18, "FORM B")
        pdfs.paragraph(pdf, BODY)

    assert title(tmp_path, draw) == "harbour plan"


def test_a_bold_line_in_the_size_of_the_text_is_a_title_when_the_text_is_about_it(tmp_path: Path) -> None:
    def draw(words: str) -> Callable[[FPDF], None]:
        def drawn(pdf: FPDF) -> None:
            for _ in range(3):
                pdf.add_page()
                if pdf.page_no() == 1:
                    line(pdf, 11, words, "B")
                pdf.ln(14)
                pdfs.paragraph(pdf, BODY)

        return drawn

    assert title(tmp_path, draw("Annual budget")) == "Annual budget"
    assert title(tmp_path, draw("FOR IMMEDIATE RELEASE")) == "harbour plan"


def test_the_mark_of_a_footnote_is_no_part_of_the_title(tmp_path: Path) -> None:
    def draw(pdf: FPDF) -> None:
        pdf.add_page()
        pdf.set_font("Helvetica", size=20)
        pdf.write(26, "Hints for harbour design")
        pdf.set_font("Helvetica", size=9)
        pdf.write(26, "1")
        pdf.ln(40)
        pdf.set_font("Helvetica", size=11)
        pdfs.paragraph(pdf, BODY)

    assert title(tmp_path, draw) == "Hints for harbour design"


@pytest.mark.parametrize(
    ("declared", "expected"),
    [
        ("Les marées de France", "Les marées de France"),
        ("F20_10K_VFinal_07.01.2020", "The price of energy"),
        ("Microsoft Word - draft.doc", "The price of energy"),
        ("Vorlage", "The price of energy"),
        ("Energy", "Energy"),
        ("0001193125-22-185257", "The price of energy"),
    ],
)
def test_a_declared_title_counts_when_it_is_words_or_the_text_bears_it_out(
    tmp_path: Path, declared: str, expected: str
) -> None:
    def draw(pdf: FPDF) -> None:
        pdf.set_title(declared)
        pdf.add_page()
        line(pdf, 20, "The price of energy")
        pdfs.paragraph(pdf, BODY)

    assert title(tmp_path, draw) == expected


@pytest.mark.parametrize("chapters", [("1. Members", "2. Fees"), ("Article 1 — Members", "Article 2 — Fees")])
@pytest.mark.parametrize(
    ("declared", "expected"),
    [
        ("Rules of the sailing association of Montbrun harbour, third edition", None),
        ("0001193125-22-185257", "harbour plan"),
        ("", "harbour plan"),
    ],
)
def test_a_file_that_opens_with_its_first_chapter_is_not_called_by_it(
    tmp_path: Path, chapters: tuple[str, str], declared: str, expected: str | None
) -> None:
    def draw(pdf: FPDF) -> None:
        pdf.set_title(declared)
        pdf.add_page()
        for chapter in chapters:
            line(pdf, 16, chapter.replace("—", "-"), "B")
            pdf.ln(14)
            pdfs.paragraph(pdf, f"{BODY} {BODY}")
            pdf.add_page()

    assert title(tmp_path, draw) == (expected or declared)


def test_a_filing_is_named_by_its_cover_whatever_its_properties_say(tmp_path: Path) -> None:
    def draw(pdf: FPDF) -> None:
        pdf.set_title("HF 10K FINAL draft")
        pdf.add_page()
        line(pdf, 18, "UNITED STATES")
        line(pdf, 18, "FORM 10-K")
        line(pdf, 9, "For the fiscal year ended May 31, 2020")
        line(pdf, 14, "Harbour Foods, Inc.")
        line(pdf, 9, "(Exact name of registrant as specified in its charter)")

    assert title(tmp_path, draw) == "Harbour Foods, Inc., Form 10-K, fiscal year ended May 31, 2020"


@pytest.mark.parametrize(
    "names", [["UNITED STATES", "DEPARTMENT OF THE TIDES"], ["FEDERAL TIDE AGENCY"], ["FORM 12-B"]]
)
def test_the_title_stands_below_a_country_an_agency_or_a_form_in_larger_type(tmp_path: Path, names: list[str]) -> None:
    def draw(pdf: FPDF) -> None:
        pdf.add_page()
        for name in names:
            line(pdf, 24, name)
        pdf.ln(30)
        if has_title:
            line(pdf, 18, "Dredging of small harbours")
        pdfs.paragraph(pdf, BODY)

    has_title = True
    assert title(tmp_path, draw) == "Dredging of small harbours"
    has_title = False
    assert title(tmp_path, draw) == "harbour plan"


@pytest.mark.parametrize("words", ["STATE OF EMERGENCY", "KINGDOM OF HEAVEN", "LINUX SYSTEM ADMINISTRATION"])
def test_words_formed_like_a_letterhead_are_the_title_where_no_other_stands_below(tmp_path: Path, words: str) -> None:
    def draw(pdf: FPDF) -> None:
        pdf.add_page()
        line(pdf, 14, "The library of the harbour")
        line(pdf, 24, words)
        if has_title:
            line(pdf, 18, "Dredging of small harbours")
        pdfs.paragraph(pdf, BODY)

    has_title = False
    assert title(tmp_path, draw) == words
    has_title = True
    assert title(tmp_path, draw) == "Dredging of small harbours"


def test_a_title_that_every_page_repeats_at_its_head_is_still_the_title(tmp_path: Path) -> None:
    def draw(pdf: FPDF) -> None:
        pdf.add_page()
        line(pdf, 40, "Harbour master plan", y=40)
        line(pdf, 18, "Final report")
        for number in range(5):
            pdf.add_page()
            line(pdf, 9, "Harbour master plan", y=20)
            pdf.ln(20)
            pdfs.paragraph(pdf, f"Part {number}. {BODY} {BODY}")

    assert title(tmp_path, draw) == "Harbour master plan"


def test_very_many_lines_that_are_no_title_are_passed_over_quickly() -> None:
    def measure(count: int) -> float:
        text = "\n".join(["UNITED STATES"] * count)
        boxes = np.zeros((len(text), 4), dtype=np.float32)
        boxes[:, 1] = np.arange(len(text)) * 400 / len(text)
        boxes[:, 2:] = boxes[:, :2] + 20
        page = Page(1, 0, len(text), 600, 800, pack_boxes(boxes))
        begun = process_time()
        assert not find_set_title(Document("pdf", text, pages=(page,)))
        return process_time() - begun

    measure(50)
    assert measure(4_000) < 14 * measure(500)
