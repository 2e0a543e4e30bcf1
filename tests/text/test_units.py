import pytest

from pincite.text.units import look_up_unit


@pytest.mark.parametrize(("one", "other"), [("km", "kilomètres"), ("%", "percent"), ("€", "euros"), ("ans", "years")])
def test_a_unit_is_the_same_in_both_languages_and_as_a_symbol(one: str, other: str) -> None:
    assert look_up_unit(one) == look_up_unit(other) is not None


def test_symbols_keep_their_case_and_words_need_not() -> None:
    assert look_up_unit("MW") != look_up_unit("mW")
    assert look_up_unit("Kilometres") == look_up_unit("km")


def test_a_word_that_is_no_unit_measures_nothing() -> None:
    assert look_up_unit("parsecs") is None
