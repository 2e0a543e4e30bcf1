"""A part of a document has one number, in whatever way it is written."""

import pytest

from pincite.text.part_numbers import NamedPart, list_named_parts, read_opening_part


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("Que dit l'article 4 ?", "4"),
        ("Que dit l'article 1er ?", "1"),
        ("Que dit l’article premier ?", "1"),
        ("Que dit l'article L. 121-3 ?", "l121-3"),
        ("Que dit l'art. L121-3 ?", "l121-3"),
        ("What does clause 3.1 say?", "3.1"),
        ("What is in chapter XIV?", "14"),
        ("What is in § 3?", "3"),
    ],
)
def test_a_question_names_a_part_by_its_number(text: str, number: str) -> None:
    assert [part.number for part in list_named_parts(text)] == [number]


@pytest.mark.parametrize("text", ["In which section I find it?", "the art 3 of us know", "12 articles", "article 4B-x"])
def test_other_words_behind_a_noun_are_no_numbers(text: str) -> None:
    assert list_named_parts(text) == []


@pytest.mark.parametrize(
    ("line", "number"),
    [
        ("Article 1er – Horaires", "1"),
        ("3.1 The Provider's liability is capped.", "3.1"),
        ("5. Confidentiality", "5"),
        ("Chapitre II", "2"),
        ("12 euros are due.", ""),
        ("2024-04-22 03:00 started", ""),
        ("See article 4.", ""),
    ],
)
def test_a_line_opens_a_part_by_its_number(line: str, number: str) -> None:
    part = read_opening_part(line)
    assert (part.number if part else "") == number


def test_a_part_holds_those_within_it() -> None:
    assert NamedPart("art", "3").holds(NamedPart("", "3.1"))
    assert not NamedPart("art", "3").holds(NamedPart("art", "31"))
