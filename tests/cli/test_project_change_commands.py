import io
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Ran

GOOD = """\
src/cart.py
```python
<<<<<<< SEARCH
    return sum(items)
=======
    return max(items)
>>>>>>> REPLACE
```
"""
BAD = "src/cart.py\n<<<<<<< SEARCH\n    return sum(item)\n=======\n    return 0\n>>>>>>> REPLACE\n"

Pipe = Callable[[str | bytes], None]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "shop"
    (root / "src").mkdir(parents=True)
    (root / "src" / "cart.py").write_text("def total(items):\n    return sum(items)\n")
    return root


@pytest.fixture
def pipe(monkeypatch: pytest.MonkeyPatch) -> Pipe:
    """Gives a reply to the next command on its stdin."""

    def give(reply: str | bytes) -> None:
        data = reply.encode() if isinstance(reply, str) else reply
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), "utf-8"))

    return give


def test_a_reply_is_applied_and_undone(pincite: Callable[..., Ran], root: Path, pipe: Pipe) -> None:
    before = (root / "src/cart.py").read_bytes()
    pipe(GOOD)
    ran = pincite("project", "apply", "--root", root)
    assert (ran.status, ran.out.splitlines()[0]) == (0, "changed src/cart.py")
    assert (root / "src/cart.py").read_text() == "def total(items):\n    return max(items)\n"
    assert "changed src/cart.py" in pincite("project", "changes", "--root", root).out
    assert pincite("project", "undo", "--root", root).status == 0
    assert (root / "src/cart.py").read_bytes() == before
    assert "(undone)" in pincite("project", "changes", "--root", root).out
    assert pincite("project", "undo", "--root", root).status == 2


def test_a_refused_reply_changes_nothing_and_says_why(pincite: Callable[..., Ran], root: Path, pipe: Pipe) -> None:
    before = (root / "src/cart.py").read_bytes()
    pipe(GOOD + BAD)
    ran = pincite("project", "apply", "--root", root)
    assert ran.status == 1
    assert ran.out == ""
    assert "Block 2 (src/cart.py)" in ran.said
    assert "return max(items)" in ran.said  # the nearest line, as the first block leaves it
    assert "Blocks that would apply: 1." in ran.said
    assert "Nothing was changed." in ran.said
    assert (root / "src/cart.py").read_bytes() == before


def test_the_result_is_printed_for_programs(pincite: Callable[..., Ran], root: Path, pipe: Pipe) -> None:
    pipe(BAD)
    refused = pincite("project", "apply", "--root", root, "--json")
    assert refused.status == 1
    assert refused.json["applied"] is False
    assert [(each["number"], each["reason"]) for each in refused.json["refused"]] == [(1, "not_found")]
    assert refused.json["refused"][0]["nearest"] == [{"line": 2, "text": "    return sum(items)"}]
    pipe(GOOD)
    applied = pincite("project", "apply", "--root", root, "--json").json
    assert (applied["applied"], applied["change"]) == (True, "1")
    assert [(file["path"], file["action"]) for file in applied["files"]] == [("src/cart.py", "modify")]
    assert "-    return sum(items)\n+    return max(items)\n" in applied["files"][0]["diff"]
    assert pincite("project", "changes", "--root", root, "--json").json[0]["change"] == "1"
    assert pincite("project", "undo", "1", "--root", root, "--json").json["applied"] is True


def test_a_dry_run_shows_the_diff_and_changes_nothing(pincite: Callable[..., Ran], root: Path, pipe: Pipe) -> None:
    pipe(GOOD)
    ran = pincite("project", "apply", "--root", root, "--dry-run")
    assert ran.status == 0
    assert "+    return max(items)" in ran.out
    assert "sum" in (root / "src/cart.py").read_text()
    pipe(ran.out)
    assert pincite("project", "apply", "--root", root).status == 0  # the shown change can be applied
    assert "max" in (root / "src/cart.py").read_text()


@pytest.mark.parametrize("reply", ["", "All is well.\n", "```python\nx = 1\n```\n"])
def test_a_reply_without_edits_is_refused(pincite: Callable[..., Ran], root: Path, pipe: Pipe, reply: str) -> None:
    pipe(reply)
    ran = pincite("project", "apply", "--root", root)
    assert ran.status == 1
    assert "no edits" in ran.said


def test_a_reply_may_quote_bytes_that_are_not_text(pincite: Callable[..., Ran], root: Path, pipe: Pipe) -> None:
    (root / "old.txt").write_bytes(b"caf\xe9\nend\n")
    pipe("old.txt\n<<<<<<< SEARCH\nend\n=======\nEND\n>>>>>>> REPLACE\n")
    assert pincite("project", "apply", "--root", root).status == 0
    assert (root / "old.txt").read_bytes() == b"caf\xe9\nEND\n"
    pipe("old.txt\n<<<<<<< SEARCH\nEND\n=======\nété\n>>>>>>> REPLACE\n")
    assert "encoding" in pincite("project", "apply", "--root", root).said
    pipe(b"new.txt\n<<<<<<< SEARCH\n=======\n\xff\n>>>>>>> REPLACE\n")
    assert pincite("project", "apply", "--root", root).status == 1
    assert not (root / "new.txt").exists()


def test_the_lines_of_a_file_with_secrets_are_not_repeated(pincite: Callable[..., Ran], root: Path, pipe: Pipe) -> None:
    (root / ".env").write_text("API_KEY=s3cret\nMODE=dev\n")
    pipe(".env\n<<<<<<< SEARCH\nAPI_KEY=\nMODE=dev\n=======\nMODE=prod\n>>>>>>> REPLACE\n")
    ran = pincite("project", "apply", "--root", root, "--json")
    assert ran.status == 1
    assert "s3cret" not in ran.out + ran.said
