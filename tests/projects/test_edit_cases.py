"""Replies as models write them, with the exact files they lead to or the reasons for refusing them.

Each case of `edit_cases` starts from the files of its own file. `becomes` replaces text that is in a file once,
`creates` gives whole files; `deletes` and `renames` name files. All other files stay as they are. `refused` lists the
reasons of the refusals, and then nothing changes.
"""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from pincite.projects.change_set import EditRefused
from pincite.projects.changes import apply_changes, plan_reply, undo_changes
from pincite.projects.project import open_project

FOLDER = Path(__file__).with_name("edit_cases")


def load_cases() -> list[Any]:
    cases = []
    for path in sorted(FOLDER.glob("*.toml")):
        loaded = tomllib.loads(path.read_text())
        for case in loaded["case"]:
            files = loaded["files"] | case.get("files", {})
            cases.append(pytest.param(files, case, id=f"{path.stem}: {case['name']}"))
    return cases


def expect_files(files: dict[str, str], case: dict[str, Any]) -> dict[str, str]:
    """The files after the case, by plain replacement of text."""
    expected = dict(files)
    for old, new in case.get("renames", []):
        expected[new] = expected.pop(old)
    for path, old, new in case.get("becomes", []):
        assert expected[path].count(old) == 1, f"the case is wrong: {old!r} is not in {path} once"
        expected[path] = expected[path].replace(old, new)
    for path in case.get("deletes", []):
        del expected[path]
    expected.update(case.get("creates", {}))
    return expected


def read_files(root: Path) -> dict[str, str]:
    return {path.relative_to(root).as_posix(): path.read_bytes().decode() for path in root.rglob("*") if path.is_file()}


@pytest.mark.parametrize(("files", "case"), load_cases())
def test_a_reply_gives_exactly_these_files_or_is_refused(
    tmp_path: Path, files: dict[str, str], case: dict[str, Any]
) -> None:
    files = {path: text.replace("\n", case.get("newline", "\n")) for path, text in files.items()}
    root = tmp_path / "root"
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(text.encode())
    project = open_project(root)
    planned = plan_reply(root, case["reply"].replace("\n", case.get("reply_newline", "\n")))
    reasons = [refusal.reason for refusal in planned.refusals]
    if case.get("at_least"):
        assert set(case["refused"]) <= set(reasons)
    else:
        assert reasons == case.get("refused", [])
    if reasons:
        with pytest.raises(EditRefused):
            apply_changes(project, planned, tmp_path / "journal")
        assert read_files(root) == files
        assert planned.applicable == tuple(case.get("applicable", planned.applicable))
        assert planned.refusals[0].is_there_already == case.get("is_there_already", False)
        assert all(refusal.message and refusal.hint for refusal in planned.refusals)
    else:
        applied = apply_changes(project, planned, tmp_path / "journal")
        assert read_files(root) == expect_files(files, case)
        if applied.id:
            undo_changes(project, tmp_path / "journal")
        assert read_files(root) == files


def test_there_are_more_than_a_hundred_cases() -> None:
    assert len(load_cases()) > 100
