import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.retrieval.topics import topics


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("What is a commercial lease?", ["commercial lease"]),
        ("What are the advantages of solar panels?", ["solar panels"]),
        ("How was Ikea started?", ["Ikea"]),
        ("How do heat pumps work?", ["heat pumps"]),
        ("What causes kidney stones?", ["kidney stones"]),
        ("Is Mount Fuji dangerous?", ["Mount Fuji"]),
        ("What is the notice period for a furnished flat?", ["notice period", "furnished flat"]),
        ("What are the main types?", []),
        ("How do they work?", []),
        ("What is a 401 plan?", ["401 plan"]),
        ("What is Ohm's law?", ["Ohm's law"]),
    ],
)
def test_the_things_an_english_question_names(question: str, named: list[str]) -> None:
    assert [topic.words for topic in topics(question, "en")] == named


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("Quelle est la durée de conservation des données personnelles ?", ["conservation des données personnelles"]),
        ("Comment résilier un bail commercial ?", ["bail commercial"]),
        ("Qu'est-ce que la TVA ?", ["TVA"]),
        ("Parle-moi de l'assurance habitation.", ["assurance habitation"]),
        ("L'employeur peut-il refuser le télétravail ?", ["employeur", "télétravail"]),
        ("Quand est-il rendu ?", []),
        ("Combien ça coûte ?", []),
        ("Quels sont les principaux avantages ?", []),
    ],
)
def test_the_things_a_french_question_names(question: str, named: list[str]) -> None:
    assert [topic.words for topic in topics(question, "fr")] == named


def test_names_and_plurals_are_told() -> None:
    (panels,) = topics("What are solar panels?", "en")
    (peru,) = topics("Where is Peru?", "en")
    assert (panels.plural, panels.named) == (True, False)
    assert (peru.plural, peru.named) == (False, True)


@given(st.text(max_size=300), st.sampled_from(["en", "fr"]))
def test_what_is_named_stands_where_it_says(text: str, language: str) -> None:
    end = 0
    for topic in topics(text, language):
        assert text[topic.start : topic.end] == topic.words
        assert topic.start >= end
        assert topic.stems
        end = topic.end
