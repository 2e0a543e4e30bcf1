"""A long passage is shortened to whole lines around its answer, and no highlighted word is lost or moved."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.cli.passage_excerpt import list_left_out, make_excerpt
from pincite.events import ShownPassage

WORDS = "The river rises in spring and falls in autumn. " * 4


def make_passage(lines: list[str], lit: list[tuple[int, int]], **given: object) -> ShownPassage:
    made = ShownPassage(n=1, document="d", title="T", start=0, end=1, text="\n".join(lines), lit=lit)
    return made.model_copy(update=given)


def list_lit(passage: ShownPassage) -> list[str]:
    return [passage.text[start:end] for start, end in passage.lit]


@st.composite
def passages(draw: st.DrawFn) -> ShownPassage:
    lines = draw(st.lists(st.text("ab é\U0001f600", max_size=300), min_size=1, max_size=30))
    length = len("\n".join(lines))
    places = sorted(draw(st.lists(st.integers(0, length), max_size=6, unique=True)))
    ranges = list(zip(places[::2], places[1::2], strict=False))
    return make_passage(lines, ranges)


@given(passages())
def test_highlighted_words_and_whole_lines_stay(passage: ShownPassage) -> None:
    excerpt = make_excerpt(passage)
    assert [words.strip() for words in list_lit(excerpt.passage) if words.strip()] == [
        words.strip() for words in list_lit(passage) if words.strip()
    ]
    start = passage.text.index(excerpt.passage.text)
    end = start + len(excerpt.passage.text)
    assert start == 0 or passage.text[start - 1] == "\n"
    assert end == len(passage.text) or passage.text[end] == "\n"
    assert excerpt.is_cut or excerpt.passage.text.strip() == passage.text.strip()
    assert excerpt.is_cut_before <= bool(passage.text[:start].strip())
    assert excerpt.is_cut_after <= bool(passage.text[end:].strip())


def test_a_passage_with_little_more_than_fits_stays_whole() -> None:
    assert not make_excerpt(make_passage([WORDS] * 4, [(0, 3)])).is_cut
    assert make_excerpt(make_passage([WORDS] * 5, [(0, 3)])).is_cut


def test_tables_and_code_stay_whole() -> None:
    for form in ("table", "code"):
        assert not make_excerpt(make_passage([WORDS] * 9, [(0, 3)], form=form)).is_cut


def test_a_heading_stays_with_the_text_under_it() -> None:
    lines = [*[WORDS] * 4, "Floods", "The river floods in May.", WORDS, WORDS, "Droughts", WORDS * 3]
    text = "\n".join(lines)
    lit = [(text.index("The river floods"), text.index("The river floods") + 24)]
    headings = [(text.index(name), text.index(name) + len(name)) for name in ("Floods", "Droughts")]
    shown = make_excerpt(make_passage(lines, lit, inner_headings=headings)).passage
    assert shown.text.split("\n") == ["Floods", "The river floods in May.", WORDS, WORDS]
    assert [shown.text[start:end] for start, end in shown.inner_headings] == ["Floods"]


def make_table(rows: int, lit_rows: list[int]) -> ShownPassage:
    return make_passage([], [], form="table", rows=[["Oats", str(row)] for row in range(rows)], lit_rows=lit_rows)


def test_tables_beside_the_one_that_answers_are_left_out_of_a_long_passage() -> None:
    answer, other, text = make_table(5, [2]), make_table(6, []), make_passage(["The oats are below."], [])
    assert list_left_out([answer, other, text]) == [other, text]
    assert list_left_out([answer, make_table(2, []), text]) == []  # a short passage is whole
    assert list_left_out([other, other, other]) == []  # where nothing is highlighted nothing is better
    following = [each.model_copy(update={"n": 2}) for each in (text, text)]
    assert list_left_out([answer, *following]) == []


@pytest.mark.parametrize(
    ("rows", "lit", "first", "last"),
    [(10, [4], 0, 10), (30, [], 0, 8), (30, [20], 17, 25), (30, [29], 22, 30), (40, [2, 30], 2, 31)],
)
def test_a_long_table_is_cut_to_the_rows_around_the_highlighted_ones(
    rows: int, lit: list[int], first: int, last: int
) -> None:
    excerpt = make_excerpt(make_table(rows, lit))
    assert [row[1] for row in excerpt.passage.rows] == [str(row) for row in range(first, last)]
    assert [excerpt.passage.rows[row][1] for row in excerpt.passage.lit_rows] == [str(row) for row in lit]
    assert (excerpt.is_cut_before, excerpt.is_cut_after) == (first > 0, last < rows)
