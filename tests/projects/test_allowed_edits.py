"""Changes that were proposed are applied without the edits that were refused then."""

from pathlib import Path

from pincite.projects.allowed_edits import plan_allowed
from pincite.projects.change_set import Refusal

REPLY = "DELETE notes.txt\n\nRENAME .env -> notes.txt\n\nDELETE nowhere.txt\n\n<<<<<<< SEARCH\nx\n"
SECRET = Refusal(2, ".env", "secret_file", "It may hold secrets.")


def test_an_edit_that_was_refused_reaches_no_file_by_another_one(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("KEY=topsecret\n")
    (tmp_path / "notes.txt").write_text("notes\n")
    planned = plan_allowed(tmp_path, REPLY, {2: SECRET})
    assert [(each.path, each.action) for each in planned.files] == [("notes.txt", "delete")]
    assert [each.number for each in planned.refusals] == [2, 3, 4]
    assert planned.refusals[0] == SECRET
    assert planned.applicable == (1,)
    assert [each.path for each in plan_allowed(tmp_path, REPLY, {}).files] == ["notes.txt", ".env"]
