import io
import re

from hypothesis import given
from hypothesis import strategies as st

from pincite.cli.growing_text import TerminalRows, strip_controls, wrap_text
from tests.screens import seen, terminal

WORDS = st.text(st.sampled_from("ab é[1]*-# \n◌"), max_size=120)


def shown(texts: list[str], width: int, height: int = 200) -> list[str]:
    console = terminal(width, height)
    rows = TerminalRows(console)
    for text in texts:
        rows.show(text)
    rows.end()
    assert isinstance(console.file, io.StringIO)
    found = seen(console.file.getvalue())
    while found and not found[-1]:
        found.pop()
    return found


def plain(text: str, width: int) -> list[str]:
    rows = [row.plain.rstrip() for row in wrap_text(text, terminal(width), width - 1)]
    while rows and not rows[-1]:
        rows.pop()
    return rows


@given(st.lists(WORDS, min_size=1, max_size=6), st.integers(12, 40))
def test_the_screen_shows_the_last_text_whatever_was_shown_before_it(texts: list[str], width: int) -> None:
    assert shown(texts, width) == plain(texts[-1], width)


@given(WORDS, st.integers(12, 40))
def test_a_text_that_grows_ends_as_one_that_came_at_once(text: str, width: int) -> None:
    assert shown([text[:end] for end in range(len(text) + 1)], width) == plain(text, width)


@given(WORDS, st.integers(12, 40))
def test_no_row_is_wider_than_the_screen_and_no_word_is_lost(text: str, width: int) -> None:
    rows = wrap_text(text, terminal(width), width - 1)
    assert all(row.cell_len < width for row in rows)
    letters = [letter for letter in text if letter.isalnum() or letter == "◌"]
    assert [letter for row in rows for letter in row.plain if letter.isalnum() or letter == "◌"] == letters


def test_words_taken_back_are_gone_from_the_screen() -> None:
    thought = "Let me look once more, for this does not say it and is longer than one row."
    assert shown([thought, "", "The dam is 33 m high."], 40) == ["The dam is 33 m high."]


def test_lines_that_left_the_screen_are_not_written_over() -> None:
    poem = "\n".join(f"line {number}" for number in range(9))
    found = shown([poem, "gone"], 40, height=5)
    assert found[:9] == poem.split("\n")
    assert found[-1] == "gone"


def test_an_item_that_is_too_long_goes_on_under_its_words() -> None:
    assert plain("- one two three four five six", 20) == ["- one two three", "  four five six"]
    assert plain("12. one two three four five", 20) == ["12. one two three", "    four five"]


def test_marks_of_markdown_become_weight_and_numbers_of_sources_a_colour() -> None:
    (heading,) = wrap_text("## The **lake**", terminal(), 60)
    (line,) = wrap_text("It is **deep**. [1]", terminal(), 60)
    assert (heading.plain, line.plain) == ("The lake", "It is deep. [1]")
    assert heading.style == "bold"
    assert [(line.plain[span.start : span.end], span.style) for span in line.spans] == [
        ("deep", "bold"),
        ("[1]", "cyan"),
    ]


@given(st.text())
def test_no_text_can_steer_a_terminal(text: str) -> None:
    assert not [letter for letter in strip_controls(text) if letter < " " and letter != "\n"]
    assert not {"\x1b", "\x9b", "\x7f", "\u202e"} & set(strip_controls(f"\x1b[2J\x9b31m\x7f\u202e{text}"))


def test_a_verdict_that_settles_after_its_sentence_left_the_screen_repeats_nothing() -> None:
    lines = [f"line {number}" for number in range(9)]
    late = "\n".join([lines[0] + " ▲", *lines[1:-1], lines[-1] + " ◌"])
    assert shown(["\n".join(lines), late], 40, height=5) == [*lines[:-1], lines[-1] + " ◌"]
    more = late + " More."
    assert shown(["\n".join(lines), late, more], 40, height=5) == [*lines[:-1], lines[-1] + " ◌ More."]


@given(st.lists(st.text(st.sampled_from("ab é"), max_size=30), min_size=1, max_size=12), st.data())
def test_signs_that_come_and_go_lose_no_line_on_a_low_screen(lines: list[str], data: st.DataObject) -> None:
    signs = st.sampled_from(["", " ▲", " ◌", " ○", " ◐"])
    signed = [data.draw(st.lists(signs, min_size=len(lines), max_size=len(lines))) for _ in range(3)]
    texts = ["\n".join(line + sign for line, sign in zip(lines, each, strict=True)) for each in signed]
    found = [re.sub("[▲◌○◐]", "", row).strip() for row in shown(texts, 60, height=4)]
    while found and not found[-1]:
        found.pop()
    expected = [line.strip() for line in lines]
    while expected and not expected[-1]:
        expected.pop()
    assert found == expected
