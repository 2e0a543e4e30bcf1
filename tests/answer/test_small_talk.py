"""Without a language model, thanks and greetings get a friendly line; nobody is told about settings."""

from pathlib import Path

import pytest

from pincite.answer.services import Services
from pincite.answer.small_talk import reply_to_small_talk
from pincite.types import Exchange
from tests.turns import ask, final, open_test_services

TALKED = (Exchange("Quel est le délai de préavis ?", "Trois mois."),)


@pytest.mark.parametrize(
    ("message", "begins"),
    [
        ("Thanks!", "You're welcome!"),
        ("ok great, thank you so much", "You're welcome!"),
        ("Hello", "Hello!"),
        ("Hi there, how are you?", "Hello!"),
        ("Bye!", "Goodbye"),
        ("Who are you?", "I look for answers"),
        ("Ok", "Very well."),
        ("Merci !", "Avec plaisir !"),
        ("C'est parfait, merci beaucoup pour votre aide", "Avec plaisir !"),
        ("Bonjour", "Bonjour !"),
        ("Salut, ça va ?", "Bonjour !"),
        ("Au revoir", "Au revoir"),
        ("Qui es-tu ?", "Je cherche les réponses"),
        ("D'accord", "Très bien."),
    ],
)
def test_a_polite_message_gets_a_friendly_line_in_its_language(message: str, begins: str) -> None:
    assert reply_to_small_talk(message).startswith(begins)


def test_a_message_without_words_is_answered_in_the_language_of_the_conversation() -> None:
    assert reply_to_small_talk("👍", TALKED).startswith("Très bien.")
    assert reply_to_small_talk("👍").startswith("Very well.")
    assert reply_to_small_talk("?").startswith("I look for answers")
    assert reply_to_small_talk("?!", TALKED).startswith("Je cherche")


@pytest.mark.parametrize("message", ["What is the notice period?", "Thanks. And the deposit?", "Merci. Quel délai ?"])
def test_a_question_is_no_small_talk(message: str) -> None:
    assert reply_to_small_talk(message) == ""


@pytest.mark.parametrize("focus", ["all", "documents", "chat", "research"])
def test_thanks_are_answered_without_a_model_and_without_a_search(tmp_path: Path, focus: str) -> None:
    services = open_test_services(tmp_path)
    plain = Services(services.library, services.search, None)
    said = ask(plain, "Thanks!", focus=focus, chat_model="extractive")
    answer = final(said)
    assert answer.answer.startswith("You're welcome!")
    assert not answer.refused
    assert not answer.citations
    assert "models.chat" not in answer.answer
