from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from tests import leaves
from tests.leaves import Cell

from pincite.locate.reading_orders import Runs, compute_orders
from pincite.text.squeeze import squeeze
from pincite.types import Document, Page


def read(document: Document) -> list[str]:
    """A document's one page drawn, row by row and column by column, its pieces apart."""
    squeezed = squeeze(document.text)
    found = compute_orders(document.text, document.pages[0], squeezed.places)
    assert found
    return [" ".join(squeezed.text[first : first + count] for first, count in runs.tolist()) for runs in found]


def drawn(cells: Sequence[Cell]) -> str:
    return read(leaves.pdf(cells))[0]


LEFT = [Cell(text, 60, line, line) for line, text in enumerate(("one", "two", "three"))]
RIGHT = [Cell(text, 300, line, 3 + line) for line, text in enumerate(("four", "five", "six"))]


def test_two_columns_are_also_read_across() -> None:
    _, rows, columns = read(leaves.pdf(LEFT + RIGHT))
    assert rows == "one four two five three six"
    assert columns == "onetwothreefourfivesix"


def test_a_table_is_also_read_column_by_column() -> None:
    _, rows, columns = read(leaves.pdf(leaves.table(("a", "1"), ("b", "2"), ("c", "3"))))
    assert rows == "a1b2c3"
    assert columns == "a b c 1 2 3"


def test_a_page_is_also_read_as_its_file_draws_it() -> None:
    assert drawn([Cell("first", 60, 0, 2), Cell("second", 60, 1, 0), Cell("third", 60, 2, 1)]) == "secondthird first"


def test_a_heading_across_two_columns_goes_before_both() -> None:
    heading = Cell("A heading across both of the columns of the page", 60, 0)
    below = [cell._replace(line=cell.line + 2) for cell in LEFT + RIGHT]
    columns = read(leaves.pdf([*below[:3], heading, *below[3:]]))[2]
    assert columns.replace(" ", "") == "aheadingacrossbothofthecolumnsofthepageonetwothreefourfivesix"


def test_a_blank_narrower_than_a_gutter_parts_no_columns() -> None:
    words = [[Cell(word, 60 + 31 * i, line) for i, word in enumerate(("abcdef", "ghijkl"))] for line in (0, 1)]
    assert read(leaves.pdf(words[0] + words[1]))[2] == "abcdefghijklabcdefghijkl"


def test_lines_a_little_higher_or_lower_than_their_neighbours_are_of_one_row() -> None:
    cells = [Cell("left", 60, 0), Cell("right", 300, 0), Cell("below", 60, 1)]
    document = leaves.pdf(cells)
    boxes = leaves.page(cells)[1]
    raised = [(x0, y0 - 2 * (x0 > 200), x1, y1 - 2 * (x0 > 200)) for x0, y0, x1, y1 in boxes]
    page = leaves.with_boxes(document.pages[0], raised)
    assert read(Document("pdf", document.text, pages=(page,)))[1] == "leftrightbelow"


@pytest.mark.parametrize("way", [1, -1])
def test_text_that_runs_up_or_down_the_page_is_read_as_if_it_were_upright(way: int) -> None:
    # Two lines beside each other, the second where a reader who turns the page finds the line below.
    text = "across\nbeneath"
    turned = [
        (100 - way * 20 * line, 400 + way * 8 * i, 110 - way * 20 * line, 400 + way * 8 * i + 8)
        for line, word in enumerate(text.split("\n"))
        for i in range(len(word) + 1)
    ]
    page = leaves.with_boxes(Page(1, 0, len(text), 600, 800), turned[:-1])
    assert read(Document("pdf", text, pages=(page,)))[1:] == ["acrossbeneath"] * 2
    swapped = "beneath\nacross"
    page = leaves.with_boxes(page, [*turned[7:14], (np.nan,) * 4, *turned[:6]])
    assert read(Document("pdf", swapped, pages=(page,)))[1:] == ["across beneath"] * 2


def test_text_that_is_not_drawn_stays_behind_the_text_before_it() -> None:
    document = leaves.pdf([Cell("ab", 60, 0, 1), Cell("cd", 60, 1, 0)])
    page = leaves.with_places(document.pages[0], [2, -1, -1, 0])
    assert read(Document("pdf", document.text, pages=(page,)))[0] == "cd ab"


def test_without_boxes_there_is_one_order_alone() -> None:
    text = "no boxes"
    places = squeeze(text).places
    assert compute_orders(text, Page(1, 0, len(text), 600, 800), places) is None
    made = leaves.pdf(leaves.lines(text)).pages[0]
    assert compute_orders(text, made, places[:0]) is None
    alone = compute_orders(text, leaves.with_places(made, []), places)
    assert alone is not None
    assert alone[0].tolist() == [[0, 7]]


@given(leaves.pdfs)
def test_every_order_has_each_letter_once(document: Document) -> None:
    squeezed = squeeze(document.text)
    for page in document.pages:
        first, last = np.searchsorted(squeezed.places, (page.start, page.end))
        found: tuple[Runs, ...] = compute_orders(document.text, page, squeezed.places[first:last]) or ()
        for runs in found:
            letters = [i for start, count in runs.tolist() for i in range(start, start + count)]
            assert sorted(letters) == list(range(last - first))
