"""The diff of a change can be read, and applying it gives the change."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pincite.projects.change_plan import plan_reply
from pincite.projects.change_set import FileChange

LINES = st.lists(st.sampled_from(["a", "b", "c", "", "  d", "-- e", "++ f", "@@ g", "```", "\\ h", "é"]), max_size=9)
TEXTS = st.builds(lambda lines, end: "\n".join(lines) + end, LINES, st.sampled_from(["", "\n"]))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(TEXTS, TEXTS, st.booleans())
def test_the_diff_that_is_shown_can_be_applied(tmp_path: Path, before: str, after: str, is_fenced: bool) -> None:
    (tmp_path / "a.txt").write_bytes(before.encode())
    diff = FileChange("a.txt", before.encode(), after.encode()).diff()
    planned = plan_reply(tmp_path, f"````diff\n{diff}````\n" if is_fenced else diff)
    if planned.refusals:
        assert {refusal.reason for refusal in planned.refusals} <= {"several_places", "file_exists", "overlap"}
    else:
        assert [file.after for file in planned.files] == ([after.encode()] if after != before else [])


def test_new_deleted_and_renamed_files_are_told_as_git_does() -> None:
    assert FileChange("a", None, b"x\n").diff() == (
        "diff --git a/a b/a\nnew file mode 100644\n--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+x\n"
    )
    assert FileChange("a", b"x", None).diff() == (
        "diff --git a/a b/a\ndeleted file mode 100644\n--- a/a\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n"
        "\\ No newline at end of file\n"
    )
    assert FileChange("b", b"x\n", b"x\n", "a").diff() == "diff --git a/a b/b\nrename from a\nrename to b\n"


def test_the_action_of_a_change_is_told() -> None:
    changes = [
        FileChange("a", b"", b"x"),
        FileChange("a", None, b""),
        FileChange("a", b"", None),
        FileChange("b", b"", b"", "a"),
    ]
    assert [change.action for change in changes] == ["modify", "create", "delete", "rename"]
    assert FileChange("a", None, b"").before_sha256 == ""


def block(path: str, old: str, new: str) -> str:
    return f"{path}\n<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name in ("a.txt", "b.txt", "c.txt"):
        (tmp_path / name).write_text(f"{name[0]} one\n{name[0]} two\n")
    return tmp_path


@pytest.mark.parametrize("written", ["./a.txt", "a.txt", "/a.txt", "link.txt"])
def test_a_file_with_a_refused_block_is_not_selected(root: Path, written: str) -> None:
    (root / "link.txt").symlink_to("a.txt")
    reply = block("a.txt", "a one", "A") + block(written, "not there", "B") + block("c.txt", "c one", "C")
    selected = plan_reply(root, reply).select_files(["a.txt"])
    assert [(refusal.number, refusal.path) for refusal in selected.refusals] == [(2, "a.txt")]
    assert plan_reply(root, reply).select_files(["c.txt"]).refusals == ()


def test_an_unfinished_block_is_found_by_the_path_of_its_file(root: Path) -> None:
    reply = block("a.txt", "a one", "A") + "./a.txt\n<<<<<<< SEARCH\na two\n"
    assert [refusal.path for refusal in plan_reply(root, reply).select_files(["a.txt"]).refusals] == ["a.txt"]


def test_a_refused_block_without_a_path_refuses_every_selection(root: Path) -> None:
    reply = "Some words.\n\n<<<<<<< SEARCH\na two\n=======\nx\n>>>>>>> REPLACE\n\n" + block("a.txt", "a one", "A")
    assert [refusal.reason for refusal in plan_reply(root, reply).select_files(["a.txt"]).refusals] == ["no_path"]


@pytest.mark.parametrize(
    "reply",
    [
        "DELETE b.txt\nRENAME a.txt -> b.txt\n",
        "RENAME a.txt -> t.txt\nRENAME b.txt -> a.txt\nRENAME t.txt -> b.txt\n",
        "RENAME a.txt -> b/a.txt\n\n" + block("./a.txt", "", "new").replace("\n\n=", "\n="),
    ],
)
def test_files_that_a_rename_ties_are_selected_together(root: Path, reply: str) -> None:
    planned = plan_reply(root, reply + block("c.txt", "c one", "C"))
    assert not planned.refusals
    first, second = (file.path for file in planned.files if file.path != "c.txt")
    for paths in ([first], [second], [second, "c.txt"]):
        assert [refusal.reason for refusal in planned.select_files(paths).refusals] == ["tied_files"]
    for paths in ([first, second], ["c.txt"], [first, second, "c.txt"]):
        assert planned.select_files(paths).refusals == ()


def test_a_block_that_is_refused_at_the_old_path_concerns_the_renamed_file(root: Path) -> None:
    planned = plan_reply(root, "RENAME a.txt -> d.txt\n\n" + block("a.txt", "a one", "A"))
    assert [refusal.reason for refusal in planned.select_files(["d.txt"]).refusals] == ["file_missing"]


def test_a_refused_rename_concerns_both_paths(root: Path) -> None:
    planned = plan_reply(root, "RENAME a.txt -> ./b.txt\n\n" + block("b.txt", "b one", "B"))
    assert [refusal.reason for refusal in planned.select_files(["b.txt"]).refusals] == ["file_exists"]
