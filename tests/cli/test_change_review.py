"""Changes are shown as they would be written, and only files that were accepted are."""

import io
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from pincite.cli.change_review import (
    ChangeReviewer,
    EditedFile,
    Review,
    count_lines,
    draw_diff,
    draw_refusals,
    edit_content,
    reveal_controls,
)
from pincite.errors import Misuse
from pincite.events import ChangedFile, NearestLine, ProposedChanges, RefusedEdit
from tests.screens import terminal

DIFF = "--- a/{0}\n+++ b/{0}\n@@ -1 +1 @@\n-old\n+new\n"


def changed(path: str, action: str = "modify", renamed_from: str = "") -> ChangedFile:
    return ChangedFile.model_validate(
        {"path": path, "action": action, "renamed_from": renamed_from, "diff": DIFF.format(path)}
    )


CHANGES = ProposedChanges(id="1", files=[changed("a.py"), changed("b.py"), changed("c.py")])


def typing(*lines: str) -> Callable[[str], str]:
    """A user who answers with these lines, and then presses Ctrl-D. ^C stands for Ctrl-C."""
    typed: Iterator[str] = iter(lines)

    def ask(prompt: str) -> str:
        line = next(typed, None)
        if line is None:
            raise EOFError
        if line == "^C":
            raise KeyboardInterrupt
        return line

    return ask


def review(*lines: str, changes: ProposedChanges = CHANGES, language: str = "en") -> Review:
    return ChangeReviewer(quiet(), typing(*lines), language=language).review(changes)


def quiet() -> Console:
    return Console(file=io.StringIO(), width=200)


def written(console: Console) -> str:
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


@pytest.mark.parametrize(
    ("lines", "accepted"),
    [
        (("y", "n", "y"), ("a.py", "c.py")),
        (("YES", " no ", "Y"), ("a.py", "c.py")),
        (("o", "n", "oui"), ("a.py", "c.py")),
        (("n", "a"), ("b.py", "c.py")),
        (("t",), ("a.py", "b.py", "c.py")),
        (("y", "r"), ("a.py",)),
        (("r",), ()),
        (("y",), ("a.py",)),
        ((), ()),
        (("what?", "", "y", "r"), ("a.py",)),
    ],
)
def test_each_file_is_accepted_or_rejected_alone_or_with_the_rest(
    lines: tuple[str, ...], accepted: tuple[str, ...]
) -> None:
    chosen = review(*lines)
    assert chosen.accepted == accepted
    assert {*chosen.accepted, *chosen.rejected} == {"a.py", "b.py", "c.py"}
    assert not set(chosen.accepted) & set(chosen.rejected)


def test_ctrl_c_accepts_nothing() -> None:
    with pytest.raises(KeyboardInterrupt):
        review("y", "^C")


@given(st.lists(st.text(max_size=6), max_size=8))
def test_only_a_clear_yes_accepts(lines: list[str]) -> None:
    yes = {"y", "yes", "o", "oui", "a", "all", "t", "tout"}
    chosen = review(*lines)
    assert bool(chosen.accepted) <= any(line.strip().lower() in yes for line in lines)


def test_every_file_is_shown_with_its_place_and_its_count_before_the_question() -> None:
    console = quiet()
    asked: list[str] = []

    def ask(prompt: str) -> str:
        asked.append(written(console))
        return "n"

    ChangeReviewer(console, ask).review(CHANGES)
    assert "1/3 modify a.py  +1 −1" in asked[0]
    assert "b.py" not in asked[0]
    assert "3/3 modify c.py" in asked[2]


def test_help_is_shown_for_any_other_key_in_the_language_of_the_question() -> None:
    console = quiet()
    ChangeReviewer(console, typing("x", "r"), language="fr").review(CHANGES)
    assert "t accepte celui-ci et les suivants" in written(console)
    assert "modifier a.py" in written(console)


def test_an_edited_file_is_shown_again_and_accepted_as_it_was_left() -> None:
    console = quiet()
    before: list[EditedFile | None] = []

    def edit(file: ChangedFile, earlier: EditedFile | None) -> EditedFile:
        before.append(earlier)
        return EditedFile(f"{len(before)}".encode(), f"@@ -1 +1 @@\n-old\n+mine {len(before)}\n")

    chosen = ChangeReviewer(console, typing("e", "e", "y", "e", "n", "y"), edit).review(CHANGES)
    assert chosen == Review(("a.py", "c.py"), ("b.py",), {"a.py": b"2"})
    assert [each and each.content for each in before] == [None, b"1", None]
    assert "+mine 2" in written(console)


def test_an_editor_that_fails_leaves_the_proposal_and_the_question() -> None:
    console = quiet()

    def edit(file: ChangedFile, earlier: EditedFile | None) -> EditedFile:
        raise Misuse("vi ended with status 1, so nothing was changed.")

    chosen = ChangeReviewer(console, typing("e", "y", "r"), edit).review(CHANGES)
    assert chosen == Review(("a.py",), ("b.py", "c.py"), {})
    assert "nothing was changed" in written(console)


@pytest.mark.parametrize("action", ["delete", "modify"])
def test_a_change_that_cannot_be_edited_is_not_offered_and_said_if_asked_for(action: str) -> None:
    console = quiet()
    asked: list[str] = []
    answers = typing("e", "r")

    def ask(prompt: str) -> str:
        asked.append(prompt)
        return answers(prompt)

    def edit(file: ChangedFile, earlier: EditedFile | None) -> EditedFile:
        raise AssertionError

    files = ProposedChanges(id="1", files=[changed("a.py", action)])
    ChangeReviewer(console, ask, edit if action == "delete" else None).review(files)
    assert "[e]dit" not in asked[0]
    assert "cannot be edited" in written(console)


def test_a_renamed_file_says_where_it_came_from() -> None:
    console = quiet()
    files = ProposedChanges(id="1", files=[changed("new.py", "rename", "old.py")])
    ChangeReviewer(console, typing("r")).review(files)
    assert "rename new.py (from old.py)" in written(console)


def test_added_lines_are_green_and_removed_ones_red() -> None:
    console = terminal()
    draw_diff(DIFF.format("a.py"), console)
    lines = written(console).splitlines()
    assert [line.partition("m")[2].partition("\x1b")[0] for line in lines] == ["@@ -1 +1 @@", "-old", "+new"]
    assert lines[1].startswith("\x1b[31m")
    assert lines[2].startswith("\x1b[32m")


def test_a_change_of_no_line_says_so() -> None:
    console = quiet()
    draw_diff("diff --git a/a b/b\nrename from a\nrename to b\n", console)
    assert written(console) == "(no line changes)\n"


def test_a_line_cannot_steer_the_terminal_or_hide_its_order() -> None:
    console = quiet()
    draw_diff("@@ -0,0 +1 @@\n+safe\x1b[2K\r+evil\u202e;)(kcah\x9b1m\n", console)
    shown = written(console)
    assert "\x1b" not in shown
    assert "<1b>[2K<0d>+evil<202e>;)(kcah<9b>1m" in shown


@given(st.text())
def test_no_shown_text_holds_a_control_character(text: str) -> None:
    assert not any(sign != "\n" and (sign < " " or "\x7f" <= sign <= "\x9f") for sign in reveal_controls(text))


@pytest.mark.parametrize(
    ("diff", "shown"),
    [("-a\r\n+b\r\n c\r\n", "-a\n+b\n c\n"), ("-a\r\n+a\n", "-a<0d>\n+a\n")],
    ids=["all lines end alike", "the end of a line changes"],
)
def test_line_endings_are_shown_only_where_they_differ(diff: str, shown: str) -> None:
    console = quiet()
    draw_diff(f"@@ -1 +1 @@\n{diff}", console)
    assert written(console) == f"@@ -1 +1 @@\n{shown}"


@pytest.mark.parametrize(
    ("diff", "counted"),
    [
        (DIFF.format("a.py"), (1, 1)),
        ("", (0, 0)),
        ("diff --git a/a.sql b/a.sql\n--- a/a.sql\n+++ b/a.sql\n@@ -1 +1,2 @@\n--- old\n+++ new\n+more\n", (2, 1)),
    ],
)
def test_the_lines_of_the_header_do_not_count_and_lines_that_look_like_it_do(
    diff: str, counted: tuple[int, int]
) -> None:
    assert count_lines(diff) == counted


def test_an_edit_that_does_not_apply_says_why_and_which_lines_come_nearest() -> None:
    console = quiet()
    nearest = [NearestLine(number=12, text="    return total")]
    refused = RefusedEdit(
        number=2, path="a.py", reason="not_found", message="No such lines.", hint="Did you mean these?", nearest=nearest
    )
    draw_refusals([refused], console)
    assert "✗ 2. a.py does not apply: No such lines." in written(console)
    assert "Did you mean these?" in written(console)
    assert "12     return total" in written(console)


@pytest.fixture
def editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Sets an editor that runs a Python program on the file."""

    def use(program: str) -> None:
        path = tmp_path / "editor.py"
        path.write_text(f"import sys, pathlib\nfile = pathlib.Path(sys.argv[1])\n{program}\n")
        monkeypatch.delenv("VISUAL", raising=False)
        monkeypatch.setenv("EDITOR", f"'{sys.executable}' '{path}'")

    return use


@pytest.mark.parametrize("content", [b"", b"a\r\nb", b"\xef\xbb\xbfa\n", b"\xff\xfe\x00\x80", "é\n".encode("latin-1")])
def test_a_file_that_is_only_looked_at_keeps_every_byte(editor: Callable[[str], None], content: bytes) -> None:
    editor("file.read_bytes()")
    assert edit_content(content, "src/a.py") == content


def test_the_editor_saves_the_content_under_the_name_of_the_file(editor: Callable[[str], None]) -> None:
    editor("file.write_bytes(file.name.encode() + file.read_bytes())")
    assert edit_content(b"!", "src/a.py") == b"a.py!"


@pytest.mark.parametrize(
    ("program", "told"),
    [("sys.exit(3)", "ended with status 3, so nothing was changed"), ("file.unlink()", "cannot be read")],
)
def test_an_editor_that_fails_is_said(editor: Callable[[str], None], program: str, told: str) -> None:
    editor(program)
    with pytest.raises(Misuse, match=told):
        edit_content(b"a", "a.py")


def test_an_editor_that_does_not_exist_is_said_with_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VISUAL", "no-such-editor --wait")
    with pytest.raises(Misuse, match="no-such-editor cannot be started") as failed:
        edit_content(b"a", "a.py")
    assert "EDITOR" in failed.value.hint


def test_without_any_editor_it_is_said_how_to_name_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("VISUAL", "EDITOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Misuse, match="no editor"):
        edit_content(b"a", "a.py")
