from pathlib import Path

import pytest
from starlette.testclient import TestClient

from pincite.server import create_app
from pincite.settings import Settings
from tests.server.uploads import refusal


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "harbour"
    (root / "src").mkdir(parents=True)
    for name in ("README.md", "src/crane.py", "src/quay.py", "notes.tmp", ".env"):
        (root / name).write_text("words\n")
    (root / ".gitignore").write_text("*.tmp\n")
    return root


@pytest.fixture
def client(folder: Path, tmp_path: Path) -> TestClient:
    given = {"data": tmp_path / "data", "embedding": {"provider": "none"}, "projects": {"folders": [folder]}}
    return TestClient(create_app(Settings.model_validate(given)), base_url="http://127.0.0.1")


def test_the_paths_of_a_project_are_told_without_ignored_files_and_secrets(client: TestClient) -> None:
    with client:
        told = client.get("/api/projects/harbour/paths").json()
    assert told["paths"] == [".gitignore", "README.md", "src/crane.py", "src/quay.py"]
    assert told["total"] == 4
    assert len(told["project"]) == 12


def test_a_folder_that_the_server_was_not_started_on_has_no_paths(client: TestClient) -> None:
    with client:
        assert refusal(client, "/api/projects/elsewhere/paths") == (404, "not_found")
