from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import pdfs

from pincite.locate.concordance import build_concordance
from pincite.locate.page_lines import (
    PageLine,
    TextPosition,
    describe_spans,
    list_other_orders,
    list_page_lines,
    list_span_pages,
    locate_character,
    make_excerpt,
    name_pages,
    take_first_words,
)
from pincite.reading import read
from pincite.reading.source import Source
from pincite.types import Document, Page

TEXT = "One line\n\nand a second\nand a third\n\nOn page two\nit ends"
TWO = Document("pdf", TEXT, pages=(Page(1, 0, 36), Page(2, 36, len(TEXT))))


def test_the_lines_of_a_page_are_those_that_say_something() -> None:
    assert list_page_lines(TWO, TWO.pages[0]) == [PageLine(1, 0, 8), PageLine(2, 10, 22), PageLine(3, 23, 34)]
    assert [TEXT[line.start : line.end] for line in list_page_lines(TWO, TWO.pages[1])] == ["On page two", "it ends"]


def test_a_character_stands_on_a_page_and_a_line_of_it() -> None:
    assert locate_character(TWO, TEXT.index("third")) == TextPosition(1, 3)
    assert locate_character(TWO, TEXT.index("ends")) == TextPosition(2, 2)
    without = Document("text", TEXT)
    assert locate_character(without, TEXT.index("third")) == TextPosition(0, 4)


def test_a_place_is_told_in_words() -> None:
    assert describe_spans(TWO, [(0, 8)]) == "page 1, line 1"
    assert describe_spans(TWO, [(10, 34), (0, 3)]) == "page 1, lines 1–3"
    assert describe_spans(TWO, [(23, 40)]) == "page 1, line 3 to page 2, line 1"
    assert describe_spans(Document("text", TEXT), [(10, 34)]) == "lines 3–4"


@pytest.mark.parametrize(
    ("pages", "told"),
    [
        ([4], "page 4"),
        ([4, 3], "pages 3 and 4"),
        ([9, 1, 2, 3], "pages 1–3 and 9"),
        ([1, 3, 4, 8], "pages 1, 3, 4 and 8"),
        ([7, 7], "page 7"),
    ],
)
def test_pages_are_named_as_people_do(pages: list[int], told: str) -> None:
    assert name_pages(pages) == told


def test_an_excerpt_cuts_no_word_and_shows_where_others_are_left_out() -> None:
    document = Document("text", "Alpha beta, gamma delta.")
    assert make_excerpt(document, [(2, 8)]) == "Alpha beta"
    assert make_excerpt(document, [(18, 22), (0, 5)]) == "Alpha … delta"
    assert make_excerpt(document, [(0, 10), (12, 17)]) == "Alpha beta, gamma"
    assert make_excerpt(document, []) == ""


@given(st.text(max_size=60), st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), max_size=4))
def test_an_excerpt_holds_every_character_of_its_spans(text: str, spans: list[tuple[int, int]]) -> None:
    spans = [(min(a, len(text)), min(b, len(text))) for a, b in spans]
    shown = make_excerpt(Document("text", text), spans)
    assert all(text[start:end] in shown for start, end in spans if end > start and not text[start:end].isspace())


def test_an_opening_is_one_line_of_whole_words() -> None:
    assert take_first_words("A bro\u00ad\nken word\tand   more") == "A broken word and more"
    assert take_first_words("Alpha beta gamma", 12) == "Alpha beta …"


def test_the_orders_that_differ_on_a_page_are_named(tmp_path: Path) -> None:
    two = pdfs.two_columns(tmp_path / "two.pdf")
    concordance = build_concordance(read(Source(two, "two.pdf")))
    assert "rows" in list_other_orders(concordance, concordance.document.pages[0])
    plain = build_concordance(read(Source(pdfs.simple(tmp_path / "one.pdf"), "one.pdf")))
    assert list_other_orders(plain, plain.document.pages[0]) == []


def test_pages_of_spans_come_in_order_and_once() -> None:
    assert list_span_pages(TWO, [(40, 45), (0, 3), (4, 6)]) == [1, 2]
    assert list_span_pages(Document("text", TEXT), [(0, 3)]) == []
