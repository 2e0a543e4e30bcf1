"""A passage knows whether its first and last sentences are whole: answers show whole sentences, and lose none."""

import pytest

from pincite.answer.passage_facts import find_cut_edges
from pincite.types import Block, BlockKind, Span


def find_edges(parts: list[tuple[BlockKind, str]], passage: str) -> tuple[bool, bool]:
    """The edges of a passage of a document that is made of these blocks."""
    text, blocks = "", []
    for kind, words in parts:
        blocks.append(Block(kind, len(text), len(text) + len(words)))
        text += words + "\n"
    start = text.index(passage)
    return find_cut_edges(Span("d", start, start + len(passage)), blocks, lambda a, b: text[a:b])


def test_a_paragraph_without_a_full_stop_is_whole() -> None:
    note = "Note: volumes are given in cubic millimetres (mm3), and areas in square millimetres (mm2)"
    assert find_edges([("paragraph", note), ("paragraph", "Next, press OK.")], note) == (False, False)
    assert find_edges([("heading", "Units"), ("paragraph", note)], note) == (False, False)


def test_a_paragraph_that_begins_with_a_small_letter_is_whole() -> None:
    words = "apcupsd shuts the machine down."
    assert find_edges([("heading", "About"), ("paragraph", words)], words) == (False, False)
    assert find_edges([("paragraph", "It is a daemon."), ("paragraph", words)], words) == (False, False)


def test_a_sentence_that_a_passage_divides_is_cut() -> None:
    whole = "The lock has two gates and the water between them rises by nine metres"
    assert find_edges([("paragraph", f"{whole}.")], "The lock has two gates") == (False, True)
    assert find_edges([("paragraph", f"{whole}.")], "and the water between them rises by nine metres.") == (True, False)


def test_a_line_of_a_poem_or_a_log_is_whole() -> None:
    poem = "The gates stand open to the sea\nAnd boats come in at night\nTheir lamps are lit"
    assert find_edges([("paragraph", poem)], "And boats come in at night") == (False, False)
    assert find_edges([("paragraph", poem)], "And boats come in at night\n") == (False, False)
    log = "09:00 gate opened\n09:10 gate closed\n09:20 gate opened again"
    assert find_edges([("paragraph", log)], "09:10 gate closed") == (False, False)


def test_a_sentence_that_goes_on_in_the_next_line_is_cut() -> None:
    lines = "The lock has two gates\nand the water between them\nrises by nine metres."
    assert find_edges([("paragraph", lines)], "and the water between them") == (True, True)
    assert find_edges([("paragraph", lines)], "and the water between them\n") == (True, True)
    assert find_edges([("paragraph", lines)], "between them\nrises by nine metres.") == (True, False)


@pytest.mark.parametrize("mark", ["[12]", "[3][4]", "[note 2]", "12", "¹", "*"])
def test_a_sentence_with_the_mark_of_a_note_behind_it_is_whole(mark: str) -> None:
    first, last = f"The lock was rebuilt.{mark}", "Ships then came from the sea."
    assert find_edges([("paragraph", f"{first} {last}")], first) == (False, False)
    assert find_edges([("paragraph", f"{first} {last}")], last) == (False, False)


@pytest.mark.parametrize("figure", ["3.14", "2", "[12]", "No. 12"])
def test_a_figure_in_a_sentence_is_no_mark_of_a_note(figure: str) -> None:
    assert find_edges([("paragraph", f"The lock rises by {figure} metres.")], f"The lock rises by {figure}") == (
        False,
        True,
    )


def test_a_sentence_that_goes_on_behind_the_edge_of_a_page_is_cut() -> None:
    parts: list[tuple[BlockKind, str]] = [
        ("paragraph", "The lock has two gates and the"),
        ("footer", "12"),
        ("header", "Canals"),
        ("paragraph", "water rises. The gates then open."),
    ]
    assert find_edges(parts, "The lock has two gates and the") == (False, True)
    assert find_edges(parts, "water rises. The gates then open.") == (True, False)
    assert find_edges(parts, "The gates then open.") == (False, False)


def test_rows_and_code_are_never_cut_sentences() -> None:
    parts: list[tuple[BlockKind, str]] = [("table", "gate\t2\nrise\t9"), ("code", "open(gate)\nclose(gate)")]
    assert find_edges(parts, "gate\t2") == (False, False)
    assert find_edges(parts, "close(gate)") == (False, False)
