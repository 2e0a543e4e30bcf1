from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.text.quantities import Quantity, find_quantities, find_table_scales
from pincite.text.quantity_match import is_same_quantity


def one(text: str) -> Quantity:
    (found,) = find_quantities(text)
    return found


ALIKE = [
    ("1 234,5", "1,234.5"),
    ("2,3 millions", "2300000"),
    ("$2.3m", "2.3 million dollars"),
    ("2,3 M€", "2 300 000 euros"),
    ("€2.3bn", "2,3 milliards d'euros"),
    ("12 %", "twelve percent"),
    ("12 %", "0.12"),
    ("12 pour cent", "12 per cent"),
    ("half", "50 %"),
    ("la moitié", "50 %"),
    ("two thirds", "deux tiers"),
    ("a dozen", "12"),
    ("le 3 mars 2024", "March 3, 2024"),
    ("2024", "3 March 2024"),
    ("March 2024", "2024-03-03"),
    ("Q3", "the third quarter"),
    ("T3", "3e trimestre"),
    ("FY2023", "2023"),
    ("18h30", "6:30 pm"),
    ("5 km", "5000 m"),
    ("500 g", "0.5 kg"),
    ("24 mois", "2 years"),
    ("5 miles", "8.05 km"),
    ("100 mg/dL", "1 g/l"),
    ("3rd", "third"),
    ("2e", "deuxième"),
    ("three-year", "3 ans"),
    ("un an", "12 mois"),
    ("about 150,000", "149,832"),
    ("37 °C", "37°C"),
]
UNLIKE = [
    ("12 %", "12"),
    ("12 %", "12 points de pourcentage"),
    ("5 kg", "5 g"),
    ("5 euros", "5 dollars"),
    ("5 mois", "5 ans"),
    ("150,000", "149,832"),
    ("about 150,000", "120,000"),
    ("3 March 2024", "3 March 2025"),
    ("3 March 2024", "March 2024"),
    ("Q3", "Q2"),
    ("18h30", "18h45"),
    ("3rd", "3"),
    ("2.3 million", "2.3 billion"),
    ("-5 °C", "5 °C"),
    ("37 °C", "37 °F"),
    ("1,234", "1,235"),
]


@pytest.mark.parametrize(("claimed", "given"), ALIKE)
def test_a_quantity_is_the_same_in_any_writing(claimed: str, given: str) -> None:
    assert is_same_quantity(one(claimed), one(given))


@pytest.mark.parametrize(("claimed", "given"), UNLIKE)
def test_another_value_or_another_unit_is_another_quantity(claimed: str, given: str) -> None:
    assert not is_same_quantity(one(claimed), one(given))


@pytest.mark.parametrize("text", ["Covid-19", "H1N1", "p53", "BA.4", "the 1990s", "one of them", "un chat", "neuf"])
def test_names_with_digits_and_articles_are_no_quantities(text: str) -> None:
    assert find_quantities(text) == []


@pytest.mark.parametrize("text", ["10 to 12 kg", "10–12 kg", "entre 10 et 12 kg", "10 ou 12 kg"])
def test_both_ends_of_a_range_have_its_unit(text: str) -> None:
    assert [(quantity.worth, quantity.measure) for quantity in find_quantities(text)] == [
        ((10,), "mass"),
        ((12,), "mass"),
    ]


def test_a_year_before_an_amount_does_not_take_its_unit() -> None:
    assert [quantity.measure for quantity in find_quantities("In 2020, 15 % of them")] == ["", "percent"]


def test_a_table_in_millions_supports_the_whole_amount() -> None:
    scales = find_table_scales("Revenue (in millions of euros)")
    assert is_same_quantity(one("1,234 million euros"), one("1,234"), scales)
    assert not is_same_quantity(one("1,235 million euros"), one("1,234"), scales)
    assert not is_same_quantity(one("1,234 million euros"), one("1,234"))


def test_a_table_in_percent_supports_a_percentage() -> None:
    assert is_same_quantity(one("12.5 %"), one("12.5"), find_table_scales("Growth (%)"))
    assert not is_same_quantity(one("12.5 %"), one("12.5"), find_table_scales("Growth"))


def test_an_age_may_be_said_without_its_years() -> None:
    assert is_same_quantity(one("12"), one("12 years"), bare=True)
    assert not is_same_quantity(one("12"), one("12 years"))


@given(st.floats(0.01, 10**7, allow_nan=False).map(lambda number: round(number, 2)))
def test_writing_a_number_the_french_way_never_changes_it(number: float) -> None:
    english = f"{number:,.2f}"
    french = english.translate(str.maketrans(",.", "\u202f,"))
    assert is_same_quantity(one(english), one(french))


@given(st.integers(10, 10**8), st.integers(0, 7), st.integers(1, 9))
def test_a_changed_digit_is_always_another_number(number: int, place: int, step: int) -> None:
    digits = str(number)
    place %= len(digits)
    changed = digits[:place] + str((int(digits[place]) + step) % 10) + digits[place + 1 :]
    if not changed.startswith("0"):
        assert not is_same_quantity(one(f"{int(changed):,}"), one(digits))


@given(st.text(max_size=80))
def test_any_text_is_read_without_a_mistake_and_in_order(text: str) -> None:
    found = find_quantities(text)
    assert all(a.end <= b.start for a, b in pairwise(found))
    assert all(0 <= quantity.start < quantity.end <= len(text) for quantity in found)
