from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from fpdf import FPDF
from hypothesis import given
from hypothesis import strategies as st
from tests import files, pdfs

from pincite.locate.boxes import find_boxes, find_page_boxes, list_touched_pages
from pincite.reading import read
from pincite.reading.packed_boxes import pack_boxes, unpack_boxes
from pincite.reading.source import Source
from pincite.types import Document, Page, PageBoxes

Stretch = tuple[int, int]


def document(path: Path) -> Document:
    return read(Source(path, path.name))


def span(document: Document, first: str, last: str = "") -> Stretch:
    """From where a piece of text begins to where it, or another one behind it, ends."""
    start = document.text.index(first)
    last = last or first
    return start, document.text.index(last, start) + len(last)


def placed(text: str, *rows: Sequence[float]) -> Document:
    """A document of one page of these characters in these boxes; none for white space."""
    given = iter(rows)
    nothing = (np.nan,) * 4
    found = [nothing if char.isspace() else next(given) for char in text]
    page = Page(1, 0, len(text), 600, 800, pack_boxes(np.array(found, np.float32).reshape(-1, 4)))
    return Document("pdf", text, pages=(page,))


def lit(document: Document, *spans: Stretch) -> str:
    """The letters and digits under the rectangles of spans, in the order of the text."""
    return "".join(document.text[at] for at, _ in _under(document, find_boxes(document, spans)))


def _under(document: Document, found: list[PageBoxes]) -> Iterator[tuple[int, tuple[float, float]]]:
    rects = {page.page: page.rects for page in found}
    for page in document.pages:
        for at, (x0, y0, x1, y1) in enumerate(unpack_boxes(page.boxes).tolist(), page.start):
            x, y = (x0 + x1) / 2, (y0 + y1) / 2
            if document.text[at].isalnum() and any(
                left - 0.5 <= x <= right + 0.5 and top - 1 <= y <= bottom + 1
                for left, top, right, bottom in rects.get(page.number, ())
            ):
                yield at, (x, y)


def letters(document: Document, *spans: Stretch) -> str:
    return "".join(char for start, end in spans for char in document.text[start:end] if char.isalnum())


def test_a_passage_has_a_rectangle_for_each_of_its_lines(tmp_path: Path) -> None:
    found = document(pdfs.simple(tmp_path / "a.pdf"))
    whole = span(found, "Part 2", "spring.")
    (page,) = find_boxes(found, [whole])
    assert len(page.rects) == found.text[slice(*whole)].count("\n") + 1
    assert (page.page, page.width, page.height) == (1, found.pages[0].width, found.pages[0].height)
    assert all(60 <= x0 < x1 <= 535.5 and 10 < y1 - y0 < 16 for x0, y0, x1, y1 in page.rects)
    assert lit(found, whole) == letters(found, whole)


def test_a_few_words_are_lit_and_their_neighbours_are_not(tmp_path: Path) -> None:
    found = document(pdfs.simple(tmp_path / "a.pdf"))
    words = span(found, "annual budget")
    (page,) = find_boxes(found, [words])
    characters = unpack_boxes(found.pages[0].boxes)[slice(*words)]
    (rect,) = page.rects
    (x0, y0), (x1, y1) = np.nanmin(characters[:, :2], axis=0), np.nanmax(characters[:, 2:], axis=0)
    # A tenth of the height above the letters and a twentieth below them is room that the font keeps.
    assert rect == pytest.approx((x0, y0 + (y1 - y0) / 10, x1, y1 - (y1 - y0) / 20), abs=0.02)
    assert lit(found, words) == "annualbudget"


def test_a_sentence_in_one_column_leaves_the_other_alone(tmp_path: Path) -> None:
    found = document(pdfs.two_columns(tmp_path / "a.pdf"))
    left, right = span(found, "left3 ", "left20"), span(found, "right3 ", "right20")
    assert lit(found, left) == letters(found, left)
    assert lit(found, right, left) == letters(found, left, right)
    assert max(x1 for page in find_boxes(found, [left]) for _, _, x1, _ in page.rects) < 300


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_rectangles_stand_where_a_turned_page_shows_the_words(tmp_path: Path, turn: int) -> None:
    content = "BT /F1 12 Tf 40 250 Td (First line of words) Tj 0 -20 Td (Second line of words) Tj ET"
    found = document(pdfs.by_hand(tmp_path / "a.pdf", content, page=f"/Rotate {turn}"))
    (page,) = find_boxes(found, [span(found, "First line of words")])
    assert (page.width, page.height) == ((400, 300) if turn in (0, 180) else (300, 400))
    (rect,) = page.rects
    # The line as it stands in the file: 133 points wide from x = 40, its foot at 250.
    x0, x1, above, below = 40, 40 + 19 * 7.2, 300 - 250 - 11, 300 - 250 + 3
    expected = {
        0: (x0, above, x1, below),
        90: (300 - below, x0, 300 - above, x1),
        180: (400 - x1, 300 - below, 400 - x0, 300 - above),
        270: (above, 400 - x1, below, 400 - x0),
    }[turn]
    assert rect == pytest.approx(expected, abs=3)
    assert lit(found, span(found, "Second line")) == "Secondline"


def test_text_that_runs_up_the_page_has_upright_rectangles(tmp_path: Path) -> None:
    content = "BT /F1 12 Tf 0 1 -1 0 60 40 Tm (Upward words here) Tj 0 -16 Td (and a second line) Tj ET"
    found = document(pdfs.by_hand(tmp_path / "a.pdf", content))
    (page,) = find_boxes(found, [span(found, "Upward words here")])
    ((x0, y0, x1, y1),) = page.rects
    assert y1 - y0 > 5 * (x1 - x0)
    assert lit(found, span(found, "Upward words here")) == "Upwardwordshere"


def test_slanted_lines_are_divided_so_that_they_do_not_light_each_other(tmp_path: Path) -> None:
    content = "BT /F1 12 Tf .707 .707 -.707 .707 100 60 Tm (Uphill words) Tj 0 -16 Td (Second line) Tj ET"
    found = document(pdfs.by_hand(tmp_path / "a.pdf", content))
    assert lit(found, span(found, "Uphill")) == "Uphill"
    assert lit(found, span(found, "Second")) == "Second"


def table(path: Path) -> Path:
    def draw(pdf: FPDF) -> None:
        pdf.add_page()
        for row in (("Region", "Total", "Share"), ("North", "1234", "61"), ("South", "789", "39")):
            for value in row:
                pdf.cell(150, 16, value)
            pdf.ln(16)

    return pdfs.make(path, draw)


def test_a_row_of_a_table_is_one_rectangle_and_a_cell_is_its_own(tmp_path: Path) -> None:
    found = document(table(tmp_path / "a.pdf"))
    row = span(found, "North", "61")
    assert [len(page.rects) for page in find_boxes(found, [row])] == [1]
    assert lit(found, row) == "North123461"
    assert lit(found, span(found, "1234")) == "1234"


def test_cells_that_are_not_meant_stay_dark_between_two_that_are(tmp_path: Path) -> None:
    found = document(table(tmp_path / "a.pdf"))
    cells = [span(found, "North"), span(found, "61")]
    assert [len(page.rects) for page in find_boxes(found, cells)] == [2]
    assert lit(found, *cells) == "North61"


def test_a_drop_cap_does_not_light_the_lines_beside_it(tmp_path: Path) -> None:
    def draw(pdf: FPDF) -> None:
        pdf.add_page()
        pdf.set_font("Helvetica", size=48)
        pdf.text(60, 96, "O")
        pdf.set_font("Helvetica", size=11)
        for line, words in enumerate(
            ("nce upon a time there was a", "king who had a daughter and", "a very old castle.")
        ):
            pdf.text(102, 70 + 14 * line, words)

    found = document(pdfs.make(tmp_path / "a.pdf", draw))
    first = span(found, "O", "a time")
    assert lit(found, first) == letters(found, first)
    assert len(find_boxes(found, [first])[0].rects) == 2
    assert lit(found, span(found, "king who")) == "kingwho"


def test_a_superscript_that_reaches_into_the_line_above_stands_apart() -> None:
    above = [(10 * i, 0, 10 * i + 9, 12) for i in (0, 1, 3, 4)]
    below = [(10 * i, 10, 10 * i + 9, 22) for i in range(5)]
    below[2] = (20, 1, 29, 12)
    found = placed("ab cd\nfgHij", *above, *below)
    assert lit(found, (6, 11)) == "fgHij"
    assert len(find_boxes(found, [(6, 11)])[0].rects) == 2


def test_a_word_broken_at_the_end_of_a_page_is_lit_on_both(tmp_path: Path) -> None:
    def draw(pdf: FPDF) -> None:
        for words in ("The members of the com-", "mittee agreed to meet again."):
            pdf.add_page()
            pdf.text(60, 100, words)

    found = document(pdfs.make(tmp_path / "a.pdf", draw))
    pages = find_boxes(found, [span(found, "members", "agreed")])
    assert [(page.page, len(page.rects)) for page in pages] == [(1, 1), (2, 1)]
    assert lit(found, span(found, "members", "agreed")) == "membersofthecommitteeagreed"


def test_spans_may_overlap_be_empty_lie_outside_and_come_in_any_order(tmp_path: Path) -> None:
    found = document(pdfs.simple(tmp_path / "a.pdf", pages=3))
    start, end = span(found, "Part 2 of page 2", "quarter")
    plain = find_boxes(found, [(start, end)])
    mixed = [(end - 9, end), (start, end - 4), (start + 3, start + 3), (start, start + 9), (end, start)]
    assert find_boxes(found, iter(mixed)) == plain
    size = len(found.text)
    assert find_boxes(found, [(size, size + 100), (-5, 0), (0, 0)]) == []
    assert find_boxes(found, [(-5, size + 100)]) == find_boxes(found, [(0, size)])
    assert [page.page for page in find_boxes(found, [(0, size)])] == [1, 2, 3]


def test_documents_without_boxes_have_no_rectangles(tmp_path: Path) -> None:
    assert find_boxes(files.read_bytes(tmp_path, "a.txt", b"Only words.\fOn two pages."), [(0, 9)]) == []
    assert find_boxes(Document("pdf", ""), [(0, 9)]) == []
    blank = Document("pdf", "ab", pages=(Page(1, 0, 2, 100, 100),))
    assert find_boxes(blank, [(0, 2)]) == []


def test_characters_without_a_box_and_those_behind_the_last_box_are_passed_over() -> None:
    found = placed("a b", (0, 0, 5, 10), (10, 0, 15, 10))
    assert find_boxes(found, [(1, 2)]) == []
    longer = Document("pdf", "a b\n\nmore", pages=(Page(1, 0, 9, 600, 800, found.pages[0].boxes),))
    assert find_boxes(longer, [(4, 9)]) == []
    assert find_boxes(longer, [(2, 9)])[0].rects == ((10, 1, 15, 9.5),)


def test_letters_one_below_the_other_keep_the_whole_of_their_boxes() -> None:
    found = placed("abc", (10, 0, 18, 10), (10, 12, 18, 22), (10, 24, 18, 34))
    assert find_boxes(found, [(0, 3)])[0].rects == ((10, 0, 18, 34),)


def test_text_drawn_twice_is_not_divided_for_that() -> None:
    once = [(10 * i, 0, 10 * i + 9, 12) for i in range(5)]
    found = placed("abcde\nabcde", *once, *once)
    assert find_boxes(found, [(6, 11)])[0].rects == ((0, 1.2, 49, 11.4),)


def test_an_accent_that_stands_on_a_strangers_letter_is_left_out() -> None:
    found = placed("ab\n´\ncd", (0, 0, 9, 12), (10, 0, 19, 12), (10.3, 0, 18.9, 12.5), (0, 20, 9, 32), (10, 20, 19, 32))
    assert lit(found, (3, 7)) == "cd"
    assert find_boxes(found, [(3, 4)]) == []


def test_lines_whose_boxes_overlap_do_not_overlap_when_lit() -> None:
    rows = [(10 * i, 12 * line, 10 * i + 9, 12 * line + 16) for line in range(3) for i in range(4)]
    found = placed("abcd\nefgh\nijkl", *rows)
    (page,) = find_boxes(found, [(0, 14)])
    assert page.rects == ((0, 1.6, 39, 15.2), (0, 15.2, 39, 27.2), (0, 27.2, 39, 39.2))
    assert lit(found, (5, 9)) == "efgh"


def test_only_the_pages_that_spans_touch_need_their_boxes(tmp_path: Path) -> None:
    found = document(pdfs.simple(tmp_path / "a.pdf", pages=3))
    wanted = [span(found, "Part 1 of page 2", "vote")]
    assert [page.number for page in list_touched_pages(found.pages, wanted)] == [2]
    page = found.pages[1]
    assert [find_page_boxes(page, found.text[page.start : page.end], wanted)] == find_boxes(found, wanted)


def test_an_empty_page_hides_no_page_behind_it() -> None:
    pages = (Page(1, 0, 4), Page(2, 4, 4), Page(3, 4, 8), Page(4, 8, 8))
    assert [page.number for page in list_touched_pages(pages, [(2, 6)])] == [1, 3]
    assert [page.number for page in list_touched_pages(pages, [(4, 5), (0, 1)])] == [1, 3]


_COORDINATE = st.integers(0, 40)


@st.composite
def _pages(draw: st.DrawFn) -> tuple[Document, list[Stretch]]:
    """Characters strewn over a small page, and some spans of them."""
    text = draw(st.text("ab1. \n\t", min_size=1, max_size=40))
    rows = [
        (x, y, x + draw(st.integers(1, 20)), y + draw(st.integers(1, 20)))
        for x, y in (draw(st.tuples(_COORDINATE, _COORDINATE)) for char in text if not char.isspace())
    ]
    edge = st.integers(-1, len(text) + 1)
    return placed(text, *rows), draw(st.lists(st.tuples(edge, edge), max_size=3))


@given(_pages())
def test_all_that_is_meant_is_lit_and_nothing_else_that_can_be_told_from_it(
    given: tuple[Document, list[Stretch]],
) -> None:
    found, spans = given
    made = find_boxes(found, spans)
    assert all(x0 <= x1 and y0 <= y1 for page in made for x0, y0, x1, y1 in page.rects)
    everything = dict(_under(found, find_boxes(found, [(0, len(found.text))])))
    meant = {at for at in everything if any(start <= at < end for start, end in spans)}
    under = dict(_under(found, made))
    assert meant <= under.keys()
    for at in under.keys() - meant:
        x, y = everything[at]
        near = (everything[other] for other in meant)
        assert any(abs(x - there[0]) <= 0.55 and abs(y - there[1]) <= 1.05 for there in near)
