"""The outline of a PDF has its headings, and not the lines that only look like them."""

from pathlib import Path

import pytest
from fpdf import FPDF

from pincite.library.document_structure import load_outline
from pincite.library.real_headings import find_real_headings
from pincite.store import documents
from tests import pdfs
from tests.turns import keep, open_test_services

TRUE = ["Contents", "1 The lake", "1.1 Its depth", "Shores and reeds", "Annex B", "A", "2023", "目录"]


def real(*titles: str) -> list[str]:
    return [titles[place] for place in find_real_headings(titles)]


@pytest.mark.parametrize(
    "line",
    [
        "while depth := sink() do",
        "end while",
        "♩ x x h h",
        "h - - 4 8 - - P h",
        "* * *",
        "Its depth . . . . . . . . . 12",
        "Shores and reeds ........ 14",
        "4 Contents",
        "18 Chapter 3. Shores and reeds",
    ],
)
def test_code_symbols_contents_and_running_heads_are_no_headings(line: str) -> None:
    assert real(*TRUE, line) == TRUE


def test_headings_that_only_resemble_them_stay() -> None:
    assert real("npm install", "usage notes", "the end", "API") == ["npm install", "usage notes", "the end", "API"]
    assert real("2 Methods", "3 Results", "Plan B", "pH of lakes") == [
        "2 Methods",
        "3 Results",
        "Plan B",
        "pH of lakes",
    ]


def test_the_outline_of_a_pdf_leaves_them_out(tmp_path: Path) -> None:
    def draw(pdf: FPDF) -> None:
        for number, title in enumerate(("The depth of lakes", "The herons of the shore"), 1):
            for heading in (title, f"{2 * number} Chapter {number}. {title}"):
                pdf.add_page()
                pdf.set_font("Helvetica", "B", 18)
                pdfs.paragraph(pdf, heading, y=120)
                pdf.set_font("Helvetica", size=11)
                for _ in range(3):
                    pdfs.paragraph(pdf, pdfs.WORDS_EN)
                    pdf.ln(14)

    services = open_test_services(tmp_path, texts={})
    try:
        keep(services.library, pdfs.make(tmp_path / "lakes.pdf", draw))
        with services.library.database.reading() as connection:
            (stored,) = documents.find(connection, "local")
        titles = [each.title for each in load_outline(services.library.database, "local", stored.id)]
    finally:
        services.close()
    assert titles == ["The depth of lakes", "The herons of the shore"]
