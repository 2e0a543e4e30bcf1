"""Runs of letters that a passage and a stretch of a document have in common."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pincite.locate.matching_runs import LONG, find_equal_runs, find_islands, measure_contiguity, measure_coverage
from pincite.text.squeeze import squeeze


def runs(passage: str, stretch: str) -> list[str]:
    return [passage[q : q + n] for q, _, n in find_equal_runs(squeeze(passage).codes, squeeze(stretch).codes).tolist()]


def test_runs_are_as_long_as_they_can_be_and_in_the_passages_order() -> None:
    assert runs("abcdefghijklmnop", "xxijklmnopyyabcdefghzz") == ["abcdefgh", "ijklmnop"]
    assert runs("abcdefgh", "nothing") == []
    assert runs("abcd", "abcd") == []
    assert runs("", "abcdefgh") == []


def test_a_short_run_counts_only_beside_a_long_one() -> None:
    assert runs("abcdefghijxqrstu", "abcdefghijyqrstu") == ["abcdefghij", "qrstu"]
    many = "qrstu" + "".join(f"{i:05}" for i in range(300))
    chosen = find_equal_runs(squeeze("abcdefghij" + many).codes, squeeze(many[::-1] + "abcdefghij" + many).codes)
    assert len(chosen) <= 160


def test_words_that_stand_everywhere_say_nothing() -> None:
    assert runs("abcdefgh", "abcdefgh." * 41) == []
    assert "abcdefgh" in runs("abcdefgh", "abcdefghxy" * 5)


def test_the_share_is_of_letters_that_runs_cover_once() -> None:
    found = np.array([[0, 0, 10], [5, 40, 10], [20, 80, 6]])
    assert measure_coverage(found, 30) == 21 / 30
    assert measure_coverage(found, 30, LONG) == 15 / 30
    assert measure_coverage(found[:0], 30) == measure_coverage(found[:0], 0) == 0


def test_one_long_run_is_more_of_a_piece_than_two_short_ones() -> None:
    assert measure_contiguity(np.array([[0, 0, 20]])) > measure_contiguity(np.array([[0, 0, 10], [10, 40, 10]]))


def test_runs_near_each_other_are_one_island_and_far_ones_are_two() -> None:
    words = np.ones(1000, np.bool_)
    near = np.array([[0, 100, 20], [22, 123, 20]])
    far = np.array([[0, 100, 20], [22, 500, 20]])
    assert find_islands(near, words) == [[(0, 100, 20), (22, 123, 20)]]
    assert find_islands(far, words) == [[(0, 100, 20)], [(22, 500, 20)]]
    assert find_islands(far[:0], words) == []


def test_a_leap_is_not_worth_a_few_letters() -> None:
    words = np.ones(1000, np.bool_)
    found = np.array([[0, 100, 20], [20, 500, 9], [29, 129, 20]])
    assert find_islands(found, words) == [[(0, 100, 20), (29, 129, 20)]]


@given(st.text("abc", max_size=60), st.text("abc", max_size=120))
def test_every_run_is_equal_in_both(passage: str, stretch: str) -> None:
    for q, d, n in find_equal_runs(squeeze(passage).codes, squeeze(stretch).codes).tolist():
        assert n >= 5
        assert passage[q : q + n] == stretch[d : d + n]
