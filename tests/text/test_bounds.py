"""A number may be a bound: < 5, at least 5, 5 or more."""

import pytest

from pincite.text.bounds import find_bound
from pincite.text.quantities import find_quantities


@pytest.mark.parametrize(
    ("text", "side"),
    [
        ("a dose < 5 mg", "below"),
        ("a dose ≥ 5 mg", "above"),
        ("au moins 5 mg", "above"),
        ("moins de 5 mg", "below"),
        ("not more than 5 mg", "below"),
        ("5 mg or more", "some"),
        ("a dose of 5 mg", ""),
        ("> 5 mg, as a quotation begins", ""),
        ("the dose -> 5 mg", ""),
    ],
)
def test_a_number_is_a_bound_where_a_sign_or_words_say_so(text: str, side: str) -> None:
    (found,) = find_quantities(text)
    assert find_bound(text, found.start, found.end)[0] == side
