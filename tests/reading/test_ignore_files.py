from pathlib import Path

import pytest

from pincite.reading.ignore_files import IgnoreRules


def test_the_rules_of_a_deeper_folder_decide_first(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / ".gitignore").write_text("*.log\n/only-here.txt\n")
    (tmp_path / "sub" / ".gitignore").write_text("!keep.log\n")
    (tmp_path / "sub" / ".pinciteignore").write_text("*.tmp\n")
    above = IgnoreRules().enter_folder(tmp_path, "")
    rules = above.enter_folder(tmp_path / "sub", "sub")
    assert above.is_ignored("a.log", is_folder=False)
    assert above.is_ignored("only-here.txt", is_folder=False)
    assert rules.is_ignored("sub/a.log", is_folder=False)
    assert not rules.is_ignored("sub/keep.log", is_folder=False)
    assert rules.is_ignored("sub/a.tmp", is_folder=False)
    assert not rules.is_ignored("sub/only-here.txt", is_folder=False)


@pytest.mark.parametrize(
    ("pattern", "is_folder", "ignored"), [("a/", True, True), ("a/", False, False), ("a", False, True)]
)
def test_a_pattern_with_a_slash_behind_it_is_for_folders(
    tmp_path: Path, pattern: str, is_folder: bool, ignored: bool
) -> None:
    (tmp_path / ".gitignore").write_text(pattern)
    assert IgnoreRules().enter_folder(tmp_path, "").is_ignored("a", is_folder=is_folder) == ignored


def test_a_folder_without_ignore_files_has_the_rules_above_it(tmp_path: Path) -> None:
    rules = IgnoreRules()
    assert rules.enter_folder(tmp_path, "") is rules
    assert not rules.is_ignored("a", is_folder=False)
