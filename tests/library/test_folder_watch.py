import os
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pincite.library import Library
from pincite.library.folder_walk import walk_files
from pincite.library.folder_watch import _find_missed_files, _remove_files, watch_folders
from tests.clock import PATIENCE, wait_until
from tests.work import all_of, finish


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "documents"
    (folder / "sub").mkdir(parents=True)
    for name in ("a.txt", "b.txt", "sub/c.txt", "sub/d.txt"):
        (folder / name).write_text(f"This is {name}.")
    return folder


@pytest.fixture
def watching(library: Library) -> Iterator[Callable[..., None]]:
    """Follows folders in a thread as `add --watch` does, until the test is over."""
    stop, threads = threading.Event(), []

    def run(roots: list[Path]) -> None:
        for change in watch_folders(library, "local", roots, "default", stop):
            for path in change.changed:
                library.add("local", path)
            finish(library)

    def start(*roots: Path) -> None:
        thread = threading.Thread(target=run, args=(list(roots),))
        threads.append(thread)
        thread.start()

    yield start
    stop.set()
    for thread in threads:
        thread.join(PATIENCE)
        assert not thread.is_alive()


def names(library: Library) -> dict[str, str]:
    return {stored.name: stored.id for stored in all_of(library) if stored.status == "ready"}


def add_all(library: Library, folder: Path) -> None:
    for path in walk_files(folder):
        library.add("local", path)
    finish(library)


def test_files_added_changed_or_removed_while_nobody_watched_are_caught_up(
    library: Library, folder: Path, watching: Callable[..., None]
) -> None:
    add_all(library, folder)
    before = names(library)
    (folder / "a.txt").write_text("This is another a.txt.")
    (folder / "new.txt").write_text("New.")
    shutil.rmtree(folder / "sub")
    watching(folder)
    wait_until(
        lambda: set(names(library)) == {"a.txt", "b.txt", "new.txt"} and names(library)["a.txt"] != before["a.txt"]
    )
    assert names(library)["b.txt"] == before["b.txt"]


def test_a_watched_folder_is_followed_through_every_kind_of_change(
    library: Library, folder: Path, watching: Callable[..., None]
) -> None:
    watching(folder)
    wait_until(lambda: len(names(library)) == 4)
    before = names(library)

    (folder / "new.txt").write_text("New.")
    wait_until(lambda: "new.txt" in names(library))

    (folder / "a.txt").write_text("This is another a.txt.")
    wait_until(lambda: names(library).get("a.txt", before["a.txt"]) != before["a.txt"])

    (folder / "b.txt").unlink()
    wait_until(lambda: "b.txt" not in names(library))

    (folder / ".hidden.txt").write_text("Hidden.")
    (folder / "whole").mkdir()
    (folder / "whole" / "e.txt").write_text("This is e.txt.")
    wait_until(lambda: "e.txt" in names(library))

    shutil.rmtree(folder / "sub")
    wait_until(lambda: set(names(library)) == {"new.txt", "a.txt", "e.txt"})


def test_a_renamed_file_or_folder_keeps_its_documents(
    library: Library, folder: Path, watching: Callable[..., None]
) -> None:
    from pincite.store import document_sources

    def places() -> set[str]:
        with library.database.reading() as connection:
            return {
                Path(place.location).relative_to(folder).as_posix()
                for place in document_sources.find(connection, "local")
            }

    watching(folder)
    wait_until(lambda: len(names(library)) == 4)
    before = set(names(library).values())
    (folder / "a.txt").rename(folder / "renamed.txt")
    wait_until(lambda: places() == {"renamed.txt", "b.txt", "sub/c.txt", "sub/d.txt"})
    (folder / "sub").rename(folder / "moved")
    wait_until(lambda: places() == {"renamed.txt", "b.txt", "moved/c.txt", "moved/d.txt"})
    assert set(names(library).values()) == before


def test_a_single_file_and_a_folder_behind_a_link_can_be_watched(
    library: Library, folder: Path, tmp_path: Path, watching: Callable[..., None]
) -> None:
    (tmp_path / "link").symlink_to(folder / "sub")
    watching(folder / "a.txt", tmp_path / "link")
    wait_until(lambda: set(names(library)) == {"a.txt", "c.txt", "d.txt"})
    (folder / "sub" / "c.txt").unlink()
    (folder / "b.txt").write_text("Nobody looks at this one.")
    wait_until(lambda: set(names(library)) == {"a.txt", "d.txt"})


def test_a_name_that_is_not_utf8_is_neither_taken_for_gone_nor_for_new(library: Library, tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.txt"))
    path.write_text("Some words.")
    library.add("local", path)
    assert _find_missed_files(library, "local", [tmp_path], "default") == []
    path.unlink()
    assert _remove_files(library, "local", {path}, "default") == ["caf\ufffd.txt"]
