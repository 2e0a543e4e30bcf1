import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.text.dates import MONTHS, find_dates, is_stated_by


@pytest.mark.parametrize(
    "written",
    [
        "2024-03-03",
        "03/03/2024",
        "3.3.2024",
        "3 March 2024",
        "March 3, 2024",
        "3rd of March 2024",
        "Mar. 3, 2024",
        "3 mars 2024",
        "le 3 mars 2024",
    ],
)
def test_a_day_is_the_same_however_it_is_written(written: str) -> None:
    assert [date.readings for date in find_dates(f"It was {written}, they say.")] == [((2024, 3, 3),)]


def test_the_first_of_a_month_is_a_day_in_french() -> None:
    assert next(find_dates("le 1er janvier 2020")).readings == ((2020, 1, 1),)


def test_day_and_month_are_open_where_both_could_be_either() -> None:
    assert set(next(find_dates("04/05/2024")).readings) == {(2024, 5, 4), (2024, 4, 5)}
    assert next(find_dates("25/05/2024")).readings == ((2024, 5, 25),)


def test_a_sentence_may_say_less_of_a_date_than_its_source_but_not_more() -> None:
    assert is_stated_by((2024, 3, 0), (2024, 3, 3))
    assert not is_stated_by((2024, 3, 3), (2024, 3, 0))
    assert not is_stated_by((2024, 4, 0), (2024, 3, 3))


@pytest.mark.parametrize("text", ["You may 2 times", "march on", "12.5.1 of the manual", "a ratio of 3/4"])
def test_a_text_that_is_no_date_is_not_read_as_one(text: str) -> None:
    assert [date.readings for date in find_dates(text) if date.readings[0][0]] == []


@given(st.integers(1900, 2099), st.sampled_from(sorted(MONTHS)), st.integers(1, 28))
def test_every_month_is_known_in_both_languages(year: int, month: str, day: int) -> None:
    (found,) = find_dates(f"on {day} {month} {year}.")
    assert found.readings == ((year, MONTHS[month], day),)
