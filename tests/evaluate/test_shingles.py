import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.evaluate.shingles import Counts, compare_texts, compute_figures, compute_lead

TEXT = st.text(st.sampled_from("ab \n.é"), max_size=60)


def test_runs_of_four_words_are_counted_as_often_as_they_stand_there() -> None:
    assert compare_texts("one two three four five", "one two three four") == Counts(1, 1, 0)
    assert compare_texts("a b c d a b c d", "a b c d") == Counts(1, 4, 0)
    assert compare_texts("One two, three: four!", "One two three four") == Counts(1, 0, 0)
    assert compare_texts("one two three FOUR", "one two three four") == Counts(0, 1, 1)


def test_a_text_shorter_than_a_run_is_one_run() -> None:
    assert compare_texts("one two", "one two") == Counts(1, 0, 0)
    assert compare_texts("", "one two") == Counts(0, 0, 1)


@given(TEXT, TEXT)
def test_found_and_wanted_text_may_change_places(one: str, other: str) -> None:
    there, back = compare_texts(one, other), compare_texts(other, one)
    assert there == (back.shared, back.missing, back.extra)
    assert compare_texts(one, one)[1:] == (0, 0)


def test_every_page_weighs_the_same_whatever_its_length() -> None:
    found = compute_figures([Counts(1, 0, 0), Counts(500, 500, 0)])
    assert (found["precision"], found["recall"]) == (0.75, 1.0)
    assert found["f1"] == pytest.approx(2 * 0.75 / 1.75, abs=1e-4)
    assert found["precision_error"] > 0
    assert found["recall_error"] == 0


def test_a_page_where_nothing_was_found_costs_recall_alone() -> None:
    found = compute_figures([Counts(10, 0, 0), Counts(0, 0, 10)])
    assert (found["precision"], found["recall"]) == (1.0, 0.5)


def test_no_pages_are_no_figures() -> None:
    assert compute_figures([])["f1"] == 0
    assert compute_figures([Counts(0, 3, 4)])["f1"] == 0


def test_a_lead_is_taken_page_by_page() -> None:
    better, worse = [Counts(9, 1, 0), Counts(5, 5, 0)], [Counts(8, 2, 0), Counts(4, 6, 0)]
    found = compute_lead(better, worse)
    assert found["f1"] == pytest.approx(compute_figures(better)["f1"] - compute_figures(worse)["f1"], abs=1e-3)
    assert found["f1_error"] < compute_figures(better)["f1_error"]
    assert compute_lead(better, better) == {"f1": 0, "f1_error": 0}
    assert compute_lead([], []) == {"f1": 0, "f1_error": 0}
