import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.answer.extractive.flat_text import flatten_text
from pincite.answer.extractive.question_kind import parse_question
from pincite.answer.extractive.question_words import (
    collect_words,
    list_question_words,
    list_quoted_phrases,
    measure_coverage,
    measure_overlap,
)


@pytest.mark.parametrize(
    ("raw", "quoted"),
    [
        ("a sen\u00ad\ntence over\nlines ", "a sentence over lines"),
        ("Net sales\t1,234\t1,100", "Net sales | 1,234 | 1,100"),
        ("| 2020 | 9,800 |", "2020 | 9,800"),
    ],
)
def test_a_quote_stands_on_one_line_with_whole_words_and_bars_between_cells(raw: str, quoted: str) -> None:
    assert flatten_text(raw) == quoted


@given(st.text())
def test_a_quote_keeps_every_letter_and_digit_in_its_order(text: str) -> None:
    assert [c for c in flatten_text(text) if c.isalnum()] == [c for c in text if c.isalnum()]


def test_words_are_found_in_other_forms() -> None:
    weights = {word: word.weight for word in list_question_words(parse_question("Peut-on prolonger les abonnements ?"))}
    assert measure_coverage(weights, collect_words("Un abonnement est prolongé.")) == 1
    assert measure_coverage(weights, collect_words("Rien de tout cela.")) == 0


def test_words_that_ask_are_no_words_to_find() -> None:
    weights = {word: word.weight for word in list_question_words(parse_question("Combien doit payer le locataire ?"))}
    assert measure_coverage(weights, collect_words("Le locataire paie.")) == 1 / 2
    assert measure_coverage(weights, collect_words("Combien ? Il doit partir.")) == 0


def test_a_name_matters_more_than_another_word() -> None:
    weights = {word: word.weight for word in list_question_words(parse_question("Did sales of Corning grow?"))}
    assert measure_coverage(weights, collect_words("Corning")) > measure_coverage(weights, collect_words("sales"))


@given(st.text(), st.text())
def test_likeness_is_a_share_and_the_same_both_ways(one: str, other: str) -> None:
    assert measure_overlap(collect_words(one), collect_words(other)) == measure_overlap(
        collect_words(other), collect_words(one)
    )
    assert 0 <= measure_overlap(collect_words(one), collect_words(other)) <= 1


@pytest.mark.parametrize(
    ("question", "phrases"),
    [
        ("What does “Annual  Report” say about “Board, and pay,”?", ["annual report", "board, and pay"]),
        ("Que dit « L’été » sur «\xa0Événements\xa0» ?", ["l'ete", "evenements"]),
        ("Was steht in „Bericht“ und in »Anhang« und »Liste«?", ["bericht", "anhang", "liste"]),
        ('Where is "the" or "" or "of the" said?', []),
        ("What is 5\" wide, and is it Ada's?", []),
        ("“a1” “a2” “a3” “a4” “a5” “a6” “a7” “a8” “a9”", [f"a{number}" for number in range(1, 9)]),
    ],
)
def test_phrases_in_quotation_marks_are_found_in_any_form(question: str, phrases: list[str]) -> None:
    assert list_quoted_phrases(question) == phrases
