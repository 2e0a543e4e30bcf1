"""Commands for the viewer: whole lines, complete and right, or no commands at all."""

import pytest

from pincite.text.viewer_commands import (
    HighlightCommand,
    NavigateCommand,
    find_malformed,
    may_be_command,
    parse_command,
)


@pytest.mark.parametrize(
    "line",
    [
        *("NAVIGATE: 4", "navigate:4", "NAVIGATE: page4", "  Navigate: page 4  ", "NAVIGATE:\t4\r"),
        *("**NAVIGATE: 4**", "`NAVIGATE: 4`", "[NAVIGATE: 4]", "[[Navigate: page 4]]"),
    ],
)
def test_a_page_is_opened_however_it_is_spelt(line: str) -> None:
    assert parse_command(line) == NavigateCommand(4)


@pytest.mark.parametrize("line", ["HIGHLIGHT: 4,100,200,500,250", "highlight: page 4 , 100 ,200 , 500.0,250"])
def test_a_rectangle_has_a_page_and_four_numbers(line: str) -> None:
    assert parse_command(line) == HighlightCommand(4, (100.0, 200.0, 500.0, 250.0))


def test_a_highlight_may_name_a_sentence_of_the_evidence_and_how_much_it_matters() -> None:
    assert parse_command("HIGHLIGHT: [2.3]") == HighlightCommand(evidence=2, sentence=3)
    assert parse_command("HIGHLIGHT: [2], low") == HighlightCommand(evidence=2, importance="low")
    assert parse_command("HIGHLIGHT: 1, 2,3,4,5 medium") == HighlightCommand(
        1, (2.0, 3.0, 4.0, 5.0), importance="medium"
    )


@pytest.mark.parametrize(
    "line",
    [
        "NAVIGATE: 4 because it is there",
        "See NAVIGATE: page 4",
        "NAVIGATE: four",
        "HIGHLIGHT: 4,100,200,500",
        "HIGHLIGHT: 4,1.2.3,200,500,250",
        "HIGHLIGHT: 4,4.,200,500,250",
        "HIGHLIGHT: 4,100,200,500,250,600",
        "HIGHLIGHT: [2.3.4]",
        "NAVIGATE 4",
        "",
    ],
)
def test_anything_else_on_the_line_makes_it_no_command(line: str) -> None:
    assert parse_command(line) is None


@pytest.mark.parametrize(
    "line", ["NAVIGATE: page 12", "HIGHLIGHT: 4,100,200,500,250", "HIGHLIGHT: [2.3], medium", "**Navigate: 4**"]
)
def test_every_beginning_of_a_command_may_become_one(line: str) -> None:
    assert all(may_be_command(line[:length]) for length in range(len(line) + 1))


@pytest.mark.parametrize(
    "begun",
    [
        "Navi is",
        "Highlight: 4 – see",
        "Highlight: the",
        "The",
        "* item",
        "[2.3]",
        "NAVIGATE the",
        "NAVIGATE: " + "1" * 300,
    ],
)
def test_a_line_that_can_be_none_is_not_waited_for(begun: str) -> None:
    assert not may_be_command(begun)


@pytest.mark.parametrize(
    "line",
    [
        "NAVIGATE: 4 because it is there",
        "NAVIGATE: four",
        "NAVIGATE:",
        "HIGHLIGHT: 4,100,200,500",
        "highlight: 4,1.2.3,200,500,250",
        "Highlight: page 4",
        "  HIGHLIGHT: [2.3.4]  ",
        *("NAVIGATE 4", "NAVIGATE(4)", "**HIGHLIGHT: 4,100,200,500**", "HIGHLIGHT [2.3]"),
    ],
)
def test_a_line_that_begins_as_a_command_and_is_none_is_malformed_and_waited_for(line: str) -> None:
    found = find_malformed(line)
    assert found
    assert found.line == line.strip()
    assert found.reason.startswith("It takes")
    assert all(may_be_command(line.rstrip()[:length]) for length in range(len(line.rstrip()) + 1))


@pytest.mark.parametrize(
    "line",
    [
        "NAVIGATE: 4",
        "See NAVIGATE: page four",
        "Highlight: the rent rises.",
        "Navigate: 4 pages on",
        "Navigate 4",
        "NAVIGATE BACK",
        "",
    ],
)
def test_prose_and_right_commands_are_not_malformed(line: str) -> None:
    assert find_malformed(line) is None
