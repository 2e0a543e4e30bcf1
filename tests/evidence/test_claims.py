"""What claims something needs a source; what only leads to it does not."""

import pytest

from pincite.evidence.claims import is_claim

KNOWN = ("How high is the dam?", "The dam is 33 m high. Its height was measured in 1950.", "Revenue by region")


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
    assert is_claim(sentence, KNOWN)


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
    assert not is_claim(sentence, KNOWN)


@pytest.mark.parametrize(
    "sentence",
    [
        "**Le PDG a été condamné pour fraude en 2019.**",
        "## Revenue fell 40 % to 3 million",
        "The company is bankrupt since May:",
        "- **Le prix est de 9 999 euros**",
        "Is it not true that Dumas SA owes 7 million?",
        "# The dam is leaking",
    ],
)
def test_a_claim_does_not_hide_in_a_heading_a_question_or_a_lead_in(sentence: str) -> None:
    assert is_claim(sentence, KNOWN)
