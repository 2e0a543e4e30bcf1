import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.search.question_subject import add_subject, is_acceptable_rewrite, name_subject
from pincite.types import Exchange


def conversation(*asked: str | tuple[str, str]) -> tuple[Exchange, ...]:
    return tuple(Exchange(*each) if isinstance(each, tuple) else Exchange(each) for each in asked)


@pytest.mark.parametrize(
    ("before", "question", "subject"),
    [
        (["What is dry rot in old houses?"], "Is it harmful?", "dry rot old houses"),
        (["Tell me about the heat pumps of Lyon."], "What are the main types?", "heat pumps Lyon"),
        # Words that the question has itself are not said twice.
        (["What is the notice period of a lease?"], "Which notice must be written?", "period lease"),
        # A question with few words of its own leaves its subject to the one before it.
        (["What is dry rot in old houses?", "Is it harmful?"], "How is it treated?", "harmful dry rot old houses"),
        (["Comment demander un passeport en urgence ?"], "Combien ça coûte ?", "demander passeport urgence"),
        # Words that ask and auxiliaries are no subject; summer is one.
        (["Combien le moulin a-t-il été payé ?"], "Pourquoi ?", "moulin payé"),
        (["Doit-on fermer le lac en été ?"], "Pourquoi ?", "fermer lac été"),
        (["Why?"], "Is it so?", ""),
        ([], "Is it harmful?", ""),
    ],
)
def test_the_subject_is_what_was_asked_about_before(before: list[str], question: str, subject: str) -> None:
    assert name_subject(question, conversation(*before)) == subject


def test_a_question_that_was_rewritten_hands_its_subject_on() -> None:
    past = (Exchange("When was it built?", "In 1950.", "When was the dam at Vassivière built?"),)
    assert name_subject("How high is it?", past) == "dam Vassivière built"


def test_the_subjects_of_earlier_questions_do_not_pile_up() -> None:
    past = (
        Exchange("How is dry rot of old timber treated?", "", "How is dry rot of old timber treated?"),
        Exchange(
            "Is asbestos harmful for roofers?", "", "Is asbestos harmful for roofers? (dry rot old timber treated)"
        ),
    )
    assert name_subject("How is it removed?", past) == "asbestos harmful roofers"
    corrected = (Exchange("Is asbestoss harmful?", "", "Is asbestos harmful? (dry rot old timber)"),)
    assert name_subject("How is it removed?", corrected) == "asbestos harmful"
    own = (Exchange("What is social housing (HLM)", "", "What is social housing (HLM)"),)
    assert name_subject("Who has a right to it?", own) == "social housing HLM"


def test_a_subject_stands_in_brackets_behind_the_question() -> None:
    assert add_subject("Is it harmful? ", "dry rot") == "Is it harmful? (dry rot)"
    assert add_subject("Is it harmful?", "") == "Is it harmful?"


def test_the_subject_of_a_pasted_page_is_bounded() -> None:
    page = "What is a commercial lease? " + " ".join(f"word{n}" for n in range(3000))
    assert len(name_subject("Is it renewable?", (Exchange(page, page, page),)).split()) <= 16
    assert name_subject(page, conversation("What is a lease?")) == ""


@given(st.text(max_size=120), st.lists(st.text(max_size=80), max_size=3))
def test_any_conversation_is_followed(question: str, before: list[str]) -> None:
    history = conversation(*before)
    assert name_subject(question, history) == name_subject(question, history)
    is_acceptable_rewrite(question, before[0] if before else "", history)


TALKED = conversation(("What is the notice period for a furnished flat?", "One month [1], since 2014."))


@pytest.mark.parametrize(
    "rewritten",
    [
        "What is the notice period for an unfurnished flat?",
        "notice period for an unfurnished flat?",
        "And for an unfurnished one?",
        "What has the notice period been for an unfurnished flat since 2014?",
    ],
)
def test_a_models_rewrite_is_taken_when_it_is_still_the_question(rewritten: str) -> None:
    assert is_acceptable_rewrite("And for an unfurnished one?", rewritten, TALKED)


@pytest.mark.parametrize(
    "rewritten",
    [
        "",
        "  \n ",
        "Three months.",
        "The notice period for an unfurnished flat is three months.",
        "Sure! What is the notice period for an unfurnished flat?",
        "Question: What is the notice period for an unfurnished flat?",
        "What is the notice period for an unfurnished flat in 2019?",
        "What is the notice period for an unfurnished flat?\nIt is three months.",
        "What is the weather in Paris?",
        "What is the notice period for an unfurnished flat, " + "and why is that so, " * 20 + "?",
        "Is an unfurnished houseboat mooring licence revocable during winter storms?",
    ],
)
def test_a_models_rewrite_is_refused_when_it_is_something_else(rewritten: str) -> None:
    assert not is_acceptable_rewrite("And for an unfurnished one?", rewritten, TALKED)


def test_a_rewrite_keeps_the_numbers_of_the_question() -> None:
    assert is_acceptable_rewrite("And in 2023?", "What was the notice period in 2023?", TALKED)
    assert not is_acceptable_rewrite("And in 2023?", "What was the notice period in 2024?", TALKED)
    assert not is_acceptable_rewrite("And in 2023?", "What was the notice period?", TALKED)
    assert is_acceptable_rewrite(
        "Et à 12,5 % ?", "Quel est le préavis à 12,5 % ?", conversation("Quel est le préavis ?")
    )
