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
