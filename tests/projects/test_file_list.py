import os
from pathlib import Path

import pytest

from pincite.errors import Misuse, NotFound
from pincite.projects import file_list
from pincite.projects.file_list import list_files, may_read, read_project_file
from pincite.projects.project import Project
from tests.projects.conftest import write_project

FILES: dict[str, str | bytes] = {
    "main.py": "print('hello')\n",
    "docs/guide.md": "# Guide\n",
    ".github/workflows/test.yml": "on: push\n",
    ".gitignore": "*.log\nbuild/\n!keep.log\n/private.txt\n",
    "debug.log": "ignored\n",
    "keep.log": "kept\n",
    "build/out.js": "ignored\n",
    "private.txt": "ignored\n",
    "deep/private.txt": "not ignored\n",
    "deep/.pinciteignore": "notes/\n!debug.log\n",
    "deep/notes/a.txt": "ignored\n",
    "deep/debug.log": "kept by the rules of its own folder\n",
    ".env": "KEY=1\n",
    ".env.example": "KEY=\n",
    "server.pem": "key\n",
    "config/secrets.yaml": "password: x\n",
    "secrets.py": "import os\n",
    ".ssh/config": "Host x\n",
    "logo.png": b"\x89PNG",
    ".git/config": "[core]\n",
    "node_modules/left-pad/index.js": "ignored\n",
    "sub/__pycache__/main.pyc": b"\0",
}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return write_project(tmp_path / "project", FILES)


def list_paths(project: Project, *, ignored: bool = False) -> list[str]:
    return [file.path for file in list_files(project, ignored=ignored)]


def test_ignored_files_secrets_and_binaries_are_not_listed(project: Project) -> None:
    assert list_paths(project) == [
        ".env.example",
        ".github/workflows/test.yml",
        ".gitignore",
        "deep/.pinciteignore",
        "deep/debug.log",
        "deep/private.txt",
        "docs/guide.md",
        "keep.log",
        "main.py",
        "secrets.py",
    ]


def test_they_are_listed_on_request_but_git_and_installed_packages_never(project: Project) -> None:
    every = list_paths(project, ignored=True)
    assert set(FILES) - set(every) == {
        ".git/config",
        "node_modules/left-pad/index.js",
        "sub/__pycache__/main.pyc",
    }


def test_a_listed_file_has_its_size_and_its_time_of_change(project: Project) -> None:
    (known,) = [file for file in list_files(project) if file.path == "main.py"]
    seen = (project.root / "main.py").stat()
    assert (known.size, known.modified_ns) == (seen.st_size, seen.st_mtime_ns)


def test_every_listed_file_may_be_read_and_no_other_one_unless_the_user_names_it(project: Project) -> None:
    listed = set(list_paths(project))
    for path in FILES:
        if path == ".git/config":
            continue
        assert may_read(project, path, named=False) == (path in listed or path == "logo.png")
        assert may_read(project, path, named=True)


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        (".env", "secret_file"),
        ("./.ENV", "secret_file"),
        ("config\\secrets.yaml", "secret_file"),
        (".ssh/config", "secret_file"),
        ("debug.log", "ignored_file"),
        ("build/out.js", "ignored_file"),
        ("node_modules/left-pad/index.js", "ignored_file"),
    ],
)
def test_a_model_cannot_read_them_and_the_refusal_says_what_the_user_can_do(
    project: Project, path: str, reason: str
) -> None:
    with pytest.raises(Misuse, match="is not read") as caught:
        read_project_file(project, path)
    assert caught.value.reason == reason
    assert ("write @" if reason == "secret_file" else "name the file") in caught.value.hint


def test_a_file_that_the_user_names_is_read(project: Project) -> None:
    assert read_project_file(project, ".env", named=True).text == "KEY=1\n"
    assert read_project_file(project, "build/out.js", named=True).text == "ignored\n"


def test_a_link_to_a_secret_is_no_way_to_it(project: Project) -> None:
    (project.root / "notes.txt").symlink_to(".env")
    (project.root / "folder").symlink_to(".ssh")
    (project.root / "debug.log").unlink()
    (project.root / "debug.log").symlink_to(".env")  # it is ignored too
    for path in ("notes.txt", "folder/config", "debug.log"):
        assert not may_read(project, path, named=False)
        with pytest.raises(Misuse) as caught:
            read_project_file(project, path)
        assert caught.value.reason == "secret_file"
    assert "notes.txt" not in list_paths(project)


def test_binary_and_large_files_are_refused(project: Project) -> None:
    (project.root / "data.txt").write_bytes(b"a\0b" * 10)
    with pytest.raises(Misuse) as caught:
        read_project_file(project, "data.txt", named=True)
    assert caught.value.reason == "binary_file"
    with pytest.raises(Misuse, match="more than 5 bytes") as caught:
        read_project_file(project, "main.py", most_bytes=5)
    assert caught.value.reason == "large_file"
    assert read_project_file(project, "main.py", most_bytes=15).text == "print('hello')\n"


def test_a_missing_file_is_said(project: Project) -> None:
    with pytest.raises(NotFound, match=r"no file nowhere\.py"):
        read_project_file(project, "nowhere.py")


def test_special_files_links_and_names_that_no_path_may_have_are_left_out(tmp_path: Path) -> None:
    project = write_project(tmp_path / "project", {"a.txt": "a"})
    os.mkfifo(project.root / "pipe")
    (project.root / "link").symlink_to("a.txt")
    (project.root / "out").symlink_to("/etc")
    for name in (b"not-utf8-\xff.txt", b"line\nbreak", b"back\\slash", b"C:drive", b"..."):
        Path(os.fsdecode(os.path.join(os.fsencode(project.root), name))).touch()
    assert list_paths(project) == ["a.txt"]
    assert list_paths(project, ignored=True) == ["a.txt"]


def test_our_own_data_folder_is_no_part_of_a_project(tmp_path: Path) -> None:
    project = write_project(tmp_path / "project", {"a.txt": "a", "data/pincite.db": b"", "data/files/x.txt": "x"})
    assert list_paths(project, ignored=True) == ["a.txt"]


def test_a_folder_that_cannot_be_opened_costs_only_itself(
    project: Project, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    scan = os.scandir

    def refuse(folder: Path) -> object:
        if folder.name in closed:
            raise PermissionError(13, "Permission denied")
        return scan(folder)

    closed = {"deep"}
    monkeypatch.setattr(os, "scandir", refuse)
    assert "main.py" in list_paths(project)
    assert "deep is left out" in caplog.text
    closed = {"project"}
    with pytest.raises(Misuse, match="cannot be opened"):
        list_files(project)


def test_a_huge_folder_is_listed_up_to_a_limit(
    project: Project, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(file_list, "_MOST_FILES", 3)
    assert len(list_files(project)) == 3
    assert "Only the first 3 files" in caplog.text
