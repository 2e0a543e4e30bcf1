"""The outline of a report is the model's if it is valid, otherwise it comes from the question and the sources."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.answer.research.report_outline import read_outline
from pincite.answer.research.source_headings import find_aspects
from pincite.library.document_structure import OutlineHeading
from pincite.types import Hit, Span

QUESTION = "What is known about the Garrow Bridge?"
GOOD = [("History", "When was the Garrow Bridge built?"), ("Use", "Who may use the Garrow Bridge?")]


def plan(*sections: tuple[str, str]) -> str:
    return json.dumps({"sections": [{"heading": heading, "question": asked} for heading, asked in sections]})


def test_an_outline_is_read_also_from_between_other_words() -> None:
    found = read_outline(f"Here it is:\n```json\n{plan(*GOOD)}\n```", QUESTION)
    assert [(each.section.heading, each.section.question) for each in found] == GOOD


@pytest.mark.parametrize(
    "said",
    [
        "",
        "No outline.",
        plan(GOOD[0]),
        plan(*GOOD, *GOOD),
        plan(*((f"Part {'x' * n}", f"What is part {'x' * n}?") for n in range(7))),
        plan(GOOD[0], ("", "Who may use it then?")),
        plan(GOOD[0], ("Use", "?")),
        plan(GOOD[0], ("x" * 200, "Who may use the bridge?")),
        plan(GOOD[0], ("Revenue fell 40 %", "How did revenue develop?")),
        '{"sections": "History"}',
        '{"sections": [{"heading": "History"}]}',
    ],
)
def test_an_unusable_outline_is_not_followed(said: str) -> None:
    assert read_outline(said, QUESTION) == []


def test_a_heading_may_have_a_figure_that_was_asked_about() -> None:
    assert read_outline(plan(GOOD[0], ("The year 2020", "What happened in the year 2020?")), "What happened in 2020?")


@given(st.text())
def test_whatever_a_model_says_is_an_outline_or_none(said: str) -> None:
    assert len(read_outline(said, QUESTION)) in (0, 2, 3, 4, 5, 6)


def hit(document: str, title: str, text: str, *headings: str) -> Hit:
    return Hit(Span(document, 0, len(text)), title, "text", text, 1.0, headings=headings)


HISTORY = "The Garrow Bridge was designed by Eleanor Whitfield. It replaced a ferry that had run since 1788. "
USE = "Lorries over 18 tonnes are not allowed on the bridge, and cyclists may use the footpath."
OVENS = "An oven must be cleaned every week, and its door be checked for cracks by the baker on duty."


def test_a_passage_that_holds_several_headings_is_several_aspects() -> None:
    whole = hit("d", "The Garrow Bridge", HISTORY + USE, "The Garrow Bridge", "History")
    inside = [OutlineHeading("Use", 2, len(HISTORY), 0)]
    assert [each.heading for each in find_aspects(QUESTION, [whole], {"d": inside})] == ["History", "Use"]
    assert find_aspects(QUESTION, [whole], {}) == []  # one aspect is no division


def test_a_heading_alien_to_the_question_is_no_aspect_of_it() -> None:
    hits = [
        hit("a", "The Garrow Bridge", HISTORY, "History"),
        hit("a", "The Garrow Bridge", USE, "Use"),
        hit("b", "Bakery", OVENS, "Ovens"),
    ]
    assert [each.heading for each in find_aspects(QUESTION, hits, {})] == ["History", "Use"]
    assert find_aspects("How are planets formed?", hits, {}) == []


def test_there_are_never_more_than_five_aspects_and_none_twice() -> None:
    hits = [hit(f"d{n}", "The Garrow Bridge", USE, f"Chapter {word}") for n, word in enumerate("abcdefghij")]
    hits += [hit("e", "The Garrow Bridge", HISTORY, "Chapter a")]
    found = [each.heading for each in find_aspects(QUESTION, hits, {})]
    assert len(found) == len(set(found)) <= 5


def test_a_year_alone_is_nothing_in_common() -> None:
    hits = [
        hit(
            "a", "Rents", "Rents in Lund rose by 3.1 percent in 2025, and more in the old town than elsewhere.", "Rise"
        ),
        hit(
            "a",
            "Rents",
            "Rents in Lund had fallen before 2025, when many flats by the harbour were finished.",
            "Before",
        ),
        hit("b", "Bakery", "The contract of the bakery begins in September 2025 and runs for nine years.", "Term"),
    ]
    assert [each.heading for each in find_aspects("How did rents rise in 2025?", hits, {})] == ["Rise", "Before"]
