from pathlib import Path

from fpdf import FPDF
from tests import pdfs

from pincite.reading import read
from pincite.reading.source import Source


def test_pages_have_the_numbers_that_are_printed_on_them(tmp_path: Path) -> None:
    def draw(pdf: FPDF) -> None:
        for style, start in (("r", 1), ("r", 2), ("D", 1), ("D", 2)):
            pdf.add_page(label_style=style, label_start=start)
            pdfs.paragraph(pdf, pdfs.WORDS_EN)

    document = read(Source(pdfs.make(tmp_path / "a.pdf", draw), "a.pdf"))
    assert [page.label for page in document.pages] == ["i", "ii", "1", "2"]


def test_a_label_that_is_the_pages_number_is_none(tmp_path: Path) -> None:
    document = read(Source(pdfs.simple(tmp_path / "a.pdf", pages=2), "a.pdf"))
    assert [page.label for page in document.pages] == ["", ""]


def read_numbered(path: Path, feet: list[str]) -> list[str]:
    """The labels of a PDF without declared ones that has these words at the foot of its pages."""

    def draw(pdf: FPDF) -> None:
        for place, foot in enumerate(feet):
            pdf.add_page()
            pdfs.paragraph(pdf, f"Lane {'abcdefghijkl'[place]}. {pdfs.WORDS_EN}")
            pdf.text(270, 810, foot)

    return [page.label for page in read(Source(pdfs.make(path, draw), "a.pdf")).pages]


def test_without_declared_labels_pages_have_the_numbers_at_their_edges(tmp_path: Path) -> None:
    feet = ["i", "ii", "iii", "iv", *(f"Town of Orvane 2021 | Page {number} of 412" for number in range(7, 12))]
    assert read_numbered(tmp_path / "a.pdf", feet) == ["i", "ii", "iii", "iv", "7", "8", "9", "10", "11"]


def test_a_page_without_a_number_has_that_between_its_neighbours(tmp_path: Path) -> None:
    feet = ["30", "31", "32", "", "34", "35", "36"]
    assert read_numbered(tmp_path / "a.pdf", feet) == [str(number) for number in range(30, 37)]


def test_numbers_at_the_edges_that_do_not_count_the_pages_are_no_labels(tmp_path: Path) -> None:
    assert read_numbered(tmp_path / "d.pdf", ["-7-", "-8-", "-9-"]) == ["7", "8", "9"]
    assert not any(read_numbered(tmp_path / "a.pdf", ["Town of Orvane 2021"] * 4))
    assert not any(read_numbered(tmp_path / "b.pdf", ["12", "13", "40", "41", "90", "91"]))
    assert not any(read_numbered(tmp_path / "c.pdf", ["1", "2", "3", "4"]))


def test_chapters_that_count_up_for_a_while_are_not_taken_for_the_pages(tmp_path: Path) -> None:
    feet = [f"Chapter {max(1, number - 3)} - {number + 20}" for number in range(1, 8)]
    assert read_numbered(tmp_path / "a.pdf", feet) == [str(number) for number in range(21, 28)]
