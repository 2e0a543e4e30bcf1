import multiprocessing
import os
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from pincite.errors import StorageError
from pincite.index import file_words
from pincite.projects import file_index
from pincite.projects.file_index import FileIndex
from pincite.projects.project import Project, open_project
from tests.projects.conftest import write_project
from tests.thorough import mark_slow

FILES: dict[str, str | bytes] = {
    "shop/cart.py": '''"""The cart."""


class ShoppingCart:
    def add_item(self, item):
        self.items.append(item)

    def compute_total(self):
        """Add the prices of all items."""
        return sum(item.price for item in self.items)
''',
    "shop/taxes.ts": """export function applySalesTax(amount: number): number {
  return amount * 1.2;
}

export function roundCents(amount: number): number {
  return Math.round(amount * 100) / 100;
}
""",
    "docs/payments.md": "# Payments\n\nText.\n\n## Refunds\n\nA refund takes five days.\n",
    "README.md": "# Shop\n\nA small shop.\n",
    ".env": "SHOPPING_CART_PASSWORD=hunter2\n",
    ".gitignore": "generated/\n",
    "generated/cart.py": "class ShoppingCart: pass\n",
}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return write_project(tmp_path / "project", FILES)


@pytest.fixture
def index(project: Project, tmp_path: Path) -> Iterator[FileIndex]:
    index = FileIndex(project, tmp_path / "index")
    index.refresh()
    yield index
    index.close()


def find(index: FileIndex, query: str) -> list[tuple[str, str]]:
    return [(part.path, part.name) for part in index.search(query, 10)]


@pytest.mark.parametrize(
    ("query", "path", "name"),
    [
        ("compute_total", "shop/cart.py", "ShoppingCart.compute_total"),
        ("computeTotal", "shop/cart.py", "ShoppingCart.compute_total"),
        ("where is the total of the cart computed?", "shop/cart.py", "ShoppingCart.compute_total"),
        ("adding items", "shop/cart.py", "ShoppingCart.add_item"),
        ("apply_sales_tax", "shop/taxes.ts", "applySalesTax"),
        ("applySalesTax", "shop/taxes.ts", "applySalesTax"),
        ("how are sales taxes applied", "shop/taxes.ts", "applySalesTax"),
        ("round to cents", "shop/taxes.ts", "roundCents"),
        ("how long does a refund take", "docs/payments.md", "Payments > Refunds"),
        ("taxes.ts", "shop/taxes.ts", "applySalesTax"),
    ],
)
def test_a_question_finds_the_function_by_its_words(index: FileIndex, query: str, path: str, name: str) -> None:
    assert find(index, query)[0] == (path, name)


def test_a_result_is_the_exact_span_of_the_file(index: FileIndex, project: Project) -> None:
    part = index.search("compute_total", 1)[0]
    text = (project.root / part.path).read_text()
    assert text[part.start : part.end].startswith("    def compute_total(self):")
    assert text[part.start : part.end].endswith("self.items)")
    assert (part.first_line, part.last_line) == (8, 10)


def test_nothing_is_found_for_words_that_are_nowhere_or_for_no_words(index: FileIndex) -> None:
    for query in ("zeppelin", "", '"', "*", "AND OR NOT", "NEAR(", "\0", "path:x"):
        assert find(index, query) == []
    assert index.search("cart", 0) == []


def test_secrets_and_ignored_files_are_not_in_the_index(index: FileIndex) -> None:
    assert find(index, "hunter2 password") == []
    assert "shop/cart.py" in {path for path, _ in find(index, "ShoppingCart")}
    assert "generated/cart.py" not in {path for path, _ in find(index, "ShoppingCart")}
    assert ".env" not in index.count_tokens()


def test_tokens_are_counted_for_every_text_file(index: FileIndex, project: Project) -> None:
    (project.root / "picture.txt").write_bytes(b"\0\1\2")
    index.refresh()
    counts = index.count_tokens()
    assert set(counts) == {"shop/cart.py", "shop/taxes.ts", "docs/payments.md", "README.md", ".gitignore"}
    assert counts["README.md"] == 7


def test_a_change_a_new_file_and_a_removal_are_found_after_a_refresh(index: FileIndex, project: Project) -> None:
    (project.root / "README.md").write_text("# Zeppelin\n")
    (project.root / "new.go").write_text("func FlyBalloon() {\n}\n")
    (project.root / "shop" / "cart.py").unlink()
    index.refresh()
    assert find(index, "zeppelin") == [("README.md", "Zeppelin")]
    assert find(index, "fly balloon") == [("new.go", "FlyBalloon")]
    assert find(index, "compute_total") == []


def test_a_change_that_leaves_size_and_time_as_they_were_is_found_if_it_was_recent(
    index: FileIndex, project: Project
) -> None:
    place = project.root / "README.md"
    recent = time.time_ns() + 60 * 10**9  # on a slow machine too
    for words in ("# Falcon\n", "# Pigeon\n"):
        place.write_text(words)
        os.utime(place, ns=(recent, recent))
        index.refresh()
    assert find(index, "pigeon") == [("README.md", "Pigeon")]


def test_only_changed_files_are_read_again(index: FileIndex, project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    for path in project.root.rglob("*"):
        os.utime(path, (1_000_000, 1_000_000))
    index.refresh()
    read = []
    really_read = file_index._read_bytes

    def record(folder: int, name: str, most: int) -> bytes | None:
        read.append(name)
        return really_read(folder, name, most)

    monkeypatch.setattr(file_index, "_read_bytes", record)
    index.refresh()
    assert read == []
    os.utime(project.root / "README.md", (2_000_000, 2_000_000))
    index.refresh()
    assert read == ["README.md"]


def test_a_file_that_changed_after_the_refresh_is_shown_as_it_is_now(index: FileIndex, project: Project) -> None:
    place = project.root / "shop" / "cart.py"
    place.write_text("# moved down\n" * 20 + "\n" + place.read_text())
    part = index.search("compute_total", 1)[0]
    assert part.first_line == 29
    place.unlink()
    assert "shop/cart.py" not in {path for path, _ in find(index, "compute_total")}


def test_a_refresh_can_be_stopped_and_goes_on_the_next_time(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_index, "_FILES_A_BATCH", 2)
    index = FileIndex(project, tmp_path / "stopped")
    told: list[tuple[int, int]] = []
    assert (
        len(index.refresh(progress=lambda done, total: told.append((done, total)), should_stop=lambda: bool(told))) == 5
    )
    assert told == [(2, 5)]
    index.refresh(progress=lambda done, total: told.append((done, total)))
    assert told[-1][0] == told[-1][1]
    assert len(index.count_tokens()) == 5
    index.close()


def test_the_index_stays_for_the_next_process(index: FileIndex, project: Project, tmp_path: Path) -> None:
    index.close()
    again = FileIndex(project, tmp_path / "index")
    assert find(again, "compute_total")[0] == ("shop/cart.py", "ShoppingCart.compute_total")
    again.close()


@pytest.mark.parametrize("damage", ["text", "empty", "middle", "tables", "missing"])
def test_a_damaged_index_is_made_anew(
    index: FileIndex, project: Project, tmp_path: Path, damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    index.close()
    (stored,) = (tmp_path / "index").glob("*.db")
    if damage == "text":
        stored.write_bytes(b"This is no database. " * 500)
    elif damage == "empty":
        stored.write_bytes(b"")
    elif damage == "middle":
        data = bytearray(stored.read_bytes())
        data[2000:] = b"\xff" * (len(data) - 2000)
        stored.write_bytes(data)
    elif damage == "tables":
        with sqlite3.connect(stored) as connection:
            connection.execute("DROP TABLE files")
        connection.close()
    else:
        stored.unlink()
    again = FileIndex(project, tmp_path / "index")
    again.refresh()
    assert find(again, "compute_total")[0] == ("shop/cart.py", "ShoppingCart.compute_total")
    again.close()
    assert ("is damaged" in caplog.text) == (damage in ("text", "middle", "tables"))


def test_an_index_that_is_deleted_under_a_running_process_is_made_anew(index: FileIndex, tmp_path: Path) -> None:
    for path in (tmp_path / "index").iterdir():
        path.unlink()
    index.refresh()
    assert find(index, "compute_total")[0][0] == "shop/cart.py"


def test_a_folder_that_cannot_be_written_is_said(project: Project, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StorageError, match="cannot be used"):
        FileIndex(project, tmp_path / "file").refresh()


def test_an_index_full_of_removed_files_is_made_anew(
    index: FileIndex, project: Project, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(file_words, "_FEW_ROWS", 10)
    for number in range(12):
        (project.root / "README.md").write_text(f"# Version {number} " + "x" * number)
        index.refresh()
    (stored,) = (tmp_path / "index").glob("*.db")
    with sqlite3.connect(stored) as connection:
        assert connection.execute("SELECT count(*) FROM words_docsize").fetchone()[0] < 12
    connection.close()
    assert find(index, "compute_total")[0][0] == "shop/cart.py"


def refresh_elsewhere(root: Path, folder: Path) -> None:
    index = FileIndex(open_project(root), folder)
    for number in range(5):
        (root / f"{os.getpid()}.py").write_text(f"def from_{os.getpid()}_{number}(): pass\n")
        index.refresh()
        index.search("compute_total", 5)
    index.close()


@pytest.mark.slow
def test_two_processes_may_refresh_at_once(project: Project, tmp_path: Path) -> None:
    for number in range(300):
        (project.root / f"file{number}.py").write_text(f"def function_{number}(): pass\n")
    spawn = multiprocessing.get_context("spawn")
    workers = [spawn.Process(target=refresh_elsewhere, args=(project.root, tmp_path / "shared")) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [0, 0]
    index = FileIndex(project, tmp_path / "shared")
    index.refresh()
    assert len(index.count_tokens()) == 307
    assert find(index, "function_17")[0] == ("file17.py", "function_17")
    for worker in workers:
        assert find(index, f"from_{worker.pid}_4")[0][0] == f"{worker.pid}.py"
    index.close()


@pytest.mark.parametrize(
    "text",
    [
        "x" * 900_000,
        "needle = 1\n" * 90_000,
        "(" * 900_000 + "needle",
        "".join(" " * depth + "if needle:\n" for depth in range(1000)),
        " ".join(f"key{number:x}" for number in range(90_000)),
        "é" * 400_000,
    ],
    ids=["one line", "many lines", "deep", "indented", "many words", "accents"],
)
@pytest.mark.parametrize("name", ["a.py", mark_slow("a.js")])
def test_a_hostile_file_neither_fails_nor_hides_the_others(
    project: Project, tmp_path: Path, text: str, name: str
) -> None:
    (project.root / name).write_text(text)
    index = FileIndex(project, tmp_path / "hostile")
    index.refresh()
    assert len(index.search("needle x key1", 10)) <= 10
    assert find(index, "compute_total")[0][0] == "shop/cart.py"
    index.close()
    assert sum(path.stat().st_size for path in (tmp_path / "hostile").iterdir()) < 2_000_000


def test_only_as_many_files_as_fit_are_held_in_memory_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_index, "_BYTES_A_BATCH", 5000)
    project = write_project(tmp_path / "large", {f"{number}.txt": "word " * 400 for number in range(9)})
    index = FileIndex(project, tmp_path / "index")
    done: list[int] = []
    index.refresh(progress=lambda read, _: done.append(read))
    assert done == [2, 4, 6, 8, 9]
    assert len(index.count_tokens()) == 9
    index.close()


def test_a_file_over_the_limit_is_found_by_its_name_alone(project: Project, tmp_path: Path) -> None:
    (project.root / "large.py").write_text("def needle(): pass\n" * 100)
    index = FileIndex(project, tmp_path / "small", file_bytes=500)
    index.refresh()
    assert find(index, "needle") == []
    assert "large.py" not in index.count_tokens()
    index.close()
