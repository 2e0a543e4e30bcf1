"""A sentence is pinned to the words it cites: itself where it is quoted, else the sentences that speak of the same."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from pincite.proof.pin import find_quote, pin_sentence, strip_markup
from pincite.text.sentences import split_sentences
from pincite.types import Block, BlockKind, Evidence, Span

REPORT = (
    "Revenue rose 12 % to €1,234.5 million in 2023. Operating costs fell to €800 million. "
    "The board met on 3 March 2024 in Paris. The company had 4,500 employees at the end of the year."
)
RAPPORT = "Les effectifs comptaient 4 500 personnes. Le dividende proposé est de 1,20 € par action."


def evidence(number: int, text: str, start: int = 100) -> Evidence:
    spans = tuple((start + a, start + b) for a, b in split_sentences(text))
    return Evidence(number, Span(f"d{number}", start, start + len(text)), "Report", "text", text, sentences=spans)


ONE, TWO = evidence(1, REPORT), evidence(2, RAPPORT)


def quotes(sentence: str, *cited: tuple[Evidence, int | None]) -> list[str]:
    by_number = {each.number: each for each, _ in cited}
    return [by_number[pin.evidence].quote(pin.span.start, pin.span.end) for pin in pin_sentence(sentence, cited).pins]


@pytest.mark.parametrize("number", range(1, 5))
def test_a_quoted_sentence_is_pinned_to_itself(number: int) -> None:
    for sentence in (ONE.sentence(number), f"- **{ONE.sentence(number)}**"):
        found = pin_sentence(sentence, [(ONE, None)])
        assert found.is_quote
        assert [(pin.span.start, pin.span.end) for pin in found.pins] == [ONE.sentences[number - 1]]


def test_a_quote_is_found_though_the_model_named_the_wrong_sentence() -> None:
    assert pin_sentence(ONE.sentence(3), [(ONE, 1)]).is_quote


@pytest.mark.parametrize(
    ("sentence", "source"),
    [
        ("Swimming is allowed in summer.", "Swimming is allowed in summer, except near the dam."),
        (
            "The rent may be raised once a year.",
            "Unless the parties agree otherwise, the rent may be raised once a year.",
        ),
        ("Le bail peut être résilié à tout moment.", "Le bail peut être résilié à tout moment sauf en hiver."),
        ("The dose is 15 mg a day for adults.", "The dose is 1.5 mg a day for adults."),
        ("The night was cold at 5 °C outside.", "The night was cold at -5 °C outside."),
        ("The rent is 900 $ a month.", "The rent is 900 € a month."),
        ("Group A > Group B in all trials.", "Group A < Group B in all trials."),
        ("We know that p = q for all of them.", "We know that p ≠ q for all of them."),
        ("The result was 1,234 in that year.", "The result was (1,234) in that year."),
        ("The tenant is liable for it.", "The tenant is liable for it?"),
    ],
)
def test_words_without_their_condition_or_with_another_figure_are_no_quote(sentence: str, source: str) -> None:
    assert find_quote(sentence, evidence(1, source)) is None


@pytest.mark.parametrize(
    ("sentence", "source"),
    [
        ("“The co-operation” ended — at last.", "The co­\noperation ended - at last."),
        ("L’accord de 2020 est échu.", "L'accord de 2020 est échu."),
        ("The first finding is final.", "The ﬁrst ﬁnding is ﬁnal."),
    ],
)
def test_typographic_differences_do_not_hide_a_quote(sentence: str, source: str) -> None:
    assert find_quote(sentence, evidence(1, source)) is not None


def test_a_sentence_that_the_passage_cuts_is_no_quote() -> None:
    cut = "agents and assigns shall pay the rent to the landlord without delay."
    assert find_quote(cut, evidence(1, cut)) is None
    assert find_quote(cut, evidence(1, f"Its {cut}")) is None
    assert find_quote(f"Its {cut}", evidence(1, f"Its {cut}")) is not None


def test_a_quote_in_one_source_keeps_the_citation_of_the_other() -> None:
    found = pin_sentence(ONE.sentence(2), [(ONE, None), (TWO, 2)])
    assert found.is_quote
    assert [pin.evidence for pin in found.pins] == [1, 2]


def test_a_row_of_a_table_is_quoted_whole_or_not_at_all() -> None:
    table = evidence(1, "Item\t2015\t2014\nNet revenue from sales\t3,991\t5,506\nCosts of sales\t2,000\t2,100")
    assert find_quote("Net revenue from sales | 3,991 | 5,506", table) is not None
    assert find_quote("Net revenue from sales | 3,991", table) is None


def test_the_sentence_that_the_model_named_comes_first() -> None:
    assert quotes("The board came together in Lyon.", (ONE, 3)) == [ONE.sentence(3)]
    assert quotes("Money was made.", (ONE, 2))[0] == ONE.sentence(2)


def test_a_figure_that_the_named_sentence_lacks_moves_no_pin() -> None:
    assert quotes("Costs fell to €1,234.5 million.", (ONE, 2)) == [ONE.sentence(2)]


def test_named_neighbours_are_one_stretch() -> None:
    assert quotes("Revenue and costs moved apart.", (ONE, 1), (ONE, 2)) == [REPORT[: REPORT.index(" The board")]]


def test_of_an_evidence_cited_as_a_whole_the_sentence_on_the_same_matter_is_pinned() -> None:
    assert quotes("In Paris the board met in March 2024.", (ONE, None)) == [ONE.sentence(3)]


def test_a_sentence_made_of_two_is_pinned_to_both() -> None:
    found = quotes("Revenue rose 12 % and the company had 4,500 employees.", (ONE, None))
    assert found == [ONE.sentence(1), ONE.sentence(4)]


def test_a_citation_is_never_dropped_even_when_nothing_fits() -> None:
    assert len(quotes("Penguins breed on the ice of Antarctica.", (ONE, None), (TWO, 2))) == 2


def make_page(*parts: tuple[BlockKind, str]) -> Evidence:
    """An evidence of blocks, one line each."""
    blocks: list[Block] = []
    at = 0
    for kind, words in parts:
        blocks.append(Block(kind, at, at + len(words)))
        at += len(words) + 1
    text = "\n".join(words for _, words in parts)
    spans = tuple((a, b) for block in blocks for a, b in split_sentences(text, block.start, block.end))
    return Evidence(1, Span("d", 0, len(text)), "Mill", "pdf", text, sentences=spans, blocks=tuple(blocks))


SALES = "Sales of flour rose to 4.1 million crowns."
MILL = make_page(
    ("header", "Brook Mill, yearly report 2021"),
    ("heading", "Yearly report 2021"),
    ("paragraph", "The mill has two wheels and a dam."),
    ("heading", "Sales of the mill in 2021"),
    ("paragraph", SALES),
    ("footer", "Brook Mill, yearly report 2021 - 7"),
)


def test_running_heads_and_titles_are_no_sources_where_the_body_says_it() -> None:
    claim = "In 2021 the flour sales of Brook Mill grew to 4.1 million, says the yearly report."
    assert quotes(claim, (MILL, None)) == [f"Sales of the mill in 2021\n{SALES}"]
    assert quotes("Flour brought 4.1 million crowns.", (MILL, None)) == [SALES]


def test_a_running_head_or_a_title_that_the_model_names_is_replaced_by_the_body() -> None:
    for number in (1, 2, 6):
        assert quotes("In the report, flour sales rose to 4.1 million.", (MILL, number)) == [SALES]
    assert quotes("Flour sales rose.", (MILL, 2), (MILL, 5)) == [SALES]


def test_a_heading_is_a_source_where_the_body_says_nothing_of_it() -> None:
    assert quotes("It is the yearly report.", (MILL, None)) == ["Yearly report 2021"]
    hidden = make_page(("hidden", "A first line. The dam holds."))
    assert quotes("The dam is holding.", (hidden, None)) == ["The dam holds."]


def test_between_two_languages_the_nearest_in_meaning_is_pinned() -> None:
    def meaning(texts: Sequence[str]) -> NDArray[np.float32]:
        return np.array([[float("cat" in text or "chat" in text), 1.0] for text in texts], np.float32)

    source = evidence(2, "Rien ici. Un chat dort.")
    assert pin_sentence("Some cat is asleep.", [(source, None)]).pins[0].span.start == 100
    assert pin_sentence("Some cat is asleep.", [(source, None)], meaning).pins[0].span.start == 110


def test_markup_is_no_part_of_a_sentence() -> None:
    assert strip_markup("- **Rent:** it is `812` euros, _monthly_.") == "Rent: it is 812 euros, monthly."
    assert strip_markup("snake_case_name stays") == "snake_case_name stays"


@given(st.text(max_size=200), st.text(max_size=400), st.none() | st.integers(1, 9))
def test_whatever_is_cited_its_pins_lie_within_it(sentence: str, text: str, number: int | None) -> None:
    source = evidence(1, text)
    pins = pin_sentence(sentence, [(source, number)]).pins
    assert pins
    for pin in pins:
        assert source.span.start <= pin.span.start <= pin.span.end <= source.span.end
