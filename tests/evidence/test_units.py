import pytest

from pincite.evidence.units import measure


@pytest.mark.parametrize(("one", "other"), [("km", "kilomètres"), ("%", "percent"), ("€", "euros"), ("ans", "years")])
def test_a_unit_is_the_same_in_both_languages_and_as_a_symbol(one: str, other: str) -> None:
    assert measure(one) == measure(other) is not None


def test_symbols_keep_their_case_and_words_need_not() -> None:
    assert measure("MW") != measure("mW")
    assert measure("Kilometres") == measure("km")


def test_what_is_no_unit_measures_nothing() -> None:
    assert measure("parsecs") is None
