"""A running head that stands close to the text of its page is no part of it, and sentences go on over the page end."""

from pathlib import Path

from fpdf import FPDF
from tests import files, pdfs

from pincite.reading.pdf import read
from pincite.reading.source import Source
from pincite.types import Document

PAGES = (
    (
        "The harbour was dredged in 1998, and its quay was rebuilt two years later. Since then the",
        "fleet pays a fee of",
    ),
    ("eleven crowns per tonne to the harbour office every quarter. Boats pay nothing. The office", "is closed on"),
    ("Mondays and on public holidays. The harbour master is Greta Ahlin.",),
)


def make_document(folder: Path, head: str = "") -> Document:
    def draw(pdf: FPDF) -> None:
        for number, lines in enumerate(PAGES, 1):
            pdf.add_page()
            if head:
                pdf.text(60, 40, head)
                pdf.text(290, 815, str(number))
            for place, line in enumerate(lines):
                pdf.text(60, 40 + 17 * (place + 1), line)

    return read(Source(pdfs.make(folder / "a.pdf", draw), "a.pdf"))


def test_sentences_go_on_over_the_page_end(tmp_path: Path) -> None:
    (paragraph,) = files.of_kind(make_document(tmp_path), "paragraph")
    assert "the\nfleet pays a fee of\neleven crowns" in paragraph
    assert "The office\nis closed on\nMondays and on public holidays." in paragraph


def test_a_sentence_goes_on_over_the_page_end_without_the_running_head(tmp_path: Path) -> None:
    found = make_document(tmp_path, "Port of Oskarby yearbook")
    assert "the\nfleet pays a fee of\neleven crowns" in files.of_kind(found, "paragraph")[0]
    assert files.of_kind(found, "header") == ["Port of Oskarby yearbook"] * 3
    assert files.of_kind(found, "footer") == ["1", "2", "3"]
    files.assert_sound(found)


def test_boxes_stay_at_their_characters(tmp_path: Path) -> None:
    from pincite.reading.packed_boxes import unpack_boxes

    found = make_document(tmp_path, "Port of Oskarby yearbook")
    for page in found.pages:
        boxes = unpack_boxes(page.boxes)
        text = found.text[page.start : page.end].rstrip("\n")
        assert len(boxes) >= len(text)
        assert all((box[0] != box[0]) == (sign in "\n") for sign, box in zip(text, boxes, strict=False) if sign != " ")


def test_pages_of_two_lines_that_are_alike_are_left_whole(tmp_path: Path) -> None:
    def draw(pdf: FPDF) -> None:
        for _ in range(4):
            pdf.add_page()
            pdf.text(60, 40, "The key is under the blue flowerpot, and the")
            pdf.text(60, 54, "gate is closed at night.")

    found = read(Source(pdfs.make(tmp_path / "a.pdf", draw), "a.pdf"))
    assert [block.kind for block in found.blocks] == ["paragraph"] * 4
    assert "and the\ngate is closed" in found.text


def test_a_running_head_that_names_another_section_is_found_by_its_height(tmp_path: Path) -> None:
    heads = ["1. First things"] * 3 + ["2. Keeping it up to date"] + ["3. Last things"]

    def draw(pdf: FPDF) -> None:
        for number, head in enumerate(heads, 1):
            pdf.add_page()
            pdf.text(60, 40, head)
            pdfs.paragraph(pdf, f"Only on page {number}. {pdfs.WORDS_EN}", y=80)

    found = read(Source(pdfs.make(tmp_path / "a.pdf", draw), "a.pdf"))
    assert files.of_kind(found, "header") == heads
