import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.answer.extractive.question_kind import parse_question
from pincite.text.language import detect_conversation_language


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Who signed the lease?", "question"),
        ("Quel est le montant du loyer ?", "question"),
        ("The colour of the roof", "question"),
        ("What is the difference between a loan and a lease?", "comparison"),
        ("Adoption simple et adoption plénière : quelles différences ?", "comparison"),
        ("Summarise the annual report", "summary"),
        ("De quoi parle ce document ?", "summary"),
        ("Which documents do I have?", "documents"),
        ("List my documents", "documents"),
        ("Quels documents ai-je ?", "documents"),
        ("Liste mes documents", "documents"),
        ("Which documents are needed?", "question"),
        ("Quels documents faut-il pour une dérogation ?", "question"),
    ],
)
def test_requests_by_name_are_known_in_both_languages(question: str, kind: str) -> None:
    assert parse_question(question).kind == kind


@pytest.mark.parametrize(
    ("question", "subjects"),
    [
        ("Compare the 2020 report with the 2021 report.", ("the 2020 report", "the 2021 report")),
        ("Quelle est la différence entre un CDD et un CDI ?", ("un CDD", "un CDI")),
        ("Compare the price of pumps and of boilers.", ("the price of pumps", "the price of boilers")),
        ("Compare the sales of 2022 and 2023.", ("the sales of 2022", "the sales of 2023")),
        ("Comparez les ventes en 2022 et 2023.", ("les ventes en 2022", "les ventes en 2023")),
        ("Compare 2022 and 2023.", ("2022", "2023")),
        ("Compare le préavis du bail avec celui de la loi", ("le préavis du bail", "le préavis de la loi")),
        ("Compare net sales of Orvel and Tarn Beauty", ("net sales of Orvel", "net sales of Tarn Beauty")),
        ("Compare the CEO of the Orvel and the Tarn", ("the CEO of the Orvel", "the CEO of the Tarn")),
        ("Compare Orvel's net sales and Tarn Beauty's", ("Orvel's net sales", "Tarn Beauty's net sales")),
        ("Compare Orvel and Tarn Beauty's net sales", ("Orvel's net sales", "Tarn Beauty's net sales")),
        ("Compare the Bank of Orvel and Tarn Beauty", ("the Bank of Orvel", "Tarn Beauty")),
        ("Compare the cost of living and inflation", ("the cost of living", "inflation")),
        (
            "Compare le chiffre d'affaires de Tarn et d'Orvel",
            ("le chiffre d'affaires de Tarn", "le chiffre d'affaires d'Orvel"),
        ),
        (
            "Quelle est la différence entre le loyer d'Orvel et Tarn ?",
            ("le loyer d'Orvel", "le loyer de Tarn"),
        ),
        ("Which one is cheaper? (heat pumps and gas boilers)", ("heat pumps", "gas boilers")),
        ("Which of heat pumps and gas boilers is cheaper?", ("heat pumps", "gas boilers")),
        ("Lequel est le moins cher ? (le bus et le train)", ("le bus", "le train")),
        ("Summarize the budget.", ("the budget",)),
    ],
)
def test_the_subject_is_taken_out_of_the_question(question: str, subjects: tuple[str, ...]) -> None:
    assert parse_question(question).subjects == subjects


def test_the_sentence_that_asks_is_told_from_what_says_how_to_answer() -> None:
    asking = parse_question("We need a figure. What was the rent in 2020? Answer in euros.")
    assert asking.core == "What was the rent in 2020?"
    assert asking.text.endswith("Answer in euros.")


@pytest.mark.parametrize(("text", "language"), [("Bonjour", "fr"), ("Où est-ce ?", "fr"), ("Where is it?", "en")])
def test_the_language_of_a_short_question_is_known(text: str, language: str) -> None:
    assert detect_conversation_language(text) == language


@given(st.text(max_size=300))
def test_anything_may_be_asked(text: str) -> None:
    asking = parse_question(text)
    assert asking.text == " ".join(text.split())
    assert asking.core in asking.text


def test_a_year_after_the_second_side_of_a_comparison_is_that_of_both() -> None:
    assert parse_question("Compare the sales of Alder and Birch in 2023").subjects == (
        "the sales of Alder in 2023",
        "the sales of Birch in 2023",
    )
    assert parse_question("Compare Paris in 1900 and London in 1950").subjects == ("Paris in 1900", "London in 1950")
