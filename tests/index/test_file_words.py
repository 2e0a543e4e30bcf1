from collections.abc import Iterator
from pathlib import Path

import pytest

from pincite.errors import Busy
from pincite.index import file_words
from pincite.index.file_words import FileWords, FileWordTable, KnownFile

OLD = 1_000_000_000_000_000_000


def make_file(path: str, text: str, names: str = "", modified: int = OLD) -> FileWords:
    return FileWords(path, KnownFile(len(text), modified, OLD + 10**9, 5), path.replace("/", " "), names, text)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[FileWordTable]:
    table = FileWordTable(tmp_path / "deep" / "words.db")
    table.write([make_file("a", "cart total"), make_file("b", "cart", "total"), make_file("c", "tax")], ())
    yield table
    table.close()


def test_files_are_found_by_their_words_and_names_count_more(table: FileWordTable) -> None:
    assert [path for path, _ in table.search(["total"], 5)] == ["b", "a"]
    assert [path for path, _ in table.search(["tax", "nowhere"], 5)] == ["c"]
    assert len(table.search(["cart", "tax"], 2)) == 2
    assert table.search([], 5) == table.search(["nowhere"], 5) == table.search(["cart"], 0) == []
    assert table.count_files_with(["cart", "tax", "nowhere"]) == {"cart": 2, "tax": 1, "nowhere": 0}
    assert table.count() == 3


def test_a_changed_file_replaces_its_words_and_a_removed_one_is_forgotten(table: FileWordTable) -> None:
    table.write([make_file("a", "refund", modified=OLD + 1)], ["c"])
    assert [path for path, _ in table.search(["cart", "tax", "refund"], 5)] == ["a", "b"]
    assert table.search(["tax"], 5) == []
    assert set(table.list_known()) == {"a", "b"}


def test_a_file_that_another_process_has_stored_is_not_stored_again(table: FileWordTable) -> None:
    table.write([make_file("a", "cart total")], ())
    table.write([make_file("a", "cart total", modified=OLD + 1)], ())
    assert table.count_files_with(["total"])["total"] == 3  # the row of the old version is unused but there


@pytest.mark.parametrize(
    ("size", "modified", "seen", "is_current"),
    [
        (5, OLD, OLD + 10**9, True),
        (6, OLD, OLD + 10**9, False),
        (5, OLD + 1, OLD + 10**9, False),
        (5, OLD, OLD + 1, False),
    ],
)
def test_a_file_is_current_if_nothing_about_it_changed_since_well_before_it_was_read(
    size: int, modified: int, seen: int, is_current: bool
) -> None:
    assert KnownFile(5, OLD, seen, 0).is_current(size, modified) == is_current


def test_a_writer_that_does_not_end_is_said(
    table: FileWordTable, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(file_words, "_PATIENCE", 0)
    other = FileWordTable(tmp_path / "deep" / "words.db")
    other.list_known()
    with file_words._transaction(table._open()), pytest.raises(Busy, match="Another process"):
        other.write([make_file("d", "x")], ())
    other.write([make_file("d", "x")], ())
    other.close()
    assert table.count() == 4
