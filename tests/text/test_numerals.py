import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.text.numerals import read_digits, read_number_words


@pytest.mark.parametrize("written", ["1234.5", "1,234.5", "1.234,5", "1 234,5", "1\u202f234,5", "1’234.5"])
def test_a_number_is_the_same_in_every_locale(written: str) -> None:
    assert read_digits(written) == (1234.5,)


def test_where_a_mark_may_be_of_thousands_or_of_decimals_both_are_possible() -> None:
    assert set(read_digits("1,234")) == {1234.0, 1.234}
    assert read_digits("0,123") == (0.123,)
    assert read_digits("1,234,567") == (1234567.0,)


def test_a_version_is_no_number() -> None:
    assert read_digits("1.2.3") == ()


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("twelve", 12),
        ("twenty-five", 25),
        ("two hundred and fifty", 250),
        ("three hundred thousand", 300_000),
        ("one million two hundred thousand", 1_200_000),
        ("dix-sept", 17),
        ("soixante et onze", 71),
        ("quatre-vingts", 80),
        ("quatre-vingt-dix-sept", 97),
        ("deux cent cinquante mille", 250_000),
        ("mille", 1000),
    ],
)
def test_numbers_in_words_are_read_in_english_and_french(words: str, value: float) -> None:
    assert read_number_words(words) == value


@pytest.mark.parametrize("words", ["five six", "twenty thirty", "million million", "dix-neuf vingt"])
def test_words_that_are_several_numbers_are_not_one(words: str) -> None:
    assert read_number_words(words) is None


@given(st.integers(0, 10**9), st.sampled_from([",", " ", "\u00a0", "\u202f", "’"]))
def test_thousands_may_be_set_apart_by_anything_people_use(number: int, mark: str) -> None:
    assert float(number) in read_digits(f"{number:,}".replace(",", mark))
