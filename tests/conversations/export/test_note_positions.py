"""Notes on sentences stand where a reader sees them: never in code, and in a table within the row."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.conversations.export.note_positions import NotePlaces

CASES = json.loads((Path(__file__).parent.parent / "placing_cases.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_a_note_stands_behind_its_sentence_and_outside_of_code(case: dict[str, Any]) -> None:
    text = case["text"]
    start = text.index(case["sentence"])
    place = NotePlaces(text).note(start, start + len(case["sentence"]))
    assert (None if place is None else text[:place] + "{}" + text[place:]) == case["noted"]


@given(st.text(alphabet="ab`~|-> \n[]1*\\.", max_size=80), st.integers(-3, 90), st.integers(-3, 90))
def test_a_place_is_in_the_text_whatever_it_is(text: str, start: int, end: int) -> None:
    places = NotePlaces(text)
    place = places.note(start, end)
    assert place is None or 0 <= place <= len(text)
    assert "\n".join(text[line.start : line.end] for line in places.lines) == text


def test_a_mark_behind_the_end_of_a_code_block_moves_to_a_line_of_its_own() -> None:
    text = "  ```\n  x\n  ``` [1] [2]\nNext."
    assert NotePlaces(text).mark(text.index(" [1]"), text.index(" [1]") + 4) == (text.index(" [1]"), "\n\n  ")
    assert NotePlaces(text).mark(text.index(" [2]"), text.index(" [2]") + 4) == (text.index(" [2]"), "")


def test_a_mark_in_code_is_none() -> None:
    text = "Use `a [1] b` and\n```\nb [1]\n```"
    assert [NotePlaces(text).mark(at, at + 4) for at in (text.index(" [1]"), text.rindex(" [1]"))] == [None, None]
