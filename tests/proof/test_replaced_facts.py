"""A fact in another's place is seen where all around it is the source's own sentence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.proof.replaced_facts import find_replaced

SOURCE = "In 2019 the plant in Garrow made 12,500 bicycles, about 40 km from the port of Lund."


@pytest.mark.parametrize(
    ("said", "stood"),
    [
        ("Garrow", "Marlow"),
        ("12,500", "12,200"),
        ("2019", "2018"),
        ("km", "m"),
        ("Lund", "Malmö"),
    ],
)
def test_one_changed_fact_is_found_with_the_one_that_stood_there(said: str, stood: str) -> None:
    assert list(find_replaced(SOURCE.replace(said, stood), SOURCE)) == [(stood, said)]


@pytest.mark.parametrize(
    ("sentence", "source"),
    [
        (SOURCE, SOURCE),
        ("The United States sold 12 ships to the navy of Chile.", "The U.S. sold 12 ships to the navy of Chile."),
        ("The World Health Organization met again in May with all.", "The WHO met again in May with all."),
        ("The Spanish navy met again in May with all ships.", "The Spain navy met again in May with all ships."),
        ("Amcor made 12,500 bicycles in 2019 in one plant.", "we made 12,500 bicycles in 2019 in one plant."),
        ("About 12 thousand bicycles were made in Garrow in 2019.", SOURCE),
        ("Nothing of this is said there at all, in Garrow or Lund.", SOURCE),
    ],
)
def test_another_form_of_the_same_is_no_change(sentence: str, source: str) -> None:
    assert list(find_replaced(sentence, source)) == []


@given(st.text(max_size=200), st.text(max_size=200))
def test_any_two_texts_are_compared(claim: str, cited: str) -> None:
    for said, stood in find_replaced(claim, cited):
        assert said in claim
        assert stood in cited
    assert list(find_replaced(claim, claim)) == []
