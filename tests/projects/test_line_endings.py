"""The endings of lines are those that the file had."""

from hypothesis import given
from hypothesis import strategies as st

from pincite.projects.line_endings import get_ending, keep_endings, split_lines, strip_ending

ENDED = st.builds(lambda text, ending: text + ending, st.sampled_from("abc"), st.sampled_from(["\n", "\r\n", "\r"]))
TEXTS = st.builds(lambda lines, last: "".join(lines) + last, st.lists(ENDED, max_size=8), st.sampled_from(["", "z"]))


def test_mixed_endings_and_a_missing_last_one_are_kept() -> None:
    assert keep_endings(["a\r\n", "b\n", "c"], ["a\n", "b\n", "d\n"]) == ["a\r\n", "b\n", "d"]
    kept = keep_endings(["a\r\n", "b\n", "c\r\n"], ["x\n", "b\n", "new\n", "c\n"])
    assert kept == ["x\r\n", "b\n", "new\r\n", "c\r\n"]


def test_a_last_line_without_an_ending_gets_one_when_it_is_no_longer_the_last() -> None:
    assert keep_endings(["a\r\n", "b"], ["a\n", "b\n", "c\n"]) == ["a\r\n", "b\r\n", "c"]


@given(TEXTS.filter(bool), TEXTS)
def test_only_endings_change_and_only_the_last_line_may_lack_one(old: str, new: str) -> None:
    given_lines = split_lines(new)
    kept = keep_endings(split_lines(old), given_lines)
    assert [strip_ending(line) for line in kept] == [strip_ending(line) for line in given_lines]
    assert all(get_ending(line) for line in kept[:-1])
    assert {get_ending(line) for line in kept} <= {get_ending(line) for line in split_lines(old)} | {"", "\n"}


@given(TEXTS.filter(bool))
def test_the_same_lines_keep_every_byte(text: str) -> None:
    plain = [strip_ending(line) + "\n" for line in split_lines(text)]
    assert "".join(keep_endings(split_lines(text), plain)) == text
