"""A model that repeats itself without end is found out, and one that only writes alike lines is not."""

import re
import sys
from collections.abc import Iterator, Sequence
from types import FrameType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.thorough import scale_examples

from pincite.llm import repetition
from pincite.llm.repetition import RepetitionFilter, find_loop, has_sentence_end

SENTENCE = "The dam is 33 m high [1.2]. "
CLAUSE = "and the revenue of the company that was sold by the other company in the spring of that year, "


def shown(text: str, size: int = 3) -> tuple[str, bool]:
    """Return the part of a streamed text that is shown, and whether the stream was stopped."""
    passed, out = RepetitionFilter(), ""
    for at in range(0, len(text), size):
        out += passed.feed(text[at : at + size])
        if passed.is_endless:
            return out, True
    return out + passed.end(), False


@pytest.mark.parametrize("before", ["", "It stands in the Limousin. ", "## The dam\n\n- "])
@pytest.mark.parametrize("size", [1, 3, 400])
def test_a_sentence_that_comes_again_and_again_is_shown_once(before: str, size: int) -> None:
    out, stopped = shown(before + SENTENCE * 20, size)
    assert stopped
    assert out.strip() == (before + SENTENCE).strip()


def test_a_paragraph_that_comes_again_is_shown_once() -> None:
    paragraph = "The lease ends in May.\n\nThe tenant gives notice by letter, three months before, to the owner.\n\n"
    out, stopped = shown(paragraph * 9)
    assert stopped
    assert out.strip() == paragraph.strip()


def test_an_item_that_comes_again_is_shown_once() -> None:
    out, stopped = shown("Two points:\n\n" + "- The lease ends in May.\n" * 9)
    assert stopped
    assert out.strip() == "Two points:\n\n- The lease ends in May."


@pytest.mark.parametrize("loop", ["the ", "ha", CLAUSE, "le barrage est "])
def test_a_loop_inside_a_sentence_is_stopped(loop: str) -> None:
    text = f"The dam is {loop * 400}"
    out, stopped = shown(text)
    assert stopped
    assert len(out) < len("The dam is ") + 2 * len(loop) + 40


TABLE = "| year | revenue | margin |\n|---|---|---|\n" + "".join(
    f"| {year} | 3,991 million | not stated |\n" for year in range(1990, 2030)
)
EMPTY_TABLE = "| part | a | b | c |\n|---|---|---|---|\n" + "".join(f"| {n} | n/a | n/a | n/a |\n" for n in range(30))
LIST = "".join(f"- The lease of flat {n} ends in May and is renewed for three years [1.{n}].\n" for n in range(1, 30))
CODE = "```python\n" + "".join(f"values[{n}] = read_value(source, offset={n * 4})\n" for n in range(40)) + "```\n"
CLOSED = "```html\n" + "  <td></td>\n" * 20 + "</div>\n" * 12 + "```\n"
REFRAIN = "Row, row, row your boat.\nMerrily, merrily, merrily, merrily.\n" * 3
RULES = "-" * 500 + "\n" + "= " * 300 + "\n" + "." * 400
FIGURES = "0, " * 300


@pytest.mark.parametrize("text", [TABLE, EMPTY_TABLE, LIST, CODE, CLOSED, REFRAIN, RULES, FIGURES])
@pytest.mark.parametrize("size", [1, 7])
def test_tables_lists_and_code_with_similar_lines_are_shown_whole(text: str, size: int) -> None:
    assert shown(text, size) == (text, False)


@given(st.lists(st.text(max_size=40), max_size=30), st.integers(1, 9))
def test_everything_is_shown_in_its_order_unless_it_is_stopped(pieces: list[str], size: int) -> None:
    text = "".join(pieces)
    out, stopped = shown(text, size)
    assert text.startswith(out)
    assert stopped or out == text


@settings(max_examples=scale_examples(30))
@given(st.lists(st.sampled_from("abcdefghij"), min_size=1, max_size=30), st.integers(4, 9))
def test_sentences_that_differ_are_never_a_loop(words: list[str], size: int) -> None:
    text = "".join(f"Flat {n} has {word} rooms and a view of the lake. " for n, word in enumerate(words))
    assert shown(text, size) == (text, False)


@given(st.text(alphabet="abcdefgh ,", min_size=60, max_size=300).filter(str.strip))
def test_whatever_is_long_and_repeats_four_times_is_a_loop(unit: str) -> None:
    kept = find_loop(unit * 5)
    assert kept is not None
    assert kept <= 2 * len(unit)


@pytest.mark.parametrize(
    "text", ["It is high.", "It is high [1.2].", "“It is high.”", "Est-il haut ?", "Yes! [1] ", "High…"]
)
def test_a_whole_sentence_is_known_by_its_end(text: str) -> None:
    assert has_sentence_end(text)


@pytest.mark.parametrize("text", ["It is", "It is high [1", "It is 33 m high and holds", "e.g. the", ""])
def test_half_a_sentence_is_known_too(text: str) -> None:
    assert not has_sentence_end(text)


class Counted:
    """A pattern that counts the characters it is given to search."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self.pattern, self.characters = pattern, 0

    def finditer(self, text: str, start: int = 0) -> Iterator[re.Match[str]]:
        self.characters += len(text) - start
        return self.pattern.finditer(text, start)

    def findall(self, text: str) -> list[Any]:
        self.characters += len(text)
        return self.pattern.findall(text)


def count_lines(passed: RepetitionFilter, pieces: Sequence[str]) -> int:
    """How many lines of code are run to pass these pieces on."""
    ran = 0

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal ran
        ran += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        for piece in pieces:
            passed.feed(piece)
    finally:
        sys.settrace(before)
    return ran


def test_a_piece_of_a_long_list_costs_little_however_long_the_list_is(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = (f"- The lease of flat {n} ends in May and is renewed for three years [1.{n}].\n" for n in range(400))
    items = "".join(lines)
    pieces = [items[at : at + 4] for at in range(0, len(items), 4)]
    searched = [Counted(repetition._START), Counted(repetition._FENCE)]
    monkeypatch.setattr(repetition, "_START", searched[0])
    monkeypatch.setattr(repetition, "_FENCE", searched[1])
    passed = RepetitionFilter()
    for piece in pieces[:4000]:
        passed.feed(piece)
    before = sum(each.characters for each in searched)
    late = count_lines(passed, pieces[4000:4200])
    assert not passed.is_endless
    assert late < 1000 * 200
    assert sum(each.characters for each in searched) - before < 1000 * 200
