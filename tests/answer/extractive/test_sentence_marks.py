from pathlib import Path

import pytest

from pincite.answer.extractive.card_layout import make_card
from pincite.answer.extractive.passage_units import divide_evidence
from pincite.answer.extractive.sentence_marks import write_marked
from pincite.types import Evidence, Span
from tests.answer.extractive.shelves import BRIDGE
from tests.turns import ask, final, open_test_services

MANUAL = """# The pump

**The pump for water.** The pump lifts 40 litres a minute.

Start the pump with this command:

```sh
pump --start --litres 40
```

The pump stops by itself after `limit minutes when the tank is full.
"""


@pytest.mark.parametrize(
    "question", ["How many litres does the pump lift?", "When does the pump stop?", "How is the pump started?"]
)
def test_no_mark_of_the_source_hides_where_a_sentence_comes_from(tmp_path: Path, question: str) -> None:
    from pincite.llm.model_roles import Models

    services = open_test_services(tmp_path, {"pump.md": MANUAL, "bridge.md": BRIDGE})
    services.models = Models(services.settings)
    answer = final(ask(services, question))
    assert not answer.refused
    assert {sentence.support for sentence in answer.sentences if sentence.support} == {"verified"}
    assert "**The pump for water.**" not in answer.answer
    assert all(answer.answer.count(sign) % 2 == 0 for sign in ("```", "**"))
    services.close()


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("-5 °C was measured in the hall.", "-5 °C was measured in the hall. [1.1]"),
        ("- The hall is cold.", "- The hall is cold. [1.1]"),
        ("•The hall is cold.", "- The hall is cold. [1.1]"),
        ("–La salle est froide.", "- La salle est froide. [1.1]"),
    ],
)
def test_a_bullet_becomes_a_list_item_and_a_minus_stays_a_minus(text: str, quoted: str) -> None:
    evidence = Evidence(1, Span("d", 0, len(text)), "Hall", "text", text, sentences=((0, len(text)),))
    (section,) = divide_evidence(evidence)
    assert write_marked(make_card(section), [evidence]) == quoted
