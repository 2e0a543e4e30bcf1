from collections.abc import Callable
from pathlib import Path

import pytest

from pincite.cli.move_command import _choose_connections
from pincite.settings import load_settings
from pincite.store.database import Database
from tests.cli.conftest import Ran


@pytest.fixture
def note(pincite: Callable[..., Ran], tmp_path: Path) -> Path:
    path = tmp_path / "a.txt"
    path.write_text("Ships are built of wood.", encoding="utf-8")
    assert pincite("add", path).status == 0
    return path


def test_a_store_is_moved_compared_used_there_and_taken_back(
    pincite: Callable[..., Ran], note: Path, tmp_path: Path
) -> None:
    there = f"sqlite:///{tmp_path / 'there.db'}"
    nothing = pincite("move", "--to", there, "--check")
    assert nothing.status == 2
    assert not (tmp_path / "there.db").exists()

    moved = pincite("move", "--to", there, "--json")
    assert moved.status == 0, moved.said
    assert (moved.json["to"], moved.json["rows"]["documents"], moved.json["resumed"]) == (there, 1, False)
    assert "stay where they are" in moved.said
    assert f"set `database` to {there}" in moved.said

    refused = pincite("add", note)
    assert refused.status == 1
    assert f"This store was moved to {there}." in refused.said
    assert len(pincite("documents", "--json", "--database", there).json) == 1
    compared = pincite("move", "--to", there, "--check")
    assert compared.status == 0
    assert "are equal" in compared.said

    undone = pincite("move", "--undo")
    assert undone.status == 0
    assert f"written to {there} since the move is not in it" in undone.said
    assert pincite("add", note).status == 0
    assert pincite("move", "--undo").status == 2
    (tmp_path / "b.txt").write_text("Ships are built of steel.", encoding="utf-8")
    assert pincite("add", tmp_path / "b.txt").status == 0
    differs = pincite("move", "--to", there, "--check", "--json")
    assert (differs.status, differs.json["equal"]) == (1, False)
    assert differs.json["rows"]["documents"] == [2, 1]


def test_an_impossible_move_is_refused(pincite: Callable[..., Ran], tmp_path: Path) -> None:
    assert pincite("move").status == 2
    assert pincite("move", "--to", "sqlite:///a.db", "--undo").status == 2
    missing = pincite("move", "--to", f"sqlite:///{tmp_path / 'there.db'}")
    assert missing.status == 2
    assert "There is no store" in missing.said
    assert not (tmp_path / "there.db").exists()


def test_the_new_database_does_not_get_the_other_addresses_of_the_old_one(
    postgres: Database, database: Database, tmp_path: Path
) -> None:
    direct = "postgresql://pincite@old.example.org/pincite"
    settings = load_settings(data=tmp_path, postgres={"direct": direct, "replica": direct, "connections": 3})
    chosen = _choose_connections(settings, postgres)
    assert (chosen.direct.get_secret_value(), chosen.replica.get_secret_value(), chosen.connections) == ("", "", 3)
    # A store in a file has no other address: these are of the database to which it is moved.
    assert _choose_connections(settings, database) == settings.postgres
