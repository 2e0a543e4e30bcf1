import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.agent.extractive.asking import understand
from pincite.agent.extractive.words import alike, bag, covered, plain, sought


@pytest.mark.parametrize(
    ("raw", "quoted"),
    [
        ("a sen\u00ad\ntence over\nlines ", "a sentence over lines"),
        ("Net sales\t1,234\t1,100", "Net sales | 1,234 | 1,100"),
        ("| 2020 | 9,800 |", "2020 | 9,800"),
    ],
)
def test_a_quote_stands_on_one_line_with_whole_words_and_bars_between_cells(raw: str, quoted: str) -> None:
    assert plain(raw) == quoted


@given(st.text())
def test_a_quote_keeps_every_letter_and_digit_in_its_order(text: str) -> None:
    assert [c for c in plain(text) if c.isalnum()] == [c for c in text if c.isalnum()]


def test_words_are_found_in_other_forms() -> None:
    weights = {word: word.weight for word in sought(understand("Peut-on prolonger les abonnements ?"))}
    assert covered(weights, bag("Un abonnement est prolongé.")) == 1
    assert covered(weights, bag("Rien de tout cela.")) == 0


def test_a_name_matters_more_than_another_word() -> None:
    weights = {word: word.weight for word in sought(understand("Did sales of Corning grow?"))}
    assert covered(weights, bag("Corning")) > covered(weights, bag("sales"))


@given(st.text(), st.text())
def test_likeness_is_a_share_and_the_same_both_ways(one: str, other: str) -> None:
    assert alike(bag(one), bag(other)) == alike(bag(other), bag(one))
    assert 0 <= alike(bag(one), bag(other)) <= 1
