"""Planning reads files and writes none; what cannot be planned is refused with what to do about it."""

from pathlib import Path

import pytest

from pincite.projects.block_readings import strip_fences
from pincite.projects.change_plan import plan_changes, plan_reply
from pincite.projects.edit_blocks import create_search_replace_block
from pincite.projects.edits import CreateFile, ReplaceText


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "src").mkdir()
    (tmp_path / "src/a.py").write_text("def add(a, b):\n    return a + b\n\n\ndef sub(a, b):\n    return a - b\n")
    return tmp_path


def test_nothing_is_written(root: Path) -> None:
    plan_reply(root, create_search_replace_block("src/b.py", "", "x = 1\n"))
    assert not (root / "src/b.py").exists()


def test_the_nearest_lines_are_shown_with_their_numbers(root: Path) -> None:
    block = create_search_replace_block("src/a.py", "def sub(a, b):\n    return a-b\n", "x\n")
    refusal = plan_reply(root, block).refusals[0]
    assert [(line.number, line.text) for line in refusal.nearest] == [(5, "def sub(a, b):"), (6, "    return a - b")]


def test_nothing_like_it_shows_no_lines(root: Path) -> None:
    block = create_search_replace_block("src/a.py", "const unrelated = require('zebra');\n", "x\n")
    assert plan_reply(root, block).refusals[0].nearest == ()


def test_a_file_elsewhere_is_suggested(root: Path) -> None:
    refusal = plan_reply(root, create_search_replace_block("lib/a.py", "x\n", "y\n")).refusals[0]
    assert (refusal.reason, "src/a.py" in refusal.hint) == ("file_missing", True)


def test_the_place_of_the_folder_in_front_of_a_path_is_left_out(root: Path) -> None:
    planned = plan_reply(root, create_search_replace_block(f"{root}/src/b.py", "", "x = 1\n"))
    assert [file.path for file in planned.files] == ["src/b.py"]


def test_a_link_and_its_target_are_one_file(root: Path) -> None:
    (root / "link.py").symlink_to("src/a.py")
    planned = plan_changes(
        root,
        [
            ReplaceText(1, "link.py", "    return a + b\n", "    return b + a\n"),
            ReplaceText(2, "src/a.py", "    return b + a\n", "    return 0\n"),
        ],
    )
    assert [file.path for file in planned.files] == ["src/a.py"]
    assert planned.applicable == (1, 2)


@pytest.mark.parametrize(
    ("data", "encoding"),
    [("é\none\n".encode("latin-1"), "latin-1"), ("\ufeffé\r\none\r\n".encode("utf-16-le"), "utf-16-le")],
)
def test_a_file_in_another_encoding_stays_in_it(root: Path, data: bytes, encoding: str) -> None:
    (root / "a.txt").write_bytes(data)
    planned = plan_reply(root, create_search_replace_block("a.txt", "é\none\n", "é\ntwo é\n"))
    assert planned.files[0].after == data.replace("one".encode(encoding), "two é".encode(encoding))


def test_letters_that_a_guessed_encoding_may_not_have_are_refused(root: Path) -> None:
    (root / "a.txt").write_bytes("é\none\n".encode("latin-1"))
    for new in ("é\n", "漢\n"):
        planned = plan_reply(root, create_search_replace_block("a.txt", "one\n", new))
        assert [refusal.reason for refusal in planned.refusals] == ["encoding"]


def test_a_binary_file_is_not_changed(root: Path) -> None:
    (root / "a.bin").write_bytes(b"one\n\0\n")
    planned = plan_reply(root, create_search_replace_block("a.bin", "one\n", "two\n"))
    assert [refusal.reason for refusal in planned.refusals] == ["binary_file"]


def test_a_folder_is_not_a_file(root: Path) -> None:
    planned = plan_changes(root, [CreateFile(1, "src", "x"), CreateFile(2, "src/a.py/b.py", "x")])
    assert [refusal.number for refusal in planned.refusals] == [1, 2]


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("```typescript\ncode\n```", "code\n"),
        ("```\ncode\n```\n", "code\n"),
        ("~~~py\n  a\n\n~~~", "  a\n\n"),
        ("code\n", "code\n"),
        ("```\na\n```\nb\n```\n", "```\na\n```\nb\n```\n"),
        ("", ""),
    ],
)
def test_fences_around_code_are_removed_and_the_code_is_kept(written: str, code: str) -> None:
    assert strip_fences(written) == code


def test_a_whole_file_with_mixed_line_endings_keeps_them_and_its_missing_last_one(root: Path) -> None:
    (root / "mixed.txt").write_bytes(b"a\r\nb\nc")
    planned = plan_changes(root, [CreateFile(1, "mixed.txt", "a\nb\nd\n", may_replace=True)])
    assert [file.after for file in planned.files] == [b"a\r\nb\nd"]


@pytest.mark.parametrize("form", ["DELETE {}\n", "RENAME {} -> src/c.py\n"])
def test_a_link_is_refused_however_its_path_is_written(root: Path, form: str) -> None:
    (root / "link.py").symlink_to("src/a.py")
    for written in ("link.py", "./link.py", f"{root.resolve()}/link.py"):
        planned = plan_reply(root, form.format(f"`{written}`"))
        assert planned.files == ()
        assert [refusal.reason for refusal in planned.refusals] == ["path_link"]
