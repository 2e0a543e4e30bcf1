"""A name, code or year that a question asks about is known by its form, and found in whatever form a passage has it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.agent.extractive.absence import find_names, list_missing
from pincite.types import Evidence, Span


def evidence(text: str, title: str = "", name: str = "") -> Evidence:
    return Evidence(1, Span("d", 0, len(text)), title, "text", text, name=name)


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
        ("Kellogg's net sales of cereal", ["Kellogg"]),
        ("Logement social (HLM) : qui y a droit ?", []),
        ("comment renouveler un passeport ?", []),
    ],
)
def test_names_codes_and_years_are_found_by_their_form(question: str, names: list[str]) -> None:
    assert find_names(question) == names


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What does EUROPE do?", "The European law says so."),
        ("Where was Charles Babbage born?", "Babbage was born in London."),
        ("What is the cost of Covid-19?", "The covid 19 crisis cost much."),
        ("Que dit Élodie ?", "ELODIE est venue et dit non."),
        ("How many Panthers won?", "The panther won twice."),
        ("What were the sales of J&J in FY23?", "Johnson & Johnson sold more in 2023."),
        ("At what CO2 level does it start?", "It starts at a CO₂ level of 900 ppm."),
    ],
)
def test_a_name_is_there_in_other_spelling_and_inflection(question: str, text: str) -> None:
    assert list_missing(question, [evidence(text)]) == []


def test_the_title_and_the_file_name_count_for_a_passage() -> None:
    text = "Revenue was 3 billion."
    assert list_missing("What was Costco's revenue?", [evidence(text)]) == ["Costco"]
    assert list_missing("What was Costco's revenue?", [evidence(text, title="Costco, annual report")]) == []
    assert list_missing("What was Costco's revenue?", [evidence(text, name="COSTCO_2021_10K.pdf")]) == []


def test_a_year_that_no_passage_has_is_missing() -> None:
    assert list_missing("What was the rent in 1999?", [evidence("The rent in 2001 was 900 euros.")]) == ["1999"]


def test_between_two_languages_names_are_spelt_differently_and_codes_are_not() -> None:
    text = "Le port de Londres est le plus grand du pays, et il est ouvert toute l'année pour les navires."
    assert list_missing("What is the size of the port of London and what is it for?", [evidence(text)]) == []
    assert list_missing("What is the size of the port in 1999 and what is it for?", [evidence(text)]) == ["1999"]


@given(st.text(max_size=200))
def test_whatever_is_asked_has_names_that_stand_in_it(text: str) -> None:
    for name in find_names(text):
        assert all(word in text for word in name.split())


@pytest.mark.parametrize(
    ("question", "text", "missing"),
    [
        ("What was the revenue of General Motors?", "General and administrative expenses rose.", ["General Motors"]),
        ("What does John Smith earn?", "John Baker earns 40,000 euros.", ["John Smith"]),
        ("What is the population of Austria?", "The population of Australia is 27 million.", ["Austria"]),
        ("How many people work at Intel?", "Artificial intelligence grows.", ["Intel"]),
        ("How big is Paris?", "A comparison of pineapples.", ["Paris"]),
        ("What must I NOT do?", "You must stop.", []),
    ],
)
def test_a_name_is_not_there_because_half_of_it_or_its_beginning_is(
    question: str, text: str, missing: list[str]
) -> None:
    found = [Evidence(1, Span("d", 0, len(text)), "Notes", "text", text)]
    assert list_missing(question, found) == missing
