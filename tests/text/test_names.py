"""A name, code or year is known by its form, in a language in which a capital says something."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.text.names import find_names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("How do I install Kubernetes?", ["Kubernetes"]),
        ("What is known about the Garrow Bridge?", ["Garrow Bridge"]),
        ("Que sait-on du pont de Gravelle ?", ["Gravelle"]),
        ("How did AWS and Netflix grow in 2023?", ["AWS", "Netflix", "2023"]),
        ("Who signs the lease? What does Mr Duval pay?", ["Mr Duval"]),
        ("Comment résilier un bail meublé ?", []),
        ("", []),
        ("What was Apple's revenue in 2022?", ["Apple", "2022"]),
        ("Who is Ada Byron?", ["Ada Byron"]),
        ("Ada Byron was born where?", ["Ada Byron"]),
        ("Quel est le chiffre d'affaires d'Airbus en 2021 ?", ["Airbus", "2021"]),
        ("What does the X200-B need?", ["X200-B"]),
        ("How many I need, and what I do on the 3rd day?", []),
        ("Where is the office?", []),
        ("What Is The Height Of The Dam?", []),
        ("NASA: what is it?", ["NASA"]),
        ("Why did sales drop in Q4 2022?", ["2022"]),
        ("Kellogg's net sales of cereal", ["Kellogg"]),
        ("Logement social (HLM) : qui y a droit ?", []),
        ("comment renouveler un passeport ?", []),
        ("Explain the code E07 in English", ["E07"]),
        ("What does the lease say, in plain English, please?", []),
        ("Résume le bail en Français, s'il te plaît", []),
        ("Which papers did she publish in French journals?", ["French"]),
        ("Is the manual available in German?", ["German"]),
        ("Explain Tarnwick revenue in 2021", ["Tarnwick", "2021"]),
        ("Décris-moi Tarnwick", ["Tarnwick"]),
        ("Combien Tarnwick a-t-il vendu ?", ["Tarnwick"]),
    ],
)
def test_names_codes_and_years_are_found_by_their_form(question: str, names: list[str]) -> None:
    assert find_names(question) == names


@given(st.text(max_size=200))
def test_whatever_is_asked_has_names_that_stand_in_it(text: str) -> None:
    for name in find_names(text):
        assert all(word in text for word in name.split())


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Was kostet die Miete der Wohnung in Berlin?", []),
        ("Wie hoch ist der Umsatz im Jahr 2023?", ["2023"]),
        ("Wer ist Vorsitzender?", []),
        ("What does the tenant pay in Berlin?", ["Berlin"]),
        ("Why did so many people die in Paris?", ["Paris"]),
    ],
)
def test_in_german_every_noun_has_a_capital_so_codes_and_years_alone_are_names(question: str, names: list[str]) -> None:
    assert find_names(question) == names


def test_a_caller_may_say_that_the_first_word_is_a_name() -> None:
    assert find_names("Intel headcount") == []
    assert find_names("Intel headcount", lambda word: word == "Intel") == ["Intel"]


@pytest.mark.parametrize(
    "question", ["Combien coûte le bail ?", "Doit-on payer ?", "Faut-il partir ?", "Donne-moi le prix", "Show the rent"]
)
def test_a_first_word_that_asks_is_never_a_name(question: str) -> None:
    assert find_names(question, lambda _: True) == []
