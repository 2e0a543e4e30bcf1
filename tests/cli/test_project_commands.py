from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Ran


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "shop"
    (root / "src").mkdir(parents=True)
    (root / "src" / "cart.py").write_text("def compute_total(items):\n    return sum(items)\n")
    (root / "README.md").write_text("# Shop\n")
    (root / ".env").write_text("KEY=1\n")
    return root


def test_the_files_of_a_project_are_listed(pincite: Callable[..., Ran], root: Path) -> None:
    assert [line.split()[-1] for line in pincite("project", "files", "--root", root).out.splitlines()] == [
        "README.md",
        "src/cart.py",
    ]
    every = pincite("project", "files", "--root", root, "--ignored", "--json").json
    assert [file["path"] for file in every] == [".env", "README.md", "src/cart.py"]


def test_the_folder_of_the_command_is_the_project_unless_another_is_named(
    pincite: Callable[..., Ran], root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(root / "src")
    assert "cart.py" in pincite("project", "files").out


def test_the_tree_is_printed_with_its_level(pincite: Callable[..., Ran], root: Path) -> None:
    assert pincite("project", "tree", "--root", root).out == (
        "All 2 files, each with its number of tokens.\nsrc/\n cart.py 14\nREADME.md 2\n"
    )
    assert pincite("project", "tree", "--root", root, "--json").json["level"] == "full"


def test_a_search_prints_the_lines_of_functions(pincite: Callable[..., Ran], root: Path) -> None:
    ran = pincite("project", "search", "computeTotal", "--root", root)
    assert ran.out == "src/cart.py:1-2  compute_total\n"
    assert ran.status == 0
    assert pincite("project", "search", "computeTotal", "--root", root, "--json").json[0]["first_line"] == 1


def test_a_search_without_a_result_says_so_and_exits_with_1(pincite: Callable[..., Ran], root: Path) -> None:
    ran = pincite("project", "search", "zeppelin", "--root", root)
    assert (ran.status, ran.out) == (1, "")
    assert "No file of the project" in ran.said


@pytest.mark.parametrize("command", [("files",), ("tree",), ("search", "x")])
def test_a_folder_that_is_not_there_is_said(
    pincite: Callable[..., Ran], command: tuple[str, ...], tmp_path: Path
) -> None:
    ran = pincite("project", *command, "--root", tmp_path / "nowhere")
    assert ran.status == 2
    assert "There is no folder" in ran.said


def test_a_server_is_not_started_on_a_folder_that_is_not_there(pincite: Callable[..., Ran], tmp_path: Path) -> None:
    ran = pincite("serve", "--port", 0, "--project", tmp_path / "nowhere")
    assert ran.status == 2
    assert "There is no folder" in ran.said
