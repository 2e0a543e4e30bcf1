import pytest

from pincite.answer.search_need import drop_small_talk, needs_search
from pincite.types import Exchange, Focus

TALKED = (Exchange("What is the notice period?", "Three months."),)


@pytest.mark.parametrize(
    "said",
    [
        "Hi",
        "Hello!",
        "Thanks a lot!",
        "ok great, thank you so much",
        "That's perfect, thanks.",
        "Who are you?",
        "How’s it going?",
        "Bonjour, comment ça va ?",
        "Merci beaucoup pour votre aide !",
        "C'est parfait, merci.",
        "Qui es-tu ?",
        "S’il vous plaît",
        "👍",
        "   ",
        "",
    ],
)
@pytest.mark.parametrize("focus", ["all", "documents", "web"])
def test_nobody_searches_to_be_polite(said: str, focus: Focus) -> None:
    assert not needs_search(said, focus, ())
    assert not needs_search(said, focus, TALKED)


@pytest.mark.parametrize(
    "said",
    [
        "Translate your last answer into French",
        "Could you please translate it to German?",
        "Can you rephrase that?",
        "Make it shorter please",
        "Shorter!",
        "Explain that like I'm five",
        "Say that again in simpler terms",
        "In French please",
        "What did I just ask you?",
        "Summarise our conversation so far",
        "Traduis ta réponse en anglais",
        "Pouvez-vous me traduire votre réponse en anglais s'il vous plaît ?",
        "Peux-tu reformuler ça plus simplement ?",
        "Plus court s'il te plaît",
        "Et en anglais ?",
        "Résume notre conversation",
        "De quoi parlions-nous ?",
    ],
)
def test_a_request_about_the_last_answer_needs_no_search_if_there_is_one(said: str) -> None:
    assert not needs_search(said, "all", TALKED)
    assert needs_search(said, "all", ())


def test_with_documents_in_focus_only_small_talk_goes_without_them() -> None:
    assert needs_search("Translate your last answer into French", "documents", TALKED)
    assert not needs_search("Thank you!", "documents", TALKED)


@pytest.mark.parametrize(
    "asked",
    [
        "What is the notice period?",
        "Thanks. What is the notice period?",
        "ok and the deadline?",
        "Hello world program in the manual",
        "Translate article 5 into French",
        "Summarise the report",
        "Summarise it",
        "Explain it",
        "More details",
        "In German law?",
        "What can you do about mould in a rented flat?",
        "Merci. Quel est le délai ?",
        "Bonjour, quel est le délai de préavis ?",
        "Résume le document",
        "Explique ça",
        "Plus de détails",
        "En droit français ?",
        "Encore des exemples",
        "hi " * 31,
    ],
)
@pytest.mark.parametrize("focus", ["all", "documents", "web"])
def test_in_doubt_it_is_looked_up(asked: str, focus: Focus) -> None:
    assert needs_search(asked, focus, TALKED)


def test_a_chat_never_searches() -> None:
    assert not needs_search("What is the notice period?", "chat", TALKED)


def test_yes_to_a_question_of_ours_is_looked_up() -> None:
    offered = (Exchange("What is the notice period?", "Three months. Shall I look for exceptions?"),)
    assert needs_search("Yes please", "all", offered)
    assert not needs_search("Yes please", "all", TALKED)
    assert not needs_search("Thanks", "all", offered)


@pytest.mark.parametrize(
    ("said", "question"),
    [
        ("Hello, how high is the dam?", "how high is the dam?"),
        ("Bonjour ! Merci. Quelle est la durée du bail ?", "Quelle est la durée du bail ?"),
        ("Merci, et quelle est la caution ?", "et quelle est la caution ?"),
        ("Thanks!", "Thanks!"),
        ("Hello, thank you.", "thank you."),
        ("Bonjour tristesse, qui l'a écrit ?", "Bonjour tristesse, qui l'a écrit ?"),
        ("In winter, how high is the lake?", "In winter, how high is the lake?"),
        ("", ""),
    ],
)
def test_polite_phrases_before_a_question_are_no_part_of_it(said: str, question: str) -> None:
    assert drop_small_talk(said) == question
