import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.evaluate.geometry import GoldPages, Points, Rect, measure_overlap
from pincite.types import PageBoxes

# Two lines of words, one that runs down the page, and marks that are no letters.
WORDS = [
    ["The", 10.0, 10.0, 40.0, 20.0, 0],
    ["lease,", 45.0, 10.0, 105.0, 20.0, 0],
    ["ends", 10.0, 30.0, 50.0, 40.0, 0],
    ["—", 55.0, 30.0, 65.0, 40.0, 0],
    ["margin", 200.0, 10.0, 210.0, 70.0, 0],
]


@pytest.fixture
def gold(tmp_path: Path) -> GoldPages:
    path = tmp_path / "words.json.gz"
    with gzip.open(path, "wt", encoding="utf-8") as out:
        json.dump([{"w": 300, "h": 300, "words": WORDS}, {"w": 300, "h": 300, "words": WORDS}], out)
    return GoldPages(path)


def found(*rects: Rect, page: int = 1) -> list[PageBoxes]:
    return [PageBoxes(page, 300, 300, rects)]


def test_boxes_around_exactly_the_gold_words_are_wholly_right(gold: GoldPages) -> None:
    assert measure_overlap(gold, [[(1, 0, 1)]], found((10, 10, 105, 20))) == 1.0
    assert measure_overlap(gold, [[(1, 0, 2)]], found((10, 10, 105, 20), (10, 30, 50, 40))) == 1.0


def test_too_much_and_too_little_cost_in_letters(gold: GoldPages) -> None:
    assert measure_overlap(gold, [[(1, 0, 0)]], found((10, 10, 105, 20))) == pytest.approx(3 / 8)
    assert measure_overlap(gold, [[(1, 0, 1)]], found((10, 10, 40, 20))) == pytest.approx(3 / 8)
    assert measure_overlap(gold, [[(1, 0, 0)]], found((10, 30, 50, 40))) == 0.0
    assert measure_overlap(gold, [[(1, 0, 0)]], []) == 0.0


def test_a_letter_counts_by_its_middle_and_a_hair_beside_a_box_is_forgiven(gold: GoldPages) -> None:
    # The middles of "The" are at 15, 25 and 35, fifteen points down.
    assert measure_overlap(gold, [[(1, 0, 0)]], found((15.4, 16, 34.6, 17))) == 1.0
    assert measure_overlap(gold, [[(1, 0, 0)]], found((15.6, 15, 34.6, 15))) == pytest.approx(2 / 3)
    assert measure_overlap(gold, [[(1, 0, 0)]], found((10, 16.1, 40, 20))) == 0.0


def test_a_word_that_runs_down_is_counted_downwards(gold: GoldPages) -> None:
    assert measure_overlap(gold, [[(1, 4, 4)]], found((200, 10, 210, 40))) == pytest.approx(3 / 6)


def test_the_best_of_several_places_counts_and_words_may_stand_on_two_pages(gold: GoldPages) -> None:
    assert measure_overlap(gold, [[(1, 2, 2)], [(1, 0, 1)]], found((10, 10, 105, 20))) == 1.0
    both = [*found((10, 30, 50, 40)), *found((10, 10, 40, 20), page=2)]
    assert measure_overlap(gold, [[(1, 2, 2), (2, 0, 0)]], both) == 1.0
    # A page twice is one page, and a page that is not there lights nothing.
    assert measure_overlap(gold, [[(1, 0, 1)]], [*found((10, 10, 40, 20)), *found((45, 10, 105, 20))]) == 1.0
    assert measure_overlap(gold, [[(1, 0, 1)]], [*found((10, 10, 105, 20)), *found((0, 0, 300, 300), page=3)]) == 1.0


@given(st.lists(st.tuples(*[st.floats(-10, 310)] * 4), max_size=5))
def test_covered_letters_are_those_that_lie_in_some_box(rects: list[Rect]) -> None:
    import numpy as np

    x, y = (each.ravel() for each in np.meshgrid(np.arange(0.0, 300, 17), np.arange(0.0, 300, 13)))
    points = Points(x, y, np.zeros(len(x), np.intp))
    one_by_one = [
        any(x0 - 0.5 <= a <= x1 + 0.5 and y0 - 1 <= b <= y1 + 1 for x0, y0, x1, y1 in rects)
        for a, b in zip(x.tolist(), y.tolist(), strict=True)
    ]
    assert points.find_covered(rects).tolist() == one_by_one
