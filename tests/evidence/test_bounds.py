import pytest

from pincite.evidence.bounds import bound
from pincite.evidence.quantities import quantities
from pincite.evidence.verify import verify

TURNED = [
    ("A dose > 5 mg is safe.", "A dose < 5 mg is safe."),
    ("A dose ≥5 mg is safe.", "A dose ≤5 mg is safe."),
    ("Une dose ≥ 5 mg est sûre.", "Une dose ≤ 5 mg est sûre."),
    ("Une dose supérieure à 5 mg est sûre.", "Une dose < 5 mg est sûre."),
    ("A dose > 5 mg is given daily.", "A dose of 5 mg is given daily."),
    ("A dose of 5 mg is given daily.", "A dose > 5 mg is given daily."),
    ("The night was at -5 °C.", "The night was at 5 °C."),
    ("La nuit était à 12 °C.", "La nuit était à −12 °C."),
]
SAME = [
    ("The dose is less than 5 mg.", "The dose is < 5 mg."),
    ("The members were at least 18 years old.", "The members were ≥ 18 years old."),
    ("Members of 18 years or over vote.", "Members of ≥ 18 years vote."),
    ("La dose est inférieure à 5 mg.", "La dose est < 5 mg."),
    ("The dose is <5 mg.", "The dose is < 5 mg."),
]


@pytest.mark.parametrize(("sentence", "source"), TURNED)
def test_a_bound_on_the_other_side_is_not_verified(sentence: str, source: str) -> None:
    assert verify(sentence, source).support != "verified"


@pytest.mark.parametrize(("sentence", "source"), SAME)
def test_a_sign_and_its_words_say_the_same(sentence: str, source: str) -> None:
    assert verify(sentence, source).support == "verified"


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
    (found,) = quantities(text)
    assert bound(text, found.start, found.end)[0] == side
