"""Cards: the place that a card names is that of its best words."""

from dataclasses import replace

from pincite.answer.passage_cards import Card, CardPiece, list_headings
from pincite.types import Span


def test_the_headings_of_a_card_are_those_of_its_best_words() -> None:
    term = CardPiece("sentence", 0, 20, "The term is a year.", is_lit=True, headings=("2. Term",))
    fees = CardPiece("sentence", 30, 50, "The fee is 20 euros.", is_lit=True, headings=("3. Fees",))
    card = Card(evidence=1, span=Span("d", 0, 50), title="Contract", pieces=(term, fees), best=30)
    assert list_headings(card) == ["3. Fees"]
    assert list_headings(replace(card, best=0)) == ["2. Term"]
    opening = replace(term, headings=())
    assert list_headings(replace(card, pieces=(opening, fees), best=0)) == ["3. Fees"]
