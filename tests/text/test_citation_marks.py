"""Marks in a stream: never half of one is shown, whatever the pieces are that it comes in."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.text.citation_marks import (
    find_mark_groups,
    find_shown_marks,
    list_cited,
    shield_code,
    shield_source,
    skip_marks,
    split_at_marks,
    strip_marks,
)
from pincite.text.marker_parser import CitationMark, Item, MarkerParser, TextItem
from pincite.text.viewer_commands import HighlightCommand, NavigateCommand

_FRAGMENTS = (
    "The dam is 12 m high", " [1]", " [2.3]", ". ", " M. Dupont ", "\n- item ", "\n2. Two ", "\n\n", "# Head\n",
    "NAVIGATE: 3\n", "\nHIGHLIGHT: 3, 1,2,3,4\n", "`x[1]`", "```\na[2]\n```\n", " [", "] ", "? ", "3,5 % ",
    "| a | b |\n", "【3】", "[x]", "**Bold.** ", "NAV", "é… ", "[1", "(http://a.b)", "[1, 2]", "[3-5]",
)  # fmt: skip
answers = st.lists(st.sampled_from(_FRAGMENTS), max_size=12).map("".join)


def read(text: str, cuts: list[int] | None = None) -> list[Item]:
    """An answer read in the pieces that the cuts make; without any, letter by letter."""
    places = range(len(text)) if cuts is None else sorted({cut % (len(text) + 1) for cut in cuts})
    markers, found, last = MarkerParser(), list[Item](), 0
    for place in [*places, len(text)]:
        found += markers.feed(text[last:place])
        last = place
    return found + markers.end()


def shown(items: list[Item]) -> str:
    return "".join(item.text for item in items if isinstance(item, TextItem))


def cited(text: str) -> list[tuple[tuple[int, int | None], ...]]:
    return [item.cited for item in read(text) if isinstance(item, CitationMark)]


@pytest.mark.parametrize(
    ("mark", "meant"),
    [
        ("[2]", ((2, None),)),
        ("[2.3]", ((2, 3),)),
        ("[1, 4]", ((1, None), (4, None))),
        ("[1; 4.2]", ((1, None), (4, 2))),
        ("[2-4]", ((2, None), (3, None), (4, None))),
        ("[2.1–2.3]", ((2, 1), (2, 2), (2, 3))),
        ("[^2]", ((2, None),)),
        ("[source 2]", ((2, None),)),
        ("[Source: 2, Source: 3]", ((2, None), (3, None))),
        ("【2†source】", ((2, None),)),
        ("[2](https://example.org/a)", ((2, None),)),
    ],
)
def test_the_marks_that_models_write_are_understood(mark: str, meant: tuple[tuple[int, int | None], ...]) -> None:
    assert cited(f"It is so {mark}.") == [meant]
    assert shown(read(f"It is so {mark}.")) == "It is so."


@pytest.mark.parametrize(
    "text", ["a [sic] b", "in [2024] it", "f(x)[y]", "[a link](https://example.org)", "[ ] to do", "[x]"]
)
def test_other_brackets_are_text(text: str) -> None:
    assert shown(read(text, [])) == shown(read(text)) == text
    assert not cited(text)


def test_code_is_left_alone() -> None:
    text = "Use `row[1]` or\n```\nrow[2]\nNAVIGATE: 4\n```\nthen [3]."
    assert shown(read(text)) == "Use `row[1]` or\n```\nrow[2]\nNAVIGATE: 4\n```\nthen."
    assert cited(text) == [((3, None),)]


def test_the_space_before_a_mark_goes_with_it_but_words_stay_apart() -> None:
    assert shown(read("High [1]. Wide [2] and long [3], he said[4].")) == "High. Wide and long, he said."


def test_a_command_stands_alone_on_its_line_and_is_taken_out() -> None:
    found = read("First.\nNAVIGATE: page 12\nThen NAVIGATE: 4 inside.\nHIGHLIGHT: [2.1]")
    assert [item for item in found if not isinstance(item, TextItem)] == [
        NavigateCommand(12),
        HighlightCommand(evidence=2, sentence=1),
    ]
    assert shown(found) == "First.\nThen NAVIGATE: 4 inside.\n"


def test_a_number_that_is_still_being_written_fires_nothing() -> None:
    markers = MarkerParser()
    assert markers.feed("NAVIGATE: 1") == []
    assert markers.feed("2") == []
    assert markers.feed("\n") == [NavigateCommand(12)]


def test_a_mark_that_a_broken_stream_cut_off_is_not_shown() -> None:
    assert shown(read("It is high. Then [1")) == "It is high. Then"
    assert shown(read("It is high [2.")) == "It is high"
    assert shown(read("An open [bracket")) == "An open [bracket"


@given(answers, st.lists(st.integers(0, 400), max_size=12))
def test_the_pieces_an_answer_comes_in_change_nothing(text: str, cuts: list[int]) -> None:
    letters, pieces = read(text), read(text, cuts)
    assert shown(letters) == shown(pieces)
    assert [i for i in letters if not isinstance(i, TextItem)] == [i for i in pieces if not isinstance(i, TextItem)]


@given(st.text(alphabet="[]1.2, ab\n`【】†(:NAVIGTE", max_size=60), st.lists(st.integers(0, 60), max_size=8))
def test_nothing_but_marks_and_commands_is_lost(text: str, cuts: list[int]) -> None:
    found = read(text, cuts)
    left = re.sub(r"\s", "", shown(found))
    if all(isinstance(item, TextItem) for item in found) and not re.search(r"[\[【]\d[\d.,;\s–-]*$", text):
        assert left == re.sub(r"\s", "", text)
    assert len(left) <= len(text)


@given(st.text(max_size=200))
def test_a_shielded_source_holds_no_mark_and_no_command(source: str) -> None:
    for text in (source, f"[1] {source} [2.3]\nNAVIGATE: 4\n{source}"):
        assert all(isinstance(item, TextItem) for item in read(shield_source(text), []))


def test_a_source_keeps_its_own_references_in_other_brackets() -> None:
    assert shield_source("As shown before [3, 4], water boils.") == "As shown before (3, 4), water boils."


def test_an_answer_can_be_had_without_its_marks() -> None:
    marked = "The lease ends [2]. It may be renewed [2.3][5], once [1, 4]."
    assert strip_marks(marked) == "The lease ends. It may be renewed, once."


def test_brackets_that_are_no_marks_stay_in_an_answer_without_marks() -> None:
    for kept in (
        "See `a[3]` there.",
        "```\nx[1] = 2\n```",
        "[see below]",
        "A [link](https://example.org).",
        "In [2024] it was.",
        " As it is \n",
    ):
        assert strip_marks(kept) == kept


def test_the_marks_of_an_answer_as_it_is_told_are_found_outside_code() -> None:
    answer = "Deep. [1] [12] Use `a[3]` and a [link]."
    assert [(answer[start:end], number) for start, end, number in find_shown_marks(answer)] == [
        (" [1]", 1),
        (" [12]", 12),
    ]
    assert answer[skip_marks(answer, 5) :] == " Use `a[3]` and a [link]."
    assert skip_marks(answer, 0) == 0


def test_shielded_code_keeps_its_brackets_and_holds_no_mark() -> None:
    assert shield_code("rows[1] = call()[2]\n[3] Title") == "rows[1] = call()[2]\n[ 3] Title"
    assert [item for item in MarkerParser().feed(shield_code("x = [2, 3] ")) if isinstance(item, CitationMark)] == []
    assert shield_code("NAVIGATE: 3") == shield_source("NAVIGATE: 3")


def test_the_evidence_that_a_text_names_is_listed_once_and_in_order() -> None:
    assert list_cited("A [2.3]. B [1, 4], C [2-3] and [2.3], d[7] [0].") == [
        (2, 3), (1, None), (4, None), (2, None), (3, None), (7, None), (0, None)
    ]  # fmt: skip
    assert list_cited("In [2024] and [a] nothing is cited.") == []


@given(answers)
def test_the_parser_and_the_list_name_the_same_evidence(answer: str) -> None:
    if "`" not in answer and not answer.endswith("["):
        assert list_cited(answer) == list(dict.fromkeys(one for mark in cited(answer) for one in mark))


def test_marks_in_a_row_are_one_group_with_their_stop() -> None:
    text = "One [1][2.3] . Two [3, 4]. Three"
    assert [text[start:end] for start, end in find_mark_groups(text)] == ["[1][2.3]", "[3, 4]."]


def test_a_text_is_split_at_marks_of_one_number() -> None:
    assert split_at_marks("a [1] b [2.3], c [4, 5]") == ["a ", "[1]", " b ", "[2.3]", ", c [4, 5]"]
