from collections.abc import Callable
from pathlib import Path

import pytest

from pincite.projects.project import Project, open_project
from tests.projects.shop import open_shop

Write = Callable[..., Project]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes files into the folder of a project, and opens the project."""

    def write_files(**files: str | bytes) -> Project:
        return write_project(tmp_path / "project", files)

    return write_files


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return open_shop(tmp_path / "shop")


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    return tmp_path / "journal"


def write_project(root: Path, files: dict[str, str | bytes]) -> Project:
    root.mkdir(exist_ok=True)
    for path, content in files.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content.encode() if isinstance(content, str) else content)
    return open_project(root)
