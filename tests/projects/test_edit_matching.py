"""The lines of a block are found exactly, then without regard to line ends, then by their indentation, or not."""

from hypothesis import assume, given
from hypothesis import strategies as st

from pincite.projects.edit_matching import replace_text

WORDS = st.text("abcdefg()=:.", min_size=1, max_size=6)
INDENTS = st.sampled_from(["", "    ", "        ", "            "])
CODE = st.lists(st.one_of(st.just(""), st.builds(lambda indent, word: indent + word, INDENTS, WORDS)), min_size=1)


def join(lines: list[str], ending: str = "\n") -> str:
    return "".join(line + ending for line in lines)


@st.composite
def edits(draw: st.DrawFn) -> tuple[list[str], list[str], list[str], list[str]]:
    """Lines above, the lines that change, the new lines, and lines below."""
    above, old, new, below = (draw(CODE) for _ in range(4))
    assume(any(old))
    return above, old, new, below


@given(edits(), st.sampled_from(["\n", "\r\n", "\r"]), st.sampled_from(["\n", "\r\n"]))
def test_line_ends_and_trailing_blanks_do_not_matter(
    edit: tuple[list[str], list[str], list[str], list[str]], ending: str, written: str
) -> None:
    above, old, new, below = edit
    text = join([line + "  " for line in above + old + below], ending)
    replaced = replace_text(text, join(old, written), join(new, written))
    if not replaced.problem:
        start, end = join([line + "  " for line in above], ending), join([line + "  " for line in below], ending)
        assert replaced.text.startswith(start)
        assert replaced.text.endswith(end)
        made = replaced.text[len(start) : len(replaced.text) - len(end)]
        assert [line.rstrip() for line in made.split(ending)] == [
            line.rstrip() for line in join(new, ending).split(ending)
        ]
    else:
        assert replaced.problem == "several_places"


@given(edits(), st.sampled_from(["  ", "    ", "\t"]))
def test_a_block_that_is_indented_otherwise_is_indented_like_the_file(
    edit: tuple[list[str], list[str], list[str], list[str]], added: str
) -> None:
    above, old, new, below = edit

    def shift(lines: list[str]) -> list[str]:
        return [added + line if line else line for line in lines]

    text = join(shift(above) + shift(old) + shift(below))
    replaced = replace_text(text, join(old), join(new))
    wanted = join(shift(above) + shift(new) + shift(below))
    assert replaced.text == wanted or replaced.problem == "several_places" or join(old) in text
    # And the other way round: the block is indented further than the file.
    back = replace_text(join(above + old + below), join(shift(old)), join(shift(new)))
    assert back.text == join(above + new + below) or back.problem == "several_places"


@given(edits(), st.sampled_from([2, 4]))
def test_spaces_stand_for_tabs_in_all_lines(
    edit: tuple[list[str], list[str], list[str], list[str]], width: int
) -> None:
    def to_tabs(lines: list[str]) -> list[str]:
        return ["\t" * ((len(line) - len(line.lstrip())) // 4) + line.lstrip() for line in lines]

    def to_spaces(lines: list[str]) -> list[str]:
        return [line.replace("\t", " " * width) for line in to_tabs(lines)]

    above, old, new, below = edit
    assume(any(line.startswith(" ") for line in old))
    replaced = replace_text(join(to_tabs(above + old + below)), join(to_spaces(old)), join(to_spaces(new)))
    if not replaced.problem:
        assert replaced.text == join(to_tabs(above + new + below))
    else:
        assert replaced.problem == "several_places"


@given(edits(), st.data())
def test_a_block_with_another_word_is_never_applied(
    edit: tuple[list[str], list[str], list[str], list[str]], data: st.DataObject
) -> None:
    above, old, new, below = edit
    at = data.draw(st.sampled_from([at for at, line in enumerate(old) if line]))
    wrong = [*old[:at], old[at] + "x", *old[at + 1 :]]
    assert replace_text(join(above + old + below), join(wrong), join(new)).problem == "not_found"


def test_lines_that_do_not_change_keep_their_blanks_and_endings() -> None:
    replaced = replace_text("a  \r\nb\t\nc\r\n", "a\nb\nc\n", "a\nB\nc\n")
    assert replaced.text == "a  \r\nB\nc\r\n"


def test_all_places_are_told() -> None:
    assert replace_text("x\ny\nx\n", "x\n", "z\n").lines == (1, 3)
