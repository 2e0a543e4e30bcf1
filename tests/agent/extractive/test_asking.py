import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.agent.extractive.asking import language_of, understand


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Who signed the lease?", "person"),
        ("À qui faut-il s'adresser ?", "person"),
        ("When does the lease end?", "time"),
        ("Depuis quand la loi s'applique-t-elle ?", "time"),
        ("Where is the office?", "place"),
        ("Où se trouve le bureau ?", "place"),
        ("How many rooms are there?", "quantity"),
        ("Quel est le montant du loyer ?", "quantity"),
        ("What percent of sales was exported?", "quantity"),
        ("Why did sales fall?", "reason"),
        ("Pourquoi les ventes ont-elles baissé ?", "reason"),
        ("Is a deposit required?", "polar"),
        ("Le loyer peut-il augmenter ?", "polar"),
        ("A-t-on droit à une aide ?", "polar"),
        ("Which documents are needed?", "list"),
        ("Quelles sont les étapes ?", "list"),
        ("How do I renew a passport?", "procedure"),
        ("Permis de conduire : comment le renouveler ?", "procedure"),
        ("What is a pin cite?", "definition"),
        ("Assurance : qu'est-ce que la franchise ?", "definition"),
        ("What is the difference between a loan and a lease?", "comparison"),
        ("Adoption simple et adoption plénière : quelles différences ?", "comparison"),
        ("Summarise the annual report", "summary"),
        ("De quoi parle ce document ?", "summary"),
        ("The colour of the roof", "fact"),
    ],
)
def test_what_a_question_asks_for_is_known_in_both_languages(question: str, kind: str) -> None:
    assert understand(question).kind == kind


@pytest.mark.parametrize(
    ("question", "subjects"),
    [
        ("Qu'est-ce qu'un bail ?", ("bail",)),
        ("What does RAG stand for?", ("RAG",)),
        ("Compare the 2020 report with the 2021 report.", ("the 2020 report", "the 2021 report")),
        ("Quelle est la différence entre un CDD et un CDI ?", ("un CDD", "un CDI")),
        ("Compare the price of pumps and of boilers.", ("the price of pumps", "the price of boilers")),
        ("Compare le préavis du bail avec celui de la loi", ("le préavis du bail", "le préavis de la loi")),
        ("Which one is cheaper? (heat pumps and gas boilers)", ("heat pumps", "gas boilers")),
        ("Which of heat pumps and gas boilers is cheaper?", ("heat pumps", "gas boilers")),
        ("Lequel est le moins cher ? (le bus et le train)", ("le bus", "le train")),
        ("Summarize the budget.", ("the budget",)),
    ],
)
def test_what_it_is_about_is_taken_out_of_it(question: str, subjects: tuple[str, ...]) -> None:
    assert understand(question).subjects == subjects


def test_the_sentence_that_asks_is_told_from_what_says_how_to_answer() -> None:
    asking = understand("We need a figure. What was the rent in 2020? Answer in euros.")
    assert asking.core == "What was the rent in 2020?"
    assert asking.text.endswith("Answer in euros.")


@pytest.mark.parametrize(("text", "language"), [("Bonjour", "fr"), ("Où est-ce ?", "fr"), ("Where is it?", "en")])
def test_the_language_of_a_short_question_is_known(text: str, language: str) -> None:
    assert language_of(text) == language


@given(st.text(max_size=300))
def test_anything_may_be_asked(text: str) -> None:
    asking = understand(text)
    assert asking.text == " ".join(text.split())
    assert asking.core in asking.text


@pytest.mark.parametrize(
    ("question", "core"),
    [
        ("What does the lease say about the notice period?", "the notice period?"),
        ("What did the report say on net sales?", "net sales?"),
        ("Que dit le bail sur le préavis ?", "le préavis ?"),
        ("Que prévoit la loi au sujet du dépôt de garantie ?", "dépôt de garantie ?"),
    ],
)
def test_what_a_paper_says_about_something_asks_for_that_thing(question: str, core: str) -> None:
    asking = understand(question)
    assert (asking.core, asking.kind) == (core, "fact")
