"""What claims something needs a source; what only leads to it does not."""

import pytest

from pincite.evidence.claims import is_claim


@pytest.mark.parametrize(
    "sentence",
    ["The dam is 33 m high.", "- a passport", "Il pleut.", "| Net sales | 1,234 |", "1950", "33 m."],
)
def test_statements_are_claims(sentence: str) -> None:
    assert is_claim(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "# The dam",
        "**Height**",
        "- **Height**:",
        "Here is what I found:",
        "Voici les étapes :",
        "Is it high?",
        "---",
        "|---|---|",
        "Yes:",
    ],
)
def test_headings_questions_and_lead_ins_are_none(sentence: str) -> None:
    assert not is_claim(sentence)


def test_a_colon_does_not_hide_a_figure_in_a_long_sentence() -> None:
    assert is_claim("The dam, which was built in 1950 and is 33 m high, holds these amounts of water in each year:")
