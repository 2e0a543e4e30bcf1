import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pincite.cli import options
from pincite.settings import load_settings
from tests.cli.conftest import Ran
from tests.clock import PATIENCE
from tests.program import environment

SAID = "L'été à Paris coûte 3 € de plus qu'à Kraków – dit 雪."


def run(tmp_path: Path, *arguments: str | Path, stdin: bytes = b"") -> "subprocess.CompletedProcess[bytes]":
    """The program where streams speak ASCII alone."""
    return subprocess.run(
        [sys.executable, "-m", "pincite", *map(str, arguments)],
        env={**environment(tmp_path / "data"), "PYTHONIOENCODING": "ascii:strict"},
        input=stdin,
        capture_output=True,
        timeout=PATIENCE,
    )


@pytest.fixture
def note(tmp_path: Path) -> Path:
    path = tmp_path / "note.txt"
    path.write_text(SAID, encoding="utf-8")
    return path


def test_json_is_utf_8_whatever_the_terminal_speaks(tmp_path: Path, note: Path) -> None:
    done = run(tmp_path, "locate", note, "--text", SAID, "--json")
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout.decode("utf-8"))["blocks"][0]["text"] == SAID


@pytest.mark.slow
def test_a_character_the_terminal_cannot_show_is_a_mark_and_ends_nothing(tmp_path: Path, note: Path) -> None:
    done = run(tmp_path, "locate", note, "--text", SAID, "--verbose")
    assert done.returncode == 0
    assert b"Found on line 1" in done.stdout
    assert b"3 ? de plus" in done.stdout
    assert b"Traceback" not in done.stderr


@pytest.mark.slow
def test_a_passage_from_stdin_may_hold_bytes_that_are_no_text(tmp_path: Path, note: Path) -> None:
    done = run(tmp_path, "locate", note, "--text", "-", stdin=b"plus qu'\xff Krak\xc3")
    assert done.returncode == 1
    assert b"Traceback" not in done.stderr


def test_half_a_character_is_a_mark_in_the_answer_and_in_the_evidence(
    pincite: Callable[..., Ran], tmp_path: Path, note: Path
) -> None:
    asked = ("locate", note, "--text", f"{SAID} \ud83d", "--evidence", tmp_path / "why.html")
    told = pincite(*asked, "--json")
    assert (told.status, told.json["blocks"][0]["text"]) == (0, f"{SAID} \ufffd")
    assert "dit 雪. \ufffd</blockquote>" in (tmp_path / "why.html").read_text(encoding="utf-8")


def test_folders_on_the_command_line_are_projects_beside_those_of_the_settings(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    settings = load_settings(data=tmp_path, projects={"folders": [tmp_path / "one"]})
    assert options.add_projects(settings, []) is settings
    added = options.add_projects(settings, [tmp_path / "two", tmp_path / "one"])
    assert added.projects.folders == (tmp_path / "one", tmp_path / "two")
