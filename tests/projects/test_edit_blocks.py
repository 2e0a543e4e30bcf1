"""A block that the program writes means exactly the edit it was made from, whatever the text is."""

from itertools import pairwise
from pathlib import Path

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from pincite.projects.change_plan import plan_reply
from pincite.projects.edit_blocks import create_search_replace_block
from pincite.projects.edits import ReplaceText
from pincite.projects.reply_reader import parse_reply

# Lines that look like parts of a block, and signs that other programs take for line ends.
ODD_LINES = st.sampled_from(
    [
        "=======",
        "========",
        "<<<<<<< SEARCH",
        ">>>>>>> REPLACE",
        "<<<<<<<< SEARCH",
        "```",
        "```python",
        "src/a.py",
        "# src/b.py",
        "\\ No newline at end of file",
        "\\ Newline at end of file",
        "--- a/x",
        "+++ b/x",
        "@@ -1 +1 @@",
        "DELETE src/a.py",
        "...",
        "# ... existing code ...",
        "",
        "    ",
        "\t",
        "\x0c",
        "\u2028",
    ]
)
LINES = st.one_of(
    ODD_LINES, st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\ufeff\r\n"), max_size=12)
)
ENDINGS = st.sampled_from(["\n", "\r\n", "\r", "\n"])
ENDED = st.builds(lambda line, ending: line + ending, LINES, ENDINGS)


@st.composite
def texts(draw: st.DrawFn) -> str:
    ended = "".join(draw(st.lists(ENDED, max_size=8)))
    return ended + draw(st.one_of(st.just(""), LINES))


@given(texts(), texts())
def test_a_block_is_read_as_the_edit_it_was_made_from(old: str, new: str) -> None:
    parsed = parse_reply(create_search_replace_block("src/a.py", old, new))
    assert not parsed.problems
    assert parsed.edits == (ReplaceText(1, "src/a.py", old, new),)
    assert parsed.prose == ""


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts(), texts())
def test_the_block_of_a_whole_file_gives_exactly_that_edit(tmp_path: Path, old: str, new: str) -> None:
    (tmp_path / "a.rst").write_bytes(old.encode())
    planned = plan_reply(tmp_path, create_search_replace_block("a.rst", old, new))
    if not planned.refusals:
        assert [file.after for file in planned.files] == ([new.encode()] if new != old else [])
    else:
        assert {refusal.reason for refusal in planned.refusals} <= {"shortened"}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(ENDED, min_size=1, max_size=8), st.data())
def test_bytes_outside_of_an_edit_stay(tmp_path: Path, lines: list[str], data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(lines) - 1))
    end = data.draw(st.integers(start + 1, len(lines)))
    head, old, tail = "".join(lines[:start]), "".join(lines[start:end]), "".join(lines[end:])
    new = data.draw(texts()) if not tail else "".join(data.draw(st.lists(ENDED, max_size=4)))
    # A carriage return and a newline that meet are one line end, which no block can divide.
    assume(all("\r\n" not in first[-1:] + second[:1] for first, second in pairwise([head, old, tail])))
    assume("\r\n" not in head[-1:] + new[:1] and "\r\n" not in new[-1:] + tail[:1])
    (tmp_path / "a.rst").write_bytes((head + old + tail).encode())
    planned = plan_reply(tmp_path, create_search_replace_block("a.rst", old, new))
    if planned.refusals:
        assert {refusal.reason for refusal in planned.refusals} <= {"several_places", "file_exists", "shortened"}
        return
    after = [file.after for file in planned.files] or [(head + old + tail).encode()]
    assert after == [(head + new + tail).encode()]
