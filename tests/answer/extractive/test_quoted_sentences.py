"""Sentences that are quoted without their passages are about the question by themselves."""

import pytest

from pincite.answer.extractive.passage_units import PassageSection, Unit, divide_evidence
from pincite.answer.extractive.quoted_sentences import choose_answer, is_whole, make_new_cards, rank_evidence
from pincite.text.sentences import split_sentences
from pincite.types import Evidence, Span
from tests.answer.extractive.shelves import Knowing

GUIDE = (
    "Ormelle has two people to write to. Expenses are paid with the salary. Who saw a fault at Ormelle writes to both. "
    "The rules were signed in May."
)


def make_evidence(number: int, text: str) -> Evidence:
    return Evidence(
        number, Span(f"d{number}", 0, len(text)), "Guide", "text", text, sentences=tuple(split_sentences(text))
    )


def quote(question: str, names: list[str], nearest: str, *texts: str) -> list[str]:
    evidence = [make_evidence(number, text) for number, text in enumerate(texts, 1)]
    chosen = choose_answer(rank_evidence(question, names, evidence, Knowing(nearest)))
    return [piece.text for card in make_new_cards(chosen, set()) for piece in card.pieces]


def test_the_name_that_chose_the_document_is_no_reason_to_quote_a_sentence() -> None:
    question, names = "How are expenses paid at Ormelle?", ["Ormelle"]
    assert quote(question, names, "Expenses", GUIDE) == ["Expenses are paid with the salary."]
    assert not any("Ormelle" in text for text in quote(question, names, "Ormelle", GUIDE))


def test_where_only_the_name_is_found_its_sentence_is_quoted() -> None:
    assert quote("What is Ormelle?", ["Ormelle"], "Ormelle has", GUIDE) == ["Ormelle has two people to write to."]


def test_the_same_sentence_of_two_sources_is_quoted_once() -> None:
    text = "Expenses are paid with the salary."
    assert quote("How are expenses paid?", [], text, text, text) == [text]


def test_what_a_long_card_has_no_room_for_is_quoted_later() -> None:
    sentences = [f"Gate {number} of the lock opens {'very ' * 120}slowly." for number in range(4)]
    (section,) = divide_evidence(make_evidence(1, " ".join(sentences)))
    said = set[str]()
    quoted = [
        [piece.text for card in make_new_cards([(section, section.units)], said) for piece in card.pieces]
        for _ in range(3)
    ]
    assert quoted == [sentences[:2], sentences[2:], []]


def test_a_line_that_introduces_code_is_left_out_behind_its_own_text_alone() -> None:
    def introduce(text: Evidence, code: Evidence) -> str:
        (before,) = divide_evidence(text)
        opened = Unit(code, "code", len(code.text), len(code.text) + 6, "open()", frozenset())
        lead = Unit(code, "sentence", 0, len(code.text), code.text, frozenset())
        below = PassageSection(code, "code", (opened,), (), lead)
        *_, card = make_new_cards([(before, before.units), (below, below.units)], set())
        return card.lead.text if card.lead else ""

    one, other = make_evidence(1, "Open the gate:"), make_evidence(2, "Close the gate:")
    assert introduce(one, one) == ""
    assert introduce(one, other) == "Close the gate:"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The gates open.", True),
        ("(“The gates open.”)", True),
        ("闸门每天开放。", True),
        ("द्वार खुलता है।", True),
        ("The gates open;", False),
        ("Opening of the gates", False),
        ("and the gates open.", False),
    ],
)
def test_a_sentence_without_its_beginning_or_end_is_not_whole(text: str, expected: bool) -> None:
    assert is_whole(Unit(make_evidence(1, text), "sentence", 0, len(text), text, frozenset())) == expected
