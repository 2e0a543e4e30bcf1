import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Ran


@pytest.fixture
def note(pincite: Callable[..., Ran], tmp_path: Path) -> Path:
    path = tmp_path / "a.txt"
    path.write_text("Ships are built of wood.", encoding="utf-8")
    assert pincite("add", path).status == 0
    return path


def test_a_server_is_backed_up_checked_and_restored(pincite: Callable[..., Ran], note: Path, tmp_path: Path) -> None:
    file = tmp_path / "monday.zip"
    made = pincite("backup", file, "--json")
    assert (made.status, made.json["engine"], made.json["files"]) == (0, "sqlite", 1)
    assert "password hashes" in made.said
    checked = pincite("backup", "--check", file)
    assert checked.status == 0
    assert "is complete" in checked.said
    assert "1 documents" in checked.said
    again = pincite("backup", file)
    assert again.status == 2
    assert "exists already" in again.said
    (document,) = pincite("documents", "--json").json
    assert pincite("remove", document["document"]).status == 0
    refused = pincite("restore", file)
    assert refused.status == 2
    assert "--replace" in refused.said
    restored = pincite("restore", file, "--replace")
    assert restored.status == 0, restored.said
    assert "delete them again" in restored.said
    assert [each["document"] for each in pincite("documents", "--json").json] == [document["document"]]


def test_a_damaged_backup_is_refused(pincite: Callable[..., Ran], note: Path, tmp_path: Path) -> None:
    file = tmp_path / "monday.zip"
    assert pincite("backup", file).status == 0
    raw = bytearray(file.read_bytes())
    raw[raw.index(b"Ships are built")] ^= 1
    file.write_bytes(raw)
    for command in (("backup", "--check", file), ("restore", file, "--replace")):
        ran = pincite(*command)
        assert ran.status == 1
        assert "not as it was written" in ran.said or "cannot be read" in ran.said
    assert len(pincite("documents", "--json").json) == 1


def test_a_person_is_exported_and_a_removal_names_the_backups(
    pincite: Callable[..., Ran], note: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import io

    monkeypatch.setattr("sys.stdin", io.StringIO("correct horse battery\n"))
    assert pincite("accounts", "init", "--name", "Ada", "--password-stdin").status == 0
    ran = pincite("accounts", "export", "Ada", tmp_path / "ada.zip")
    assert ran.status == 0, ran.said
    with zipfile.ZipFile(tmp_path / "ada.zip") as archive:
        assert archive.read("documents/default/a.txt") == b"Ships are built of wood."
    assert pincite("accounts", "export", "Ada", tmp_path / "ada.zip").status == 2
    assert pincite("accounts", "export", "Bob", tmp_path / "bob.zip").status == 2
    assert pincite("accounts", "export", "Ada", tmp_path / "nowhere" / "ada.zip").status == 1
    assert pincite("backup", tmp_path / "monday.zip").status == 0
    refused = pincite("accounts", "remove", "Ada", "--yes")
    assert refused.status == 2
    assert "only owner" in refused.said
