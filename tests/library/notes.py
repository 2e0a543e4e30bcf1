"""Documents to add, and a search for their words."""

from pathlib import Path

from fpdf import FPDF

from pincite.library import Library
from pincite.search.search import PassageSearch
from pincite.types import Scope
from tests import pdfs
from tests.work import Fake

LONG = "\n\n".join(
    f"Paragraph {i}. The committee met for the {i}th time and agreed on point {i * 7}." for i in range(200)
)


def found(library: Library, question: str, embedder: Fake | None = None, scope: Scope | None = None) -> list[str]:
    """The passages that a question finds."""
    search = PassageSearch(library.database, library.index, embedder, library.settings)
    return [hit.text for hit in search.search(question, scope or Scope())]


def protected(path: Path) -> Path:
    """A PDF with a password."""

    def draw(pdf: FPDF) -> None:
        pdf.set_encryption(owner_password="o", user_password="sésame")
        pdf.add_page()
        pdfs.paragraph(pdf, "Behind the door.")

    return pdfs.make(path, draw)
