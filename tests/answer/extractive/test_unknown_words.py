"""A name typed in lower case that no document has is told from an ordinary word that the documents do not use."""

from collections.abc import Collection

import pytest

from pincite.answer.extractive.unknown_words import list_unknown_words
from tests.clock import cost

# As in the vocabulary of the embedder, which has "duration" with a capital only.
CAPITALS = {"netflix": 1.0, "uber": 1.0, "apple": 0.94, "harbour": 0.4, "orange": 0.6, "duration": 1.0, "iron": 1.0}


def unknown(question: str, written: Collection[str] = (), forms: Collection[str] = ()) -> list[str]:
    return list_unknown_words(question, lambda word: word in written, forms, CAPITALS.get)


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("how much does netflix cost", ["netflix"]),
        ("install flatpak on debian stable", ["flatpak"]),
        ("comment installer un paquet avec pacman et flatpak", ["pacman", "flatpak"]),
        ("combien coûte l'abonnement netflix", ["netflix"]),
        ("uber revenue and apple revenue in 2022", ["uber", "apple"]),
        ("what day did netflix die", ["netflix"]),  # "die" makes a detector of languages doubt
        ("how do i install flatpak", ["flatpak"]),
    ],
)
def test_a_name_without_capitals_is_found(question: str, names: list[str]) -> None:
    assert unknown(question, written=("debian", "stable")) == names


@pytest.mark.parametrize(
    "question",
    [
        "how do i prune the roses in my garden",  # words of the dictionary
        "comment tailler les rosiers du jardin",
        "where is the harbour with orange boats",  # often written small
        "shoudl i pay the rnet in advance",  # misspelt
        "does it run on vax",  # too short to tell
        "what is the duration of the contract",  # the vocabulary has it with a capital only, and it is frequent
        "does the iron gate need paint",
    ],
)
def test_an_ordinary_word_is_no_name(question: str) -> None:
    assert unknown(question) == []


def test_a_word_that_a_document_has_is_known() -> None:
    assert unknown("how much does netflix cost", written=["netflix"]) == []


def test_a_word_made_from_one_of_the_passages_found_is_known() -> None:
    assert unknown("peut-on teletravaillotter depuis ici", forms=["teletravail"]) == []
    assert unknown("peut-on teletravaillotter depuis ici", forms=["telephone"]) == ["teletravaillotter"]


def test_in_a_language_without_a_dictionary_no_word_is_taken_for_a_name() -> None:
    assert unknown("wie lange dauert die rückerstattung") == []
    assert unknown("cuánto tarda el reembolso habitual") == []
    assert unknown("quanti abitanti ha la città di uber") == []


def test_a_question_of_thousands_of_unknown_words_costs_no_more_than_one_of_hundreds() -> None:
    begun = "how much does it cost to rent a boat in the old harbour "
    made = [f"qu{chr(97 + n % 26)}rbl{chr(97 + n // 26 % 26)}x{chr(97 + n // 676)}" for n in range(4000)]
    some, many = begun + " ".join(made[:400]), begun + " ".join(made)
    assert cost(lambda: unknown(many), 3) < 4 * cost(lambda: unknown(some), 3)
