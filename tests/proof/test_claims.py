"""A sentence that claims something needs a source; a sentence that only introduces a claim does not."""

import pytest

from pincite.proof.claims import is_claim, is_row, split_row, write_out_row


@pytest.mark.parametrize(
    "sentence",
    [
        "The dam is 33 m high.",
        "- a passport",
        "Il pleut.",
        "| Net sales | 1,234 |",
        "1950",
        "33 m.",
        "Yes.",
        "Non.",
    ],
)
def test_statements_are_claims(sentence: str) -> None:
    assert is_claim(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "# The dam",
        "**Height**",
        "- **Height**:",
        "## Revenue by region",
        "Here is what I found:",
        "Voici les étapes :",
        "Is it high?",
        "---",
        "|---|---|",
        "Yes:",
        "**1950**",
    ],
)
def test_headings_questions_and_lead_ins_are_none(sentence: str) -> None:
    assert not is_claim(sentence)


@pytest.mark.parametrize(
    "sentence", ["**Le PDG a été condamné pour fraude.**", "The report names three reasons:", "- **Height**"]
)
def test_a_bold_sentence_and_a_lead_in_that_cites_are_claims(sentence: str) -> None:
    assert is_claim(sentence, is_cited=True)
    assert is_claim("**Le PDG a été condamné pour fraude.**")


def test_a_heading_is_no_claim_though_it_cites() -> None:
    assert not is_claim("## The dam", is_cited=True)


def test_a_row_is_written_out_under_its_heads() -> None:
    heads = split_row("| | 2015 | 2014 |")
    assert heads == ["", "2015", "2014"]
    assert write_out_row("| Net \\| gross | 3,991 | 5,506 | |", heads) == "Net | gross; 2015: 3,991; 2014: 5,506"
    assert is_row("| a | b |")
    assert not is_row("a | b")
