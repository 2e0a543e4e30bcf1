"""A passage is divided into what can be an answer: the lines of a table of contents are none."""

from pathlib import Path

import pytest

from pincite.answer.extractive.passage_units import divide_evidence
from pincite.types import Evidence, Span
from tests.answer.extractive.shelves import answered, shelf


def listed(text: str) -> list[str]:
    return [
        unit.text
        for part in divide_evidence(Evidence(1, Span("d", 0, len(text)), "", "text", text, sentences=cut(text)))
        for unit in part.units
    ]


def cut(text: str) -> tuple[tuple[int, int], ...]:
    """Return the characters of each line, as the sentences of a text in lines."""
    ends = [at for at, sign in enumerate(text) if sign == "\n"]
    return tuple(zip([0, *(end + 1 for end in ends)], [*ends, len(text)], strict=True))


@pytest.mark.parametrize("leader", ["........", ". . . . . . ", "…………"])
def test_lines_of_a_table_of_contents_are_left_out(leader: str) -> None:
    contents = "\n".join(f"{n} Chapter about the tablet {leader} {n * 7}" for n in range(1, 6))
    assert listed(contents) == []
    assert listed(f"{contents}\nA tablet is a flat computer.") == ["A tablet is a flat computer."]


def test_a_price_list_with_dots_is_kept() -> None:
    menu = "Coffee ........ 3\nCake ........ 5\nTea ........ 2\nWine ........ 6"
    assert len(listed(menu)) == 4
    assert len(listed("Coffee ........ 3.50\nCake ........ 5.20\nWine ........ 6.00\nPort ........ 7.10")) == 4


def test_a_question_about_a_chapter_is_answered_by_the_chapter_and_not_by_the_contents(tmp_path: Path) -> None:
    contents = "\n\n".join(
        f"What is a {name} .............. {n}" for n, name in enumerate(("tablet", "phone", "lamp"), 3)
    )
    texts = {
        "guide.txt": f"Contents\n\n{contents}\n",
        "use.txt": "The tablet is a flat computer with a touch screen.\n",
    }
    answer = answered(shelf(tmp_path, texts), "What is a tablet?")
    assert "flat computer" in answer.answer
    assert "...." not in answer.answer
