"""Changes are made whole or not at all, and undoing them restores every byte."""

import stat
import threading
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pincite.errors import Misuse, StorageError
from pincite.projects.change_set import EditRefused
from pincite.projects.changes import ChangeSet, FileChange, apply_changes, list_changes, plan_reply, undo_changes
from pincite.projects.project import Project
from tests.projects.shop import REPLY, apply_reply, create_files, snapshot
from tests.thorough import scale_examples

KINDS = ("new", "old")


def test_all_edits_of_a_reply_are_made(project: Project, journal: Path) -> None:
    apply_reply(project, journal)
    root = project.root
    assert (root / "src/a.py").read_bytes() == b"zero\r\nuno\r\ntwo"
    assert stat.S_IMODE((root / "src/a.py").stat().st_mode) == 0o750
    assert (root / "docs/new/b.md").read_bytes() == b"# B\n"
    assert (root / "lib/c.py").read_bytes() == b"\xef\xbb\xbfc = 1\n"
    assert sorted(snapshot(root)) == ["docs", "docs/new", "docs/new/b.md", "lib", "lib/c.py", "src", "src/a.py"]


def test_undo_restores_every_byte_mode_and_folder(project: Project, journal: Path) -> None:
    before = snapshot(project.root)
    apply_reply(project, journal)
    after = snapshot(project.root)
    undone = undo_changes(project, journal)
    assert snapshot(project.root) == before
    undo_changes(project, journal, undone.id)
    assert snapshot(project.root) == after


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=scale_examples(30))
@given(st.binary(max_size=200), st.binary(max_size=200))
def test_undo_restores_any_bytes(project: Project, journal: Path, before: bytes, after: bytes) -> None:
    path = project.root / "data.bin"
    path.write_bytes(before)
    apply_changes(project, ChangeSet((FileChange("data.bin", before, after),)), journal)
    assert path.read_bytes() == after
    undo_changes(project, journal)
    assert path.read_bytes() == before


def test_undo_goes_back_change_by_change(project: Project, journal: Path) -> None:
    states = [snapshot(project.root)]
    for word in ("uno", "eins", "ichi"):
        now = (project.root / "src/a.py").read_text().split("\n")[1].strip()
        apply_reply(project, journal, f"src/a.py\n<<<<<<< SEARCH\n{now}\n=======\n{word}\n>>>>>>> REPLACE\n")
        states.append(snapshot(project.root))
    for state in reversed(states[:-1]):
        undo_changes(project, journal)
        assert snapshot(project.root) == state
    with pytest.raises(Misuse, match="no change to undo"):
        undo_changes(project, journal)
    assert [change.is_undone for change in list_changes(project, journal)] == [False] * 3 + [True] * 3


def test_undo_refuses_a_file_that_was_changed_since_and_names_it(project: Project, journal: Path) -> None:
    apply_reply(project, journal)
    (project.root / "src/a.py").write_text("mine")
    now = snapshot(project.root)
    with pytest.raises(EditRefused) as caught:
        undo_changes(project, journal)
    assert [(refusal.path, refusal.reason) for refusal in caught.value.refusals] == [("src/a.py", "file_changed")]
    assert snapshot(project.root) == now


@pytest.mark.parametrize("path", ["src/a.py", "src/old.py", "src/c.py", "docs/new/b.md", "lib/c.py"])
def test_a_file_that_another_program_changed_since_the_plan_is_told(project: Project, journal: Path, path: str) -> None:
    planned = plan_reply(project.root, REPLY)
    (project.root / path).parent.mkdir(parents=True, exist_ok=True)
    (project.root / path).write_text("changed by someone else")
    now = snapshot(project.root)
    with pytest.raises(EditRefused) as caught:
        apply_changes(project, planned, journal)
    assert [(refusal.path, refusal.reason) for refusal in caught.value.refusals] == [(path, "file_changed")]
    assert snapshot(project.root) == now


def test_one_refused_block_keeps_all_others_from_being_made(project: Project, journal: Path) -> None:
    before = snapshot(project.root)
    reply = REPLY + "\nsrc/a.py\n<<<<<<< SEARCH\nnot there\n=======\nx\n>>>>>>> REPLACE\n"
    with pytest.raises(EditRefused) as caught:
        apply_reply(project, journal, reply)
    assert [refusal.number for refusal in caught.value.refusals] == [5]
    assert caught.value.applicable == (1, 2, 3, 4)
    assert snapshot(project.root) == before


def test_a_link_in_the_project_is_written_through(project: Project, journal: Path) -> None:
    (project.root / "link.py").symlink_to("src/a.py")
    apply_reply(project, journal, "link.py\n<<<<<<< SEARCH\none\n=======\nuno\n>>>>>>> REPLACE\n")
    assert (project.root / "link.py").is_symlink()
    assert (project.root / "src/a.py").read_bytes() == b"zero\r\nuno\r\ntwo"


def test_a_link_out_of_the_project_is_not_written(project: Project, journal: Path, tmp_path: Path) -> None:
    (tmp_path / "outside.py").write_text("one\n")
    (project.root / "link.py").symlink_to(tmp_path / "outside.py")
    (project.root / "folder").symlink_to(tmp_path)
    for path in ("link.py", "folder/outside.py", "folder/new.py", "../outside.py"):
        with pytest.raises(EditRefused) as caught:
            apply_reply(project, journal, f"{path}\n<<<<<<< SEARCH\n=======\nuno\n>>>>>>> REPLACE\n")
        assert caught.value.refusals[0].reason in ("path_link", "path_outside")
    assert (tmp_path / "outside.py").read_text() == "one\n"
    assert not (tmp_path / "new.py").exists()


def test_a_link_is_neither_deleted_nor_renamed(project: Project, journal: Path) -> None:
    (project.root / "link.py").symlink_to("src/a.py")
    before = snapshot(project.root)
    for reply in ("DELETE link.py\n", "RENAME link.py -> other.py\n"):
        with pytest.raises(EditRefused) as caught:
            apply_reply(project, journal, reply)
        assert caught.value.refusals[0].reason == "path_link"
    assert snapshot(project.root) == before


@pytest.mark.parametrize("path", ["src/a.py", "src/old.py", "src", ""])
def test_a_read_only_file_is_not_changed(project: Project, journal: Path, path: str) -> None:
    place = project.root / path
    place.chmod(0o444 if place.is_file() else 0o555)
    before = snapshot(project.root)
    with pytest.raises(StorageError) as caught:
        apply_reply(project, journal)
    assert caught.value.reason == "read_only"
    assert "read-only" in caught.value.message
    assert snapshot(project.root) == before
    assert list_changes(project, journal) == []


def test_two_writers_take_turns(project: Project, journal: Path) -> None:
    """Each of many threads adds a line; the planned file may have changed, then it plans again."""
    (project.root / "list.txt").write_text("end\n")

    reasons: set[str] = set()

    def add_line(number: int) -> None:
        block = f"list.txt\n<<<<<<< SEARCH\nend\n=======\n{number}\nend\n>>>>>>> REPLACE\n"
        while True:
            try:
                apply_reply(project, journal, block)
            except EditRefused as refused:
                reasons.update(refusal.reason for refusal in refused.refusals)
            else:
                return

    threads = [threading.Thread(target=add_line, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert reasons <= {"file_changed"}
    assert sorted((project.root / "list.txt").read_text().split()) == ["0", "1", "2", "3", "4", "5", "end"]


def test_a_reply_that_changes_nothing_leaves_no_change_behind(project: Project, journal: Path) -> None:
    assert apply_reply(project, journal, "src/a.py\n<<<<<<< SEARCH\none\n=======\none\n>>>>>>> REPLACE\n") == ""
    assert list_changes(project, journal) == []


def test_only_accepted_files_are_written(project: Project, journal: Path) -> None:
    planned = plan_reply(project.root, REPLY).select_files(["docs/new/b.md"])
    apply_changes(project, planned, journal)
    assert (project.root / "docs/new/b.md").exists()
    assert (project.root / "src/a.py").read_bytes() == b"zero\r\none\r\ntwo"


def test_the_changes_are_listed_with_their_files(project: Project, journal: Path) -> None:
    apply_reply(project, journal)
    undo_changes(project, journal)
    listed = [(change.id, change.undoes, change.is_undone, change.files) for change in list_changes(project, journal)]
    made = (("modify", "src/a.py"), ("create", "docs/new/b.md"), ("delete", "src/old.py"), ("rename", "lib/c.py"))
    back = (("modify", "src/a.py"), ("delete", "docs/new/b.md"), ("create", "src/old.py"), ("rename", "src/c.py"))
    assert listed == [("2", "1", False, back), ("1", "", True, made)]


@pytest.mark.parametrize("paths", [("pkg/mod", "./pkg"), ("./pkg", "pkg/mod"), ("a/b/c/d.py", "a/b")])
def test_a_path_cannot_be_a_file_and_a_folder(project: Project, journal: Path, paths: tuple[str, str]) -> None:
    before = snapshot(project.root)
    with pytest.raises(EditRefused, match="both a file and the folder"):
        apply_reply(project, journal, create_files(*paths))
    with pytest.raises(EditRefused, match="both a file and the folder"):
        apply_reply(project, journal, f"{create_files(paths[0])}\nRENAME src/a.py -> {paths[1]}\n")
    assert snapshot(project.root) == before


def test_a_file_in_the_place_of_a_folder_leaves_nothing_half_written(project: Project, journal: Path) -> None:
    before = snapshot(project.root)
    changes = ChangeSet((FileChange("pkg/mod.py", None, b"x"), FileChange("pkg", None, b"y")))
    with pytest.raises(EditRefused, match="pkg was changed"):
        apply_changes(project, changes, journal)
    assert snapshot(project.root) == before
    apply_reply(project, journal)


def test_files_with_names_like_our_hidden_ones_are_left_alone(project: Project, journal: Path) -> None:
    names = [f"src/.pincite-{change}-{number}.{kind}" for change in (1, 2) for number in range(5) for kind in KINDS]
    for name in names:
        (project.root / name).write_text("mine")
    apply_reply(project, journal)
    undo_changes(project, journal)
    assert [(project.root / name).read_text() for name in names] == ["mine"] * len(names)


def test_a_hidden_name_that_is_taken_is_not_used(
    project: Project, journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tokens = iter(["a", "b", "c", "d", "e", "f"])
    monkeypatch.setattr("secrets.token_hex", lambda _: next(tokens))
    taken = project.root / "src/.pincite-a-0.old"
    taken.write_text("mine")
    apply_reply(project, journal)
    assert taken.read_text() == "mine"


def test_the_journal_is_for_its_owner_alone(project: Project, tmp_path: Path) -> None:
    apply_reply(project, tmp_path / "data/projects/id")
    places = [tmp_path / "data", *(tmp_path / "data").rglob("*")]
    assert len(places) > 5
    assert {stat.S_IMODE(place.stat().st_mode) & 0o077 for place in places} == {0}
