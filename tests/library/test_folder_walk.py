import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.errors import Misuse
from pincite.library.folder_walk import is_document, walk_files


def write(root: Path, *names: str) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("Text.")


def names(root: Path, **given: Path) -> list[str]:
    return [path.relative_to(root).as_posix() for path in walk_files(root, **given)]


def test_all_levels_are_found_in_order_whatever_the_names(tmp_path: Path) -> None:
    wanted = ["a b.txt", "one/two/three/déjà vu.md", "one/two/three/🦙.txt", "z.pdf"]
    write(tmp_path, *wanted)
    assert names(tmp_path) == wanted


def test_hidden_unfinished_and_machine_made_files_are_left_out(tmp_path: Path) -> None:
    write(tmp_path, "a.txt", ".hidden", ".git/config", "~$a.docx", "a.pdf.part", "b.tmp", "c.txt~", "node_modules/x.md")
    assert names(tmp_path) == ["a.txt"]


def test_ignore_files_count_at_every_level(tmp_path: Path) -> None:
    write(tmp_path, "a.txt", "build/b.txt", "sub/c.log", "sub/d.txt", "sub/keep.log", "deep/x/secret.txt", "e.log")
    (tmp_path / ".gitignore").write_text("build/\n*.log\n!keep.log\n# a comment\n\n")
    (tmp_path / "deep" / ".pinciteignore").write_text("secret.txt\n")
    assert names(tmp_path) == ["a.txt", "sub/d.txt", "sub/keep.log"]


def test_links_that_go_round_in_circles_are_not_followed(tmp_path: Path) -> None:
    write(tmp_path, "sub/a.txt")
    (tmp_path / "sub" / "loop").symlink_to(tmp_path)
    (tmp_path / "sub" / "self").symlink_to(tmp_path / "sub" / "self")
    (tmp_path / "sub" / "broken").symlink_to(tmp_path / "nowhere")
    (tmp_path / "sub" / "link.txt").symlink_to(tmp_path / "sub" / "a.txt")
    assert names(tmp_path) == ["sub/a.txt", "sub/link.txt"]


def test_a_pipe_is_no_document_and_is_named(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert names(tmp_path) == []
    assert "pipe is left out" in caplog.text
    with pytest.raises(Misuse, match="neither a file nor a folder"):
        list(walk_files(tmp_path / "pipe"))


def test_a_link_out_of_the_folder_is_not_followed_and_is_named(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    write(tmp_path, "outside/secret.txt", "folder/a.txt")
    link = tmp_path / "folder" / "notes.txt"
    link.symlink_to(tmp_path / "outside" / "secret.txt")
    assert names(tmp_path / "folder") == ["a.txt"]
    assert "notes.txt is left out" in caplog.text
    assert not is_document(link, tmp_path / "folder")
    assert is_document(tmp_path / "folder" / "a.txt", tmp_path / "folder")


@pytest.mark.parametrize("kind", ["pipe", "device", "long"])
def test_an_ignore_file_that_never_ends_neither_waits_nor_fills_memory(tmp_path: Path, kind: str) -> None:
    write(tmp_path, "a.txt", "b.log")
    ignore = tmp_path / ".gitignore"
    if kind == "pipe":
        os.mkfifo(ignore)
    elif kind == "device":
        ignore.symlink_to("/dev/zero")
    else:
        ignore.write_text("*.log\n")
        os.truncate(ignore, 10_000_000_000)
    assert names(tmp_path) == (["a.txt"] if kind == "long" else ["a.txt", "b.log"])


def test_our_own_data_folder_is_left_out(tmp_path: Path) -> None:
    write(tmp_path, "a.txt", "data/files/ab/abc", "data/pincite.db")
    assert names(tmp_path, data=tmp_path / "data") == ["a.txt"]
    assert not is_document(tmp_path / "data" / "pincite.db", tmp_path, tmp_path / "data")


def test_a_file_is_itself_and_an_empty_folder_is_nothing(tmp_path: Path) -> None:
    write(tmp_path, ".named")
    assert list(walk_files(tmp_path / ".named")) == [tmp_path / ".named"]
    (tmp_path / "empty").mkdir()
    assert names(tmp_path / "empty") == []


def test_a_path_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(Misuse, match="no file or folder") as caught:
        list(walk_files(tmp_path / "nowhere"))
    assert caught.value.hint


def test_a_folder_inside_that_may_not_be_opened_costs_only_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    write(tmp_path, "a.txt", "closed/b.txt", "open/c.txt")
    scan = os.scandir

    def refuse(folder: Path) -> object:
        if folder.name == "closed":
            raise PermissionError(13, "Permission denied")
        return scan(folder)

    monkeypatch.setattr(os, "scandir", refuse)
    assert names(tmp_path) == ["a.txt", "open/c.txt"]
    assert "closed is left out" in caplog.text
    with pytest.raises(Misuse, match="cannot be opened"):
        list(walk_files(tmp_path / "closed"))


PIECES = st.sampled_from(["a", "b", "c.txt", "d.log", ".h", "x.tmp"])
PATTERNS = st.lists(
    st.sampled_from(["*.log", "a/", "/b", "!d.log", "a/*", "!a/c.txt", "**/c.txt", "b/**", "!b/a/"]), max_size=4
)


@given(st.lists(st.lists(PIECES, min_size=1, max_size=3), max_size=8), PATTERNS, PATTERNS)
def test_a_single_path_is_judged_as_the_whole_walk_judges_it(
    tmp_path_factory: pytest.TempPathFactory, paths: list[list[str]], above: list[str], below: list[str]
) -> None:
    root = tmp_path_factory.mktemp("tree")
    for parts in paths:
        path = root.joinpath(*parts)
        if not any(parent.is_file() for parent in path.parents) and not path.exists():
            write(root, "/".join(parts))
    (root / ".gitignore").write_text("\n".join(above))
    if (root / "a").is_dir():
        (root / "a" / ".gitignore").write_text("\n".join(below))
    every = [path for path in root.rglob("*") if path.is_file()]
    assert set(walk_files(root)) == {path for path in every if is_document(path, root)}
