from collections.abc import Sequence
from pathlib import Path

import pytest
from fpdf import FPDF
from tests import files, pdfs

from pincite.passages import make_indexed, split_passages
from pincite.reading import read
from pincite.reading.source import Source
from pincite.types import Document

WORDS = ("anchor", "bridge", "canal", "dyke", "ferry", "harbour", "island", "jetty", "lamp", "mill", "net", "oar")


def make_book(path: Path, index: Sequence[str]) -> Document:
    """A book with a page about each of the words, numbered from 31, and these lines at its end."""

    def draw(pdf: FPDF) -> None:
        for number, word in enumerate(WORDS, 31):
            pdf.add_page()
            pdfs.paragraph(pdf, f"Here the {word} is described. {pdfs.WORDS_EN}")
            pdf.text(290, 810, f"{number}")
        pdf.add_page()
        for place, line in enumerate(index):
            pdf.text(60, 80 + 14 * place, line)

    return read(Source(pdfs.make(path, draw), path.name))


@pytest.mark.parametrize("between", [", ", " . . . . . . . . "])
def test_the_index_of_a_book_is_not_searched_and_stays_in_its_text(tmp_path: Path, between: str) -> None:
    index = [f"{word}{between}{number}, 40" for number, word in enumerate(WORDS, 31)]
    document = make_book(tmp_path / "a.pdf", [*index[:6], "I", *index[6:]])
    assert files.of_kind(document, "contents") == ["\n".join([*index[:6], "I", *index[6:]])]
    searched = " ".join(make_indexed(document, each).body for each in split_passages(document))
    assert all(searched.count(word) == 1 for word in WORDS)


def test_a_list_whose_numbers_are_no_pages_is_kept(tmp_path: Path) -> None:
    document = make_book(tmp_path / "a.pdf", [f"{word}, {number}" for number, word in enumerate(WORDS, 33)])
    assert not files.of_kind(document, "contents")
