"""Questions with parts are known by how they are put; any other is one question."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.answer.extractive.question_kind import parse_question
from pincite.answer.split.split_rules import choose_source, choose_sources, split_aspects, split_question


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        (
            "What does the contract say about the notice period and what does the law say?",
            [
                "What does the contract say about the notice period?",
                "What does the law say about the notice period?",
            ],
        ),
        (
            "What does the lease say and what does the law say about the deposit?",
            ["What does the lease say about the deposit?", "What does the law say about the deposit?"],
        ),
        (
            "Que dit le bail sur le préavis et que dit la loi à ce sujet ?",
            ["Que dit le bail sur le préavis ?", "Que dit la loi sur le préavis ?"],
        ),
        (
            "How high is the dam, when was it built and who designed it?",
            ["How high is the dam?", "When was it built? (high dam)", "Who designed it? (high dam)"],
        ),
        ("What is the rent? When is it due?", ["What is the rent?", "When is it due? (rent)"]),
        (
            "Who owns the mill and what does the lease say about repairs?",
            ["Who owns the mill?", "What does the lease say about repairs?"],
        ),
        (
            "What does the report claim about sales and what do the papers think about it?",
            ["What does the report claim about sales?", "What do the papers think about sales?"],
        ),
        (
            "How high is the dam at Vassivière, and who designed it?",
            ["How high is the dam at Vassivière?", "Who designed it? (high dam Vassivière)"],
        ),
        (
            "Quel est le préavis dans mon bail et que dit la loi ?",
            ["Quel est le préavis dans mon bail ?", "Que dit la loi ? (préavis bail)"],
        ),
        (
            "What is the deposit in my lease and what does the law say?",
            ["What is the deposit in my lease?", "What does the law say? (deposit lease)"],
        ),
        (
            "Où est le barrage de Vassivière et qui l'a conçu ?",
            ["Où est le barrage de Vassivière ?", "Qui l'a conçu ? (barrage Vassivière)"],
        ),
        (
            "Compare heat pumps and gas boilers",
            [
                "heat pumps — Compare heat pumps and gas boilers",
                "gas boilers — Compare heat pumps and gas boilers",
            ],
        ),
        (
            "Quelle est la différence entre le CDD et le CDI ?",
            [
                "le CDD — Quelle est la différence entre le CDD et le CDI ?",
                "le CDI — Quelle est la différence entre le CDD et le CDI ?",
            ],
        ),
    ],
)
def test_each_part_is_asked_by_itself(question: str, asked: list[str]) -> None:
    assert [task for _, task in split_question(question)] == asked


@pytest.mark.parametrize(
    "question",
    [
        "How high is the dam?",
        "Which bridges were built in 1931 and opened in 1934?",
        "Who and what is responsible?",
        "Terms and conditions of sale",
        "What did the report conclude and why?",
        "Quels sont les droits et les devoirs du locataire ?",
        "Hello and welcome!",
        "",
    ],
)
def test_one_question_is_left_whole(question: str) -> None:
    assert split_question(question) == []


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("What does my landlord's letter say", "documents"),
        ("What does the employment contract say", "documents"),
        ("Que dit notre règlement intérieur", "documents"),
        ("What does the law say", "web"),
        ("What does the law say about the notice period of the contract?", "web"),
        ("What does the contract say about the law?", "documents"),
        ("Que dit la loi sur le bail ?", "web"),
        ("Que dit la notice ?", "documents"),
        ("Que prévoit le code du travail", "web"),
        ("the news of today", "web"),
        ("heat pumps", ""),
    ],
)
def test_a_part_may_say_where_its_answer_is(text: str, where: str) -> None:
    assert choose_source(text) == where


def test_a_side_is_understood_again_as_what_it_is() -> None:
    (_, task), _ = split_question("Compare heat pumps and gas boilers")
    asking = parse_question(task)
    assert (asking.kind, asking.subjects) == ("side", ("heat pumps", "gas boilers"))
    assert parse_question("Paris — what is its height?").kind != "side"


WORDS = ["what", "how", "when", "and", ",", "?", "the lease", "law", "say", "compare", "vs", "et", "que dit", "—", "it"]


@given(st.lists(st.sampled_from(WORDS), max_size=40))
def test_no_question_has_more_than_three_parts_and_none_is_empty(words: list[str]) -> None:
    found = split_question(" ".join(words))
    assert len(found) in (0, 2, 3)
    assert all(heading.strip() and task.strip() for heading, task in found)


@pytest.mark.parametrize(
    ("question", "where"),
    [
        ("What is the rent in my lease and what is the deposit?", ["documents", "documents"]),
        ("How high is the dam in my report, and who designed it?", ["documents", "documents"]),
        ("What does my lease say about the deposit and what do experts say?", ["documents", ""]),
        ("What is the rent in my lease and what does the law say?", ["documents", "web"]),
        ("What is the rent in my lease and how much do heat pumps cost?", ["documents", ""]),
        ("How high is the dam, and who designed it?", ["", ""]),
        ("Compare the notice period in my lease with that in Norway", ["documents", ""]),
    ],
)
def test_a_part_that_refers_to_another_uses_the_same_source(question: str, where: list[str]) -> None:
    assert choose_sources(split_question(question)) == where


@pytest.mark.parametrize(
    ("question", "items"),
    [
        ("What does the lease say about rent, repairs and notice?", ["rent", "repairs", "notice"]),
        ("Que dit le bail sur le loyer, les travaux et l'assurance ?", ["loyer", "travaux", "assurance"]),
        ("What are the risks of Corvane and of project Kestrel?", ["Corvane", "project Kestrel"]),
        ("Quels sont les risques de Corvane et du projet Kestrel ?", ["Corvane", "projet Kestrel"]),
        ("What is known about research and development?", []),
        ("Compare the rent of Alder and of Birch", []),
    ],
)
def test_a_list_at_the_end_of_a_question_is_split_into_its_aspects(question: str, items: list[str]) -> None:
    parts = split_aspects(question)
    assert [heading for heading, _ in parts] == items
    assert all(heading in asked and asked.split()[:2] == question.split()[:2] for heading, asked in parts)
