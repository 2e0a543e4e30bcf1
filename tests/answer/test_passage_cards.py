"""Cards: the place that a card names is that of its best words."""

from dataclasses import replace

from pincite.answer.passage_cards import Card, CardPiece, join_numbers, list_headings
from pincite.types import Span


def test_the_headings_of_a_card_are_those_of_its_best_words() -> None:
    term = CardPiece("sentence", 0, 20, "The term is a year.", is_lit=True, headings=("2. Term",))
    fees = CardPiece("sentence", 30, 50, "The fee is 20 euros.", is_lit=True, headings=("3. Fees",))
    card = Card(evidence=1, span=Span("d", 0, 50), title="Contract", pieces=(term, fees), best=30)
    assert list_headings(card) == ["3. Fees"]
    assert list_headings(replace(card, best=0)) == ["2. Term"]
    opening = replace(term, headings=())
    assert list_headings(replace(card, pieces=(opening, fees), best=0)) == ["3. Fees"]


def test_the_parts_of_one_passage_have_one_stretch_and_others_their_own() -> None:
    text = CardPiece("sentence", 0, 20, "The term is a year.", is_lit=True)
    row = CardPiece("row", 30, 50, "Fee 20 euros", ("Fee", "20 euros"), is_lit=True)
    first = Card(evidence=1, span=Span("d", 30, 50), title="Contract", form="table", pieces=(row,), best=30)
    second = Card(evidence=1, span=Span("d", 0, 20), title="Contract", pieces=(text,), best=0)
    other = Card(evidence=2, span=Span("d", 60, 70), title="Contract", pieces=(replace(text, start=60, end=70),))
    joined = join_numbers([first, second, other])
    assert [card.cited for card in joined] == [Span("d", 0, 50), Span("d", 0, 50), Span("d", 60, 70)]
    assert joined[0].cited_lit == [(30, 50), (0, 20)]
    assert join_numbers([joined[1]])[0].cited == Span("d", 0, 20)


def test_what_answers_best_comes_first_in_a_citation() -> None:
    pieces = (
        CardPiece("sentence", 0, 9, "Zephyr", is_lit=True),
        CardPiece("heading", 10, 15, "Risks"),
        CardPiece("sentence", 16, 40, "Nordisk may be late.", is_lit=True),
    )
    card = Card(evidence=1, span=Span("d", 0, 40), title="Plan", pieces=pieces, best=16)
    assert card.cited_lit == [(16, 40), (0, 9)]
