from collections.abc import Callable
from functools import partial

import pytest
from tests.clock import cost

from pincite.locate.quotation import prepare_quotation, split_at_ellipses, split_blocks, strip_passage_markup


@pytest.mark.parametrize(
    ("marked", "bare"),
    [
        ("see [the report](https://example.org/a_(b)?q=1) now", "see the report now"),
        ('![A chart](chart.png "Sales in 2023") here', "A chart here"),
        ("[![alt](src)](href)", "[alt](href)"),
        ("[a [b](url) c", "[a b c"),
        ("an [aside] (and another)", "an [aside] (and another)"),
        ("line\nbreak in [a\nlink](url)", "line\nbreak in [a\nlink](url)"),
    ],
)
def test_of_a_link_its_words_stay(marked: str, bare: str) -> None:
    assert strip_passage_markup(marked) == bare


def test_tags_go_and_comparisons_stay() -> None:
    assert strip_passage_markup("<p class='x'>The <b>annual</b><br/>budget</P>").split() == ["The", "annual", "budget"]
    assert strip_passage_markup("a < b and c > d, x <y> z, <article>") == "a < b and c > d, x <y> z, <article>"


@pytest.mark.parametrize("dots", ["…", "...", "....", "[...]", "[…]", "(...)", "( … )", "[. . .]", ". . ."])
def test_a_passage_is_cut_at_every_kind_of_ellipsis(dots: str) -> None:
    assert split_at_ellipses(f"the first half {dots} the second half.") == ["the first half", "the second half."]


def test_a_string_without_letters_is_no_piece() -> None:
    assert split_at_ellipses("… alone …") == ["alone"]
    assert split_at_ellipses("e.g. two. Sentences") == ["e.g. two. Sentences"]
    assert split_at_ellipses("… — …") == []


def test_paragraphs_items_rows_and_lines_that_end_a_sentence_are_blocks() -> None:
    text = "# Title\n\nA paragraph that\ngoes on. It ends.\nAnother.\n- one\n* two\n2. three\n| a | b |\n|---|---|\n…"
    assert [text[a:b].strip(" |\n-") for a, b in split_blocks(text)] == [
        "# Title", "A paragraph that\ngoes on. It ends.", "Another.", "one", "* two", "2. three",
        "a | b |\n|---|---|\n…",
    ]  # fmt: skip
    assert split_blocks("") == split_blocks("\n\n…\n\n") == []


def test_a_passage_made_ready_keeps_its_text_and_the_pages_to_look_at() -> None:
    made = prepare_quotation("The 2nd\npart", frozenset({3}))
    assert (made.text, made.letters, made.sheets) == ("The 2nd\npart", "the2ndpart", frozenset({3}))


TRAPS = (
    " ", "\n", "\t", " \n", "\n ", "\x1c", ".", ". ", ". \t", "… ", "[", "]", "[ ", "( ", "[.", "[...", "[ . ", "[a](",
    "[a](b ", '[a](b "', "[a]((", "[a](()", "![", "<", "<a ", "<a", "</b", "|", "|-", "| - ", "|--", ":-", "-", "*",
    "#", "`", "\n-", "\n- ", "\n|", "\n1.", ".\n", ": \t", "a", "1", "1.", "1,", "é", "\0",
)  # fmt: skip


@pytest.mark.parametrize("work", [strip_passage_markup, split_at_ellipses, split_blocks])
def test_eight_times_the_text_takes_about_eight_times_as_long_whatever_it_is_made_of(
    work: Callable[[str], object],
) -> None:
    for trap in TRAPS:
        short, long = (cost(partial(work, "a" + trap * (size // len(trap)) + "b"), tries=2) for size in (5_000, 40_000))
        # Looking again from each place would take 64 times as long.
        assert long < 30 * max(short, 0.001), trap
