import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.retrieval.reformulate import acceptable, rewrite, understood
from pincite.types import Exchange


def conversation(*asked: str | tuple[str, str]) -> tuple[Exchange, ...]:
    """A conversation in which each question was understood as we understand it."""
    history: tuple[Exchange, ...] = ()
    for each in asked:
        question, answer = each if isinstance(each, tuple) else (each, "")
        history = (*history, Exchange(question, answer, understood(question, history)))
    return history


@pytest.mark.parametrize(
    ("before", "question", "expected"),
    [
        (["What is dry rot?"], "Is it harmful?", "Is dry rot harmful?"),
        (["What is dry rot?"], "What are its signs?", "What are dry rot's signs?"),
        (["Tell me about heat pumps."], "What is their price?", "What is heat pumps' price?"),
        (["Tell me about heat pumps."], "What are the main types?", "What are the main types? (heat pumps)"),
        (["What is a lease?", "How long does it last?"], "Who signs it?", "Who signs lease?"),
        (
            ["What is the notice period for a furnished flat?"],
            "And for an unfurnished one?",
            "And for an unfurnished one? (notice period flat)",
        ),
        (["Compare leases in Lyon and Paris."], "Which one is better?", "Which one is better? (Lyon and Paris)"),
        (["Compare heat pumps and boilers"], "Which is cheaper?", "Which is cheaper? (heat pumps and boilers)"),
        (["Compare le bus et le train"], "Lequel est le moins cher ?", "Lequel est le moins cher ? (bus et train)"),
        ([("Who wrote the novel?", "Victor Hugo wrote it.")], "When was he born?", "When was Victor Hugo born?"),
        (["What was Apple's revenue in 2022?"], "And in 2023?", "And in 2023? (Apple's revenue)"),
        (["What is the price of a house in Lyon?"], "No, I meant Paris.", "No, I meant Paris. (price house Lyon)"),
        (["Quel est le taux de TVA sur les livres ?"], "Et sur la presse ?", "Et sur la presse ? (taux TVA)"),
        (["Quel est le taux de TVA ?"], "Et celui de la presse ?", "Et celui de la presse ? (TVA)"),
        (["Comment demander un passeport ?"], "Combien ça coûte ?", "Combien ça coûte ? (passeport)"),
        (["Comment demander un passeport ?"], "Il est valable combien de temps ?", None),
    ],
)
def test_a_follow_up_is_given_what_it_leaves_out(before: list[str], question: str, expected: str | None) -> None:
    history = conversation(*before)
    said = understood(question, history)
    assert said == (expected or f"{question} (passeport)")
    assert understood(question, history) == said


def test_what_the_headings_of_an_answer_say_again_is_not_what_it_speaks_of() -> None:
    asked = "What does the lease say about the notice period and what does the law say about it?"
    answer = (
        "**What does the lease say about the notice period**\n\nThe notice period is three months.\n\n"
        "**What does the law say about it**\n\nThe notice period of a flat is one month."
    )
    said = understood("And how must it be given?", conversation((asked, answer)))
    assert said == "And how must notice period be given?"


def test_a_question_that_stands_alone_stays_as_it_is() -> None:
    history = conversation("What is a lease?")
    assert understood("What is the capital of Peru?", history) == "What is the capital of Peru?"
    assert understood("Is it harmful?", ()) == "Is it harmful?"
    assert rewrite("Is it harmful?", ()) == "Is it harmful?"
    assert rewrite("Is it so?", conversation("Why?")) == "Is it so?"


def test_long_questions_and_answers_are_followed_by_their_beginnings() -> None:
    page = "What is a commercial lease? " + "It goes on about many other things. " * 3000
    history = (Exchange(page, page, page),)
    assert rewrite(page, history) == page
    assert rewrite("Is it renewable?", history) == "Is commercial lease renewable?"


WORDS = "what is the lease of Lyon it they 2023 1,5 % cost and for Peru quel est le bail celui ça ? ( ) 'a"
words = st.lists(st.sampled_from(WORDS.split()), max_size=12).map(" ".join)


@given(words, st.lists(words, max_size=4), st.sampled_from(["", "en", "fr"]))
def test_no_number_of_the_question_is_ever_changed(question: str, before: list[str], language: str) -> None:
    said = rewrite(question, conversation(*before), language)
    assert set(re.findall(r"\d[\d.,]*", question)) <= set(re.findall(r"\d[\d.,]*", said))
    kept = [word for word in re.findall(r"\w+", question) if word not in ("it", "they")]
    assert [word for word in kept if word not in re.findall(r"\w+", said)] == []


@given(st.text(max_size=120), st.lists(st.text(max_size=80), max_size=3))
def test_any_conversation_is_followed(question: str, before: list[str]) -> None:
    history = conversation(*before)
    assert rewrite(question, history) == rewrite(question, history)
    acceptable(question, before[0] if before else "", history)


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
    assert acceptable("And for an unfurnished one?", rewritten, TALKED)


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
    assert not acceptable("And for an unfurnished one?", rewritten, TALKED)


def test_a_rewrite_keeps_the_numbers_of_the_question() -> None:
    assert acceptable("And in 2023?", "What was the notice period in 2023?", TALKED)
    assert not acceptable("And in 2023?", "What was the notice period in 2024?", TALKED)
    assert not acceptable("And in 2023?", "What was the notice period?", TALKED)
    assert acceptable("Et à 12,5 % ?", "Quel est le préavis à 12,5 % ?", conversation("Quel est le préavis ?"))
