import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pincite.cli.prompt_history import PROMPT, read_lines
from tests.clock import PATIENCE
from tests.program import environment
from tests.screens import seen


def chatted(data: Path, *typed: str) -> list[str]:
    """What is to be seen after a chat at a real terminal, in which this was typed, each at a prompt of its own."""
    terminal, other_side = pty.openpty()
    program = subprocess.Popen(
        [sys.executable, "-m", "pincite", "chat"],
        env=environment(data, EMBEDDING__PROVIDER="none") | {"TERM": "xterm", "COLUMNS": "100"},
        stdin=other_side,
        stdout=other_side,
        stderr=other_side,
        start_new_session=True,
    )
    os.close(other_side)
    written, keys = "", list(typed)
    while True:
        try:
            read = os.read(terminal, 65536)
        except OSError:
            read = b""
        if not read:  # the program has ended
            break
        written += read.decode(errors="replace")
        # The last thing a prompt writes; until then keys are the terminal's, not the line editor's.
        if keys and written.endswith(PROMPT):
            os.write(terminal, keys.pop(0).encode())
    os.close(terminal)
    assert program.wait(PATIENCE) == 0, written
    return [row for row in seen(written) if row]


def test_ctrl_d_ends_the_chat(tmp_path: Path) -> None:
    rows = chatted(tmp_path / "data", "/focus documents\r", "\x04")
    assert rows[0].startswith("extractive answers. It quotes your documents")
    assert "The focus is documents." in rows


def test_ctrl_c_gives_up_a_line_and_not_the_chat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pressed: Iterator[BaseException | str] = iter([KeyboardInterrupt(), "How high?", EOFError()])

    def typed(prompt: str) -> str:
        key = next(pressed)
        if isinstance(key, BaseException):
            raise key
        return key

    monkeypatch.setattr("builtins.input", typed)
    for stream in (sys.stdin, sys.stdout):
        monkeypatch.setattr(stream, "isatty", lambda: True, raising=False)
    with read_lines(tmp_path / "history") as found:
        assert list(found) == ["How high?"]


def test_the_line_editor_brings_back_what_was_typed_before_in_this_chat_and_the_last(tmp_path: Path) -> None:
    pytest.importorskip("readline")
    again = "\x1b[A\r"
    rows = chatted(tmp_path / "data", "/focus documents\r", again, "\x04")
    assert rows.count("The focus is documents.") == 2
    assert "The focus is documents." in chatted(tmp_path / "data", again, "\x04")
