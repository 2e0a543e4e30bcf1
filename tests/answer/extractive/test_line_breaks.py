"""Lines that stand for themselves are told apart from lines that a width has cut."""

import textwrap

import pytest

from pincite.answer.extractive.line_breaks import find_line_starts
from pincite.types import Kind

PROSE = (
    "The Garrow Bridge was designed by Eleanor Whitfield, an engineer from Leeds. Construction began in March 1931 and "
    "the bridge opened to traffic on 14 June 1934. It replaced a ferry that had run since 1788. Robert Falconer and "
    "George Mallory of Birmingham built it: Leeds paid for the steel, and the county for the rest of the work."
)
SONNET = (
    "Shall I compare thee to a summer’s day?\nThou art more lovely and more temperate:\nRough winds do shake the buds"
)


def list_starts(text: str, kind: Kind = "text") -> list[str]:
    """List the lines of a text that do not go on with the line above."""
    return [text[at:].split("\n", 1)[0] for at in find_line_starts(text, kind)]


@pytest.mark.parametrize("width", range(20, 120, 7))
def test_wrapped_text_goes_on_at_the_end_of_each_line(width: int) -> None:
    assert list_starts(textwrap.fill(PROSE, width)) == []


def test_verses_go_on() -> None:
    assert list_starts(SONNET) == []


def test_an_address_that_is_longer_than_the_lines_around_it_does_not_divide_them() -> None:
    lines = textwrap.fill(PROSE, 60) + "\nhttps://www.example.org/" + "bridge/" * 20
    assert list_starts(lines) == []


@pytest.mark.parametrize(
    "lines",
    [
        ["2024-04-22 03:00:11 INFO done", "2024-04-22 03:01:11 INFO done"],
        ["[03:00:11] done", "[03:01:11] done"],
        ["Apr 22 03:00:11 host sshd: done", "Apr 22 03:01:11 host sshd: done"],
        ["09:00 Welcome", "09:15 The budget of the coming year"],
        ["Fire brigade: 18", "Site security: 4400"],
        ["Médecin de garde : Mme Adjani", "Pompiers : 18"],
    ],
)
@pytest.mark.parametrize("kind", ["text", "pdf"])
def test_lines_that_open_alike_stand_alone(lines: list[str], kind: Kind) -> None:
    assert list_starts("\n".join(lines), kind) == lines[1:]


def test_a_short_line_within_a_paragraph_ends_by_itself_where_lines_are_not_laid_out() -> None:
    lines = ["Eleanor Whitfield", "Robert Falconer of the University of Birmingham", "Ann Lee"]
    assert list_starts("\n".join(lines)) == lines[1:2]
    assert list_starts("\n".join(lines), "pdf") == []
    assert list_starts("Eleanor\nwhitfield of the University of Birmingham") == []
