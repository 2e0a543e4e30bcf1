import unicodedata
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from fpdf import FPDF
from PIL import Image, ImageDraw, ImageFont
from tests import pdfs

from pincite.errors import Encrypted, Unreadable
from pincite.reading import ocr
from pincite.reading.packed_boxes import unpack_boxes
from pincite.reading.pdf import read
from pincite.reading.source import Source
from pincite.types import Document


def document(path: Path, **given: object) -> Document:
    return read(Source(path, path.name, **given))  # type: ignore[arg-type]


def boxes_of(found: Document, word: str, page: int = 1) -> np.ndarray:
    """The union of a word's character boxes."""
    here = found.pages[page - 1]
    at = found.text.index(word, here.start) - here.start
    rows = unpack_boxes(here.boxes)[at : at + len(word)]
    return np.array([rows[:, 0].min(), rows[:, 1].min(), rows[:, 2].max(), rows[:, 3].max()])


def test_two_columns_are_read_one_after_the_other(tmp_path: Path) -> None:
    text = document(pdfs.two_columns(tmp_path / "a.pdf")).text
    order = [text.index(word) for word in ("A title", "left0", "left39", "right0", "right39")]
    assert order == sorted(order)
    assert "left39 alpha beta gamma delta" in " ".join(text.split())


def test_a_table_is_read_row_by_row_and_kept_as_one_block(tmp_path: Path) -> None:
    rows = [
        ("Item", "2022", "2023"),
        ("Net sales", "14,544", "14,694"),
        ("Cost of sales", "(11,724)", "(11,969)"),
        ("Gross profit", "2,820", "2,725"),
    ]

    def draw(pdf: FPDF) -> None:
        pdf.add_page()
        pdfs.paragraph(pdf, pdfs.WORDS_EN)
        for i, row in enumerate(rows):
            for x, cell in zip((60, 300, 420), row, strict=True):
                pdf.text(x, 180 + 16 * i, cell)

    found = document(pdfs.make(tmp_path / "a.pdf", draw))
    (table,) = [block for block in found.blocks if block.kind == "table"]
    assert found.text[table.start : table.end] == "\n".join("\t".join(row) for row in rows)


def test_running_headers_footers_and_page_numbers_are_told_apart(tmp_path: Path) -> None:
    def draw(pdf: FPDF) -> None:
        for number in range(1, 6):
            pdf.add_page()
            pdf.text(60, 40, "Annual report of the committee")
            pdf.set_y(100)
            pdfs.paragraph(pdf, f"Only on page {number}. {pdfs.WORDS_EN}")
            pdf.text(290, 810, f"{number}")

    found = document(pdfs.make(tmp_path / "a.pdf", draw))
    kinds = {found.text[block.start : block.end]: block.kind for block in found.blocks}
    assert kinds["Annual report of the committee"] == "header"
    assert [kinds[str(number)] for number in range(1, 6)] == ["footer"] * 5
    assert sum(kind == "paragraph" for kind in kinds.values()) == 5


def test_headings_come_from_the_size_and_weight_of_the_type(tmp_path: Path) -> None:
    def draw(pdf: FPDF) -> None:
        pdf.add_page()
        for style, size, text in (
            ("", 20, "Energy report"),
            ("", 11, pdfs.WORDS_EN),
            ("B", 11, "Prices in winter"),
            ("", 11, pdfs.WORDS_EN),
        ):
            pdf.set_font("Helvetica", style, size)
            pdf.multi_cell(475, size * 1.3, text, new_x="LEFT", new_y="NEXT")
            pdf.ln(8)

    found = document(pdfs.make(tmp_path / "a.pdf", draw))
    headings = [(found.text[b.start : b.end], b.level) for b in found.blocks if b.kind == "heading"]
    assert headings == [("Energy report", 1), ("Prices in winter", 2)]


def test_bold_items_and_bold_sentences_of_the_text_are_no_headings(tmp_path: Path) -> None:
    bold = (
        "\u00b7 Sales of the Orvane group rise to 310 million",
        "\u00b7 Keeps a 9.5 % stake in Lurma",
        "The dividend stays at 1.20 euros a share.",
        "The board of Orvane proposes to pay a dividend that is as high as in the year before and to keep the rest of "
        "the profit for the new mill",
        "2. The mill and its neighbours in the valley.",
        "Report of the Independent Auditors of Orvane on the Consolidated Statements and on the Rules for Mills of the "
        "Valley",
        "What does the mill cost the people of the valley who have paid for the old one, and when is the new one ready "
        "for its work?",
    )

    def draw(pdf: FPDF) -> None:
        pdf.add_page()
        for text in bold:
            pdf.set_font("Helvetica", "B", 11)
            pdfs.paragraph(pdf, text)
            pdf.ln(8)
        pdf.set_font("Helvetica", "", 11)
        for _ in range(7):
            pdfs.paragraph(pdf, pdfs.WORDS_EN)

    found = document(pdfs.make(tmp_path / "a.pdf", draw))
    kinds = {" ".join(found.text[b.start : b.end].split()): b.kind for b in found.blocks}
    assert [kinds[text] for text in bold] == ["list"] * 2 + ["paragraph"] * 2 + ["heading"] * 3


def test_the_outline_names_headings_that_the_type_does_not_show(tmp_path: Path) -> None:
    def draw(pdf: FPDF) -> None:
        pdf.add_page()
        pdf.start_section("Chapitre premier")
        pdfs.paragraph(pdf, "Chapitre premier")
        pdf.ln(14)
        pdfs.paragraph(pdf, pdfs.WORDS_FR)

    found = document(pdfs.make(tmp_path / "a.pdf", draw))
    assert [found.text[b.start : b.end] for b in found.blocks if b.kind == "heading"] == ["Chapitre premier"]


def test_a_chapter_in_the_table_of_contents_is_no_heading(tmp_path: Path) -> None:
    def draw(pdf: FPDF) -> None:
        pdf.add_page()
        pdf.set_font("Helvetica", "B", 11)
        pdf.text(60, 80, "4 Which systems it works with")
        pdf.text(500, 80, "15")
        pdf.text(60, 130, "Which systems it works with")
        pdf.set_font("Helvetica", "", 11)
        pdfs.paragraph(pdf, pdfs.WORDS_EN, y=160)

    found = document(pdfs.make(tmp_path / "a.pdf", draw))
    assert [found.text[b.start : b.end] for b in found.blocks if b.kind == "heading"] == ["Which systems it works with"]


def test_the_outline_names_the_level_of_a_heading_whose_lines_are_far_apart(tmp_path: Path) -> None:
    def draw(pdf: FPDF) -> None:
        for number, lines in enumerate((("What is Debian?",), ("Which programs does", "Debian have?")), 1):
            pdf.add_page()
            pdf.start_section(f"{' '.join(lines)}")
            pdf.set_font("Helvetica", "B", 17)
            for place, line in enumerate((f"{number}.1 {lines[0]}", *lines[1:])):
                pdf.text(60, 80 + 30 * place, line)
            pdfs.paragraph(pdf, pdfs.WORDS_EN, y=160)
            pdf.text(60, 400, "A remark in large type")

    found = document(pdfs.make(tmp_path / "a.pdf", draw))
    headings = [(found.text[b.start : b.end], b.level) for b in found.blocks if b.kind == "heading"]
    one, first, second = ("1.1 What is Debian?", 1), ("2.1 Which programs does", 1), ("Debian have?", 1)
    assert [each for each in headings if each[1] == 1] == [one, first, second]


def test_the_lines_of_a_heading_are_one_heading(tmp_path: Path) -> None:
    def draw(pdf: FPDF) -> None:
        pdf.add_page()
        pdf.set_font("Helvetica", "B", 18)
        pdf.text(60, 80, "1.1 How does the project fit in with that of")
        pdf.text(80, 102, "the Free Foundation?")
        pdf.text(60, 132, "1.2 Names")
        pdfs.paragraph(pdf, "", y=150)
        pdf.set_font("Helvetica", "", 11)
        pdfs.paragraph(pdf, f"{pdfs.WORDS_EN} {pdfs.WORDS_EN}", y=160)

    found = document(pdfs.make(tmp_path / "a.pdf", draw))
    headings = [found.text[b.start : b.end] for b in found.blocks if b.kind == "heading"]
    assert headings == ["1.1 How does the project fit in with that of\nthe Free Foundation?", "1.2 Names"]


def test_a_word_broken_at_a_line_end_is_marked_and_a_compound_keeps_its_hyphen(tmp_path: Path) -> None:
    def draw(pdf: FPDF) -> None:
        pdf.add_page()
        for i, line in enumerate(
            ("The distri-", "bution of well-", "known results, a well-known", "matter, goes on here.")
        ):
            pdf.text(60, 100 + 14 * i, line)

    text = document(pdfs.make(tmp_path / "a.pdf", draw)).text
    assert "distri\u00ad\nbution" in text
    assert "well-\nknown" in text


@pytest.mark.parametrize(
    ("turn", "expected"),
    [(0, (100, 200)), (90, (100, 100)), (180, (300, 100)), (270, (200, 300))],
)
def test_boxes_lie_on_the_page_as_it_is_displayed(tmp_path: Path, turn: int, expected: tuple[float, float]) -> None:
    # The word begins at (100, 100) from the bottom left of a page of 400 x 300 points.
    path = pdfs.by_hand(tmp_path / "a.pdf", "BT /F1 10 Tf 100 100 Td (placed) Tj ET", f"/Rotate {turn}")
    found = document(path)
    size = (found.pages[0].width, found.pages[0].height)
    assert size == ((400, 300) if turn in (0, 180) else (300, 400))
    x0, y0, x1, y1 = boxes_of(found, "placed")
    beginning = {0: (x0, y1), 90: (x0, y0), 180: (x1, y0), 270: (x1, y1)}[turn]
    np.testing.assert_allclose(beginning, expected, atol=3.5)
    long, short = max(x1 - x0, y1 - y0), min(x1 - x0, y1 - y0)
    assert long == pytest.approx(36, abs=1)
    assert short < 14


def test_an_inherited_page_box_with_an_origin_of_its_own_shifts_nothing(tmp_path: Path) -> None:
    path = pdfs.by_hand(tmp_path / "a.pdf", "BT /F1 10 Tf 150 120 Td (placed) Tj ET", tree="/MediaBox [50 20 450 320]")
    x0, _, _, y1 = boxes_of(document(path), "placed")
    assert (x0, y1) == (pytest.approx(100, abs=0.5), pytest.approx(200, abs=3.5))


def test_text_that_runs_up_the_page_is_read_as_lines(tmp_path: Path) -> None:
    content = (
        "BT /F1 10 Tf 0 1 -1 0 100 50 Tm (first line going up) Tj 0 1 -1 0 114 50 Tm (second line beside it) Tj ET"
    )
    text = document(pdfs.by_hand(tmp_path / "a.pdf", content)).text
    assert text.split("\n") == ["first line going up", "second line beside it"]


def test_every_visible_character_has_a_box_inside_its_page(tmp_path: Path) -> None:
    found = document(pdfs.simple(tmp_path / "a.pdf", pages=2, words=pdfs.WORDS_FR))
    for page in found.pages:
        boxes = unpack_boxes(page.boxes)
        for character, box in zip(found.text[page.start : page.end], boxes, strict=False):
            assert np.isnan(box).all() == character.isspace()
        shown = boxes[~np.isnan(boxes[:, 0])]
        assert (shown[:, 0] >= 0).all()
        assert (shown[:, 2] <= page.width).all()
        assert (shown[:, 3] <= page.height).all()


def test_pages_tile_the_text_and_blocks_keep_their_order(tmp_path: Path) -> None:
    found = document(pdfs.simple(tmp_path / "a.pdf", pages=4))
    assert found.pages[0].start == 0
    assert found.pages[-1].end == len(found.text)
    assert all(a.end == b.start for a, b in pairwise(found.pages))
    assert all(a.end <= b.start for a, b in pairwise(found.blocks))


def test_an_encrypted_file_asks_for_its_password_and_opens_with_it(tmp_path: Path) -> None:
    def draw(pdf: FPDF) -> None:
        pdf.set_encryption(owner_password="owner", user_password="sésame"[0:1] + "esame")
        pdf.add_page()
        pdfs.paragraph(pdf, "A secret sentence.")

    path = pdfs.make(tmp_path / "a.pdf", draw)
    with pytest.raises(Encrypted, match="protected by a password"):
        document(path)
    with pytest.raises(Encrypted, match="is wrong"):
        document(path, password="wrong")
    assert "A secret sentence." in document(path, password="sesame").text


def test_title_and_date_come_from_the_file(tmp_path: Path) -> None:
    def draw(pdf: FPDF) -> None:
        pdf.set_title("Énergie et climat")
        pdf.add_page()
        pdfs.paragraph(pdf, pdfs.WORDS_FR)

    found = document(pdfs.make(tmp_path / "a.pdf", draw))
    assert found.title == "Énergie et climat"
    assert len(found.metadata["date"]) == 10


def test_a_skipped_page_is_named_and_the_others_are_kept(tmp_path: Path) -> None:
    found = document(pdfs.simple(tmp_path / "a.pdf", pages=3), skip=frozenset({2}))
    assert found.problems == ("Page 2 could not be read and was skipped.",)
    assert "page 1" in found.text
    assert "page 2" not in found.text
    assert "page 3" in found.text


def test_a_damaged_file_says_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(b"%PDF-1.7\nnothing more")
    with pytest.raises(Unreadable, match="damaged") as caught:
        document(path)
    assert "save it again" in caught.value.hint


def test_progress_names_each_page_before_it_is_read(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    document(pdfs.simple(tmp_path / "a.pdf", pages=3), progress=lambda page, pages: seen.append((page, pages)))
    assert seen == [(1, 3), (2, 3), (3, 3)]


def picture_of(text: str) -> Image.Image:
    picture = Image.new("RGB", (1240, 700), "white")
    font = ImageFont.load_default(size=44)
    for i, line in enumerate(text.split("\n")):
        ImageDraw.Draw(picture).text((120, 120 + 70 * i), line, fill="black", font=font)
    return picture


def scan(path: Path) -> Path:
    def draw(pdf: FPDF) -> None:
        pdf.add_page()
        pdfs.paragraph(pdf, "A page with text of its own.")
        pdf.add_page()
        pdf.image(picture_of("The harbour was closed\nafter the second storm"), 0, 0, 595)

    return pdfs.make(path, draw)


@pytest.mark.skipif(not ocr.is_available("eng"), reason="SKIPPED: tesseract is not installed, so no scan was read")
def test_a_scanned_page_is_read_with_a_box_for_every_character(tmp_path: Path) -> None:
    found = document(scan(tmp_path / "a.pdf"))
    assert "The harbour was closed\nafter the second storm" in found.text
    x0, y0, x1, y1 = boxes_of(found, "harbour", page=2)
    scale = 595 / 1240
    assert 120 * scale < x0 < x1 < 500 * scale
    assert 110 * scale < y0 < y1 < 190 * scale


def test_a_scanned_page_without_ocr_says_so_and_the_rest_is_kept(tmp_path: Path) -> None:
    found = document(scan(tmp_path / "a.pdf"), ocr="")
    assert found.text.strip() == "A page with text of its own."
    assert found.problems == ("Page 2 is a picture without text, and OCR is switched off.",)


def test_an_accent_set_apart_belongs_to_its_letter(tmp_path: Path) -> None:
    # As TeX's older fonts do: the accent first, then the letter under it. Courier is 600 units wide at every letter.
    content = (
        "BT /F1 10 Tf 100 100 Td (Ex) Tj (\xb4) Tj -6 0 Td 24 0 Td 0 0 Td ET BT /F1 10 Tf 112 100 Td (ecution) Tj ET"
    )
    path = pdfs.by_hand(tmp_path / "a.pdf", content, encoding="/Encoding /WinAnsiEncoding")
    text = document(path).text
    assert unicodedata.normalize("NFC", text) == "Exécution"
    assert len(text) == 10


def stamped(path: Path) -> Path:
    def draw(pdf: FPDF) -> None:
        pdf.add_page()
        pdf.image(picture_of("The harbour was closed\nafter the second storm"), 0, 0, 595, 842)
        pdf.text(450, 820, "SMITH-00417")

    return pdfs.make(path, draw)


@pytest.mark.skipif(not ocr.is_available("eng"), reason="SKIPPED: tesseract is not installed, so no scan was read")
def test_a_scan_with_a_stamp_of_its_own_is_read_too(tmp_path: Path) -> None:
    assert "harbour was closed" in document(stamped(tmp_path / "a.pdf")).text


def test_a_scan_with_a_stamp_says_that_the_rest_was_not_read(tmp_path: Path) -> None:
    found = document(stamped(tmp_path / "a.pdf"), ocr="")
    assert found.text == "SMITH-00417"
    assert "OCR is switched off" in found.problems[0]


def test_a_page_that_tesseract_cannot_read_costs_that_page_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise Unreadable("Tesseract cannot read this picture.")

    monkeypatch.setattr(ocr, "is_available", lambda languages: True)
    monkeypatch.setattr(ocr, "recognise_words", fails)
    found = document(scan(tmp_path / "a.pdf"))
    assert "A page with text of its own." in found.text
    assert found.problems == ("Page 2 could not be read and was skipped (Tesseract cannot read this picture).",)


def test_headings_that_open_every_page_are_not_taken_for_running_heads(tmp_path: Path) -> None:
    def draw(pdf: FPDF) -> None:
        for number in range(1, 6):
            pdf.add_page()
            pdf.set_y(120)
            pdf.set_font("Helvetica", "B", 16)
            pdf.multi_cell(475, 20, f"Article {number}", new_x="LEFT", new_y="NEXT")
            pdf.set_font("Helvetica", size=11)
            pdfs.paragraph(pdf, pdfs.WORDS_EN)
            pdfs.paragraph(pdf, f"{number * 1250}" if number > 1 else "Civil")

    found = document(pdfs.make(tmp_path / "a.pdf", draw))
    kinds = {found.text[block.start : block.end]: block.kind for block in found.blocks}
    assert [kinds[f"Article {number}"] for number in range(1, 6)] == ["heading"] * 5
    assert not {"header", "footer"} & set(kinds.values())


def test_a_number_that_counts_with_the_pages_is_a_page_number_wherever_it_stands(tmp_path: Path) -> None:
    def draw(pdf: FPDF) -> None:
        for number in range(1, 5):
            pdf.add_page()
            pdf.set_y(100)
            pdfs.paragraph(pdf, f"Only on page {number}. {pdfs.WORDS_EN}")
            pdf.text(290, 600, f"{number + 6}")

    found = document(pdfs.make(tmp_path / "a.pdf", draw))
    kinds = {found.text[block.start : block.end]: block.kind for block in found.blocks}
    assert [kinds[str(number)] for number in range(7, 11)] == ["footer"] * 4


def test_short_pages_that_are_all_alike_are_no_running_headers(tmp_path: Path) -> None:
    def draw(pdf: FPDF) -> None:
        for _ in range(4):
            pdf.add_page()
            pdf.text(60, 60, "The key is under the blue flowerpot.")

    found = document(pdfs.make(tmp_path / "a.pdf", draw))
    assert {block.kind for block in found.blocks} == {"paragraph"}


def test_a_header_on_a_page_without_other_words_is_still_a_header(tmp_path: Path) -> None:
    def draw(pdf: FPDF) -> None:
        for number in range(5):
            pdf.add_page()
            pdf.text(60, 40, "Annual report of the committee")
            if number != 3:
                pdf.set_y(100)
                pdfs.paragraph(pdf, f"Only on page {number}. {pdfs.WORDS_EN}")

    found = document(pdfs.make(tmp_path / "a.pdf", draw))
    assert sum(block.kind == "header" for block in found.blocks) == 5
