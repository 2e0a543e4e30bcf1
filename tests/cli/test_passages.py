"""Passages are drawn in a terminal: where each stands, its words with what answers lit, tables, and what is left."""

import io
from pathlib import Path

import pytest
from rich.console import Console

from pincite.cli.passages import draw_answer, lay_out
from pincite.events import Answer, ShownPassage, Usage
from tests.agent.extractive.shelves import answered, shelf


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Answer]:
    house = shelf(tmp_path_factory.mktemp("shelf"))
    asked = {
        "who": "Who designed the Garrow Bridge?",
        "table": "What was the toll income in 2019?",
        "none": "Who won the chess championship in Reykjavik?",
        "missing": "How long is the main span of the Tacoma bridge?",
        "both": "Compare the Garrow Bridge and the pont de Gravelle",
    }
    found = {name: answered(house, question) for name, question in asked.items()}
    house.close()
    return found


def drawn(answer: Answer, more: bool = False, width: int = 100) -> str:
    out = io.StringIO()
    draw_answer(answer, Console(file=out, width=width, force_terminal=True, color_system=None), more)
    return out.getvalue()


def test_a_passage_has_its_number_its_title_and_headings_above_its_words(answers: dict[str, Answer]) -> None:
    lines = drawn(answers["who"]).split("\n")
    assert lines[0] == "Found in your documents:"
    assert lines[2] == "[1] The Garrow Bridge · History · bridge.md"
    assert lines[3].startswith("    The Garrow Bridge was designed by Eleanor Whitfield")
    assert all(len(line) < 100 for line in lines)


def test_what_answers_is_lit() -> None:
    passage = ShownPassage(n=1, document="d", title="T", start=0, end=20, text="Not this. But this.", lit=[(10, 19)])
    answer = Answer(
        answer="", refused=False, question="q", model="extractive", sentences=[], citations=[], usage=Usage()
    ).model_copy(update={"passages": [passage.model_copy(update={"more": True})]})
    out = io.StringIO()
    draw_answer(answer, Console(file=out, width=80, force_terminal=True, color_system="standard"), more=True)
    assert "\x1b[1;4mBut this.\x1b[0m" in out.getvalue()


def test_a_table_is_drawn_as_one_with_its_heads(answers: dict[str, Answer]) -> None:
    said = drawn(answers["table"])
    head = next(line for line in said.split("\n") if "Toll income" in line)
    row = next(line for line in said.split("\n") if "3,100,000" in line)
    assert head.index("Toll income") + len("Toll income") == row.index("3,100,000") + len("3,100,000")
    assert "|" not in said


def test_further_passages_are_counted_and_shown_on_demand(answers: dict[str, Answer]) -> None:
    answer = answers["who"]
    left = [passage for passage in answer.passages if passage.more]
    assert left
    assert f"{len(left)} more passage" in drawn(answer)
    assert all(f"[{passage.n}] " in drawn(answer, more=True) for passage in left)


def test_a_refusal_offers_the_nearest(answers: dict[str, Answer]) -> None:
    said = drawn(answers["missing"])
    assert said.startswith("No document mentions Tacoma.")
    assert "What comes nearest, and does not answer it:" in said
    assert "218 metres" in said


def test_the_sides_of_a_comparison_keep_their_names_above_their_passages(answers: dict[str, Answer]) -> None:
    parts = lay_out(answers["both"])
    names = [part for part in parts if isinstance(part, str)]
    assert names == ["**Garrow Bridge**", "**Pont de Gravelle**"]
    assert isinstance(parts[1], ShownPassage)


def test_nothing_in_a_passage_steers_the_terminal(tmp_path: Path) -> None:
    house = shelf(tmp_path, {"a.md": "# Valve\n\nThe valve opens at 40 \u202ebar\u202c when it is hot.\n"})
    said = drawn(answered(house, "When does the valve open?"))
    assert "bar" in said
    assert "\u202e" not in said
    house.close()
