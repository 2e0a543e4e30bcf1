import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pincite.cli.prompt_history import PROMPT, Interrupts, read_lines
from tests.cli.terminals import type_at_terminal


def chatted(data: Path, *typed: str) -> list[str]:
    """Return the screen after a chat at a real terminal in which each of these lines was typed at its own prompt."""
    status, rows = type_at_terminal(["chat"], data, *((PROMPT, keys) for keys in typed))
    assert status == 0, rows
    return rows


Press = Callable[..., None]


@pytest.fixture
def press(monkeypatch: pytest.MonkeyPatch) -> Press:
    """Lets these lines be typed at a terminal; an error is what input() raises for a key."""

    def press_keys(*keys: BaseException | str) -> None:
        pressed: Iterator[BaseException | str] = iter(keys)

        def typed(prompt: str) -> str:
            key = next(pressed)
            if isinstance(key, BaseException):
                raise key
            return key

        monkeypatch.setattr("builtins.input", typed)
        for stream in (sys.stdin, sys.stdout):
            monkeypatch.setattr(stream, "isatty", lambda: True, raising=False)

    return press_keys


@pytest.mark.slow
def test_ctrl_d_ends_the_chat(tmp_path: Path) -> None:
    rows = chatted(tmp_path / "data", "/focus documents\r", "\x04")
    assert rows[0].startswith("extractive answers. It quotes your documents")
    assert "The focus is documents." in rows


def test_ctrl_c_gives_up_a_line_and_not_the_chat(tmp_path: Path, press: Press) -> None:
    press(KeyboardInterrupt(), KeyboardInterrupt(), "How high?", EOFError())
    with read_lines(tmp_path / "history") as found:
        assert list(found) == ["How high?"]


def test_where_it_may_leave_a_second_ctrl_c_in_a_row_leaves_and_a_line_between_starts_anew(
    tmp_path: Path, press: Press, capsys: pytest.CaptureFixture[str]
) -> None:
    press(KeyboardInterrupt(), "How high?", KeyboardInterrupt(), KeyboardInterrupt(), "not read")
    lines: list[str] = []
    with pytest.raises(KeyboardInterrupt), read_lines(tmp_path / "history", Interrupts("Again leaves.")) as found:
        lines.extend(found)
    assert lines == ["How high?"]
    assert capsys.readouterr().out.count("Again leaves.") == 2


def test_after_something_was_interrupted_the_first_ctrl_c_leaves(tmp_path: Path, press: Press) -> None:
    press("How high?", KeyboardInterrupt())
    interrupts = Interrupts("Again leaves.")
    with read_lines(tmp_path / "history", interrupts) as found:
        assert next(found) == "How high?"
        interrupts.is_last = True
        with pytest.raises(KeyboardInterrupt):
            next(found)


@pytest.mark.slow
def test_the_line_editor_brings_back_what_was_typed_before_in_this_chat_and_the_last(tmp_path: Path) -> None:
    pytest.importorskip("readline")
    again = "\x1b[A\r"
    rows = chatted(tmp_path / "data", "/focus documents\r", again, "\x04")
    assert rows.count("The focus is documents.") == 2
    assert "The focus is documents." in chatted(tmp_path / "data", again, "\x04")
