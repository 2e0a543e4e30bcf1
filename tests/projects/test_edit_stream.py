"""The prose of a reply is shown at once, its blocks never, and how the reply is cut changes nothing."""

import sys
from types import FrameType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.projects.edit_stream import EditStream
from pincite.projects.reply_reader import parse_reply

BLOCK = "src/a.py\n```python\n<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n```\n"
PIECES = st.sampled_from(
    [
        "I change the function.\n",
        "File: src/a.py\n",
        "src/a.py\n",
        "`src/b.ts`\n",
        "### 1. `src/c.go`\n",
        "- src/a.py\n",
        "\n",
        "```python\n",
        "```\n",
        "````markdown\n",
        "````\n",
        "<<<<<<< SEARCH\n",
        "=======\n",
        ">>>>>>> REPLACE\n",
        "x = 1\n",
        "--- a/src/a.py\n",
        "+++ b/src/a.py\n",
        "@@ -1,2 +1,2 @@\n",
        "-old\n",
        "+new\n",
        " context\n",
        "DELETE src/old.py\n",
        "RENAME a.py -> b.py\n",
        "Delete the file, then go on",
        "- Remove: `old.py`\n",
        "    DELETE src/old.py\n",
        "In `src/a.py`:\n",
        "diff --git a/x b/x\n",
        BLOCK,
        "Créer é\r\n",
    ]
)


@given(st.lists(PIECES, max_size=14).map("".join), st.data())
def test_the_prose_is_the_same_however_the_reply_is_cut(reply: str, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.lists(st.integers(0, len(reply)), max_size=12)))
    stream = EditStream()
    shown = "".join(stream.feed(reply[start:end]) for start, end in zip([0, *cuts], [*cuts, len(reply)], strict=True))
    rest, raw = stream.finish()
    assert raw == reply
    assert shown + rest == parse_reply(reply).prose


@given(st.lists(PIECES, max_size=14).map("".join))
def test_the_prose_is_the_same_letter_by_letter(reply: str) -> None:
    stream = EditStream()
    shown = "".join(map(stream.feed, reply))
    assert shown + stream.finish()[0] == parse_reply(reply).prose


def test_a_sentence_is_shown_before_its_line_ends() -> None:
    stream = EditStream()
    assert stream.feed("I will change ") == "I will change "
    assert stream.feed("the function") == "the function"


def test_a_block_is_held_back_with_its_path_and_fence() -> None:
    stream = EditStream()
    shown = [
        stream.feed(piece) for piece in ("Here it is.\n\n", "src/", "a.py\n", "```py", "thon\n<<<<", "<<< SEARCH\n")
    ]
    assert "".join(shown) == "Here it is.\n\n"
    assert stream.feed("old\n=======\nnew\n>>>>>>> REPLACE\n```\nAll done. ") == "All done. "
    assert stream.finish() == ("", f"Here it is.\n\n{BLOCK}All done. ")


def test_code_that_is_no_edit_is_shown() -> None:
    reply = "Run this:\n```bash\nmake test\n```\n"
    stream = EditStream()
    assert stream.feed(reply) + stream.finish()[0] == reply


def test_a_block_that_never_ends_is_not_shown() -> None:
    stream = EditStream()
    shown = stream.feed("Look.\nsrc/a.py\n<<<<<<< SEARCH\nold\n")
    rest, raw = stream.finish()
    assert shown + rest == "Look.\n"
    assert raw.endswith("old\n")


def test_sentences_about_deleting_and_renaming_are_shown() -> None:
    reply = (
        "I will not do these:\n- Remove: `old.py`\n- DELETE a.py\nDelete: `a.py`\n\n"
        "    DELETE a.py\n> RENAME a.py -> b.py\n"
    )
    stream = EditStream()
    assert stream.feed(reply) + stream.finish()[0] == reply
    assert parse_reply(reply).edits == ()


def test_a_line_that_deletes_or_renames_is_not_shown() -> None:
    stream = EditStream()
    assert stream.feed("So:\nDELETE a.py\nRENAME b.py -> c.py\nDone.\n") + stream.finish()[0] == "So:\nDone.\n"


def count_calls(reply: str, size: int = 12) -> int:
    """How many functions are called while a reply is fed in small pieces."""
    stream = EditStream()
    counted = 0

    def count(_: FrameType, event: str, __: object) -> None:
        nonlocal counted
        counted += event == "call"

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        for start in range(0, len(reply), size):
            stream.feed(reply[start : start + size])
        stream.finish()
    finally:
        sys.setprofile(before)
    return counted


@pytest.mark.parametrize(
    ("head", "line", "end"),
    [
        ("src/a.py\n<<<<<<< SEARCH\nold\n=======\n", "    x = compute(1)\n", ">>>>>>> REPLACE\n"),
        ("src/a.py\n```python\n<<<<<<< SEARCH\n", "    x = compute(1)\n", "=======\nnew\n>>>>>>> REPLACE\n```\n"),
        ("src/a.py\n```python\n", "    x = compute(1)\n", "```\n"),
        ("```diff\n--- a/src/a.py\n+++ b/src/a.py\n@@ @@\n", "+    x = compute(1)\n", "```\n"),
        ("--- a/src/a.py\n+++ b/src/a.py\n@@ -0,0 +1,999 @@\n", "+    x = compute(1)\n", "\nDone.\n"),
        ("src/a.py\n<<<<<<< SEARCH\n", "    x = compute(1)\n", ""),
    ],
    ids=["block", "fenced block", "file", "fenced diff", "diff", "unfinished block"],
)
def test_twice_as_long_an_edit_takes_about_twice_the_work(head: str, line: str, end: str) -> None:
    once, twice = (count_calls(head + line * number + end) for number in (300, 600))
    assert twice < 2.5 * once
