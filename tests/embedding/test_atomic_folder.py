import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pincite.embedding.atomic_folder import is_intact, write_folder

FILES = {"a.bin": b"x" * 10_000, "b.txt": b"words"}


def test_the_kept_folder_is_sound(tmp_path: Path) -> None:
    folder = tmp_path / "models" / "one"
    assert not is_intact(folder)
    write_folder(folder, FILES)
    assert is_intact(folder)
    assert (folder / "a.bin").read_bytes() == FILES["a.bin"]
    assert [path.name for path in folder.parent.iterdir()] == ["one"]


def _flip(folder: Path) -> None:
    (folder / "a.bin").write_bytes(b"y" + b"x" * 9_999)


def _shorten(folder: Path) -> None:
    (folder / "a.bin").write_bytes(b"x" * 5_000)


def _lose(folder: Path) -> None:
    (folder / "b.txt").unlink()


def _garble(folder: Path) -> None:
    (folder / "checksums.json").write_text("[1, 2")


def _list(folder: Path) -> None:
    (folder / "checksums.json").write_text("[1, 2]")


def _empty(folder: Path) -> None:
    (folder / "checksums.json").write_text("{}")


@pytest.mark.parametrize("harm", [_flip, _shorten, _lose, _garble, _list, _empty])
def test_a_harmed_folder_is_not_trusted_and_is_replaced(tmp_path: Path, harm: object) -> None:
    folder = tmp_path / "one"
    write_folder(folder, FILES)
    harm(folder)  # type: ignore[operator]
    assert not is_intact(folder)
    write_folder(folder, FILES)
    assert is_intact(folder)


def test_remains_of_a_killed_process_are_removed_once_old(tmp_path: Path) -> None:
    old, new = tmp_path / ".making-old", tmp_path / ".making-new"
    old.mkdir()
    new.mkdir()
    hours_ago = time.time() - 7200
    os.utime(old, (hours_ago, hours_ago))
    write_folder(tmp_path / "one", FILES)
    assert not old.exists()
    assert new.exists()


def test_many_may_keep_the_same_folder_at_once(tmp_path: Path) -> None:
    folder = tmp_path / "one"
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: write_folder(folder, FILES), range(32)))
    assert is_intact(folder)
    assert [path.name for path in tmp_path.iterdir()] == ["one"]


def test_a_failure_half_way_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(OSError):
        write_folder(tmp_path / "one", {"a.bin": b"x", "no/such/folder": b"y"})
    assert list(tmp_path.iterdir()) == []
