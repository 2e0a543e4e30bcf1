"""Workspaces in the terminal: made, listed, changed, asked in and removed."""

from collections.abc import Callable
from pathlib import Path

from tests.cli.conftest import Ran


def test_a_workspace_is_made_listed_changed_and_removed(pincite: Callable[..., Ran], tmp_path: Path) -> None:
    assert "no workspaces" in pincite("workspaces").out
    (tmp_path / "dam.md").write_text("# The dam\n\nThe dam is 33 m high.", encoding="utf-8")
    pincite("add", tmp_path / "dam.md", "--library", "dams")
    made = pincite("workspaces", "create", "Report", "--library", "dams", "--instructions", "Be brief.")
    assert made.status == 0, made.said
    (listed,) = pincite("workspaces", "--json").json
    assert (listed["name"], listed["libraries"], listed["conversations"]) == ("Report", ["dams"], 0)
    assert pincite("ask", "How high is the dam?", "--workspace", "Report", "--conversation", "new").status == 0
    pincite("workspaces", "change", "Report", "--name", "Paper")
    (listed,) = pincite("workspaces", "--json").json
    assert (listed["name"], listed["instructions"], listed["conversations"]) == ("Paper", "Be brief.", 1)
    assert "stay" in pincite("workspaces", "remove", "Paper").out
    assert pincite("workspaces", "--json").json == []
    assert len(pincite("conversations", "--json").json) == 1
    refused = pincite("ask", "How high?", "--workspace", "Paper")
    assert refused.status == 2
    assert "no such workspace" in refused.said
