"""Files that a user accepts are written whole, or not at all."""

from pathlib import Path

import pytest

from pincite.answer.proposed_changes import describe_changes
from pincite.cli.change_review import Review
from pincite.cli.local_changes import LocalChanges
from pincite.projects.change_plan import plan_reply
from pincite.projects.change_set import EditRefused
from pincite.projects.project import open_project

HALF = (
    "a.txt\n<<<<<<< SEARCH\none\n=======\nuno\n>>>>>>> REPLACE\n\n"
    "./a.txt\n<<<<<<< SEARCH\nnot there\n=======\nx\n>>>>>>> REPLACE\n"
)


def propose(tmp_path: Path, reply: str) -> tuple[Path, LocalChanges]:
    root = tmp_path / "shop"
    root.mkdir()
    (root / "a.txt").write_text("one\n")
    (root / "b.txt").write_text("two\n")
    changes = describe_changes(plan_reply(root, reply), reply=reply)
    return root, LocalChanges(open_project(root), tmp_path / "journal", changes)


def test_half_of_the_blocks_of_a_file_is_not_written(tmp_path: Path) -> None:
    root, local = propose(tmp_path, HALF)
    with pytest.raises(EditRefused):
        local.apply(Review(accepted=("a.txt",)))
    assert (root / "a.txt").read_text() == "one\n"


def test_a_file_that_the_user_edited_is_written_as_the_user_left_it(tmp_path: Path) -> None:
    root, local = propose(tmp_path, HALF)
    local.apply(Review(accepted=("a.txt",), edited={"a.txt": b"mine\n"}))
    assert (root / "a.txt").read_text() == "mine\n"


def test_a_rename_over_another_file_is_accepted_whole(tmp_path: Path) -> None:
    root, local = propose(tmp_path, "DELETE b.txt\nRENAME a.txt -> b.txt\n")
    with pytest.raises(EditRefused) as caught:
        local.apply(Review(accepted=("a.txt",)))
    assert caught.value.reason == "tied_files"
    local.apply(Review(accepted=("a.txt", "b.txt")))
    assert (root / "b.txt").read_text() == "one\n"
    assert not (root / "a.txt").exists()
