from pathlib import Path

import pytest

from pincite.errors import Misuse, NotFound
from pincite.projects.project import Projects, get_data_folder, open_project
from pincite.settings import load_settings


def test_a_project_has_the_name_of_its_folder_and_an_id_that_follows_from_its_place(tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "shop")
    project = open_project(tmp_path / "shop")
    assert project.name == "shop"
    assert len(project.id) == 12
    assert project == open_project(tmp_path / "link") == open_project(tmp_path / "shop" / ".." / "shop")


@pytest.mark.parametrize("folder", ["missing", "file.txt", "/", "~", "loop"])
def test_a_folder_that_cannot_be_a_project_is_refused(
    tmp_path: Path, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("file.txt").touch()
    Path("loop").symlink_to("loop")
    with pytest.raises(Misuse) as caught:
        open_project(Path(folder))
    assert caught.value.reason in ("no_folder", "folder_too_wide")
    assert caught.value.hint


def test_the_projects_of_the_settings_are_found_by_id_and_by_name(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("shop", "api", "a/lib", "b/lib")]
    for folder in folders:
        folder.mkdir(parents=True)
    settings = load_settings(data=tmp_path / "data", projects={"folders": [*folders, folders[0]]})
    projects = Projects(settings)
    assert [project.name for project in projects.list()] == ["shop", "api", "lib", "lib"]
    shop = projects.find("shop")
    assert projects.find(shop.id) == shop
    assert get_data_folder(settings, shop) == tmp_path / "data" / "projects" / shop.id
    with pytest.raises(Misuse, match="2 projects are called lib"):
        projects.find("lib")
    with pytest.raises(NotFound, match="no project blog") as caught:
        projects.find("blog")
    assert caught.value.reason == "project"
    assert "shop, api" in caught.value.hint


def test_a_folder_of_the_settings_that_is_missing_costs_only_itself(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "here").mkdir()
    settings = load_settings(data=tmp_path / "data", projects={"folders": [tmp_path / "gone", tmp_path / "here"]})
    assert [project.name for project in Projects(settings).list()] == ["here"]
    assert "gone" in caplog.text


def test_folders_may_be_given_in_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINCITE_PROJECTS__FOLDERS", f"{tmp_path}, ~/code")
    assert load_settings().projects.folders == (tmp_path, Path("~/code"))
