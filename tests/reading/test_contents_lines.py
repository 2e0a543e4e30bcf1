"""The lines of a table of contents are told from the text, in which they are kept."""

from pathlib import Path

import pytest
from fpdf import FPDF
from tests import files, pdfs

from pincite.locate.boxes import cut_out_furniture
from pincite.passages import make_indexed, split_passages
from pincite.reading import read
from pincite.reading.source import Source
from pincite.types import Document

CHAPTERS = ("How is the lamp cleaned?", "Where is the switch?", "Who repairs the lamp?", "What does a new lamp cost?")
LEADER = " . . . . . . . . . "


def make_book(path: Path, *lines: str, chapters: tuple[str, ...] = CHAPTERS) -> Document:
    """A book whose first page has these lines, and then a page for each chapter."""

    def draw(pdf: FPDF) -> None:
        pdf.add_page()
        for place, line in enumerate(lines):
            title, _, page = line.partition("\t")
            pdf.text(60, 80 + 16 * place, title)
            pdf.text(520, 80 + 16 * place, page)
        for chapter in chapters:
            pdf.add_page()
            pdf.set_font("Helvetica", "B", 16)
            pdfs.paragraph(pdf, chapter)
            pdf.set_font("Helvetica", "", 11)
            pdfs.paragraph(pdf, pdfs.WORDS_EN)

    return read(Source(pdfs.make(path, draw), path.name))


def list_contents(document: Document) -> str:
    return "\n".join(document.text[b.start : b.end] for b in document.blocks if b.kind == "contents")


@pytest.mark.parametrize("leader", [LEADER, "", " ............. "])
def test_the_contents_of_a_book_are_not_searched_and_stay_in_its_text(tmp_path: Path, leader: str) -> None:
    lines = [f"{n}. {chapter}{leader}\t{n + 1}" for n, chapter in enumerate(CHAPTERS, 1)]
    document = make_book(tmp_path / "a.pdf", "Contents", *lines)
    assert all(chapter in list_contents(document) for chapter in CHAPTERS)
    searched = " ".join(make_indexed(document, each).body for each in split_passages(document))
    assert all(searched.count(chapter) == 1 and document.text.count(chapter) == 2 for chapter in CHAPTERS)


def test_titles_over_two_lines_and_the_names_of_parts_are_contents_too(tmp_path: Path) -> None:
    chapters = (*CHAPTERS[:2], "Who repairs the lamp if nobody in the house knows how?")
    document = make_book(
        tmp_path / "a.pdf",
        f"1 {CHAPTERS[0]}{LEADER}\t2",
        f"2 {CHAPTERS[1]}{LEADER}\t3",
        "PART II",
        "3 Who repairs the lamp if nobody in",
        f"the house knows how?{LEADER}\t4",
        chapters=chapters,
    )
    found = list_contents(document)
    assert "PART II" in found
    assert "3 Who repairs the lamp if nobody in" in found


def test_a_list_with_dots_that_names_no_chapters_is_kept(tmp_path: Path) -> None:
    lines = [f"{drink}{LEADER}\t{price}" for price, drink in enumerate(("Water", "Coffee", "Juice", "Wine"), 2)]
    assert list_contents(make_book(tmp_path / "a.pdf", *lines)) == ""


def test_a_table_whose_numbers_do_not_rise_is_kept(tmp_path: Path) -> None:
    lines = [f"{chapter}\t{page}" for chapter, page in zip(CHAPTERS, (7, 3, 9, 2), strict=True)]
    assert list_contents(make_book(tmp_path / "a.pdf", *lines)) == ""


def test_contents_are_found_in_word_files_too(tmp_path: Path) -> None:
    def build(word: object) -> None:
        for page, chapter in enumerate(CHAPTERS, 2):
            word.add_paragraph(f"{chapter}\t{page}")  # type: ignore[attr-defined]
        for chapter in CHAPTERS:
            word.add_heading(chapter, 1)  # type: ignore[attr-defined]
            word.add_paragraph(pdfs.WORDS_EN)  # type: ignore[attr-defined]

    (tmp_path / "a.docx").write_bytes(files.word(build))
    document = read(Source(tmp_path / "a.docx", "a.docx"))
    assert list_contents(document) == "\n".join(f"{chapter}\t{page}" for page, chapter in enumerate(CHAPTERS, 2))


def test_a_place_within_the_contents_is_highlighted_whole(tmp_path: Path) -> None:
    document = make_book(tmp_path / "a.pdf", "Contents", *(f"{c}{LEADER}\t{n}" for n, c in enumerate(CHAPTERS, 2)))
    end = document.text.index(CHAPTERS[3]) + len(CHAPTERS[3])
    assert cut_out_furniture(0, end, document.blocks) == [(0, end)]
